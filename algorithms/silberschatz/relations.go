package silberschatz

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
		if p.Informer {
			f.Add("informer", int(id))
		}
		if p.Elected != model.None {
			f.Add("elected", int(id), int(p.Elected))
		}
	}
	for link, m := range model.Mail[M](v) {
		if m.Type == Coordinator {
			f.Add("coordinator", int(m.Informer), int(m.Winner), int(link.To))
			continue
		}
		f.Add("election", int(m.Informer), int(link.To))
		for id := range m.List.All() {
			f.Add("collected", int(m.Informer), int(id))
		}
	}
}
