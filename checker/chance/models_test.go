package chance_test

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// This file has small randomised protocols. Of some the figures are published.

// A numbering is the state of a process that has a number.
type numbering struct {
	Mode mode
	Own  uint8
}

type mode uint8

const (
	asleep mode = iota
	active
	passive
	leading
)

// belief is that of a process of an anonymous ring.
func (m mode) belief() model.Belief {
	b := model.Belief{Participant: m == active}
	if m == leading {
		b.Elected = model.Me
	}
	return b
}

type number struct{ V uint8 }

func (number) Kind() model.Kind { return 0 }
func (m number) String() string { return fmt.Sprint(m.V) }

// A coined ring is an election by coins: an active process tosses one and tells it, and is passive if
// it threw 0 and the one before it 1. The last one hears its own.
type coined struct{ model.Passive[coining, coin] }

type coining struct {
	Mode mode
	Coin uint8
}

type coin struct{ Coin, Hop uint8 }

func (coin) Kind() model.Kind { return 0 }
func (m coin) String() string { return fmt.Sprint(m.Coin, " hop ", m.Hop) }

func (c *coined) Names() model.Names             { return model.Names{Kinds: []string{"coin"}} }
func (c *coined) Belief(p *coining) model.Belief { return p.Mode.belief() }

func (c *coined) Start(p *coining, net *model.Net[coin]) {
	if p.Mode == asleep {
		c.toss(p, net)
	}
}

func (c *coined) toss(p *coining, net *model.Net[coin]) {
	*p = coining{active, uint8(net.Toss(2))}
	net.Send(model.Next, coin{p.Coin, 1})
}

func (c *coined) Receive(p *coining, net *model.Net[coin], _ model.Port, m coin) {
	c.Start(p, net)
	switch {
	case p.Mode == passive:
		net.Send(model.Next, coin{m.Coin, m.Hop + 1})
	case int(m.Hop) == net.N():
		*p = coining{Mode: leading}
	case p.Coin == 0 && m.Coin == 1:
		*p = coining{Mode: passive}
	default:
		c.toss(p, net)
	}
}

// A voting is Raft's election of the first term: each server waits Base to Base+Window-1 ticks, by
// chance, and then asks for votes. A server that has voted does not ask any more.
type voting struct {
	model.Passive[voter, ballot]
	Base, Window, Majority int
}

type voter struct {
	Voted     model.ID
	Votes     model.Set
	Candidate bool
	Leader    bool
}

type ballot struct{ Vote, Granted bool }

func (m ballot) Kind() model.Kind {
	if m.Vote {
		return 1
	}
	return 0
}
func (m ballot) String() string { return fmt.Sprint(m.Granted) }

func (*voting) Names() model.Names {
	return model.Names{Kinds: []string{"RequestVote", "Vote"}, Timers: []model.TimerName{{Name: "election"}}}
}

func (*voting) Belief(p *voter) model.Belief {
	if p.Leader {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{Participant: true}
}

// Symmetric: ids decide nothing.
func (*voting) Symmetric(setting.Setting) bool { return true }

func (c *voting) Init(_ *voter, net *model.Net[ballot], _ model.Boot) {
	net.SetTimer(0, c.Base+net.Toss(c.Window))
}

func (c *voting) Timeout(p *voter, net *model.Net[ballot], _ model.Timer) {
	*p = voter{Voted: net.Self(), Votes: model.SetOf(net.Self()), Candidate: true}
	net.Broadcast(ballot{})
}

func (c *voting) Receive(p *voter, net *model.Net[ballot], from model.Port, m ballot) {
	switch {
	case !m.Vote:
		granted := p.Voted == model.None
		if granted {
			p.Voted = from.ID()
			net.StopTimer(0)
		}
		net.Reply(ballot{Vote: true, Granted: granted})
	case m.Granted && p.Candidate && !p.Leader:
		p.Votes = p.Votes.With(from.ID())
		p.Leader = p.Votes.Len() >= c.Majority
	}
}

// A walking is the shared coin of Aspnes and Herlihy (PRISM's consensus): each process tosses, adds
// what it tossed to a counter that the last process keeps, and looks at it, until it is far enough
// from its beginning. (J. Aspnes, M. Herlihy, Fast randomized consensus using shared memory, 1990.)
type walking struct {
	model.Passive[walker, stride]
	K int // how far that is, in numbers of processes
}

type walker struct {
	Counter int8 // of the last process
	Over    bool
	Coin    bool
}

type stride struct{ What, Coin uint8 }

const (
	adds uint8 = iota
	added
	looks
	low
	middle
	high
)

func (m stride) Kind() model.Kind { return model.Kind(m.What) }
func (m stride) String() string   { return fmt.Sprint(m.Coin) }

func (*walking) Names() model.Names {
	return model.Names{Kinds: []string{"add", "added", "look", "low", "middle", "high"}}
}

func (*walking) Belief(p *walker) model.Belief { return model.Belief{} }

func (c *walking) Start(_ *walker, net *model.Net[stride]) {
	net.Send(model.Peer(model.ID(net.N())), stride{adds, uint8(net.Toss(2))})
}

func (c *walking) Receive(p *walker, net *model.Net[stride], _ model.Port, m stride) {
	walkers := net.N() - 1
	switch m.What {
	case adds:
		p.Counter += int8(2*m.Coin) - 1
		net.Reply(stride{What: added})
	case added:
		net.Reply(stride{What: looks})
	case looks:
		answer := middle
		switch {
		case int(p.Counter) <= -c.K*walkers:
			answer = low
		case int(p.Counter) >= c.K*walkers:
			answer = high
		}
		net.Reply(stride{What: answer})
	case middle:
		c.Start(p, net)
	default:
		p.Over, p.Coin = true, m.What == high
	}
}

// coins returns the coins of processes that have one, where all have; the last one keeps the counter.
func coins(v *model.View) (ones, of int, over bool) {
	for id := model.ID(1); id < v.N; id++ {
		p := model.State[walker](v, id)
		if !p.Over {
			return 0, 0, false
		}
		of++
		if p.Coin {
			ones++
		}
	}
	return ones, of, true
}
