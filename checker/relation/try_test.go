package relation_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker/induction"
	"bullyproof/checker/relation"
	"bullyproof/model"
)

func TestTry(t *testing.T) {
	text, err := os.ReadFile("../../algorithms/changroberts/relations.txt")
	require.NoError(t, err)
	d, err := relation.Parse(string(text))
	require.NoError(t, err)
	v, err := changroberts.Algorithm.Variant("")
	require.NoError(t, err)
	m := &relation.Model{Description: d, System: v.New, Facts: func(v *model.View, f *relation.Facts) {
		for id := model.ID(1); id <= v.N; id++ {
			p := model.State[changroberts.P](v, id)
			if p.Participant {
				f.Add("participant", int(id))
			}
			if p.Elected != model.None {
				f.Add("elected", int(id), int(p.Elected))
			}
		}
		for link, m := range model.Mail[changroberts.M](v) {
			name := "candidate"
			if m.Type == changroberts.Elected {
				name = "announced"
			}
			f.Add(name, int(m.ID), int(link.To))
		}
	}}
	at := time.Now()
	j, err := m.Judge(t.Context())
	require.NoError(t, err)
	t.Log(j.States, j.Transitions, j.Ran, time.Since(at))
	for _, k := range []int{2, 3} {
		list := induction.Candidates(d, j.Seen, induction.Sizes{Literals: k, Things: 3})
		t.Log(k, len(list), time.Since(at))
		for _, by := range induction.Solvers(t.Context()) {
			at := time.Now()
			r, err := induction.Prove(t.Context(), d, list, by)
			require.NoError(t, err)
			t.Log(by.Name, by.Version, r.Candidates, r.Kept, r.Rounds, r.Queries, r.Unknown, time.Since(at))
			for _, p := range r.Proofs {
				t.Log("PROVED", p.Property.Name)
				for _, c := range p.Sentences {
					t.Log("    ", d.Text(&c.Scope, c.Formula))
				}
			}
			for _, x := range r.Open {
				t.Log("OPEN", x.Text())
			}
		}
	}
}
