// Package vrrp is the Virtual Router Redundancy Protocol, version 3: of the routers of a LAN, one
// is the Active Router and forwards what is sent to an address that all of them back up.
//
// All processes are routers of one virtual router on one LAN. The Active Router advertises itself.
// A Backup Router that misses it for three intervals and a skew takes over. The skew is shorter the
// higher the priority, so that the highest is the first. An Active Router that hears of a higher
// one becomes a Backup Router. A shutdown is left out, which says farewell by an advertisement of
// priority 0, and so is how a packet finds the Active Router, but in Keepalived.
//
// Source: A. Lindem, A. Dogra: Virtual Router Redundancy Protocol (VRRP) Version 3 for IPv4 and
// IPv6. RFC 9568, April 2024.
package vrrp

import (
	"strconv"

	"bullyproof/model"
)

// A State is one of the three of section 6.4.
type State uint8

const (
	// Initialize is the state before a startup.
	Initialize State = iota
	// Backup is the state of a router that watches the Active Router.
	Backup
	// Active is the state of the router that forwards.
	Active
)

// String returns the name that section 6.4 has for it.
func (s State) String() string { return [...]string{"Initialize", "Backup", "Active"}[s] }

// P is the state of a router.
type P struct {
	State State
	// Follows is the router whose advertisement it took last, in state Backup.
	Follows model.ID
	// Sends is the router to which the hosts beside it send, where they learn that by announcements
	// (see Keepalived).
	Sends model.ID
}

// The kinds of messages.
const (
	Advertisement model.Kind = iota
	Announcement             // to hosts and switches: a gratuitous ARP
)

// M is an ADVERTISEMENT with the priority of its sender, whose address is in the packet, or an
// announcement.
type M struct {
	Priority  uint8
	Announces bool
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind {
	if m.Announces {
		return Announcement
	}
	return Advertisement
}

// String returns m as in "ADVERTISEMENT(170)".
func (m M) String() string {
	if m.Announces {
		return "gratuitous ARP"
	}
	return "ADVERTISEMENT(" + strconv.Itoa(int(m.Priority)) + ")"
}

// The timers of section 6.2.
const (
	activeDown model.Timer = iota
	adver
)

var (
	rules model.Rules

	startsAsOwner  = rules.Add("6.4.1: startup of the address owner")
	startsAsBackup = rules.Add("6.4.1: startup")
	takesOver      = rules.Add("6.4.2: the Active_Down_Timer fires")
	follows        = rules.Add("6.4.2: an ADVERTISEMENT of an Active Router")
	overhears      = rules.Add("6.4.2: preempt was true and priority was less than the local priority")
	advertises     = rules.Add("6.4.3: the Adver_Timer fires")
	yields         = rules.Add("6.4.3: a higher priority, or the same and a greater address")
	asserts        = rules.Add("6.4.3: new Active Router logic")
	learns         = rules.Add("hosts learn where to send")
)

const (
	// ownersPriority is that of the router whose address it is.
	ownersPriority = 255
	// usualPriority is the default of a router that backs it up.
	usualPriority = 100
)

// A Router is the protocol.
type Router struct {
	model.Passive[P, M]
	// Priorities says how priorities are given out.
	Priorities Priorities
	// NoPreempt: Preempt_Mode is False.
	NoPreempt bool
	// Silent: an Active Router that hears of a lower one says nothing, as in RFC 5798.
	Silent bool
	// NoSkew is a fault: the Active_Down_Interval has no skew.
	NoSkew bool
}

// Priorities says how the routers of a LAN get theirs.
type Priorities uint8

const (
	// Distinct: the higher the id, the higher the priority, all below that of an owner.
	Distinct Priorities = iota
	// Owned: as Distinct, but that the router of the highest id owns the address.
	Owned
	// Equal: all have the default, and addresses decide, which are as the ids.
	Equal
	// Close: as Distinct, but that the skews of two priorities differ by less than a delay.
	Close
)

// priority is the Priority of a router.
func (r *Router) priority(id model.ID, n int) uint8 {
	switch {
	case r.Priorities == Equal:
		return usualPriority
	case r.Priorities == Owned && int(id) == n:
		return ownersPriority
	case r.Priorities == Close:
		return usualPriority + uint8(id)
	}
	return uint8(256 * int(id) / (n + 1))
}

// own is the priority of the router itself.
func (r *Router) own(net *model.Net[M]) uint8 { return r.priority(net.Self(), net.N()) }

// advertisement is what it sends of itself.
func (r *Router) advertisement(net *model.Net[M]) M { return M{Priority: r.own(net)} }

// interval is Advertisement_Interval, of all routers. The skews of two priorities differ by more
// than two delays then, where those are distinct: what is told to all reaches none of them so much
// later than another one.
func interval(net *model.Net[M]) int { return 2 * net.Bound() * (net.N() + 1) }

// skewTime is section 6.1: "((256 - Priority) * Active_Adver_Interval) / 256".
func (r *Router) skewTime(net *model.Net[M]) int {
	if r.NoSkew {
		return 0
	}
	return (256 - int(r.own(net))) * interval(net) / 256
}

// downInterval is section 6.1: "(3 * Active_Adver_Interval) + Skew_Time".
func (r *Router) downInterval(net *model.Net[M]) int { return 3*interval(net) + r.skewTime(net) }

// Init is section 6.4.1, a Startup event. A crash leaves nothing.
func (r *Router) Init(p *P, net *model.Net[M], _ model.Boot) {
	if r.own(net) == ownersPriority { // "i.e., the router owns the IPvX address"
		net.Rule(startsAsOwner)
		r.lead(p, net)
		return
	}
	net.Rule(startsAsBackup)
	r.back(p, net, model.None)
}

// lead is what a router does that transitions to the {Active} state.
func (r *Router) lead(p *P, net *model.Net[M]) {
	net.Broadcast(r.advertisement(net))
	net.SetTimer(adver, interval(net))
	p.State, p.Follows = Active, model.None
}

// back sets the Active_Down_Timer to Active_Down_Interval in the {Backup} state.
func (r *Router) back(p *P, net *model.Net[M], active model.ID) {
	net.SetTimer(activeDown, r.downInterval(net))
	p.State, p.Follows = Backup, active
}

// Timeout is what a router does as its timers fire.
func (r *Router) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == activeDown { // 6.4.2
		net.Rule(takesOver)
		r.lead(p, net)
		return
	}
	net.Rule(advertises) // 6.4.3
	net.Broadcast(r.advertisement(net))
	net.SetTimer(adver, interval(net))
}

// Receive takes an ADVERTISEMENT.
func (r *Router) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.State == Backup { // 6.4.2
		if r.NoPreempt || m.Priority >= r.own(net) {
			net.Rule(follows)
			r.back(p, net, from.ID())
		} else {
			net.Rule(overhears)
		}
		return
	}
	// 6.4.3
	if r.isHigher(net, from.ID(), m) {
		net.Rule(yields)
		net.StopTimer(adver)
		r.back(p, net, from.ID())
		return
	}
	net.Rule(asserts)
	if !r.Silent {
		net.Broadcast(r.advertisement(net))
	}
}

// isHigher reports whether an ADVERTISEMENT is of a router to which an Active one yields.
func (r *Router) isHigher(net *model.Net[M], from model.ID, m M) bool {
	return m.Priority > r.own(net) || m.Priority == r.own(net) && from > net.Self()
}

// Belief says who forwards: a router itself in the {Active} state, and otherwise that whose
// advertisement it took last. A router that nobody has told is in an election.
func (r *Router) Belief(p *P) model.Belief {
	if p.State == Active {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{Elected: p.Follows, Participant: p.Follows == model.None}
}

// Names gives the words of the RFC.
func (r *Router) Names() model.Names {
	return model.Names{
		Kinds:  []string{"ADVERTISEMENT", "gratuitous ARP"},
		Timers: []model.TimerName{{Name: "Active_Down_Timer"}, {Name: "Adver_Timer", Periodic: true}},
		Rules:  rules,
	}
}
