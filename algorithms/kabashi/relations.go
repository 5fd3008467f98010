package kabashi

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are rules 1 to 6 for any number of processes, without bounds on delays.
var relations = &ledger.Relations{Variant: "prose", Facts: facts}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := range v.Up.All() {
		self, p := int(id), model.State[P](v, id)
		f.Add("up", self)
		if p.Coordinator != model.None {
			f.Add("names", self, int(p.Coordinator))
		}
		if p.Smallest != model.None {
			f.Add("smallest", self, int(p.Smallest))
		}
		switch p.Mode {
		case Responses:
			f.Add("awaits-responses", self)
		case Answer:
			f.Add("awaits-answer", self)
		}
	}
	for link, m := range model.Mail[M](v) {
		from, to := int(link.From), int(link.To)
		switch m.Type {
		case ELECTION:
			f.Add("asks", from, to)
		case QUERY:
			f.Add("queries", from, to)
		case OK:
			f.Add("oks", int(m.ID), to)
		case CID:
			f.Add("tells", int(m.ID), to)
		case COORDINATOR:
			f.Add("coordinator", int(m.ID), to)
		}
	}
}
