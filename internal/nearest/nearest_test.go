package nearest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestPath(t *testing.T) {
	for name, want := range map[string]string{
		"found/bully.json":       "found/bully.json",
		"été/my file.json":       "été/my file.json",
		"":                       `""`,
		"\x1b[31mred.json":       `"\x1b[31mred.json"`,
		"a\nb":                   `"a\nb"`,
		"\u202egpj.exe":          `"\u202egpj.exe"`,
		"\xff":                   `"\xff"`,
		strings.Repeat("é", 5e3): strings.Repeat("é", 50) + "…" + strings.Repeat("é", 50),
	} {
		assert.Equal(t, want, Path(name))
	}
}

func TestName(t *testing.T) {
	known := []string{"crashes", "restarts", "joins", "joiners", "fifo", "cuts", "n", "last-resort", "coordinator-down"}
	for got, want := range map[string]string{
		"crashes":      "crashes",
		"crahses":      "crashes",
		"crash":        "crashes",
		"Crashes":      "crashes",
		"restart":      "restarts",
		"resatrts":     "restarts",
		"join":         "joins",
		"joiner":       "joiners",
		"cut":          "cuts",
		"N":            "n",
		"last":         "last-resort",
		"lastresort":   "last-resort",
		"coordinator":  "coordinator-down",
		"fifostyle":    "fifo",
		"cutsoff":      "cuts",
		"":             "",
		"x":            "",
		"banana":       "",
		"co":           "",
		"wholly other": "",
	} {
		assert.Equal(t, want, Name(got, known), "%q", got)
	}
	assert.Equal(t, "", Name("crashes", nil))
}

func TestNameFindsOneSlip(t *testing.T) {
	known := []string{"unordered", "duplications", "suspicions", "arrangement"}
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SampledFrom(known).Draw(t, "name")
		i := rapid.IntRange(0, len(want)-2).Draw(t, "at")
		slip := map[string]string{
			"left out": want[:i] + want[i+1:],
			"added":    want[:i] + "x" + want[i:],
			"changed":  want[:i] + "x" + want[i+1:],
			"swapped":  want[:i] + want[i+1:i+2] + want[i:i+1] + want[i+2:],
		}
		for what, got := range slip {
			if Name(got, known) != want {
				t.Fatalf("%s: Name(%q) = %q, want %q", what, got, Name(got, known), want)
			}
		}
	})
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0},
		{"abc", "acb", 1}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
	} {
		assert.Equal(t, c.want, distance(c.a, c.b, 100), fmt.Sprint(c))
		assert.Equal(t, c.want, distance(c.b, c.a, 100), fmt.Sprint(c))
	}
}

func ExampleName() {
	fmt.Println(Name("crahses", []string{"crashes", "restarts"}))
	// Output: crashes
}

func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		got   string
		known []string
		want  string
	}{
		{"buly", []string{"bully", "ring"}, `unknown algorithm "buly": did you mean bully?`},
		{"raft", nil, `unknown algorithm "raft": there is none`},
		{"raft", []string{"bully"}, `unknown algorithm "raft": want bully`},
		{"raft", []string{"bully", "lelann", "ring"}, `unknown algorithm "raft": want bully, lelann or ring`},
		{strings.Repeat("é", 40), []string{"bully"}, `unknown algorithm "` + strings.Repeat("é", 30) + `…": want bully`},
	} {
		assert.EqualError(t, Unknown("algorithm", c.got, c.known), c.want)
	}
}

// Of many names some that are like it are told, else where they begin and end.
func TestUnknownAmongMany(t *testing.T) {
	known := []string{"ring-lost-token", "bully-two-leaders"}
	for i := range 50 {
		known = append(known, fmt.Sprintf("bully-story-%02d", i))
	}
	for got, want := range map[string]string{
		"leaders-two":             "did you mean bully-two-leaders?",
		"the bully and its token": "did you mean ring-lost-token, bully-two-leaders, bully-story-00 or bully-story-01?",
		"bully with two leaders":  "did you mean bully-two-leaders?",
		"bully":                   "did you mean bully-two-leaders, bully-story-00, bully-story-01 or bully-story-02?",
		"bull":                    "did you mean bully-two-leaders?",
		"bully-story-7":           "did you mean bully-story-07?",
		"raft":                    "there are 52, from bully-story-00 to ring-lost-token",
		"":                        "there are 52, from bully-story-00 to ring-lost-token",
	} {
		assert.EqualError(t, Unknown("run", got, known), fmt.Sprintf("unknown run %q: %s", got, want))
	}
}
