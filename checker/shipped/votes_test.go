package shipped_test

import (
	"fmt"
	"maps"
	"slices"

	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// ballot is the state of a server as the model's author writes it: flat.
type ballot struct {
	Term   uint8
	Voted  model.ID
	Votes  model.Set
	Leader model.ID
}

// paper is a message of it.
type paper struct {
	Type model.Kind
	Term uint8
}

const (
	ask model.Kind = iota
	vote
)

var voting = model.Names{Kinds: []string{"Ask", "Vote"}, Timers: []model.TimerName{{Name: "election timeout"}}}

func (m paper) Kind() model.Kind { return m.Type }
func (m paper) String() string   { return fmt.Sprintf("%s(%d)", voting.Kinds[m.Type], m.Term) }

// flat elects a leader of a term by votes.
type flat struct {
	model.Passive[ballot, paper]
	Forgets bool // the vote is not stored
}

func (flat) Init(_ *ballot, net *model.Net[paper], _ model.Boot) { net.SetTimer(0, 3*net.Bound()) }

func (flat) Timeout(p *ballot, net *model.Net[paper], _ model.Timer) {
	if p.Leader == net.Self() {
		return
	}
	*p = ballot{Term: p.Term + 1, Voted: net.Self(), Votes: model.SetOf(net.Self())}
	net.Broadcast(paper{ask, p.Term})
	net.SetTimer(0, 3*net.Bound())
}

func (flat) Receive(p *ballot, net *model.Net[paper], from model.Port, m paper) {
	if m.Term > p.Term {
		*p = ballot{Term: m.Term}
	}
	switch {
	case m.Type == ask && m.Term == p.Term && (p.Voted == model.None || p.Voted == from.ID()):
		p.Voted = from.ID()
		net.Reply(paper{vote, p.Term})
	case m.Type == vote && m.Term == p.Term:
		p.Votes = p.Votes.With(from.ID())
		if p.Votes.Len() > net.N()/2 {
			p.Leader = net.Self()
		}
	}
}

func (f flat) Stable(p *ballot) {
	*p = ballot{Term: p.Term, Voted: p.Voted}
	if f.Forgets {
		p.Voted = model.None
	}
}

func (flat) Beyond(p *ballot) string {
	if p.Term > 1 {
		return fmt.Sprintf("term %d", p.Term)
	}
	return ""
}

func (flat) Belief(p *ballot) model.Belief {
	return model.Belief{Elected: p.Leader, Epoch: uint64(p.Term)}
}

func (flat) Names() model.Names { return voting }

// disk is what a voter stores.
type disk struct {
	Term  int
	Voted *int
}

// voter is the same server as it ships: what it stores is behind a pointer, votes are in a
// map, and a method that is bound to the voter handles timeouts.
type voter struct {
	id, peers int
	disk      *disk
	votes     map[int]bool
	leads     bool
	expire    func() []letter
}

type letter struct {
	To   int // 0 is everybody
	Vote bool
	Term int
}

func start(id, peers int, d *disk) *voter {
	v := &voter{id: id, peers: peers, disk: d}
	v.expire = v.campaign
	return v
}

func (v *voter) campaign() []letter {
	if v.leads {
		return nil
	}
	v.enter(v.disk.Term + 1)
	self := v.id
	v.disk.Voted = &self
	v.votes = map[int]bool{v.id: true}
	return []letter{{Term: v.disk.Term}}
}

func (v *voter) enter(term int) {
	v.disk.Term, v.disk.Voted = term, nil
	v.votes, v.leads = nil, false
}

func (v *voter) step(from int, m letter) (out []letter) {
	d := v.disk
	if m.Term > d.Term {
		v.enter(m.Term)
	}
	switch {
	case !m.Vote && m.Term == d.Term && (d.Voted == nil || *d.Voted == from):
		d.Voted = &from
		return []letter{{To: from, Vote: true, Term: d.Term}}
	case m.Vote && m.Term == d.Term:
		if v.votes == nil {
			v.votes = make(map[int]bool)
		}
		v.votes[from] = true
		v.leads = v.leads || len(v.votes) > v.peers/2
	}
	return nil
}

// process is a voter with its disk.
type process struct {
	*voter
	Disk *disk
}

// voters drives voters.
type voters struct {
	shipped.Passive[process, letter]
	Forgets bool
}

func (m voters) Init(p *process, net *shipped.Net[letter], why model.Boot) {
	if why != model.Restart {
		p.Disk = &disk{}
	}
	p.voter = start(int(net.Self()), net.N(), p.Disk)
	net.SetTimer(0, 3*net.Bound())
}

func (m voters) Timeout(p *process, net *shipped.Net[letter], _ model.Timer) {
	out := p.expire()
	m.send(net, out)
	if out != nil {
		net.SetTimer(0, 3*net.Bound())
	}
}

func (m voters) Receive(p *process, net *shipped.Net[letter], from model.Port, l letter) {
	m.send(net, p.step(int(from.ID()), l))
}

func (voters) send(net *shipped.Net[letter], out []letter) {
	for _, l := range out {
		to := l.To
		l.To = 0
		if to == 0 {
			net.Broadcast(l)
		} else {
			net.SendTo(model.ID(to), l)
		}
	}
}

func (m voters) Stable(p *process) {
	p.voter = nil
	if m.Forgets {
		p.Disk.Voted = nil
	}
}

func (voters) Beyond(p *process) string {
	if p.Disk != nil && p.Disk.Term > 1 {
		return fmt.Sprintf("term %d", p.Disk.Term)
	}
	return ""
}

func (voters) Belief(p *process) model.Belief {
	b := model.Belief{Epoch: uint64(p.Disk.Term)}
	if p.leads {
		b.Elected = model.ID(p.id)
	}
	return b
}

func (voters) Names() model.Names { return voting }

func (voters) Kind(l letter) model.Kind {
	if l.Vote {
		return vote
	}
	return ask
}

func (m voters) Text(l letter) string { return paper{m.Kind(l), uint8(l.Term)}.String() }

func (voters) Show(p *process) []model.Field {
	fields := []model.Field{{Name: "Term", Value: fmt.Sprint(p.Disk.Term), Zero: p.Disk.Term == 0}}
	if p.voter != nil && len(p.votes) > 0 {
		fields = append(fields, model.Field{Name: "Votes", Value: fmt.Sprint(slices.Sorted(maps.Keys(p.votes)))})
	}
	return fields
}
