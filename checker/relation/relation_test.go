package relation_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// head begins a description, which lines go on.
func head(lines ...string) string {
	return "sort process order ring\nsort term order 0..2\nrelation a(process)\nrelation b(process, term)\nsetting n=2..3 topology=ring\n" +
		strings.Join(lines, "\n") + "\n"
}

const rest = "init ~a(P)\nstep s(P)\n  add a(P)\nproperty p a(P) -> a(P)"

func TestParseErrors(t *testing.T) {
	_, err := relation.Parse(head(rest))
	require.NoError(t, err)
	for text, want := range map[string]string{
		"":                                                       "no sort",
		"relation a(process)":                                    `"relation" before any sort`,
		"  sort process":                                         "line 1: it is indented",
		"sort process\nsetting n=2\n":                            "numbers of processes",
		"sort process\nsort process":                             "a second time",
		"sort process\nsort term order":                          "how many are there",
		"sort process\nsort q of proc":                           "want order, 0..3, of process",
		head("relation a(process)"):                              "line 6: relation a a second time",
		head("relation forall(process)"):                         "want a name and its sorts",
		head("relation c(proces)"):                               `no sort "proces"; there are process, term`,
		head("relation c"):                                       "want a name and its sorts",
		head("init c(P)"):                                        `column 1: no relation "c"; there are a, b`,
		head("init a(P, Q)"):                                     "a has 2 arguments; want 1",
		head("init a(p)"):                                        `"p" is no variable`,
		head("init a(P) & b(P, P)"):                              "P is of sort process; want one of sort term",
		head("init a(P) &"):                                      "the formula ends",
		head("init a(P) a(Q)"):                                   `"a" is left over`,
		head("init P = Q | $"):                                   `'$' is no sign`,
		head("init P < T & b(Q, T) & a(P)"):                      "they cannot be compared",
		head("init P = Q"):                                       "of which sort?",
		head("step s(P)\n  add c(P)"):                            `no relation "c"`,
		head("step s(P)\n  add a(Q)"):                            "no variable Q is known here",
		head("step s(P)\n  grow a(P)"):                           "want when, add, drop, maybe drop or set",
		head("step s(P)\n  maybe add a(P)"):                      `want "maybe drop"`,
		head("step s(P)\n  set a(X)"):                            "want a formula behind =",
		head("step s(p)"):                                        `"p" is no variable`,
		head("step s"):                                           "want its variables in brackets",
		head("step s(P)\n  add a(P)\nstep s(P)"):                 "step s a second time",
		head("lemma l a(P)\nlemma l a(P)"):                       "lemma l a second time",
		head("step s(P)\n  add a(P)"):                            "no property",
		head("proprty p a(P)"):                                   `"proprty" begins no statement`,
		head("init " + strings.Repeat("~", 200) + "a(P)"):        "nesting",
		"sort process\nrelation a(process)\ninit next(P, Q)\n":   "processes in a ring",
		"sort process\nrelation a(process)\ninit P < Q & a(P)\n": "has no order",
	} {
		_, err := relation.Parse(text)
		assert.ErrorContains(t, err, want, "%s", text)
	}
}

// A formula that is written is read as the same one.
func TestTextIsRead(t *testing.T) {
	d, err := relation.Parse(head(rest))
	require.NoError(t, err)
	for text, want := range map[string]string{
		"a(P) & a(Q) -> P = Q":                     "",
		"~(a(P) | a(Q)) <-> ~a(P) & ~a(Q)":         "",
		"(a(P) -> a(Q)) -> P ~= Q":                 "",
		"forall X. a(X) -> exists T. b(X, T)":      "forall X. a(X) -> (exists T. b(X, T))",
		"btw(P, Q, R) & next(P, Q) | succ(T, U)":   "",
		"P<=Q&a(P)":                                "~(Q < P) & a(P)",
		"a(P) & (exists X: process. X = P & a(X))": "a(P) & (exists X. X = P & a(X))",
		"true | false":                             "",
	} {
		s, err := d.Sentence("s", text)
		require.NoError(t, err, "%s", text)
		if want == "" {
			want = text
		}
		assert.Equal(t, want, d.Text(&s))
	}
}

// chang is a model of Chang and Roberts with another protocol, or another description.
func chang(t *testing.T, change func(a *ledger.Algorithm, m *relation.Model)) error {
	a, err := ledger.Find(algorithms.All, "changroberts")
	require.NoError(t, err)
	m, err := ledger.Described(a)
	require.NoError(t, err)
	m.Settings[0].To = 3
	change(a, m)
	_, err = m.Judge(t.Context())
	return err
}

// The judge tells a mutant from the protocol, except for one that only names another coordinator.
func TestMutantsAreNotAsDescribed(t *testing.T) {
	a, err := ledger.Find(algorithms.All, "changroberts")
	require.NoError(t, err)
	for _, mutant := range a.Mutants {
		err := chang(t, func(_ *ledger.Algorithm, m *relation.Model) {
			m.Systems = []func(setting.Setting) (*model.System, error){mutant.In}
		})
		if mutant.Name == "names-nobody" {
			assert.NoError(t, err)
			continue
		}
		var apart *relation.Disagreement
		require.ErrorAs(t, err, &apart, "%s", mutant.Name)
		assert.True(t, (apart.Step == "") == (apart.Action != ""))
	}
}

// One way, the protocol's runs are covered, those of a mutant are not.
func TestCovers(t *testing.T) {
	a, err := ledger.Find(algorithms.All, "changroberts")
	require.NoError(t, err)
	m, err := ledger.Described(a)
	require.NoError(t, err)
	const words = "n=3 topology=ring initiators=all:lazy timing=lockstep"
	assert.NoError(t, m.Covers(t.Context(), words, m.Systems[0]))
	for _, mutant := range a.Mutants {
		if mutant.Name == "passes-smaller" {
			var apart *relation.Disagreement
			assert.ErrorAs(t, m.Covers(t.Context(), "n=3 topology=ring initiators=all:lazy timing=patient", mutant.In), &apart)
		}
	}
	assert.ErrorContains(t, m.Covers(t.Context(), "topology=rng", m.Systems[0]), "topology")
}

// An error names the thing that does not fit.
func TestJudgeRefuses(t *testing.T) {
	for want, facts := range map[string]func(v *model.View, f *relation.Facts){
		`no relation "leads"`:          func(_ *model.View, f *relation.Facts) { f.Add("leads", 1) },
		"relation elected of 1 things": func(_ *model.View, f *relation.Facts) { f.Add("elected", 1) },
		"P9 of sort process is beyond": func(_ *model.View, f *relation.Facts) { f.Add("elected", 1, 9) },
		"is not true":                  func(_ *model.View, f *relation.Facts) { f.Add("elected", 1, 1) },
	} {
		assert.ErrorContains(t, chang(t, func(_ *ledger.Algorithm, m *relation.Model) { m.Facts = facts }), want)
	}
	never := "\nstep never(P)\n  when elected(P, P) & candidate(P, P) & ~elected(P, P)\n  drop participant(P)\n"
	assert.ErrorContains(t, chang(t, func(a *ledger.Algorithm, m *relation.Model) {
		text, err := fs.ReadFile(a.Files, "relations.txt")
		require.NoError(t, err)
		d, err := relation.Parse(string(text) + never)
		require.NoError(t, err)
		d.Settings[0].To = 3
		m.Description = d
	}), "step never never happens")
	assert.ErrorContains(t, chang(t, func(_ *ledger.Algorithm, m *relation.Model) { m.Settings[0].Text = "topology=rng" }), "topology")
}

// An instance that takes too much memory is named, with what is known of it.
func TestJudgeKeepsWithinItsMemory(t *testing.T) {
	var limit *relation.LimitError
	err := chang(t, func(_ *ledger.Algorithm, m *relation.Model) { m.MaxBytes = 100_000 })
	require.ErrorAs(t, err, &limit)
	assert.Positive(t, limit.States)
	assert.ErrorContains(t, err, "n=3 topology=ring")
	assert.ErrorContains(t, err, "at the limit of 97.7 KiB of memory")
	assert.NoError(t, chang(t, func(_ *ledger.Algorithm, m *relation.Model) { m.MaxBytes = 1 << 30 }))
}

func FuzzParse(f *testing.F) {
	for _, a := range algorithms.All {
		if text, err := fs.ReadFile(a.Files, "relations.txt"); err == nil {
			f.Add(string(text))
		}
	}
	f.Add(head(rest))
	f.Fuzz(func(t *testing.T, text string) {
		d, err := relation.Parse(text)
		if err != nil {
			return
		}
		for _, s := range append(d.Properties, d.Lemmas...) {
			written := d.Text(&s)
			again, err := d.Sentence(s.Name, written)
			if err == nil { // a sort that only a quantifier names is lost
				require.Equal(t, written, d.Text(&again))
			}
		}
	})
}
