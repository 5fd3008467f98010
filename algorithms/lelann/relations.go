package lelann

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
		if !p.Initiator && !p.Reached {
			f.Add("asleep", int(id))
		}
		for other := range p.List.All() {
			f.Add("list", int(id), int(other))
		}
		if p.Elected != model.None {
			f.Add("elected", int(id), int(p.Elected))
		}
	}
	before := map[model.Link][]model.ID{}
	for link, m := range model.Mail[M](v) {
		f.Add("token", int(m.ID), int(link.To))
		for _, id := range before[link] {
			f.Add("ahead", int(id), int(m.ID))
		}
		before[link] = append(before[link], m.ID)
	}
}
