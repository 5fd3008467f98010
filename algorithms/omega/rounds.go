package omega

import "bullyproof/model"

// Rounds is the algorithm of Aguilera, Delporte-Gallet, Fauconnier and Toueg. "Intuitively, processes
// execute in rounds r = 0, 1, 2, ..., where variable r keeps the process's current round." The rules
// follow the paragraph that begins so. The longest delay δ is known.
type Rounds struct {
	base
	// Stops and Lossy are the versions of the program: StableLeaderElector, whose process tells
	// the leader that it gives it up, and OnStableLeaderElector, for links that lose messages.
	Stops, Lossy bool
	// First has a leader be trusted from the first OK on, and not the second, in these versions.
	First bool
}

// leaderOf is "the leader of round k": "this is just process k mod n".
func leaderOf(round uint8, n int) model.ID { return model.ID(int(round)%n + 1) }

// Init has a process start round 0.
func (r *Rounds) Init(p *P, net *model.Net[M], _ model.Boot) {
	r.start(p, net, 0)
	net.SetTimer(beat, net.Bound())
}

// start is: "To start a round k, a process (1) sends (START, k) to [...] process k mod n, (2) sets r to k,
// (3) sets the output of Ω to k mod n and (4) starts a timer".
func (r *Rounds) start(p *P, net *model.Net[M], round uint8) {
	net.Rule(starts)
	leader := leaderOf(round, net.N())
	*p = P{Round: round}
	switch {
	case leader == net.Self():
	case r.Lossy:
		net.Broadcast(M{Start, round})
	default:
		net.SendTo(leader, M{Start, round})
	}
	if !r.Stops && !r.Lossy {
		p.Leader = leader
	}
	r.wait(net)
}

// wait is for "more than 2δ time".
func (r *Rounds) wait(net *model.Net[M]) { net.SetTimer(late, 2*net.Bound()+1) }

// Timeout is task 0, or the end of the wait for (OK, r).
func (r *Rounds) Timeout(p *P, net *model.Net[M], t model.Timer) {
	leader := leaderOf(p.Round, net.N())
	switch {
	case t == late: // "it times out on round r and starts round r + 1"
		net.Rule(timesOut)
		if r.Stops && leader != net.Self() {
			net.SendTo(leader, M{Stop, p.Round})
		}
		r.start(p, net, p.Round+1)
		return
	case leader == net.Self(): // "checks if it is the leader of that round (task 0) and if so sends (OK, r) to all"
		net.Rule(oks)
		net.Broadcast(M{OK, p.Round})
		r.ok(p, net)
	}
	net.SetTimer(beat, net.Bound()) // "every δ time"
}

// ok is: "When a process receives an (OK, k) for the current round (r = k), the process restarts its timer."
// In the program it trusts the leader when it has two of them.
func (r *Rounds) ok(p *P, net *model.Net[M]) {
	r.wait(net)
	if p.Leader != model.None {
		return
	}
	p.OKs++
	if p.OKs == 2 || r.First {
		net.Rule(twoOKs)
		p.Leader, p.OKs = leaderOf(p.Round, net.N()), 0
	}
}

// Receive is: "If a process receives (OK, k) or (START, k) from a higher round (k > r), the process starts
// that round."
func (r *Rounds) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch {
	case m.Type == Stop:
		if m.Number >= p.Round {
			net.Rule(stopped)
			r.start(p, net, m.Number+1)
		}
	case m.Number > p.Round:
		r.start(p, net, m.Number)
	case m.Number < p.Round:
		if r.Lossy {
			net.Rule(corrects)
			net.Reply(M{Start, p.Round})
		}
	case m.Type == OK:
		r.ok(p, net)
	}
}
