package mongodb

import "bullyproof/model"

// This file is the catch-up of a new primary without a time limit (CatchupState of
// replication_coordinator_impl.cpp), and the takeover of such a primary.
//
// Deviations: A primary fetches from the member that is furthest ahead, not from one that is
// ahead of itself and close. A round of heartbeats is as long as the liveness timeout, and a
// member that has answered none is down. A fetch may stall: it brings nothing in this reign.
// MongoDB's tests stop replication for that, and a cycle of sync sources had that effect
// (SERVER-58988). A member knows the oplogs of the primary and of itself, so it does not ask
// whether it is the furthest ahead of all.

// A Catch is what a primary that catches up knows.
type Catch struct {
	Source model.ID // who is the furthest ahead of it
	Target OpTime   // the last entry of the source
	Fetch  Progress
}

// A Progress is how far a fetch is.
type Progress uint8

// The progress of a fetch.
const (
	NotBegun Progress = iota
	GoesOn
	Stalls
)

// hear is CatchupState::signalHeartbeatUpdate: a member answers a heartbeat. The fetch begins
// when all have answered.
func (a *Member) hear(p *P, net *model.Net[M], member model.ID, at OpTime) {
	c := &p.Catch
	if last(&p.Oplog).before(at) && c.Target.before(at) {
		c.Source, c.Target = member, at
	}
	if c.Fetch == NotBegun && p.Heard == net.Peers().With(net.Self()) {
		a.catchUp(p, net)
	}
}

// nextRound ends a round of heartbeats: who is down does not count. If that is the source, the
// next round finds another one.
func (a *Member) nextRound(p *P, net *model.Net[M]) {
	c := &p.Catch
	if c.Source != model.None && !p.Heard.Has(c.Source) {
		c.Source, c.Target = model.None, OpTime{}
		return
	}
	a.catchUp(p, net)
}

// catchUp fetches from the member that is furthest ahead, or ends the catch-up if there is none.
// A fetch whose answer is lost is made again in the next round.
func (a *Member) catchUp(p *P, net *model.Net[M]) {
	c := &p.Catch
	if c.Source == model.None {
		a.acceptWrites(p, net)
		return
	}
	if c.Fetch == NotBegun {
		c.Fetch = GoesOn + Progress(net.Pick(fetching))
	}
	if c.Fetch == Stalls {
		net.Rule(stalls)
		return
	}
	net.Rule(fetches)
	net.SendTo(c.Source, M{Type: Fetch, Term: p.Term})
}

// fetched has a primary that catches up take the entries of its source. One that would have to
// roll back aborts the catch-up.
func (a *Member) fetched(p *P, net *model.Net[M], m M) {
	mine := last(&p.Oplog)
	if !p.Catching || !mine.before(last(&m.Oplog)) {
		return
	}
	if mine != (OpTime{}) && m.Oplog.Index(mine) < 0 {
		net.Rule(abortsCatchUp)
		a.acceptWrites(p, net)
		return
	}
	p.Oplog = m.Oplog
	if !last(&p.Oplog).before(p.Catch.Target) {
		a.acceptWrites(p, net)
	}
}

// considerTakeover is TopologyCoordinator::_shouldTakeOverPrimary, or _updatePrimaryFromHBDataV1 in
// earlier versions: a member hears a primary of its term, and may be ahead of it, or of a higher
// priority.
func (a *Member) considerTakeover(p *P, net *model.Net[M], primary model.ID, ahead bool) {
	byPriority := !a.arbiter(net.Self()) && a.priority(net.Self()) > a.priority(primary)
	// "if we have applied anything in the new term, it means that the primary is already past the
	// catchup phase"
	byCatchUp := a.Takeover && ahead && last(&p.Oplog).Term < p.Term
	if !byCatchUp {
		net.StopTimer(catchUpTakeover)
	}
	highest := a.Priorities && int(net.Self()) == net.N()
	switch {
	case !byPriority:
		net.StopTimer(takeover)
	case byCatchUp && !highest: // "prefer to schedule a catchup takeover over a priority takeover"
	case !net.IsSet(takeover) && !net.IsSet(catchUpTakeover):
		// "so higher priority nodes will call for a priority takeover faster"
		net.SetTimer(takeover, (net.N()-int(net.Self())+2)*net.Bound())
	}
	if byCatchUp && !net.IsSet(takeover) && !net.IsSet(catchUpTakeover) {
		net.Rule(awaitsTakeover)
		net.SetTimer(catchUpTakeover, 6*net.Bound())
	}
}

// takeOverCatchUp has a member run for election against a primary that still catches up. "We
// require the primary's response during catchup takeover."
func (a *Member) takeOverCatchUp(p *P, net *model.Net[M]) {
	if p.Primary == model.None {
		return
	}
	net.Rule(takesOverCatchUp)
	a.stand(p, net)
	p.Asks = p.Primary
}
