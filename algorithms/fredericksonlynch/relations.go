package fredericksonlynch

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are the algorithm for any number of processes.
var relations = &ledger.Relations{Variant: "variable-speeds", Also: []string{"wake-up", "from-three"}, Facts: facts}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := model.ID(1); id <= v.N; id++ {
		self, p := int(id), model.State[P](v, id)
		switch p.Role {
		case Participates:
			f.Add("participates", self)
		case Relays:
			f.Add("relay", self)
		}
		for other := p.Least + 1; p.Least != model.None && other <= v.N; other++ {
			f.Add("discards", self, int(other))
		}
		if p.Token != model.None {
			f.Add("token", int(p.Token), f.Next(self))
		}
		if p.Leader != model.None {
			f.Add("elected", self, int(p.Leader))
		}
	}
	for link, m := range model.Mail[M](v) {
		if m.Type == Leader {
			f.Add("announced", int(m.ID), int(link.To))
		} else {
			f.Add("token", int(m.ID), int(link.To))
		}
	}
}
