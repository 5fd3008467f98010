package river

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// incidents are mutants that do what the program did once.
var incidents = []ledger.Mutant{
	{
		Name: "always-true", Of: "before-terms", Caught: checker.OneLeaderAgain.Name, Setting: in("losses=1"),
		Doc: "The query of a reelection compares the client with itself: a client without a row extends the other's (issue 197).",
		New: of(alwaysTrue{beforeTerms}),
	},
	{
		Name: "no-padding", Of: "before-terms", Caught: steady.Name, Setting: in(""), New: of(&Elector{Interval: 5, BeforeTerms: true, Terms: 2}),
		Doc: "The row lives for as long as a leader waits before it extends it (pull request 217).",
	},
}

// alwaysTrue is a fault: the query of a reelection compares the client with itself, and not with
// the row.
type alwaysTrue struct{ *Elector }

func (e alwaysTrue) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Reelect || p.Leader == model.None {
		e.Elector.Receive(p, net, from, m)
		return
	}
	net.Rule(extend)
	net.SetTimer(expiry, e.ttl())
	net.Reply(M{Type: Reelected, Attempt: m.Attempt, OK: true, Term: p.Issued})
}

// trustsAnswer is a fault: the trust in the row counts from the answer.
type trustsAnswer struct{ *Elector }

func (e trustsAnswer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	was := p.trusts()
	e.Elector.Receive(p, net, from, m)
	if p.trusts() != was { // the attempt has succeeded
		net.SetTimer(p.trusts(), e.ttl()-e.Margin)
	}
}

// noExpiry is a fault: nobody deletes the row when it has expired.
type noExpiry struct{ *Elector }

func (e noExpiry) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != expiry {
		e.Elector.Timeout(p, net, t)
	}
}

// replaces is a fault: the insert replaces the row that there is.
type replaces struct{ *Elector }

func (e replaces) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Elect {
		p.Leader = model.None
	}
	e.Elector.Receive(p, net, from, m)
}
