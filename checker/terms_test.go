package checker_test

import (
	"fmt"
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// server is what TLA+ has as term[s], votedFor[s] and votes[s].
type server struct {
	Term   uint8
	Voted  model.ID
	Votes  model.Set
	Leader model.ID
}

// letter is an element of msgs. Its sender and its receiver are the network's.
type letter struct {
	Type model.Kind
	Term uint8
}

const (
	ask model.Kind = iota
	vote
)

func (m letter) Kind() model.Kind { return m.Type }
func (m letter) String() string {
	return fmt.Sprintf([...]string{"Ask(%d)", "Vote(%d)"}[m.Type], m.Term)
}

// terms elects a leader of a term by votes. It has no terms beyond Last.
type terms struct {
	model.Passive[server, letter]
	Last uint8
}

// Init sets the election timer.
func (terms) Init(_ *server, net *model.Net[letter], _ model.Boot) { net.SetTimer(0, 3*net.Bound()) }

// Timeout is Timeout(s): a new term, and a vote for oneself.
func (t terms) Timeout(p *server, net *model.Net[letter], _ model.Timer) {
	if p.Term == t.Last || p.Leader == net.Self() {
		return
	}
	*p = server{Term: p.Term + 1, Voted: net.Self(), Votes: model.SetOf(net.Self())}
	net.Broadcast(letter{ask, p.Term})
	net.SetTimer(0, 3*net.Bound())
}

// Receive is Grant(s, m) and Count(s, m).
func (terms) Receive(p *server, net *model.Net[letter], from model.Port, m letter) {
	if m.Term > p.Term {
		*p = server{Term: m.Term}
	}
	switch {
	case m.Type == ask && m.Term == p.Term && (p.Voted == model.None || p.Voted == from.ID()):
		p.Voted = from.ID()
		net.Reply(letter{vote, p.Term})
	case m.Type == vote && m.Term == p.Term:
		p.Votes = p.Votes.With(from.ID())
		if p.Votes.Len() > net.N()/2 {
			p.Leader = net.Self()
		}
	}
}

// Stable is what a crash leaves: the term and the vote.
func (terms) Stable(p *server) { *p = server{Term: p.Term, Voted: p.Voted} }

// Belief is the mapping to what the properties of an election read.
func (terms) Belief(p *server) model.Belief {
	return model.Belief{Elected: p.Leader, Epoch: uint64(p.Term)}
}

// Names has the words of the diagrams.
func (terms) Names() model.Names {
	return model.Names{Kinds: []string{"Ask", "Vote"}, Timers: []model.TimerName{{Name: "election timeout"}}}
}

func TestTerms(t *testing.T) {
	checker.Verify(t, terms{Last: 1}, "n=3 initiators=none timing=async crashes=1 restarts=1",
		checker.Asking(checker.OneLeaderPerEpoch))
}
