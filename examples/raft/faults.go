package raft

// forgetsVote is Raft with a fault: a server's vote is not on disk.
type forgetsVote struct{ *Raft }

func (r forgetsVote) Stable(p *P) { *p = P{Term: p.Term} }

// forgetsAll is Raft with a fault: nothing is on disk.
type forgetsAll struct{ *Raft }

func (r forgetsAll) Stable(p *P) { *p = P{} }
