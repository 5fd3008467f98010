// Package pekko is the cluster singleton of Apache Pekko (and of Akka, from which it
// comes): the oldest member runs it, and a split brain resolver decides who stays a
// member.
//
// All processes are members from the beginning. Their ids are their ages and their addresses:
// P1 is the oldest and has the lowest address. Each sends heartbeats to the others, and takes
// one that it misses for unreachable. Once what it takes for unreachable has been stable for a
// while, the reachable member with the lowest address decides: it downs those that are
// unreachable, or its own side. A member that is downed shuts down. A restarted one would join
// as a new member, which is left out.
//
// Source: Apache Pekko, version 1, documentation of the Split Brain Resolver and of the
// Cluster Singleton, and cluster/sbr/DowningStrategy.scala and SplitBrainResolver.scala.
package pekko

import (
	"strings"

	"bullyproof/model"
)

// P is the state of a member.
type P struct {
	// Members are those that are, itself among them; none once it has shut down.
	Members model.Set
	// Unreachable are those of them that its failure detector misses.
	Unreachable model.Set
	// Singleton says that it runs the singleton.
	Singleton bool
}

// Beat is the kind of all messages: heartbeat and gossip in one.
const Beat model.Kind = 0

// M says who are members, as its sender knows.
type M struct{ Members model.Set }

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return Beat }

// String returns m as in "Beat{P1,P2}".
func (m M) String() string { return "Beat{" + strings.Join(m.Members.Names(), ",") + "}" }

// The timers: five in which heartbeats of the members are awaited, and heartbeat-interval,
// stable-after and down-removal-margin.
const (
	missed model.Timer = iota
	beat   model.Timer = most + iota - 1
	stable
	margin
)

// most is the number of members at most.
const most = 5

var (
	rules model.Rules

	unreachable     = rules.Add("a member is unreachable")
	reachable       = rules.Add("a member is reachable again")
	downUnreachable = rules.Add("DownUnreachable")
	downReachable   = rules.Add("DownReachable")
	downAll         = rules.Add("DownAll")
	removed         = rules.Add("a member is removed")
	downed          = rules.Add("this member is downed")
	quarantined     = rules.Add("a member that has been removed is told so")
	starts          = rules.Add("ClusterSingletonManager: start the singleton")
)

// interval is heartbeat-interval.
const interval = 2

// patience is how long heartbeats are missed, acceptable-heartbeat-pause among it.
func patience(net *model.Net[M]) int { return interval + 2*net.Bound() }

// stableAfter is stable-after, and down-removal-margin.
func stableAfter(net *model.Net[M]) int { return interval + 2*net.Bound() }

// A Cluster is the protocol.
type Cluster struct {
	model.Passive[P, M]
	// Decide is the strategy.
	Decide Strategy
	// NoMargin has the singleton start as soon as its old host is removed.
	NoMargin bool
	// NotTold: a member that has been removed is not told so.
	NotTold bool
}

// Init has all be members.
func (c *Cluster) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Restart {
		return
	}
	p.Members = net.Peers().With(net.Self())
	p.Singleton = net.Self() == p.Members.Min()
	for id := range net.Peers().All() {
		net.SetTimer(missed+model.Timer(id-1), patience(net))
	}
	net.SetTimer(beat, interval)
}

// Timeout is what a member does as time passes.
func (c *Cluster) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case beat:
		c.say(p, net, p.Members)
		net.SetTimer(beat, interval)
	case stable:
		c.resolve(p, net)
	case margin:
		net.Rule(starts)
		p.Singleton = true
	default:
		net.Rule(unreachable)
		p.Unreachable = p.Unreachable.With(model.ID(t-missed) + 1)
		net.SetTimer(stable, stableAfter(net))
	}
}

// say tells the other members who are members.
func (c *Cluster) say(p *P, net *model.Net[M], members model.Set) {
	net.SendAll(p.Members.Without(net.Self()), M{members})
}

// resolve is SplitBrainResolver: "the leader" of the reachable members decides.
func (c *Cluster) resolve(p *P, net *model.Net[M]) {
	if net.Self() != (p.Members &^ p.Unreachable).Min() {
		return
	}
	switch c.Decide(p.Members, p.Unreachable) {
	case DownUnreachable:
		net.Rule(downUnreachable)
		c.remove(p, net, p.Unreachable)
		c.say(p, net, p.Members)
	case DownReachable:
		net.Rule(downReachable)
		c.say(p, net, p.Unreachable)
		c.shutDown(p, net)
	case DownAll:
		net.Rule(downAll)
		c.say(p, net, 0)
		c.shutDown(p, net)
	}
}

// Receive takes a heartbeat of a member.
func (c *Cluster) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	who := from.ID()
	if !p.Members.Has(who) {
		if !p.Members.Empty() && !c.NotTold { // it has been removed: "quarantined by remote"
			net.Rule(quarantined)
			net.Reply(M{p.Members})
		}
		return
	}
	if !m.Members.Has(net.Self()) {
		net.Rule(downed)
		c.shutDown(p, net)
		return
	}
	if gone := p.Members &^ m.Members; gone != 0 {
		net.Rule(removed)
		c.remove(p, net, gone)
	}
	if !p.Members.Has(who) {
		return
	}
	net.SetTimer(missed+model.Timer(who-1), patience(net))
	if p.Unreachable.Has(who) {
		net.Rule(reachable)
		p.Unreachable = p.Unreachable.Without(who)
		c.again(p, net)
	}
}

// again begins stable-after anew, if somebody is unreachable.
func (c *Cluster) again(p *P, net *model.Net[M]) {
	net.StopTimer(stable)
	if !p.Unreachable.Empty() {
		net.SetTimer(stable, stableAfter(net))
	}
}

// remove takes members out. The oldest of those that are left runs the singleton, after the
// margin in which the old host shuts down.
func (c *Cluster) remove(p *P, net *model.Net[M], gone model.Set) {
	p.Members, p.Unreachable = p.Members&^gone, p.Unreachable&^gone
	for id := range gone.All() {
		net.StopTimer(missed + model.Timer(id-1))
	}
	c.again(p, net)
	if p.Members.Min() != net.Self() || p.Singleton || net.IsSet(margin) {
		return
	}
	if c.NoMargin {
		p.Singleton = true
	} else {
		net.SetTimer(margin, stableAfter(net))
	}
}

// shutDown is what a downed member does.
func (c *Cluster) shutDown(p *P, net *model.Net[M]) {
	*p = P{}
	for t := missed; t <= margin; t++ {
		net.StopTimer(t)
	}
}

// Belief says who runs the singleton: the oldest member, once it does.
func (c *Cluster) Belief(p *P) model.Belief {
	b := model.Belief{Participant: !p.Unreachable.Empty()}
	if p.Singleton {
		b.Elected = model.Me
	}
	return b
}
