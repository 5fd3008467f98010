package etcdelection

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are the election for any number of clients and revisions, without clocks.
var relations = &ledger.Relations{Variant: "shipped", Also: []string{"margin"}, Facts: facts}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := model.ID(1); id < v.N; id++ {
		client, p := int(id), model.Kept[P](v, id)
		switch p.Phase {
		case Waits:
			f.Add("waits", client, place(p.Mine))
		case Leads:
			f.Add("leads", client, place(p.Mine))
		}
	}
	etcd := model.Kept[P](v, v.N)
	for _, k := range etcd.Keys.All() {
		f.Add("key", int(k.Client), place(k.Revision))
	}
	for r := range etcd.Revision {
		f.Add("used", int(r))
	}
	for link, m := range model.Mail[M](v) {
		switch from, to := int(link.From), int(link.To); {
		case m.Type == Campaign:
			f.Add("asks", from)
		case m.Type == Created:
			f.Add("created", to, place(m.Revision))
		case m.Type == Older:
			f.Add("older", from, place(m.Revision))
		case m.Type == Next && m.Revision == 0:
			f.Add("none", to)
		}
	}
}

// place is that of a revision, which count from 1.
func place(revision uint8) int { return int(revision) - 1 }
