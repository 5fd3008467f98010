package hirschbergsinclair

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
		if p.Mode != Asleep {
			f.Add("begun", int(id))
		}
		if p.Elected != model.None {
			f.Add("elected", int(id), int(p.Elected))
		}
	}
	for link, m := range model.Mail[M](v) {
		switch {
		case m.Type == Elected:
			f.Add("announced", int(m.ID), int(link.To))
		case m.Type != Probe:
		case f.Next(int(link.From)) == int(link.To):
			f.Add("probe-next", int(m.ID), int(link.To))
		default:
			f.Add("probe-prev", int(m.ID), int(link.To))
		}
	}
}
