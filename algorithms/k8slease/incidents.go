package k8slease

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// incidents are mutants that do what these programs did.
var incidents = []ledger.Mutant{
	{
		Name: "blocks", Of: "no-timeout", Caught: checker.Uniqueness.Name, Setting: in("losses=1"),
		Doc: "The deadline is looked at between requests, and a request may hang for longer (kubernetes #44887).",
		New: of(blocks{&Lease{Times: hanging, GetFirst: true, Terms: 2}}),
	},
	{
		Name: "own-duration", Of: "two-durations", Caught: checker.Uniqueness.Name, Setting: in(""),
		Doc: "P1 is configured with a shorter LeaseDuration than P2, and each goes by its own (kubernetes #47671, fabric8 kubernetes-client #7160).",
		New: of(ownDuration{&Lease{Times: slow, First: quick, GetFirst: true, Terms: 2}}),
	},
	{
		Name: "slow-shutdown", Of: "defaults", Caught: checker.Uniqueness.Name, Setting: in("cuts=1 cut-by=link heals=owed"),
		Doc: "A program that was told to stop goes on while it shuts down, for longer than the lease lasts (cilium #42920).",
		New: of(slowShutdown{&Lease{Times: usual, Terms: 2}}),
	},
	{
		Name: "never-stops", Of: "defaults", Caught: checker.OneLeaderAgain.Name, Setting: in("cuts=1 cut-by=link heals=owed"),
		Doc: "A leader that lost the lease goes on, since it is never told to stop (kubernetes #23731).",
		New: of(neverStops{&Lease{Times: usual, GetFirst: true, Terms: 2}}),
	},
	{
		Name: "one-shot", Of: "defaults", Caught: checker.LeaderAgain.Name, Setting: in("n=2 cuts=1 cut-by=link heals=owed"),
		Doc: "A program that has lost the lease never asks for it again (kuberhealthy #1533).",
		New: of(oneShot{&Lease{Times: usual, Terms: 2}}),
	},
}

// blocks is a fault: the deadline is looked at between requests, not during one.
type blocks struct{ *Lease }

func (l blocks) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == deadline && p.Waits != None {
		p.Late = true
		return
	}
	l.Lease.Timeout(p, net, t)
	l.look(p, net)
}

func (l blocks) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	l.Lease.Receive(p, net, from, m)
	l.look(p, net)
}

// look has a leader look at the deadline when its requests are over. If it has not renewed, it
// quits.
func (l blocks) look(p *P, net *model.Net[M]) {
	if p.Waits != None || !p.Late {
		return
	}
	if p.Late = false; p.Renews {
		l.quit(p, net)
	}
}

// ownDuration is a fault: each client goes by its own LeaseDuration, not by that in the record.
type ownDuration struct{ *Lease }

func (l ownDuration) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	own := *l.Lease // as if all were configured as this client is
	own.Times, own.First = l.times(net.Self()), Times{}
	own.Receive(p, net, from, m)
}

// slowShutdown is a fault: a program that was told to stop goes on for a while.
type slowShutdown struct{ *Lease }

func (l slowShutdown) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case deadline:
		l.quit(p, net)
		p.Leads = true
		net.StopTimer(retry)
		net.SetTimer(shutdown, 10)
	case shutdown:
		p.Leads = false
		net.SetTimer(retry, l.times(p.Self).RetryPeriod)
	default:
		l.Lease.Timeout(p, net, t)
	}
}

// neverStops is a fault: a leader that failed to renew until the deadline goes on trying, and its
// program is told nothing.
type neverStops struct{ *Lease }

func (l neverStops) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != deadline {
		l.Lease.Timeout(p, net, t)
	}
}

// oneShot is a fault: a program that has lost the lease never asks again.
type oneShot struct{ *Lease }

func (l oneShot) Timeout(p *P, net *model.Net[M], t model.Timer) {
	l.Lease.Timeout(p, net, t)
	if t == deadline {
		net.StopTimer(retry)
	}
}
