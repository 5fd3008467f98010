package assistant

import (
	"slices"

	"bullyproof/model"
)

// Repaired is Protocol with processes that come up and hold no election: they
// ask who leads, and follow that one. The description says nothing of processes
// that come back. An election of one that does runs beside the succession of the
// assistant, and the two announcements arrive in either order. One that only
// asks announces nothing, so that the assistant's announcement is the only one:
//
//   - A node that notices that the coordinator is down, or takes over, says that
//     it is busy. As long as anybody is, there may be an announcement to come,
//     and the newcomer asks again.
//   - Otherwise nobody has noticed, or all is over. A node that leads by now
//     says so itself, and its word counts for more than that of another one,
//     whom its announcement may have yet to reach.
//   - If all follow the newcomer itself nobody has noticed that it was down, and
//     since it is up nobody will: it leads again.
//
// It is not the highest any more that leads after somebody came back, which the
// description does not ask for.
type Repaired struct{ Protocol }

// Heard is what a process that asks who leads has been told.
type Heard struct {
	Coordinator, Assistant model.ID
	Busy                   bool // somebody is not idle
}

// Inquires is the mode of a process that has come up and asks who leads.
const Inquires = Elects + 1

// The messages of the repair.
const (
	Who   = Coordinator + 1 + iota // who leads?
	Leads                          // whom the sender follows
)

// The rules of the repair.
var (
	resumes = outOfPatience + 1
	again   = resumes + 1
)

var repairedNames = model.Names{
	Kinds:  append(slices.Clone(names.Kinds), "WHO", "LEADS"),
	Timers: names.Timers,
	Rules: append(append(slices.Clone(names.Rules[:returns]), "comes up: ask who leads"), names.Rules[outOfPatience],
		"all that answered are idle: follow whom they name",
		"somebody that answered is busy: ask again"),
}

// Init: a process that comes up asks who leads.
func (a *Repaired) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		net.Rule(returns)
		a.inquire(p, net)
	}
}

// inquire asks all who leads.
func (a *Repaired) inquire(p *P, net *model.Net[M]) {
	p.Mode, p.Heard = Inquires, Heard{}
	net.Broadcast(M{Type: Who})
	net.SetTimer(Collect, 2*net.Bound())
}

// Receive handles the two kinds of messages more.
func (a *Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Who:
		net.Reply(M{Leads, p.Coordinator, p.Assistant, p.Mode != Idle && p.Mode != Inquires})
	case Leads:
		if p.Mode == Inquires {
			p.Heard.note(from.ID(), m)
		}
	case Coordinator:
		p.Heard = Heard{}
		fallthrough
	default:
		a.Protocol.Receive(p, net, from, m)
	}
}

// note notes an answer.
func (h *Heard) note(by model.ID, m M) {
	h.Busy = h.Busy || m.Busy
	if m.Coordinator != model.None && (h.Coordinator == model.None || m.Coordinator == by) {
		h.Coordinator, h.Assistant = m.Coordinator, m.Assistant
	}
}

// Timeout: the answers are in. Where nobody knows of a coordinator there is an
// election.
func (a *Repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode != Inquires {
		a.Protocol.Timeout(p, net, t)
		return
	}
	h := p.Heard
	p.Heard = Heard{}
	switch {
	case h.Busy:
		net.Rule(again)
		a.inquire(p, net)
	case h.Coordinator == model.None:
		a.Start(p, net)
	default:
		net.Rule(resumes)
		p.Mode, p.Coordinator, p.Assistant = Idle, h.Coordinator, h.Assistant
	}
}

// Names is the vocabulary.
func (a *Repaired) Names() model.Names { return repairedNames }
