package elasticsearch

import "bullyproof/model"

// forgetsTerm is a fault: a node loses its term in a crash.
type forgetsTerm struct{ *Node }

func (z forgetsTerm) Stable(p *P) {
	z.Node.Stable(p)
	p.Term = 0
}

// newerJoins is a fault: nodes count whose state is newer.
type newerJoins struct{ *Node }

func (z newerJoins) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PreVoteResponse || m.Type == Join {
		m.State = State{}
	}
	z.Node.Receive(p, net, from, m)
}

// steps are those that a mutant takes in another way.
type steps interface {
	electionQuorum(p *P, votes model.Set) bool
	publishQuorum(p *P) bool
	first(p *P, net *model.Net[M]) model.Set
	improved(p *P, net *model.Net[M]) model.Set
	missingJoin(p *P, net *model.Net[M], who model.ID)
}

func (z *Node) steps() steps {
	if z.other != nil {
		return z.other
	}
	return z
}

// A mutant is a node that has some steps of its own.
type mutant interface {
	steps
	node() *Node
}

func (z *Node) node() *Node { return z }

// with returns the node that a mutant embeds, and has it take the mutant's steps.
func with(m mutant) *Node {
	z := m.node()
	z.other = m
	return z
}

// acceptedAlone is a fault: a quorum of the accepted configuration elects.
type acceptedAlone struct{ *Node }

func (acceptedAlone) electionQuorum(p *P, votes model.Set) bool {
	return isQuorum(p.State.Accepted, votes)
}

// committedAlone is a fault: a quorum of the committed configuration elects.
type committedAlone struct{ *Node }

func (committedAlone) electionQuorum(p *P, votes model.Set) bool {
	return isQuorum(p.State.Committed, votes)
}

// newAlone is a fault: a quorum of the published configuration commits.
type newAlone struct{ *Node }

func (newAlone) publishQuorum(p *P) bool { return isQuorum(p.State.Accepted, p.Accepted) }

// overlaps is a fault: a new master reconfigures at once.
type overlaps struct{ *Node }

func (z overlaps) first(p *P, net *model.Net[M]) model.Set { return z.improved(p, net) }

// noJoins is a fault: a master reconfigures with nodes that have not joined it.
type noJoins struct{ *Node }

func (noJoins) improved(p *P, net *model.Net[M]) model.Set {
	return Reconfigure(p.Members, net.Self(), p.State.Accepted, true)
}

func (noJoins) missingJoin(*P, *model.Net[M], model.ID) {}
