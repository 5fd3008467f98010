package ledger_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

func newOf(u *upstart.Protocol) func(setting.Setting) (*model.System, error) {
	return func(s setting.Setting) (*model.System, error) { return model.New(u, s) }
}

// catalogue returns a list of one algorithm to which nothing is to be objected.
func catalogue() []*ledger.Algorithm {
	return []*ledger.Algorithm{{
		Name: "upstart", Title: "Upstart", Source: "nobody, nowhere", Doc: "Whoever notices leads.",
		Variants: []ledger.Variant{
			{Name: "polite", Doc: "Follows no lower id.", Assumes: "A complete graph.", Setting: upstart.Settled(3), New: newOf(&upstart.Protocol{Polite: true})},
			{Name: "patient", Doc: "Waits first.", Assumes: "A complete graph.", Setting: upstart.Settled(3), New: newOf(&upstart.Protocol{Patient: true})},
		},
		Mutants: []ledger.Mutant{
			{Name: "rude", Doc: "Follows anybody.", Of: "polite", Caught: "agreement", Setting: upstart.Settled(3), New: newOf(&upstart.Protocol{})},
		},
	}}
}

func unread() (*ledger.Text, error) { return nil, errors.New("claims.txt:2:3: why") }

func TestValidate(t *testing.T) {
	require.NoError(t, ledger.Validate(catalogue()))
	require.NoError(t, ledger.Validate(nil))
	for _, c := range []struct {
		about string
		spoil func(a *ledger.Algorithm)
		want  string
	}{
		{"no name", func(a *ledger.Algorithm) { a.Name = "" }, `algorithm "": name "": want a word`},
		{"a name in capitals", func(a *ledger.Algorithm) { a.Name = "Bully" }, `name "Bully"`},
		{"a name with a slash", func(a *ledger.Algorithm) { a.Variants[0].Name = "a/b" }, `name "a/b"`},
		{"a name that is an option", func(a *ledger.Algorithm) { a.Variants[0].Name = "-n" }, `name "-n"`},
		{"no title", func(a *ledger.Algorithm) { a.Title = " " }, "field Title is empty"},
		{"no source", func(a *ledger.Algorithm) { a.Source = "" }, "field Source is empty"},
		{"no doc", func(a *ledger.Algorithm) { a.Doc = "" }, "field Doc is empty"},
		{"no variant", func(a *ledger.Algorithm) { a.Variants, a.Mutants = nil, nil }, "there is no variant"},
		{"two of a name", func(a *ledger.Algorithm) { a.Variants[1].Name = "polite" }, `two variants or mutants are named "polite"`},
		{"a mutant named like a variant", func(a *ledger.Algorithm) { a.Mutants[0].Name = "polite" }, `two variants or mutants are named "polite"`},
		{"no assumptions", func(a *ledger.Algorithm) { a.Variants[1].Assumes = "" }, `variant "patient": field Assumes is empty`},
		{"no constructor", func(a *ledger.Algorithm) { a.Variants[0].New = nil }, `variant "polite": there is no New function`},
		{"a setting that contradicts itself", func(a *ledger.Algorithm) { a.Variants[0].Setting = setting.Must("n=3 restarts=1") },
			`restarts=1 without crashes`},
		{"a constructor that fails", func(a *ledger.Algorithm) {
			a.Variants[0].New = func(setting.Setting) (*model.System, error) { return nil, errors.New("not today") }
		}, "not today"},
		{"a constructor of nothing", func(a *ledger.Algorithm) {
			a.Variants[0].New = func(setting.Setting) (*model.System, error) { return nil, nil }
		}, "function New returns neither a system nor an error"},
		{"a mutant of nothing", func(a *ledger.Algorithm) { a.Mutants[0].Of = "" }, "field Of is empty"},
		{"a mutant of nobody", func(a *ledger.Algorithm) { a.Mutants[0].Of = "polit" }, `unknown variant of upstart "polit": did you mean polite?`},
		{"a mutant that nothing catches", func(a *ledger.Algorithm) { a.Mutants[0].Caught = "agremeent" }, `unknown property "agremeent": did you mean agreement?`},
		{"claims that cannot be read", func(a *ledger.Algorithm) { a.Written = unread }, `algorithm "upstart": claims.txt:2:3: why`},
		{"a claim of a file", func(a *ledger.Algorithm) { a.Written = ledger.Listed(ledger.Claim{Name: "c", At: "claims.txt:2"}) },
			`claim "c": claims.txt:2: field Place is empty`},
		{"evidence of a file", func(a *ledger.Algorithm) {
			e := ledger.Keeps("agremeent", "n=3")
			e.At = "claims.txt:9"
			a.Written = ledger.Listed(ledger.Claim{Name: "c", Evidence: []ledger.Evidence{e}})
		}, `claim "c": claims.txt:9: unknown property "agremeent"`},
	} {
		t.Run(c.about, func(t *testing.T) {
			all := catalogue()
			c.spoil(all[0])
			assert.ErrorContains(t, ledger.Validate(all), c.want)
		})
	}
	assert.ErrorContains(t, ledger.Validate(append(catalogue(), catalogue()...)), `algorithm "upstart" is in the list twice`)
	assert.ErrorContains(t, ledger.Validate([]*ledger.Algorithm{nil}), "algorithm 0 of the list is nil")
}

func TestNames(t *testing.T) {
	all := catalogue()
	a, err := ledger.Find(all, "upstart")
	require.NoError(t, err)
	v, err := a.Variant("")
	require.NoError(t, err)
	assert.Equal(t, "polite", v.Name)
	v, err = a.Variant("patient")
	require.NoError(t, err)
	sys, err := v.System()
	require.NoError(t, err)
	assert.Equal(t, upstart.Settled(3).String(), sys.Setting().String())
	m, err := a.Mutant("rude")
	require.NoError(t, err)
	sys, err = m.System()
	require.NoError(t, err)
	p, err := checker.Lookup(m.Caught)
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), sys, checker.Options{})
	require.NoError(t, err)
	assert.Equal(t, checker.Violated, r.Finding(p.Name).Verdict)

	_, err = ledger.Find(all, "upstrat")
	assert.EqualError(t, err, `unknown algorithm "upstrat": did you mean upstart?`)
	_, err = ledger.Find(nil, "x")
	assert.EqualError(t, err, `unknown algorithm "x": there is none`)
	_, err = a.Variant("zzz")
	assert.EqualError(t, err, `unknown variant of upstart "zzz": want polite or patient`)
	_, err = a.Mutant("zzz")
	assert.EqualError(t, err, `unknown mutant of upstart "zzz": want rude`)
	_, err = checker.Lookup("unique")
	assert.EqualError(t, err, `unknown property "unique": did you mean uniqueness?`)
	_, err = checker.Lookup("")
	assert.ErrorContains(t, err, `unknown property "": want uniqueness, settled-uniqueness, agreement, live-coordinator, validity, extreme, e2, stable-leadership, re-election, termination, one-leader-per-epoch, leader-again, one-leader-again, e1 or misuse`)
	for _, p := range append(checker.Election(), checker.Misuse) {
		q, err := checker.Lookup(p.Name)
		require.NoError(t, err)
		assert.Same(t, p, q)
	}
}

func TestTopologies(t *testing.T) {
	for _, c := range []struct {
		source, asked setting.Topology
		want          string
	}{
		{setting.Complete, setting.Complete, ""},
		{setting.Ring, setting.Ring, ""},
		{setting.Ring, setting.BiRing, ""},
		{setting.BiRing, setting.BiRing, ""},
		{setting.Ring, setting.Complete, "setting: topology=complete: the algorithm is a ring algorithm (want topology=ring)"},
		{setting.BiRing, setting.Complete, "setting: topology=complete: the algorithm sends both ways round a ring (want topology=biring)"},
		{setting.BiRing, setting.Ring, "setting: topology=ring: the algorithm sends both ways round a ring (want topology=biring)"},
		{setting.Complete, setting.Ring, "setting: topology=ring: the algorithm sends to any process (want topology=complete)"},
	} {
		made := 0
		build := func(setting.Setting) (*model.System, error) { made++; return nil, nil }
		v := ledger.Variant{Setting: setting.Setting{N: 3, Needs: setting.Needs{Topology: c.source}}, New: build}
		m := ledger.Mutant{Setting: v.Setting, New: build}
		for _, in := range []func(setting.Setting) (*model.System, error){v.In, m.In} {
			_, err := in(setting.Setting{N: 3, Needs: setting.Needs{Topology: c.asked}})
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, c.want)
			}
		}
		assert.Equal(t, c.want == "", made == 2)
	}
}

// The questions without names: the standard properties and the algorithm's own,
// unless it lists others.
func TestQuestions(t *testing.T) {
	a := catalogue()[0]
	assert.Equal(t, checker.Standard(), a.Questions())
	own := checker.Always("own", "Something of its own.", func(*model.View) bool { return true })
	a.Properties = []*checker.Property{own}
	assert.Equal(t, append(checker.Standard(), own), a.Questions())
	a.Asked = []*checker.Property{own, checker.Validity}
	assert.Equal(t, a.Asked, a.Questions())
}
