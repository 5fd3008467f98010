package claimfile_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

var update = flag.Bool("update", false, "write the golden files")

// claim is one of evidence alone.
func claim(evidence string) string {
	return "claim one\n  place here\n  says it\n  kind safety\n  evidence\n" + evidence
}

// show returns a piece of evidence in a line.
func show(e *ledger.Evidence) string {
	words := []string{e.Asks()}
	for _, w := range []string{e.Setting, e.Variant, e.Aside, e.Computed} {
		if w != "" {
			words = append(words, w)
		}
	}
	if e.Deep {
		words = append(words, "deep")
	}
	if e.MaxStates > 0 {
		words = append(words, fmt.Sprint(e.MaxStates))
	}
	return strings.ReplaceAll(strings.Join(words, " | "), " start=settled channels=unordered timing=", " ")
}

const scopes = `
scope settled    start=settled
scope three      n=3 settled
scope each       n={N} settled
scope range      for N = 3 to 4, D = N-1: n={N} settled under sync:{D}
scope both
  three under sync:1, sync:2
  n=4 settled deep

`

// used names every scope, so that none is without use.
const used = `
claim two
  place here
  says it
  kind safety
  evidence
    for N = 2: e1 holds in both, each
    e1 holds in range
`

func TestEvidence(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"e1 holds in three", []string{"e1 | n=3 sync:1"}},
		{"e1, e2 break in three", []string{"e1 is to break | n=3 sync:1", "e2 is to break | n=3 sync:1"}},
		{"e1, e2 hold in three, n=4 settled", []string{"e1 | n=3 sync:1", "e1 | n=4 sync:1", "e2 | n=3 sync:1", "e2 | n=4 sync:1"}},
		{"in three, n=4 settled: e1, e2 hold", []string{"e1 | n=3 sync:1", "e2 | n=3 sync:1", "e1 | n=4 sync:1", "e2 | n=4 sync:1"}},
		{"e1 holds in both of other", []string{"e1 | n=3 sync:1 | other", "e1 | n=3 sync:2 | other", "e1 | n=4 sync:1 | other | deep"}},
		{"e1 holds in three of counted", []string{"e1 | n=3 sync:1 | counted"}},
		{"e1 holds in three under lockstep deep within 10 states beside \"a \\\"why\\\"\"", []string{`e1 | n=3 lockstep | a "why" | deep | 10`}},
		{"e1 holds in range of a", []string{"e1 | n=3 sync:2 | a", "e1 | n=4 sync:3 | a"}},
		{"for N = 2 to 3, 5, P = N-1: e1 holds in each under sync:{P}", []string{"e1 | n=2 sync:1", "e1 | n=3 sync:2", "e1 | n=5 sync:4"}},
		{"for N = 3 to 4: best OK messages to processes that are up <= N-1 in each", []string{
			"best OK messages to processes that are up ≤ 2 | n=3 sync:1", "best OK messages to processes that are up ≤ 3 | n=4 sync:1"}},
		{"for N = 2:\n      of a, b:\n        worst ticks ≥ 1 in each\n      best operations = 0 in\n        each", []string{
			"worst ticks ≥ 1 | n=2 sync:1 | a", "worst ticks ≥ 1 | n=2 sync:1 | b", "best operations = 0 | n=2 sync:1"}},
		{"probability = 1 in three", []string{"probability = 1 | n=3 sync:1"}},
		{"for N = 3: most average OK ≤ N/2+1 in each", []string{"most average OK ≤ 5/2 | n=3 sync:1"}},
		{"least probability after 10 ticks >= 9/10 in three", []string{"least probability after 10 ticks ≥ 9/10 | n=3 sync:1"}},
		{"average steps is finite in three", []string{"average steps is finite | n=3 sync:1"}},
		{"for N = 5: sum \"N = {N}\" printed \"2N\" computed N²-1 of a", []string{"N = 5 = 2N | a | 24"}},
		{"# a remark\n\n    e1 holds in three", []string{"e1 | n=3 sync:1"}},
		{"for N = 3: e1 holds in n={N} topology=ring arrangement={1-..-N} initiators=1", []string{
			"e1 | n=3 topology=ring arrangement=1-2-3 initiators=1 channels=unordered timing=sync:1"}},
		{"e1 holds in n=4 initiators={2..4}:lazy", []string{"e1 | n=4 initiators=2,3,4:lazy channels=unordered timing=sync:1"}},
	} {
		read, err := claimfile.Read("claims.txt", scopes+claim("    "+c.line+"\n")+used, nil)
		if !assert.NoError(t, err, c.line) {
			continue
		}
		claims := read.Claims
		var got []string
		for i := range claims[0].Evidence {
			got = append(got, show(&claims[0].Evidence[i]))
		}
		assert.Equal(t, c.want, got, c.line)
	}
}

// The question of a claim at one process more follows from N, and from settings
// that name a number; other questions are left out.
func TestLarger(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"e1 holds in both of other", []string{"e1 | n=4 sync:1 | other", "e1 | n=4 sync:2 | other", "e1 | n=5 sync:1 | other | deep"}},
		{"e1 holds in range", []string{"e1 | n=5 sync:4"}},
		{"for N = 2 to 3, 5, P = 1 to N-1: best messages = N+P in each under sync:{P}", []string{
			"best messages = 7 | n=6 sync:1", "best messages = 8 | n=6 sync:2", "best messages = 9 | n=6 sync:3",
			"best messages = 10 | n=6 sync:4", "best messages = 11 | n=6 sync:5"}},
		{"worst messages = 4 in three", nil},
		{"average messages = 4 in three", nil},
		{"for N = 3: probability = 1 in each", []string{"probability = 1 | n=4 sync:1"}},
		{"for N = 3 to 4: average messages = 9/N in each", []string{"average messages = 9/5 | n=5 sync:1"}},
		{"for N = 3: worst messages = 4 in each", nil},
		{"for N = 3, 4: worst ticks = 4 in each", []string{"worst ticks = 4 | n=5 sync:1"}},
		{"for N = 3: sum \"N = {N}\" printed \"2N\" computed N²-1", nil},
		{"e1 holds in n=4 initiators={2..4}:lazy", []string{"e1 | n=5 initiators=2,3,4:lazy channels=unordered timing=sync:1"}},
		{"e1 holds in n=16, three", []string{"e1 | n=4 sync:1"}},
		{"for N = 3: e1 holds in n={N} topology=ring arrangement=1-2-3, n={N} topology=ring arrangement={1-..-N}", []string{
			"e1 | n=4 topology=ring arrangement=1-2-3-4 channels=unordered timing=sync:1"}},
	} {
		read, err := claimfile.Read("claims.txt", scopes+claim("    "+c.line+"\n")+used, nil)
		require.NoError(t, err, c.line)
		var got []string
		for _, e := range read.Claims[0].Larger() {
			got = append(got, show(&e))
		}
		assert.Equal(t, c.want, got, c.line)
	}
}

// The fields of a claim stand where a claim in Go has them.
func TestFields(t *testing.T) {
	read, err := claimfile.Read("claims.txt", `
reading plain
source  book    The Book, 1982
text    why     because {{N} is 3

claim one
  source   book
  place    page 1
  says     "All of
           this", {why}.
  kind     liveness
  exceeds  nothing
  finding  two
  supposes that
  evidence
    e2 holds in n=3
  note     noted
  story    told
  repair   none
  needs    rule 1, really; crash
  idle     join

story told
  reading  plain
  breaks   e2
  in       n=3 crashes=1
  title    a run
  text     It is {why},
           and told.
`, nil)
	require.NoError(t, err)
	assert.Equal(t, []ledger.Story{{
		Name: "told", Variant: "plain", Property: "e2", Setting: "n=3 crashes=1", Title: "a run", Text: "It is because {N} is 3, and told.",
		At: "claims.txt:23",
	}}, read.Stories)
	got := read.Claims
	e := ledger.Keeps("e2", "n=3 channels=unordered timing=sync:1").Of("plain")
	e.At = "claims.txt:16"
	require.Len(t, got[0].Larger(), 1)
	got[0].Larger = nil // functions cannot be compared
	assert.Equal(t, []ledger.Claim{{
		Name: "one", At: "claims.txt:6", Source: "The Book, 1982", Place: "page 1", Text: `"All of this", because {N} is 3.`,
		Kind: ledger.LivenessClaim, Exceeds: "nothing", Finding: "two", Supposes: "that",
		Evidence: []ledger.Evidence{e}, Note: "noted", Story: "told", Repair: "none",
		Needs: []string{"rule 1, really", "crash"}, Idle: []string{"join"},
	}}, got)
}

// A checklist has its answers item by item.
func TestChecklist(t *testing.T) {
	read, err := claimfile.Read("claims.txt", `
source book  The Book
source page  The Page
text   so    because {{N} is 3

checklist
  counts, recipients
             none No claim counts, {so}.
  names      says section 2, rule: 1: "the old one: it"
  durations  does backoff in wait.go: it waits
             a second
checklist
  source     book; page
  world      unsaid one; two
  names      question who
`, nil)
	require.NoError(t, err)
	assert.Equal(t, []ledger.Checklist{
		{Sources: []string{ledger.Own}, At: "claims.txt:6", Checked: []ledger.Checked{
			{Items: []string{"counts", "recipients"}, Kind: ledger.NotToCheck, Text: "No claim counts, because {N} is 3.", At: "claims.txt:7"},
			{Items: []string{"names"}, Kind: ledger.CheckedBySentence, Place: "section 2, rule", Text: `1: "the old one: it"`, At: "claims.txt:9"},
			{Items: []string{"durations"}, Kind: ledger.CheckedByProgram, Place: "backoff in wait.go", Text: "it waits a second", At: "claims.txt:10"},
		}},
		{Sources: []string{"The Book", "The Page"}, At: "claims.txt:12", Checked: []ledger.Checked{
			{Items: []string{"world"}, Kind: ledger.CheckedByWorld, Names: []string{"one", "two"}, At: "claims.txt:14"},
			{Items: []string{"names"}, Kind: ledger.CheckedByQuestion, Names: []string{"who"}, At: "claims.txt:15"},
		}},
	}, read.Checklists)
}

// A value from Go stands where the file names it.
func TestFromGo(t *testing.T) {
	joined := func(v *model.View) bool { return v.N == 3 }
	up := func(id int) func(*model.View) bool { return func(v *model.View) bool { return v.Up.Has(model.ID(id)) } }
	names := claimfile.Names{
		"WORST": 23, "twice": func(n int) int { return 2 * n }, "order": func(int, int) string { return "N²" }, "name": "the text",
		"joined": joined, "up": up, "more": []ledger.Evidence{ledger.Keeps("e1", "n=2")},
		"led":  claimfile.Blind(func(v *model.View) bool { return !v.Leaders.Empty() }),
		"rest": []ledger.Claim{{Name: "last"}},
	}
	read, err := claimfile.Read("claims.txt", claim(`    for N = 2:
      worst messages ≤ WORST-twice(N) in n={N} counted from joined "from when {N} join"
      best messages = 1 in n=2 counted from up(N-1) "from when it is up"
    sum "{name}" printed "N" computed order(1, 2)
    from Go: more
    probability = 1 until joined "three have joined" in n=2
    probability = 1 until led "somebody leads" in n=2
`)+"from Go: rest\n", names)
	require.NoError(t, err)
	claims := read.Claims
	require.Len(t, claims, 2)
	assert.Equal(t, "last", claims[1].Name)
	list := claims[0].Evidence
	require.Len(t, list, 6)
	assert.Equal(t, 19, list[0].Cost.Figure)
	assert.Equal(t, cost.WorstCase, list[0].Cost.Case)
	assert.Equal(t, "from when 2 join", list[0].Cost.When)
	assert.True(t, list[0].Cost.From(&model.View{N: 3}))
	assert.False(t, list[0].Cost.From(&model.View{N: 2}))
	assert.True(t, list[1].Cost.From(&model.View{Up: model.SetOf(1)}))
	assert.False(t, list[1].Cost.From(&model.View{Up: model.SetOf(2)}))
	assert.Equal(t, []string{"the text", "N", "N²"}, []string{list[2].What, list[2].Printed, list[2].Computed})
	assert.Equal(t, "e1", list[3].Property)
	assert.Equal(t, "claims.txt:10", list[3].At)
	assert.Equal(t, []bool{false, true}, []bool{list[4].Chance.Blind, list[5].Chance.Blind})
	assert.True(t, list[4].Chance.Until(&model.View{N: 3}))
	assert.True(t, list[5].Chance.Until(&model.View{Leaders: model.SetOf(1)}))
}

// The page that teaches the format shows files that can be read.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile("../../docs/claims.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```text\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 3)
	checked, err := claimfile.Read("docs/claims.md", blocks[2][1], nil)
	require.NoError(t, err)
	require.Len(t, checked.Checklists, 1)
	assert.Len(t, checked.Checklists[0].Checked, 4)
	for _, item := range ledger.CheckItems {
		assert.Contains(t, string(page), "| `"+item.Name+"` | "+item.Asks+" |\n")
	}
	events, err := claimfile.Read("docs/claims.md", blocks[1][1], nil)
	require.NoError(t, err)
	require.Len(t, events.Questions, 1)
	assert.Equal(t, []string{"COORDINATOR: id=self, mode idle, follows nobody|follows a lower"}, events.Questions[0].Cells)
	require.Len(t, events.Sentences, 1)
	assert.Equal(t, []string{"COORDINATOR: id>self"}, events.Sentences[0].Cells)
	read, err := claimfile.Read("docs/claims.md", blocks[0][1], nil)
	require.NoError(t, err)
	claims := read.Claims
	assert.Len(t, read.Stories, 1)
	require.Len(t, claims, 2)
	assert.Equal(t, "Lecture 7, Leader Election", claims[0].Source)
	assert.Len(t, claims[0].Evidence, 3*2+2+1)
	assert.Len(t, claims[1].Evidence, 2+3+4+2)
}

func TestErrors(t *testing.T) {
	cases, err := os.ReadFile("testdata/wrong.txt")
	require.NoError(t, err)
	var b strings.Builder
	for _, text := range strings.Split(string(cases), "----\n") {
		read, err := claimfile.Read("claims.txt", text, claimfile.Names{"go-text": "t", "go-evidence": []ledger.Evidence{}})
		require.Error(t, err, text)
		assert.Nil(t, read)
		text = strings.TrimSuffix(text, "\n")
		fmt.Fprintf(&b, "%s\n=>\n%v\n\n", text, strings.ReplaceAll(err.Error(), "\n", "\n"))
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/wrong.golden", []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile("testdata/wrong.golden")
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
}

// A wrong value from Go is also an error.
func TestNames(t *testing.T) {
	for text, names := range map[string]claimfile.Names{
		`Go gives "n" as a float64`:                           {"n": 1.5},
		`Go gives the number "n": want a name in capitals`:    {"n": 1},
		`Go gives name "A B": want a word`:                    {"A B": "text"},
		`Go gives "unused", and the file does not name it`:    {"unused": "text"},
		`Go gives "f", and the file does not name it`:         {"f": func(n int) int { return n }},
		`Go gives "joined", and the file does not name it: w`: {"joined": func(*model.View) bool { return true }},
	} {
		_, err := claimfile.Read("claims.txt", claim("    e1 holds in n=3\n"), names)
		assert.ErrorContains(t, err, text)
	}
}

// No text makes Read panic or hang, and errors stand where there are lines.
func FuzzRead(f *testing.F) {
	wrong, err := os.ReadFile("testdata/wrong.txt")
	require.NoError(f, err)
	for _, text := range strings.Split(string(wrong), "----\n") {
		f.Add(text)
	}
	f.Add(scopes + claim("    for N = 2 to 3: worst messages = N in each\n") + used)
	f.Fuzz(func(t *testing.T, text string) {
		read, err := claimfile.Read("f", text, claimfile.Names{"T": 3, "t": "text", "f": func(n int) int { return n }})
		if err == nil {
			return
		}
		assert.Nil(t, read)
		lines := strings.Count(text, "\n") + 1
		joined, ok := err.(interface{ Unwrap() []error })
		require.True(t, ok)
		for _, e := range joined.Unwrap() {
			var at *claimfile.Error
			if errors.As(e, &at) {
				assert.True(t, at.Line >= 1 && at.Line <= lines && at.Column >= 1, "%v", at)
				assert.NotEmpty(t, at.Text)
			}
		}
	})
}

// claimsFile is a package of claims alone.
func claimsFile(text string) fstest.MapFS { return fstest.MapFS{"claims.txt": {Data: []byte(text)}} }

// A file is read once, when its claims are asked for, and changed by the functions
// that go with it.
func TestIn(t *testing.T) {
	asked := 0
	written := claimfile.In(claimsFile(claim("    e1 holds in n=3\n")), claimfile.Names{}, func(list []ledger.Claim) []ledger.Claim {
		asked++
		list[0].Note = "changed"
		return list
	})
	assert.Zero(t, asked)
	for range 2 {
		read, err := written()
		require.NoError(t, err)
		list := read.Claims
		require.Len(t, list, 1)
		assert.Equal(t, "changed", list[0].Note)
		assert.Len(t, list[0].Evidence, 3, "under other delays, too")
	}
	assert.Equal(t, 1, asked)

	_, err := claimfile.In(claimsFile("claims"), nil)()
	assert.EqualError(t, err, `claims.txt:1:1: unknown word "claims": did you mean claim?`)
}
