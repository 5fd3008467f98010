package induction

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/checker/relation"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/solvertest"
	"bullyproof/model"
)

var deep = flag.Bool("deep", false, "also what takes minutes: many more random descriptions")

// drawn are descriptions of three or four steps over two relations.
var drawn = rapid.Custom(func(t *rapid.T) description { return description(drawDescription(t)) })

type description string

func (text description) read(t *testing.T) (*relation.Description, string) {
	d, err := relation.Parse(string(text))
	require.NoError(t, err, "%s", text)
	return d, string(text)
}

func drawDescription(t *rapid.T) string {
	atom := func(vars string) string {
		v := func() string { return string(vars[rapid.IntRange(0, len(vars)-1).Draw(t, "var")]) }
		if rapid.Bool().Draw(t, "unary") {
			return "a(" + v() + ")"
		}
		return "b(" + v() + ", " + v() + ")"
	}
	literal := func(vars string) string {
		switch rapid.IntRange(0, 5).Draw(t, "literal") {
		case 0:
			return vars[:1] + " < " + vars[1:2]
		case 1:
			return "~" + atom(vars)
		case 2:
			return "next(" + vars[:1] + ", " + vars[1:2] + ")"
		}
		return atom(vars)
	}
	var b strings.Builder
	b.WriteString("sort process order ring\nrelation a(process)\nrelation b(process, process)\nsetting n=2..3 topology=ring\ninit ~a(P) & ~b(P, Q)\n")
	for i := range rapid.IntRange(2, 3).Draw(t, "steps") {
		fmt.Fprintf(&b, "step s%d(P, Q)\n  when %s & %s\n", i, literal("PQ"), literal("PQ"))
		for range rapid.IntRange(1, 2).Draw(t, "changes") {
			switch rapid.IntRange(0, 4).Draw(t, "change") {
			case 0:
				fmt.Fprintf(&b, "  drop %s\n", atom("PQ"))
			case 1:
				fmt.Fprintf(&b, "  maybe drop %s\n", atom("PQ"))
			case 2:
				fmt.Fprintf(&b, "  set b(X, Y) = b(X, Y) & %s | %s & X < Y\n", literal("XP"), atom("XQ"))
			default:
				fmt.Fprintf(&b, "  add %s\n", atom("PQ"))
			}
		}
	}
	fmt.Fprintf(&b, "step beginning(P, Q)\n  when next(P, Q)\n  add %s\n", atom("PQ"))
	fmt.Fprintf(&b, "property p ~(%s & %s & P ~= Q)\n", atom("PQ"), atom("PQ"))
	return b.String()
}

// reach returns the states of the description with so many processes, in ring order of their
// ids, from the empty one on; nil if they are more than a limit.
func reach(d *relation.Description, n, limit int) *relation.Seen {
	ring := make([]model.ID, n)
	for i := range ring {
		ring[i] = model.ID(i + 1)
	}
	in := d.Of(ring, []int{n}, nil)
	seen := &relation.Seen{Instance: in, States: [][]uint64{in.Empty()}}
	known := map[string]bool{fmt.Sprint(in.Empty()): true}
	for i := 0; i < len(seen.States); i++ {
		for _, next := range in.Next(seen.States[i]) {
			if key := fmt.Sprint(next); !known[key] {
				known[key] = true
				seen.States = append(seen.States, next)
			}
		}
		if len(seen.States) > limit {
			return nil
		}
	}
	return seen
}

// A sentence that is proved is true in all states of instances, of larger ones than it was
// taken from too; and a search that follows what breaks proves as much as all clauses at once.
func TestProofsAreTrue(t *testing.T) {
	if !*deep && !casecount.Attacking() {
		t.Skip("many descriptions, each decided twice: -deep")
	}
	by := solvertest.Installed(t, Solvers(t.Context()))[0]
	proved, open := 0, 0
	for number := range casecount.Numbers(t, *deep, 8, 100) {
		d, text := drawn.Example(int(number)).read(t)
		var seen []relation.Seen
		for n := 2; n <= 3; n++ {
			if s := reach(d, n, 3000); s != nil {
				seen = append(seen, *s)
			}
		}
		if len(seen) < 2 {
			continue
		}
		sizes := Sizes{Literals: 2, Things: 2}
		result, err := Prove(t.Context(), d, seen, sizes, by)
		require.NoError(t, err, "%s", text)
		require.Len(t, result.Proofs, len(houdini(t, d, seen, sizes, by).Proofs), "%s", text)
		if len(result.Proofs) == 0 {
			open++
			require.Len(t, result.Open, 1)
			require.NotNil(t, result.Open[0].In)
			continue
		}
		proved++
		if four := reach(d, 4, 3000); four != nil {
			seen = append(seen, *four)
		}
		for _, s := range result.Proofs[0].Sentences {
			require.Empty(t, violation(&s, seen), "%s\n%s", text, d.Text(&s))
		}
		for _, other := range solvertest.Installed(t, Solvers(t.Context())) {
			require.NoError(t, Check(t.Context(), d, &result.Proofs[0], other), "%s", text)
		}
	}
	assert.Positive(t, proved)
	assert.Positive(t, open)
}

// houdini tries all clauses at once, and drops what a step breaks: the plain way.
func houdini(t *testing.T, d *relation.Description, seen []relation.Seen, s Sizes, by Solver) *Result {
	all := *d
	for _, f := range families(d, seen, s.Things) {
		for first := range f.atoms {
			for second := first; second < len(f.atoms); second++ {
				for signs := range 4 {
					var of, trues mask
					of.add(first)
					of.add(second)
					if signs&1 != 0 {
						trues.add(first)
					}
					if signs&2 != 0 && first != second {
						trues.add(second)
					}
					if c := f.sentence(d, of, trues); violation(&c, seen) == "" {
						all.Lemmas = append(all.Lemmas, c)
					}
				}
			}
		}
	}
	result, err := Prove(t.Context(), &all, seen, Sizes{}, by)
	require.NoError(t, err)
	return result
}

const tokens = `
sort process order ring
relation token(process)
relation leader(process)
setting n=2..4 topology=ring
init ~token(P) & ~leader(P)
step first(P)
  when forall X. ~token(X)
  add token(P)
step pass(P, Q)
  when token(P) & next(P, Q)
  drop token(P)
  add token(Q)
step lead(P)
  when token(P)
  set leader(X) = X = P
property one-token token(P) & token(Q) -> P = Q
property one-leader leader(P) & leader(Q) -> P = Q
`

func described(t *testing.T, text string) (*relation.Description, []relation.Seen) {
	d, err := relation.Parse(text)
	require.NoError(t, err)
	return d, []relation.Seen{*reach(d, 2, 1000), *reach(d, 3, 1000)}
}

func TestTokens(t *testing.T) {
	for _, by := range solvertest.Installed(t, Solvers(t.Context())) {
		d, seen := described(t, tokens)
		r, err := Prove(t.Context(), d, seen, Sizes{Literals: 3, Things: 3}, by)
		require.NoError(t, err)
		require.Len(t, r.Proofs, 2, by.Name)
		again, err := ReadProofs(d, Text(d, "tokens", r.Proofs))
		require.NoError(t, err)
		assert.Equal(t, Text(d, "tokens", r.Proofs), Text(d, "tokens", again))
		for _, p := range again {
			assert.NoError(t, Check(t.Context(), d, &p, by))
		}

		// With a step that keeps the token where it was nothing is proved of it.
		d, seen = described(t, strings.Replace(tokens, "  drop token(P)\n", "", 1))
		r, err = Prove(t.Context(), d, seen, Sizes{Literals: 3, Things: 3}, by)
		require.NoError(t, err)
		require.Len(t, r.Open, 1)
		x := r.Open[0]
		assert.Equal(t, "one-token", x.Sentence.Name)
		assert.Contains(t, x.Text(), "step:   pass(P")
		assert.True(t, x.In.Always(&x.Sentence, x.Before))
		assert.False(t, x.In.Always(&x.Sentence, x.After))
		assert.ErrorIs(t, Check(t.Context(), d, &again[0], by), ErrNotProved)
	}
}

// Clauses that an initial state breaks do not keep others from being tried.
func TestClausesAfterThoseOfNoInitialState(t *testing.T) {
	by := solvertest.Installed(t, Solvers(t.Context()))[0]
	d, seen := described(t, `
sort process order ring
relation a(process)
relation b(process)
relation c(process)
relation dead(process)
relation bad(process)
setting n=2..3 topology=ring
init ~dead(P) & ~bad(P)
step worse(P)
  when a(P) & b(P) & c(P) & dead(P)
  add bad(P)
property fine ~bad(P)
`)
	r, err := Prove(t.Context(), d, seen, Sizes{Literals: 1, Things: 1}, by)
	require.NoError(t, err)
	require.Len(t, r.Proofs, 1)
}

// A proof without one of its sentences does not stand.
func TestEachSentenceIsNeeded(t *testing.T) {
	by := solvertest.Installed(t, Solvers(t.Context()))[0]
	d, seen := described(t, strings.Replace(tokens, "  set leader(X) = X = P", "  add leader(P)", 1)+"property led leader(P) & token(Q) -> true\n")
	r, err := Prove(t.Context(), d, seen, Sizes{Literals: 2, Things: 2}, by)
	require.NoError(t, err)
	for _, p := range r.Proofs {
		if len(p.Sentences) == 1 {
			continue
		}
		assert.NoError(t, Check(t.Context(), d, &p, by))
	}
	require.Len(t, r.Open, 1)
	assert.Equal(t, "one-leader", r.Open[0].Sentence.Name)
}

func TestReadProofsErrors(t *testing.T) {
	d, _ := described(t, tokens)
	for text, want := range map[string]string{
		"  token(P)":                       "line 1: a sentence before any property",
		"property two":                     `line 1: no property "two"`,
		"property one-token\n  tokn(P)":    `line 2: column 1: no relation "tokn"`,
		"property one-token\n  token(P) &": "line 2: column 11: the formula ends",
	} {
		_, err := ReadProofs(d, text)
		assert.ErrorContains(t, err, want)
	}
	_, err := Export(d, "tokens", nil, "coq")
	assert.ErrorContains(t, err, "want one of ivy, mypyvy, tla")
}

// Ivy takes an export: a choice has an else, names that mean something there have a line
// behind them, and what a step changed before is asked of as it was.
func TestExportForIvy(t *testing.T) {
	d, _ := described(t, `
sort process order ring
relation cast(process)
relation seen(process)
setting n=2..3 topology=ring
init ~cast(P) & ~seen(P)
step export(P, Q)
  when next(P, Q)
  maybe drop cast(P)
  set seen(X) = cast(X) | X = Q
property fine seen(P) -> seen(P)
`)
	ivy, err := Export(d, "casts", nil, "ivy")
	require.NoError(t, err)
	assert.Contains(t, ivy, `action export_(s_p:process, s_q:process) = {
    assume next(s_p, s_q);
    was_cast_(X0) := cast_(X0);
    if * { cast_(s_p) := false } else { }
    seen(X) := (was_cast_(X) | (X = s_q));
}
export export_
`)
	for _, language := range Languages {
		text, err := Export(d, "casts", nil, language)
		require.NoError(t, err)
		assert.NotRegexp(t, `\b(cast|export)\(`, text)
	}
}

// A state is like one of a larger instance if it is that one, seen by some of its processes alone.
func TestLikeIsAPartOf(t *testing.T) {
	met := map[bool]int{}
	for number := range 40 {
		d, text := drawn.Example(number).read(t)
		large := reach(d, 4, 3000)
		if large == nil {
			continue
		}
		small := d.Of([]model.ID{1, 2, 3}, []int{3}, nil)
		parts := map[string]int{} // the first state that each is a part of
		for i, state := range large.States {
			for gone := range 4 {
				if text := small.StateText(without(small, large.Instance, state, gone)); parts[text] == 0 {
					parts[text] = i + 1
				}
			}
		}
		drawnBits := rand.New(rand.NewPCG(uint64(number), 1))
		for range 50 {
			state := small.Empty()
			for p := range 3 {
				for q := range 3 {
					if drawnBits.IntN(3) == 0 {
						small.Set(state, d.Relation("b"), p, q)
					}
				}
				if drawnBits.IntN(3) == 0 {
					small.Set(state, d.Relation("a"), p)
				}
			}
			at, fits := small.Like(state, *large)
			require.True(t, fits)
			require.Equal(t, parts[small.StateText(state)]-1, at, "%s\n%s", text, small.StateText(state))
			met[at >= 0]++
		}
		_, fits := large.Like(large.States[0], relation.Seen{Instance: small, States: [][]uint64{small.Empty()}})
		require.False(t, fits)
	}
	assert.Positive(t, met[true])
	assert.Positive(t, met[false])
}

// without is a state of four processes in a ring as three of them have it.
func without(small, large *relation.Instance, state []uint64, gone int) []uint64 {
	there := func(i int) int {
		if i >= gone {
			return i + 1
		}
		return i
	}
	out := small.Empty()
	for p := range 3 {
		if large.Holds(state, 0, there(p)) {
			small.Set(out, 0, p)
		}
		for q := range 3 {
			if large.Holds(state, 1, there(p), there(q)) {
				small.Set(out, 1, p, q)
			}
		}
	}
	return out
}

// A step that a proof does not get past says whether runs come to the state before it.
func TestWhetherRunsComeThere(t *testing.T) {
	d, seen := described(t, strings.Replace(tokens, "  drop token(P)\n", "", 1))
	two, three := seen[0], seen[1]
	at := func(in *relation.Instance, holders ...int) *Counterexample {
		x := &Counterexample{In: in, Before: in.Empty()}
		for _, p := range holders {
			in.Set(x.Before, d.Relation("token"), p)
		}
		x.reached(seen)
		return x
	}
	assert.Equal(t, Reached, at(two.Instance, 0, 1).Reached)
	assert.Equal(t, Reached, at(three.Instance, 0, 1, 2).Reached)
	four := d.Of([]model.ID{1, 2, 3, 4}, []int{4}, nil)
	assert.Equal(t, Beyond, at(four, 0).Reached)
	x := &Counterexample{In: two.Instance, Before: two.Empty()}
	two.Set(x.Before, d.Relation("leader"), 0)
	two.Set(x.Before, d.Relation("leader"), 1)
	x.reached(seen)
	assert.Equal(t, Unreached, x.Reached)
	unanswered := &Counterexample{}
	unanswered.reached(seen)
	assert.Empty(t, unanswered.Reached)
}

// A solver that does not decide leaves no state to draw.
func TestTextWithoutAnAnswer(t *testing.T) {
	assert.Equal(t, "the solver did not decide in time", (&Counterexample{Step: "pass"}).Text())
}
