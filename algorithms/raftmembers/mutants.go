package raftmembers

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are variants with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "old-terms", Of: "four-terms", Caught: sameCommitted.Name, Setting: in("n=3 channels=fifo capacity=1"),
		Doc: "A leader commits an entry of an earlier term that a majority has.",
		New: of(oldTerms{fourTerms}),
	},
	{
		Name: "new-alone", Of: "joint", Caught: sameCommitted.Name, Setting: in("n=3"),
		Doc: "A majority of the new members decides in joint consensus.",
		New: of(newAlone{joint}),
	},
	{
		Name: "any-log", Of: "joint", Caught: sameCommitted.Name, Setting: in("n=3"),
		Doc: "A vote is granted to a candidate with an older log.",
		New: of(anyLog{joint}),
	},
}

type oldTerms struct{ *Server }

func (r oldTerms) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	r.Server.Receive(p, net, from, m)
	c := r.config(p, net.N())
	if m.Type == Success && p.Role == Leader && int(p.Commit) < p.Log.Len() && c.Term != p.Term && agree(c, p.Acks) {
		r.committed(p, net, c)
	}
}

type newAlone struct{ *Server }

func (r newAlone) Timeout(p *P, net *model.Net[M], t model.Timer) {
	r.Server.Timeout(p, net, t)
	r.decide(p, net)
}

func (r newAlone) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	r.Server.Receive(p, net, from, m)
	r.decide(p, net)
}

// decide does what a majority of both is missing for.
func (r newAlone) decide(p *P, net *model.Net[M]) {
	if c := r.config(p, net.N()); p.Role == Candidate && c.New != 0 && majority(c.New, p.Votes) {
		r.lead(p, net)
	}
	c := r.config(p, net.N())
	if p.Role == Leader && int(p.Commit) < p.Log.Len() && c.Term == p.Term && c.New != 0 && majority(c.New, p.Acks) {
		r.committed(p, net, c)
	}
}

type anyLog struct{ *Server }

func (r anyLog) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == RequestVote {
		m.Last, m.Len = last(p), uint8(p.Log.Len())
	}
	r.Server.Receive(p, net, from, m)
}
