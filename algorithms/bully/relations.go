package bully

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are the algorithm for any number of processes, without bounds on delays.
var relations = &ledger.Relations{Variant: "coulouris", Facts: facts}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := range v.Up.All() {
		self, p := int(id), model.State[P](v, id)
		f.Add("up", self)
		if p.Elected != model.None {
			f.Add("names", self, int(p.Elected))
		}
		switch p.Mode {
		case WaitAnswer:
			f.Add("awaits-answer", self)
		case WaitCoordinator:
			f.Add("awaits-coordinator", self)
		}
	}
	for link, m := range model.Mail[M](v) {
		f.Add([...]string{"asks", "answers", "announces"}[m.Type], int(link.From), int(link.To))
	}
}
