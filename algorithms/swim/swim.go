// Package swim is the membership protocol SWIM, with suspicion, and a leader on top of it.
//
// Each member has a list of all members, with what it takes each of them for: alive, suspect, or
// faulty. In each protocol period it pings one of them, and has others ping it (ping-req) if it
// does not answer. A member that does not answer either way is suspected, and is declared faulty
// when it does not say in time that it is alive. The knowledge of members spreads with the pings
// and the answers. An incarnation number says which of two pieces of news is the newer one. A
// member raises its own, and nobody else does.
//
// On top of that, leaders: in variant bully the members that are not faulty elect the highest one,
// by the Bully algorithm (package bully, as Coulouris has it), when the leader is declared faulty. In
// the others the oldest member leads that is not faulty, and no message is sent for it.
//
// Sources: P is A. Das, I. Gupta and A. Motivala, SWIM: Scalable Weakly-consistent Infection-style
// Process Group Membership Protocol, 2002. Its sections 2, 3.1 and 4.2 were at hand as public notes
// quote them, and sentences of 4.3. M is hashicorp/memberlist, state.go, on
// which Serf, Consul and MetalLB are built. H is the reference manual of Hazelcast, versions 1.9 and
// 2.0. A leader by the Bully on top of SWIM has no source of its own.
//
// Assumes: a bound on delays that all members know, and clocks at one rate.
//
// Deviations: Each message has the whole list of its sender, where P piggybacks the latest news and M
// also gossips. That needs no counts of how often news has been sent. (With gossip, in variants gossips
// and gossips-alive, there are such counts.) Members are probed in the order of
// their ids, where P and M shuffle them, except in variant shuffled. All other members are asked for
// an indirect ping (k = n-2), which is one among three. Pings have no sequence numbers. All are members
// from the beginning, and P1 is the oldest, also when it comes back: the order is that of the
// addresses. M accelerates suspicions, and has a ping over TCP and a push and pull of whole lists:
// these are left out, and so is leaving by command. Of Serf's reconnecting there is that members which
// are faulty are pinged when it is their turn (variant rejoins).
package swim

import (
	"fmt"
	"strings"

	"bullyproof/model"
)

// A Status is what a member is taken for.
type Status uint8

// The kinds of status, in the words of P. In M a faulty member is dead.
const (
	Alive Status = iota
	Suspect
	Faulty
)

// String returns the status as in P.
func (s Status) String() string { return [...]string{"alive", "suspect", "faulty"}[s] }

// A Member is an entry of a list.
type Member struct {
	Status Status
	Inc    uint8 // its incarnation number
}

// String returns the entry as in "suspect 1".
func (m Member) String() string { return fmt.Sprintf("%s %d", m.Status, m.Inc) }

// A List has all members.
type List = model.ByID[Member]

// P is the state of a member.
type P struct {
	// List is its membership list, with itself.
	List List
	// Target is the member that it pings in this period, None once that has answered.
	Target model.ID
	// Last is the member that it pinged last, and Todo are those that are left of this round of
	// variant shuffled.
	Last model.ID
	Todo model.Set
	// Joining says that it has come up in a running group, and has no answer yet.
	Joining bool
	// Out says that it has been declared faulty and has dropped out of the group.
	Out bool

	// Leader is the coordinator of variant bully, and Mode is what it waits for.
	Leader model.ID
	Mode   Mode

	// Left is how often the news of each member is still sent, from P1, in the variants with gossip.
	Left [most]uint8
}

// The kinds of messages.
const (
	Ping model.Kind = iota
	PingReq
	Ack
	Election // those of the Bully
	Answer
	Coordinator
	Gossip // news alone
)

// M is a message. Those of the Bully say no more than their kind.
type M struct {
	Type model.Kind
	// About is the member that is to be pinged, or that has answered.
	About model.ID
	// For is the member that has asked for an indirect ping.
	For  model.ID
	List List
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Ack(P3 for P1){P2 suspect 0}": members that are alive in their first
// incarnation are left out.
func (m M) String() string {
	var about []string
	if m.About != model.None {
		about = append(about, m.About.Name())
	}
	if m.For != model.None {
		about = append(about, "for "+m.For.Name())
	}
	text := kinds[m.Type]
	if about != nil {
		text += "(" + strings.Join(about, " ") + ")"
	}
	var news []string
	for id := model.ID(1); id <= most; id++ {
		if e := m.List.At(id); e != (Member{}) {
			news = append(news, id.Name()+" "+e.String())
		}
	}
	if news == nil {
		return text
	}
	return text + "{" + strings.Join(news, ",") + "}"
}

// most is the number of members at most.
const most = 5

// The timers.
const (
	period     model.Timer        = iota // the protocol period
	timeout                              // of a direct ping
	suspicion                            // of each member, from P1
	answer     = suspicion + most        // T of the Bully
	announcing = answer + 1              // T' of the Bully
)

func suspicionOf(who model.ID) model.Timer { return suspicion + model.Timer(who-1) }

// Swim is the protocol.
type Swim struct {
	model.Passive[P, M]
	// Elects has the Bully on top. Otherwise the oldest member leads.
	Elects bool
	// Final has P's rules: news that a member is faulty overrides all other news, whatever its
	// incarnation, and the member drops out; an answer ends a suspicion. Otherwise M's: a member that
	// is alive in a higher incarnation is alive again, and nothing else ends a suspicion.
	Final bool
	// Basic is P's section 3, without suspicion.
	Basic bool
	// Shuffled has members probed in any order, each once in a round.
	Shuffled bool
	// AtRandom has the member that is probed drawn anew in each period (section 3.1).
	AtRandom bool
	// Periods is for how many protocol periods a member is suspected; 0 is for as many as it takes to
	// ping each other member.
	Periods int
	// Rejoins has members that are faulty pinged also.
	Rejoins bool
	// Sends is how often a member sends a piece of news; 0 has each message have its whole list.
	Sends uint8
	// Most bounds incarnations.
	Most uint8
}

// Init has all be members. A member that comes up later waits for an answer before it has a leader.
func (s *Swim) Init(p *P, net *model.Net[M], why model.Boot) {
	p.Joining = why != model.Cold
	if !p.Joining && s.Elects {
		s.begin(p, net)
	}
	s.probe(p, net)
}

// Settle is the state after an election.
func (s *Swim) Settle(p *P, self, coordinator model.ID, live model.Set) {
	*p = P{}
	for id := model.ID(1); id <= live.Max(); id++ {
		if !live.Has(id) {
			p.List.Set(id, Member{Status: Faulty})
		}
	}
	if s.Elects {
		p.Leader = coordinator
	}
}

// Wake has a member begin its first period.
func (s *Swim) Wake(_ *P, net *model.Net[M]) { net.SetTimer(period, length(net)) }

// Wanted is the highest member for the Bully, and otherwise the oldest.
func (s *Swim) Wanted(live model.Set) model.ID {
	if s.Elects {
		return live.Max()
	}
	return live.Min()
}

// Belief says who leads: the coordinator, or the oldest member that is not faulty.
func (s *Swim) Belief(p *P) model.Belief {
	if p.Out || p.Joining {
		return model.Belief{Participant: p.Joining}
	}
	if s.Elects {
		return model.Belief{Elected: p.Leader, Participant: p.Mode != Idle}
	}
	for id := model.ID(1); id < most; id++ {
		if e := p.List.At(id); e.Status != Faulty {
			return model.Belief{Elected: id}
		}
	}
	return model.Belief{Elected: most}
}

// Beyond bounds incarnations.
func (s *Swim) Beyond(p *P) string {
	for id := model.ID(1); id <= most && s.Most > 0; id++ {
		if inc := p.List.At(id).Inc; inc > s.Most {
			return fmt.Sprintf("incarnation %d", inc)
		}
	}
	return ""
}
