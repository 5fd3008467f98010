package algorithms_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/assistant"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/fle"
	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/invitation"
	"bullyproof/algorithms/mongodb"
	"bullyproof/algorithms/omega"
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/sortbully"
	"bullyproof/algorithms/viewstamped"
	"bullyproof/checker"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// active returns a system in a setting in which its protocol says that ids decide nothing: its
// own, or one without ticks. It is nil where there is none.
func active(sys *model.System) *model.System {
	for _, other := range []string{"", "timing=patient", "timing=async:1", "timing=last-resort"} {
		s, err := sys.Setting().With(other)
		if err != nil {
			continue
		}
		if in, err := sys.In(s); err == nil && in.Symmetric() {
			return in
		}
	}
	return nil
}

// A symmetry that a protocol of the catalogue declares is true where it is declared, though the
// setting of the variant switches it off.
func TestDeclaredSymmetries(t *testing.T) {
	t.Parallel()
	looked, never := 0, 0
	for _, a := range algorithms.All {
		for _, e := range entriesOf(a) {
			sys, err := e.in(e.setting)
			require.NoError(t, err, e.name)
			declares := false
			for _, m := range sys.Optional() {
				declares = declares || m.Method == "Symmetric" && m.Has
			}
			if !declares {
				continue
			}
			in := active(sys)
			if in == nil {
				never++
				continue
			}
			looked++
			if *play.Deep {
				assert.NoError(t, checker.TestSystem(in), "%s in %q", e.name, in.Setting())
			} else if casecount.Takes(t, false, 4, e.name) { // the search looks at the same states, in less time
				_, err := in.Watched().Reduced(model.Reduction{Reads: model.ReadsSettled, Blind: true})
				assert.NoError(t, err, "%s in %q", e.name, in.Setting())
			}
		}
	}
	assert.Positive(t, looked)
	t.Logf("%d variants and mutants declare a symmetry somewhere, and %d nowhere", looked, never)
}

// The declarations of the catalogue's properties are true: in a deep run in the setting of
// each variant and mutant, in another only those of the algorithm's own.
func TestDeclaredProperties(t *testing.T) {
	t.Parallel()
	looked := 0
	for _, a := range algorithms.All {
		for _, e := range entriesOf(a) {
			props, in := a.Properties, e.setting
			if *play.Deep {
				props = append(append(checker.Standard(), checker.OneLeaderPerEpoch), a.Properties...)
			} else if two, err := in.With("n=2"); err == nil {
				in = two
			}
			props = slices.DeleteFunc(slices.Clone(props), func(p *checker.Property) bool { return !p.Reducible() })
			if len(props) == 0 || !casecount.Takes(t, *play.Deep, 6, e.name) {
				continue
			}
			sys, err := e.in(in)
			require.NoError(t, err, e.name)
			looked += len(props)
			assert.NoError(t, checker.TestProperties(sys, props...), e.name)
		}
	}
	assert.Positive(t, looked)
	t.Logf("%d declarations of properties", looked)
}

// liar says of a protocol that ids decide nothing in it.
type liar[P any, M model.Message] struct{ model.Protocol[P, M] }

func (liar[P, M]) Symmetric(setting.Setting) bool { return true }

// lying returns the system of a protocol as it is in a setting, and one of it that lies.
func lying[P any, M model.Message](p model.Protocol[P, M], in string) func(t *testing.T) (sys, lies *model.System) {
	return func(t *testing.T) (sys, lies *model.System) {
		sys, err := model.NewFrom(p, in)
		require.NoError(t, err)
		lies, err = model.NewFrom[P, M](liar[P, M]{p}, in)
		require.NoError(t, err)
		return sys, lies
	}
}

// falselyDeclared are properties that say what is false of themselves, each named for it.
func falselyDeclared() []*checker.Property {
	always := func(name string, holds func(v *model.View) bool) *checker.Property {
		return checker.Always(name, "", holds)
	}
	never := func(*model.View) bool { return false }
	mail := func(v *model.View) bool { return v.InFlight() == 0 }
	first := func(v *model.View) bool { return v.Up.Has(1) }
	return []*checker.Property{
		always("blind", func(v *model.View) bool { return !first(v) }).Reading(model.ReadsSettled).Blind(),
		checker.Sometimes("blind-witness", "", first).Reading(model.ReadsSettled).Blind(),
		always("blind-occasion", never).Given("P1 up", first).Reading(model.ReadsSettled).Blind(),
		always("reads-settled", mail).Reading(model.ReadsSettled),
		always("reads-leaders", mail).Reading(model.ReadsLeaders),
		always("reads-elected", mail).Reading(model.ReadsElected),
		always("reads-participants", mail).Reading(model.ReadsParticipants),
		always("reads-each", mail).Reading(model.ReadsEachElected),
		always("reads-epochs", mail).Reading(model.ReadsEpochs),
		always("reads-states", mail).Reading(model.ReadsStates),
		always("reads-for-the-occasion", never).Given("no message in flight", mail).Reading(model.ReadsLeaders),
	}
}

// A declaration that is false is refused, of whatever sort and in whatever algorithm: in some
// of ten, and in a deep run in all.
func TestFalseDeclarationsAreRefused(t *testing.T) {
	t.Parallel()
	const faults = " crashes=1 restarts=1"
	cells := 0
	for name, of := range map[string]func(t *testing.T) (sys, lies *model.System){
		"assistant":    lying[assistant.P, assistant.M](&assistant.Protocol{}, "n=3 start=settled"+faults),
		"bully":        lying[bully.P, bully.M](bully.Coulouris, "n=3 start=settled"+faults),
		"fle":          lying[fle.P, fle.M](&fle.FLE{Rounds: 2}, "n=3 initiators=none timing=lockstep channels=fifo"+faults),
		"garciamolina": lying[garciamolina.P, garciamolina.M](&garciamolina.Protocol{}, "n=3 start=settled"+faults),
		"invitation":   lying[invitation.P, invitation.M](&invitation.Protocol{}, "n=3"+faults),
		"mongodb":      lying[mongodb.P, mongodb.M](&mongodb.Member{Terms: 2}, "n=3 detector=off timing=lockstep"+faults),
		"omega":        lying[omega.P, omega.M](&omega.Monarch{}, "n=3 initiators=none detector=off timing=lockstep"+faults),
		"raft":         lying[raft.P, raft.M](raft.Lagging{Raft: &raft.Raft{Terms: 2, Heartbeats: true, Logs: true}}, "n=3 timing=patient start=settled channels=fifo"+faults),
		"sortbully":    lying[sortbully.P, sortbully.M](&sortbully.Protocol{}, "n=3 start=settled"+faults),
		"viewstamped":  lying[viewstamped.P, viewstamped.M](&viewstamped.VR{Views: 2}, "n=3 initiators=none detector=off timing=sync:1"+faults),
	} {
		if !casecount.Takes(t, *play.Deep, 2, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			sys, lies := of(t)
			cells++
			assert.ErrorContains(t, checker.TestSystem(lies), "Symmetric")
			_, err := lies.Watched().Reduced(model.Reduction{Reads: model.ReadsSettled, Blind: true, Only: model.Permutations})
			assert.ErrorContains(t, err, "method Symmetric", "a search")
			err = checker.TestProperties(sys, falselyDeclared()...)
			for _, p := range falselyDeclared() {
				cells++
				assert.ErrorContains(t, err, fmt.Sprintf("property %q: it says that ", p.Name))
			}
		})
	}
	assert.Positive(t, cells)
	t.Logf("%d cells: 12 sorts of declarations in each algorithm", cells)
}
