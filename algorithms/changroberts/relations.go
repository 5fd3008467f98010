package changroberts

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are the algorithm for any number of processes.
var relations = &ledger.Relations{Facts: facts}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := model.ID(1); id <= v.N; id++ {
		p := model.State[P](v, id)
		if p.Participant {
			f.Add("participant", int(id))
		}
		if p.Elected != model.None {
			f.Add("elected", int(id), int(p.Elected))
		}
	}
	for link, m := range model.Mail[M](v) {
		name := "candidate"
		if m.Type == Elected {
			name = "announced"
		}
		f.Add(name, int(m.ID), int(link.To))
	}
}
