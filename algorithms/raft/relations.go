package raft

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are figure 2 for any number of servers, without logs.
var relations = &ledger.Relations{Variant: "any-delays", Facts: facts}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := model.ID(1); id <= v.N; id++ {
		self, p := int(id), model.Kept[P](v, id)
		if v.Up.Has(id) {
			f.Add("up", self)
		}
		f.Add("current", self, int(p.Term))
		if p.VotedFor != model.None {
			f.Add("voted", self, int(p.VotedFor))
		}
		switch p.Role {
		case Candidate:
			f.Add("candidate", self)
		case Leader:
			f.Add("leader", self)
		}
		for voter := range p.Votes.All() {
			f.Add("granted", self, int(voter))
		}
	}
	for link, m := range model.Mail[M](v) {
		from, to, term := int(link.From), int(link.To), int(m.Term)
		switch {
		case m.Type == RequestVote:
			f.Add("asks", from, to, term)
		case m.Type == Vote && m.Granted:
			f.Add("vote", from, to, term)
		case m.Type == AppendEntries:
			f.Add("beats", from, to, term)
		default:
			f.Add("tells", to, term)
		}
	}
}
