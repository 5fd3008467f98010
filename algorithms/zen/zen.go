// Package zen is the master election of Elasticsearch before version 7: zen discovery.
//
// A node without a master pings all others, waits, and elects the lowest of those
// that answered and itself; if they are fewer than minimum_master_nodes it pings
// again. The elected node is master from then on. It pings its followers (fault
// detection), and steps down where fewer than minimum_master_nodes, itself
// included, answer. A follower that is pinged no more begins again.
//
// With minimum_master_nodes below a majority each side of a partition has its
// own master: split brain. With a majority there is no such partition. But links
// may break one by one: a node that both of two others reach is a follower of
// either, and counts for both (issue 2488). Repaired, it is counted by one of them,
// and who elects itself is master when it is followed by enough.
//
// Sources: Elasticsearch 1.0 reference, "Zen Discovery"; issue 2488,
// "minimum_master_nodes does not prevent split-brain if splits are intersecting"; the
// methods that are named beside the rules: findMaster, joinElectedMaster and those that begin
// with handle, of ZenDiscovery; electMaster and hasEnoughMasterNodes, of ElectMasterService;
// and of later versions validateStateIsFromCurrentMaster (ZenDiscovery) and
// waitToBeElectedAsMaster (NodeJoinController). The files are ZenDiscovery.java,
// elect/ElectMasterService.java and NodeJoinController.java of package
// org.elasticsearch.discovery.zen.
//
// Deviations: a node joins with a request, and its master answers with a cluster state, which
// later pings of both (NodesFaultDetection, MasterFaultDetection) rely on; here a ping of the
// master stands for the state, and the answer for the request. Of two masters that meet the one
// with the older cluster state follows the other, here the one with the higher id. A master pings
// those in its state; those that look for a master find it by pings of their own. Here it pings
// all, and its members alone in the variant members.
//
// The election from version 7 on is that of package elasticsearch.
package zen

import "bullyproof/model"

// A Role is what a node does.
type Role uint8

// The roles of a node.
const (
	Electing Role = iota // it has pinged all
	Waiting              // for the node that it elected
	Follower
	Elected // by itself, and not yet followed by enough (where Repaired)
	Master
)

// String returns the role in a word.
func (r Role) String() string {
	return [...]string{"electing", "waiting", "follower", "elected", "master"}[r]
}

// P is the state of a node.
type P struct {
	Role   Role
	Master model.ID
	// Seen are the nodes that answered: to an electing node its pings, to one that
	// is elected or master its last master pings.
	Seen model.Set
	// Members are the nodes that a master pings (Zen.MembersOnly).
	Members model.Set
}

// M is a message: its kind is all that it says.
type M struct{ Type model.Kind }

// The kinds of messages.
const (
	Ping model.Kind = iota
	PingResponse
	MasterPing // of the fault detection
	MasterPingResponse
)

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns the kind in words.
func (m M) String() string { return kinds[m.Type] }

var kinds = []string{"Ping", "PingResponse", "MasterPing", "MasterPingResponse"}

const (
	pingTimer   model.Timer = iota // discovery.zen.ping_timeout
	faultTimer                     // no master pings: it is lost
	masterTimer                    // ping the followers again
)

var (
	rules model.Rules

	pingAll  = rules.Add("findMaster: ping all nodes")
	tooFew   = rules.Add("hasEnoughMasterNodes: fewer than minimum_master_nodes answered: ping again")
	elect    = rules.Add("electMaster: lowest of those that answered: elect itself")
	wait     = rules.Add("joinElectedMaster: another is the lowest: wait for it")
	join     = rules.Add("handleNewClusterStateFromMaster: pinged by a master: follow it")
	yield    = rules.Add("handleAnotherMaster: master, pinged by one with a lower id: follow it")
	lost     = rules.Add("handleMasterGone: pinged by no master: elect one")
	stepDown = rules.Add("handleNodeFailure: master with fewer than minimum_master_nodes: step down")
	refuse   = rules.Add("validateStateIsFromCurrentMaster: pinged by another master: do not answer") // where Repaired
	win      = rules.Add("waitToBeElectedAsMaster: elected, and followed by enough: be master")
)

// Zen is the protocol of a node.
type Zen struct {
	model.Passive[P, M]
	// MinMasterNodes is discovery.zen.minimum_master_nodes.
	MinMasterNodes int
	// Repaired has a follower answer no other master than its own, and a node that
	// elects itself become master once enough have answered.
	Repaired bool
	// MembersOnly has a master ping the nodes that answered it last, and never those that
	// it lost.
	MembersOnly bool
}

// Init begins an election.
func (z *Zen) Init(p *P, net *model.Net[M], _ model.Boot) { z.discover(p, net) }

// discover looks for other nodes.
func (z *Zen) discover(p *P, net *model.Net[M]) {
	net.Rule(pingAll)
	net.StopTimer(faultTimer)
	*p = P{Role: Electing, Seen: model.SetOf(net.Self())}
	net.Broadcast(M{Ping})
	net.SetTimer(pingTimer, 2*net.Bound()+1)
}

// Timeout ends a round of pings, of either kind, or the trust in a master.
func (z *Zen) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case pingTimer:
		z.elect(p, net)
	case faultTimer:
		net.Rule(lost)
		z.discover(p, net)
	case masterTimer:
		if p.Seen.Len() < z.MinMasterNodes {
			net.Rule(stepDown)
			z.discover(p, net)
			return
		}
		z.pingFollowers(p, net)
	}
}

// elect takes the lowest of the nodes that answered, if they are enough.
func (z *Zen) elect(p *P, net *model.Net[M]) {
	switch lowest := p.Seen.Min(); {
	case p.Seen.Len() < z.MinMasterNodes:
		net.Rule(tooFew)
		z.discover(p, net)
	case lowest == net.Self():
		net.Rule(elect)
		*p = P{Role: Elected, Seen: p.Seen}
		if !z.Repaired {
			z.lead(p, net)
		}
		z.pingFollowers(p, net)
	default:
		net.Rule(wait)
		*p = P{Role: Waiting}
		z.setFaultTimer(net)
	}
}

func (z *Zen) lead(p *P, net *model.Net[M]) { p.Role, p.Master = Master, net.Self() }

func (z *Zen) pingFollowers(p *P, net *model.Net[M]) {
	if z.MembersOnly {
		p.Members = p.Seen.Without(net.Self())
		net.SendAll(p.Members, M{MasterPing})
	} else {
		net.Broadcast(M{MasterPing})
	}
	p.Seen = model.SetOf(net.Self())
	net.SetTimer(masterTimer, 2*net.Bound()+1)
}

// setFaultTimer waits for two rounds of pings from a master, and for the last to
// arrive.
func (z *Zen) setFaultTimer(net *model.Net[M]) { net.SetTimer(faultTimer, 5*net.Bound()+2) }

// Receive answers pings, and counts answers.
func (z *Zen) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Ping:
		net.Reply(M{PingResponse})
	case PingResponse:
		if p.Role == Electing {
			p.Seen = p.Seen.With(from.ID())
		}
	case MasterPing:
		z.follow(p, net, from.ID())
	case MasterPingResponse:
		if p.Role == Elected || p.Role == Master {
			p.Seen = p.Seen.With(from.ID())
		}
		if p.Role == Elected && p.Seen.Len() >= z.MinMasterNodes {
			net.Rule(win)
			z.lead(p, net)
		}
	}
}

// follow has a node follow a master that pings it.
func (z *Zen) follow(p *P, net *model.Net[M], master model.ID) {
	switch {
	case p.Role == Master && master > net.Self():
		return // it will hear of this one
	case p.Role == Master:
		net.Rule(yield)
	case z.Repaired && p.Role == Follower && p.Master != master:
		net.Rule(refuse)
		return
	default:
		net.Rule(join)
		net.StopTimer(pingTimer)
	}
	net.StopTimer(masterTimer)
	*p = P{Role: Follower, Master: master}
	z.setFaultTimer(net)
	net.Reply(M{MasterPingResponse})
}

// Wanted returns the lowest id.
func (z *Zen) Wanted(live model.Set) model.ID { return live.Min() }

// Belief says which master a node follows.
func (z *Zen) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Master, Participant: p.Role != Follower && p.Role != Master}
}

// Names gives the words of the reference.
func (z *Zen) Names() model.Names {
	names := model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "ping timeout"}, {Name: "fault detection"}, {Name: "master ping", Periodic: true}},
		Rules:  rules[:refuse],
	}
	if z.Repaired {
		names.Rules = rules
	}
	return names
}
