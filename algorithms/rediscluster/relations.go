package rediscluster

import (
	"bullyproof/checker/relation"
	"bullyproof/ledger"
	"bullyproof/model"
)

// relations are the election for any number of replicas and masters.
var relations = &ledger.Relations{Variant: "any-time", Also: []string{"shipped"}, Facts: facts, Quorums: quorums}

// quorums are the sets of masters whose votes elect. The dead master is none of them.
func quorums(n int) (list []model.Set) {
	for s := range model.Set(1) << n {
		if s.Len() == int(quorumOf(n)) && s&model.Upto(replicasOf(n)) == 0 {
			list = append(list, s)
		}
	}
	return list
}

// facts are what relations.txt says of a state.
func facts(v *model.View, f *relation.Facts) {
	for id := model.ID(1); id <= v.N; id++ {
		self, p := int(id), model.Kept[P](v, id)
		if id > replicasOf(int(v.N)) {
			f.Add("master", self)
		}
		for epoch := range p.Epoch {
			f.Add("reached", self, int(epoch))
		}
		for epoch := range p.Voted {
			f.Add("voted", self, int(epoch))
		}
		if p.Auth != 0 {
			f.Add("attempt", self, int(p.Auth)-1)
		}
		if p.Votes != 0 {
			f.Add("has-votes", self)
		}
	}
	for link, m := range model.Mail[M](v) {
		epoch := int(m.Epoch) - 1
		if epoch < 0 {
			continue // it tells no epoch
		}
		switch m.Type {
		case Request:
			f.Add("asks", int(link.From), int(link.To), epoch)
		case Ack:
			f.Add("ack", int(link.From), int(link.To), epoch)
		default:
			f.Add("pong", int(link.To), epoch)
		}
	}
}
