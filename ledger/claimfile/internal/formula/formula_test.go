package formula_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/ledger/claimfile/internal/formula"
)

var names = formula.Names{
	Variables: map[string]int{"N": 5, "P": 2, "FPN": 40},
	Functions: map[string]formula.Function{
		"twice": {Args: 1, Value: func(a []int) int { return 2 * a[0] }},
		"three": {Args: 0, Value: func([]int) int { return 3 }},
	},
}

func eval(text string) (int, error) {
	f, err := formula.Parse(text)
	if err != nil {
		return 0, err
	}
	return f.Eval(names)
}

func TestEval(t *testing.T) {
	for text, want := range map[string]int{
		"7": 7, "N": 5, "3N-1": 14, "3*N - 1": 14, "(N-P+1)(N-P) + N-1": 16, "(N-P)²+N-2": 12, "N^2-1": 24, "-N^2": -25,
		"2N(N-1)": 40, "N(N-1)/2": 10, "7/2*2": 7, "1-2-3": -4, "12/3/2": 2, "--2": 2, "2*-3": -6, "N³": 125, "FPN P": -1,
		"floor(7/2)": 3, "ceil(7/2)": 4, "floor(-7/2)": -4, "ceil(-7/2)": -3, "min(N, P, 3)": 2, "max(N,FPN)": 40, "max(3)": 3,
		"log2(8)": 3, "floor(log2(N))": 2, "ceil(log2(N))": 3, "ceil(log2(8))": 3, "ceil(log2(1))": 0, "twice(N)+1": 11, "three()": 3, "2twice(P)": 8,
		"floor(N/2)floor(N/2)": 4, "mod(N, 2)": 1, "N + mod(-N, 4)": 8,
	} {
		got, err := eval(text)
		if want == -1 {
			assert.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{"", 0, "the formula ends too early: want a number, a variable in capitals, a function or a parenthesis"},
		{"2 +", 3, "the formula ends too early"},
		{"2 3", 2, `unexpected '3': want a sign or the end of the formula`},
		{"(2", 2, `the formula ends too early: want ')'`},
		{"2^3^2", 3, `unexpected '^'`},
		{"2)", 1, `unexpected ')'`},
		{"2 & 3", 2, `unexpected '&'`},
		{"n+1", 0, "want N or n(...)"},
		{"M+1", 0, "M has no value here: want FPN, N or P"},
		{"1/2N", 3, "after a division it is not clear what is multiplied"},
		{"N/2", 1, "5/2 is not a whole number: want floor(...) or ceil(...)"},
		{"N/(P-2)", 1, "division by 0"},
		{"2^(P-3)", 4, "-1 is no exponent: want 0 to 64"},
		{"10^60", 2, "is too large: want at most 2147483647"},
		{"(10^60)^60", 7, "a number of more than 256 bits comes up"},
		{"9999999999", 0, "a number of more than 9 digits"},
		{"log2(5)", 0, "log2 of 5 is not a whole number: want floor(log2(...)) or ceil(log2(...))"},
		{"log2(0)", 0, "log2 of 0: want 1 or more"},
		{"log(5)", 0, `unknown function "log": did you mean log2?`},
		{"twice(1, 2)", 0, "twice has 2 arguments: want 1"},
		{"floor(1, 2)", 0, "floor has 2 arguments: want 1"},
		{"mod(3/2, 2)", 0, "mod(3/2, 2): want whole numbers, the second above 0"}, {"mod(3, 0)", 0, "mod(3, 0): want whole numbers"},
		{"min()", 0, "min has 0 arguments: want 1"}, {"min(,)", 4, "unexpected ','"},
	} {
		_, err := eval(c.text)
		var e *formula.Error
		require.ErrorAs(t, err, &e, c.text)
		assert.Contains(t, e.Text, c.want, c.text)
		assert.Equal(t, c.offset, e.Offset, c.text)
	}
}

// printed draws a formula, fully in parentheses, and its value.
func printed(t *rapid.T, depth int) (string, *big.Rat) {
	if depth == 0 || rapid.Bool().Draw(t, "leaf") {
		n := rapid.IntRange(0, 20).Draw(t, "n")
		return fmt.Sprint(n), big.NewRat(int64(n), 1)
	}
	a, x := printed(t, depth-1)
	b, y := printed(t, depth-1)
	v := new(big.Rat)
	switch sign := rapid.SampledFrom([]string{"+", "-", "*", "/", "", "min"}).Draw(t, "sign"); {
	case sign == "min":
		if v = x; y.Cmp(x) < 0 {
			v = y
		}
		return "min(" + a + "," + b + ")", v
	case sign == "/" && y.Sign() == 0 || sign == "+":
		return "(" + a + ")+(" + b + ")", v.Add(x, y)
	case sign == "-":
		return "((" + a + ") - (" + b + "))", v.Sub(x, y)
	case sign == "/":
		return "((" + a + ")/(" + b + "))", v.Quo(x, y)
	default:
		return "(" + a + ")" + sign + "(" + b + ")", v.Mul(x, y)
	}
}

// Formulas have the values that a second evaluation, on the way to print them, has.
func TestRandomFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, want := printed(t, 4)
		got, err := eval("floor((" + text + "))")
		if err != nil {
			return // too large
		}
		down := new(big.Int).Div(want.Num(), want.Denom())
		assert.Equal(t, down.Int64(), int64(got), text)
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"(N-P+1)(N-P)+N-1", "floor(log2(N))^2/3", "min(N,2)²", "---1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := eval(text)
		var e *formula.Error
		if err != nil && assert.True(t, errors.As(err, &e)) {
			assert.True(t, e.Offset >= 0 && e.Offset <= len(text) && e.Text != "", "%q: %v", text, e)
		}
	})
}
