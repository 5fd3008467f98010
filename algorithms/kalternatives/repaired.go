package kalternatives

import (
	"slices"

	"bullyproof/model"
)

// Repaired is Protocol, with Tells, where a process that comes up holds no
// election: it asks who leads. The description says nothing of processes that
// come back. An election of one that does runs beside the succession, and for a
// time the alternative that took the place and the winner of the election both
// lead. One that only asks makes nobody leader:
//
//   - As long as anybody holds an election it asks again.
//   - Otherwise the shortest list is the newest: each failure strikes one off it,
//     and who has noticed a failure has struck it off before it tells others.
//   - If all lists still begin with the newcomer nobody has noticed that it was
//     down, and since it is up nobody will: it leads again.
//
// It is not the highest any more that leads after somebody came back, until the
// list is used up.
type Repaired struct{ Protocol }

// The messages of the repair.
const (
	Who   = Next + 1 + iota // who leads?
	Lists                   // the list that the sender has
)

// The rules of the repair.
var (
	resumes = strikes + 1
	again   = resumes + 1
)

var repairedNames = model.Names{
	Kinds:  append(slices.Clone(names.Kinds), "WHO", "LIST"),
	Timers: names.Timers,
	Rules: append(append(slices.Clone(names.Rules[:returns]), "comes up: ask who leads"), names.Rules[strikes],
		"nobody holds an election: take the shortest list",
		"somebody holds an election: ask again"),
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
	p.Inquires, p.Busy, p.Heard = true, false, List{}
	net.Broadcast(M{Type: Who})
	net.SetTimer(T, 2*net.Bound())
}

// Receive handles the two kinds of messages more.
func (a *Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Who:
		net.Reply(M{Lists, p.List, p.Elects})
	case Lists:
		if p.Inquires {
			p.Busy = p.Busy || m.Busy
			if n := m.List.len(); n > 0 && (n < p.Heard.len() || p.Heard.len() == 0) {
				p.Heard = m.List
			}
		}
	case Alternatives:
		p.Inquires, p.Busy, p.Heard = false, false, List{}
		fallthrough
	default:
		a.Protocol.Receive(p, net, from, m)
	}
}

// len returns how many a list has.
func (l List) len() (n int) {
	for n < len(l) && l[n] != model.None {
		n++
	}
	return n
}

// Timeout: the answers are in. Where nobody has a list there is an election.
func (a *Repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if !p.Inquires {
		a.Protocol.Timeout(p, net, t)
		return
	}
	l, busy := p.Heard, p.Busy
	p.Inquires, p.Busy, p.Heard = false, false, List{}
	switch {
	case busy:
		net.Rule(again)
		a.inquire(p, net)
	case l.len() == 0:
		a.Start(p, net)
	default:
		net.Rule(resumes)
		p.List = l
	}
}

// Belief is the first of the list.
func (a *Repaired) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.List[0], Participant: p.Elects || p.Inquires}
}

// Names is the vocabulary.
func (a *Repaired) Names() model.Names { return repairedNames }
