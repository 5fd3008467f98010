package franklin

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
		switch p.Mode {
		case Active:
			f.Add("active", int(id))
		case Passive:
			f.Add("passive", int(id))
		}
		if p.Elected != model.None {
			f.Add("elected", int(id), int(p.Elected))
		}
		for _, kept := range p.Prev.All() {
			f.Add("from-prev", int(id), int(kept))
		}
		for _, kept := range p.Next.All() {
			f.Add("from-next", int(id), int(kept))
		}
	}
	for link, m := range model.Mail[M](v) {
		name := "announced"
		if m.Type == Candidate {
			name = "right"
			if f.Next(int(link.From)) != int(link.To) {
				name = "left"
			}
		}
		f.Add(name, int(m.ID), int(link.To))
	}
}
