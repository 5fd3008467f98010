package sentinel

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are the votes for any number of sentinels, where they count in their own epoch only.
var relations = &ledger.Relations{Variant: "same-epoch", Facts: facts}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := model.ID(1); id <= v.N; id++ {
		self, p := int(id), model.Kept[P](v, id)
		for epoch := range p.Epoch {
			f.Add("reached", self, int(epoch))
		}
		for epoch := range p.Voted {
			f.Add("voted", self, int(epoch))
		}
		if p.Leader != model.None {
			f.Add("votes", self, int(p.Leader), place(p.Voted))
		}
		if p.Failover > 0 {
			f.Add("attempt", self, place(p.Failover))
		}
		if p.Won > 0 {
			f.Add("elected", self, place(p.Won))
		}
		for voter, leader := range p.Votes {
			if leader != model.None {
				f.Add("has", self, voter, int(leader), place(p.VotedIn[voter]))
			}
		}
		if p.Config > 0 {
			f.Add("config", self, int(p.Owner), place(p.Config))
		}
	}
	for link, m := range model.Mail[M](v) {
		from, to := int(link.From), int(link.To)
		switch {
		case m.Type == Ask:
			f.Add("asks", from, to, place(m.Epoch))
		case m.Type == Vote && m.Leader != model.None:
			f.Add("vote", from, to, int(m.Leader), place(m.Epoch))
		case m.Type == Hello:
			f.Add("hello", to, place(m.Epoch))
			if m.Config > 0 {
				f.Add("claims", to, int(m.Owner), place(m.Config))
			}
		}
	}
}

// place is that of an epoch, which count from 1.
func place(epoch uint8) int { return int(epoch) - 1 }
