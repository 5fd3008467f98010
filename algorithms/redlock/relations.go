package redlock

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are the lock for any number of instances and clients, without clocks.
var relations = &ledger.Relations{Variant: "fsync", Facts: facts, Quorums: quorums}

// quorums are the majorities of the instances.
func quorums(n int) (list []model.Set) {
	all := model.Upto(model.ID(n)) &^ clients(model.ID(n))
	for s := range model.Set(1) << n {
		if s&^all == 0 && s.Len() == all.Len()/2+1 {
			list = append(list, s)
		}
	}
	return list
}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := model.ID(1); id <= v.N; id++ {
		self, p := int(id), model.Kept[P](v, id)
		if !clients(v.N).Has(id) {
			f.Add("instance", self)
		}
		if p.Key.Client != model.None {
			f.Add("key", self, int(p.Key.Client))
		}
		switch p.Phase {
		case Asks:
			for instance := range p.Yes.All() {
				f.Add("yes", self, int(instance))
			}
		case Checks:
			f.Add("checks", self)
		case Leads:
			f.Add("leads", self)
		}
	}
	for link, m := range model.Mail[M](v) {
		switch from, to := int(link.From), int(link.To); {
		case m.Type == Set:
			f.Add("asks", from, to)
		case m.Type == Del:
			f.Add("deletes", from, to)
		case m.Type == Yes && m.To == Set:
			f.Add("grants", from, to)
		}
	}
}
