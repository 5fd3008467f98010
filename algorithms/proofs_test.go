package algorithms_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker/induction"
	"bullyproof/checker/relation"
	"bullyproof/internal/test/play"
	"bullyproof/internal/test/solvertest"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// inRelations returns the algorithms that have relations, each with its description in
// instances of three processes at most, or in all of them in a deep test.
func inRelations(t *testing.T) (list []*ledger.Algorithm, models []*relation.Model) {
	for _, a := range algorithms.All {
		if a.Relations == nil {
			continue
		}
		m, err := ledger.Described(a)
		require.NoError(t, err)
		if !*play.Deep {
			for i := range m.Settings {
				m.Settings[i].To = max(m.Settings[i].From, min(m.Settings[i].To, 3))
			}
		}
		list, models = append(list, a), append(models, m)
	}
	require.NotEmpty(t, list)
	return list, models
}

// Each protocol is as its relations.txt says: each transition is a step, and each step a
// transition.
func TestProtocolsAreAsDescribed(t *testing.T) {
	list, models := inRelations(t)
	for i, a := range list {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			j, err := models[i].Judge(t.Context())
			require.NoError(t, err)
			for _, p := range models[i].Properties {
				for _, seen := range j.Seen {
					for _, state := range seen.States {
						require.True(t, seen.Always(&p, state), "%s is not true of %s", p.Name, seen.StateText(state))
					}
				}
			}
		})
	}
}

// Of each algorithm a mutant is not as described, and the judge draws the state where they part.
func TestMutantsAreNotAsDescribed(t *testing.T) {
	list, models := inRelations(t)
	for i, a := range list {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			for _, mutant := range a.Mutants {
				m := *models[i]
				m.Systems = []func(setting.Setting) (*model.System, error){mutant.In}
				var apart *relation.Disagreement
				if _, err := m.Judge(t.Context()); errors.As(err, &apart) {
					require.NotEmpty(t, apart.Before)
					return
				}
			}
			assert.Fail(t, "every mutant is as described")
		})
	}
}

// The preferred solver that is installed finds the kept proofs right, and in a deep test every
// one does.
func TestProofsStand(t *testing.T) {
	by := solvertest.Installed(t, induction.Solvers(t.Context()))
	if !*play.Deep {
		by = solvertest.Preferred(by)
	}
	list, models := inRelations(t)
	for i, a := range list {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			if *play.Update {
				writeProofs(t, a, by[0])
				return
			}
			text, err := a.Proofs()
			require.NoError(t, err)
			proofs, err := induction.ReadProofs(models[i].Description, text)
			require.NoError(t, err)
			require.NotEmpty(t, proofs)
			for _, p := range proofs {
				for _, s := range by {
					assert.NoError(t, induction.Check(t.Context(), models[i].Description, &p, s), "%s", p.Property.Name)
				}
			}
		})
	}
}

// writeProofs proves what can be proved, and keeps it.
func writeProofs(t *testing.T, a *ledger.Algorithm, by induction.Solver) {
	m, err := ledger.Described(a)
	require.NoError(t, err)
	r, err := induction.Decide(t.Context(), m, induction.Options{Solver: &by, Sizes: induction.Sizes{Literals: 3, Things: 4}})
	require.NoError(t, err)
	var proofs []induction.Proof
	for _, answer := range r.Answers {
		if answer.Proof != nil {
			proofs = append(proofs, *answer.Proof)
		}
	}
	require.NoError(t, os.WriteFile(a.Name+"/proofs.txt", []byte(induction.Text(m.Description, a.Name, proofs)), 0o666))
}

// A row that says so is proved. In a deep test the runs of its scopes are runs of the description,
// in each variant in which it is judged.
func TestProvedClaimsAreProved(t *testing.T) {
	l, err := onRecord()
	require.NoError(t, err)
	rows := 0
	for _, e := range l.Entries {
		for i := range e.Algorithm.Claims() {
			c := &e.Algorithm.Claims()[i]
			if len(c.Proved) == 0 {
				continue
			}
			rows++
			t.Run(e.Algorithm.Name+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				isProved(t, e.Algorithm, c, &e.Judgements[i])
			})
		}
	}
	assert.Positive(t, rows)
}

func isProved(t *testing.T, a *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) {
	assert.Equal(t, ledger.ConfirmedForEveryN, j.Outcome)
	m, err := ledger.Described(a)
	require.NoError(t, err)
	text, err := a.Proofs()
	require.NoError(t, err)
	proofs, err := induction.ReadProofs(m.Description, text)
	require.NoError(t, err)
	for _, name := range c.Proved {
		assert.True(t, slices.ContainsFunc(proofs, func(p induction.Proof) bool { return p.Property.Name == name }), "proofs.txt has no property %q", name)
	}
	if !*play.Deep {
		return
	}
	for _, e := range c.Evidence {
		if e.Aside != "" {
			continue
		}
		variants := []string{e.Variant}
		for _, r := range j.Readings {
			if r.Admissible && e.Variant == "" {
				variants = append(variants, r.Variant)
			}
		}
		in := e.Setting
		if strings.Contains(in, "crashes=") && !strings.Contains(in, "restarts=") {
			in += " restarts=1" // so that a process that is down has its disk; it may stay down
		}
		for _, name := range variants {
			v, err := a.Variant(name)
			require.NoError(t, err)
			assert.NoError(t, m.Covers(t.Context(), in, v.New), "%s", v.Name)
		}
	}
}

// Each line of a step matters: without a part of a guard, or without a change, the description
// is no longer as the protocol.
func TestEachLineOfADescriptionMatters(t *testing.T) {
	if !*play.Deep {
		t.Skip("many descriptions: -deep")
	}
	list, models := inRelations(t)
	for i, a := range list {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			for k := range models[i].Steps {
				for what, without := range lessened(models[i].Description, models[i].Steps[k]) {
					m := *models[i]
					d := *m.Description
					d.Steps = slices.Clone(d.Steps)
					d.Steps[k] = without
					m.Description = &d
					if _, err := m.Judge(t.Context()); err == nil {
						assert.Contains(t, spare, fmt.Sprintf("%s/%s %s", a.Name, without.Name, what), "nothing tells that it is missing")
					}
				}
			}
		})
	}
}

// spare are lines that make no difference in instances, with the reason.
var spare = map[string]string{
	"bully/too-late guard 0":               "without a message there is nothing to drop",
	"changroberts/discards guard 0":        "without a message there is nothing to drop",
	"fredericksonlynch/learns change 1":    "nobody sleeps any more when somebody is elected",
	"hirschbergsinclair/late-next guard 0": "without a message there is nothing to drop",
	"hirschbergsinclair/late-prev guard 0": "as of late-next",
	"kabashi/larger guard 0":               "without a message there is nothing to drop",
	"kabashi/has-smaller guard 0":          "as of larger",
	"kabashi/queried-other guard 0":        "as of larger",
	"kabashi/told-late guard 0":            "as of larger",
	"kabashi/asked-second change 1":        "who has the second minimum ID awaits no responses; others do, in readings that the step covers too",
	"kabashi/asked-second change 4":        "as of change 1",
	"kabashi/objects change 0":             "of so few processes nobody hears of a higher coordinator while it awaits responses",
	"kabashi/objects change 3":             "as of change 0",
	"lelann/notes guard 0":                 "it names the process before P, of which lemmas speak",
	"lelann/passes guard 0":                "as of notes",
	"lelann/home guard 0":                  "as of notes",
	"redlock/crashes change 0":             "crashes are where there is one instance, whose answer decides at once",
	"rediscluster/counts change 1":         "who asked for an epoch has reached it",
	"rediscluster/wins change 1":           "as of counts",
	"rediscluster/too-late change 0":       "a message goes as well: loses",
	"rediscluster/too-late change 1":       "as of counts",
	"raft/counts guard 0":                  "a candidate is up",
	"raft/counts guard 2":                  "of four servers alone two votes are no majority, and there nobody begins twice",
	"raft/leads guard 0":                   "a candidate is up",
	"raft/leads guard 3":                   "who is no candidate has no votes",
	"raft/heartbeats change 0":             "here a leader sends one; where it sends more, TestProvedClaimsAreProved needs it",
	"raft/too-late guard 0":                "mail for a server that is down goes as well: misses",
	"raft/too-late guard 1":                "without a message there is nothing to drop",
	"raft/follows guard 0":                 "crashes are those of two servers, which have the term of their leader, so that the message goes and no more",
	"raft/knows guard 0":                   "as of too-late",
	"raft/knows guard 1":                   "as of too-late",
}

// lessened returns a step without each part of its guard, and without each of its changes,
// except those of ghosts, which no state has.
func lessened(d *relation.Description, st relation.Step) map[string]relation.Step {
	out := map[string]relation.Step{}
	if st.Formula.Op == relation.And && !st.May {
		for i := range st.Formula.Sub {
			less := st
			less.Formula = &relation.Formula{Op: relation.And, Sub: slices.Delete(slices.Clone(st.Formula.Sub), i, i+1)}
			out[fmt.Sprint("guard ", i)] = less
		}
	}
	for i, u := range st.Updates {
		if d.Relations[u.Rel].Ghost {
			continue
		}
		less := st
		less.Updates = slices.Delete(slices.Clone(st.Updates), i, i+1)
		out[fmt.Sprint("change ", i)] = less
	}
	return out
}
