// Package leaderlatch is the election by ephemeral nodes in ZooKeeper, as Curator's
// LeaderLatch, the recipe in ZooKeeper's own documentation, and Pulsar have it.
//
// The process with the highest id is the store: a ZooKeeper ensemble that never fails.
// The others are clients. Each has a session there, and creates a node that lives as
// long as its session. Whose node is the oldest leads. Every other client watches the
// node before its own, so that the end of a leader wakes one client. In Pulsar there is one
// node, by which whoever creates it leads, and its end wakes all.
//
// A session ends at the store first, and its client learns of it later. Until then the
// client is at most suspended, and may lead beside its successor. Nevertheless it has
// to hold that the clients agree once they have all learned what happened.
//
// Sources: Apache Curator, LeaderLatch.java and ConnectionStateManager.java, version 5.8.
// Apache ZooKeeper, "ZooKeeper Recipes and Solutions", section "Leader Election". Apache
// Pulsar, LeaderElectionImpl.java and ZKSessionWatcher.java, version 3.3.
//
// Assumes: a store that is one process and never fails, and connections that keep the
// order of messages.
//
// Deviations: The failure detector stands for the timeouts of sessions. A client that it
// reports has lost its session at the store, and a client to which it reports the store is
// suspended; a false report is what a slow network does. With Pings there are the timers
// of sessions instead. Curator repeats what a lost connection has interrupted, within a
// session: here such a request and its answer are late, and never lost. Where a setting
// loses one, nobody asks again: the program has TCP for that, and by default no timeout for
// a request. Names of nodes are used again, the seventh is the first.
package leaderlatch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/model"
)

// A Node is an ephemeral node by its name: whose it is, and of which session. The name has
// a number that the client has chosen, as Curator's protected nodes have.
type Node struct {
	Owner   model.ID
	Session uint8
	Tag     uint8
}

// String returns a node as in "P1.2b": the second of session 2 of P1.
func (n Node) String() string {
	if n == (Node{}) {
		return "none"
	}
	return fmt.Sprintf("%s.%d%c", n.Owner.Name(), n.Session, 'a'+n.Tag)
}

// names is how many names of nodes a client has in a session, before it uses the first
// again.
const names = 6

// most is how many nodes the store has room for.
const most = 8

// Nodes are nodes in the order of their creation. The rest of the array is zero.
type Nodes [most]Node

// all returns the nodes that are there.
func (l *Nodes) all() []Node { return l[:l.len()] }

func (l *Nodes) len() int {
	if i := slices.Index(l[:], Node{}); i >= 0 {
		return i
	}
	return most
}

// A Connection is what a client has to the store.
type Connection uint8

// The connections of a client.
const (
	Starting  Connection = iota // it opens its first session
	Opening                     // it opens a session after another one
	Connected                   // it is in its session
	Suspended                   // it has lost the connection, and its session may live
)

// String returns the connection in a word.
func (c Connection) String() string {
	return [...]string{"starting", "opening", "connected", "suspended"}[c]
}

// P is the state of the store or of a client.
type P struct {
	Nodes    Nodes             // of the store
	Watchers [most]model.Set   // of each node
	Live     model.ByID[uint8] // of the store: the session of each client; 0 is none
	Full     bool              // of the store: there was no room for a node
	Store    model.ID          // of a client
	State    Connection        // of a client
	Session  uint8             // of a client: its last one
	Last     uint8             // of a client: the number of its last node
	Path     Node              // of a client: its node, which may be gone
	Leads    bool
	Electing bool // of a client of a Single node: it asks who leads
	Lost     bool // of such a client: it has taken its session for lost
}

// The kinds of messages.
const (
	Open    model.Kind = iota // begin a session
	Connect                   // go on with a session
	Ping
	Create
	Delete
	Children // which nodes are there?
	Watch    // tell me when the node is gone
	Owner    // whose is the node?
	Opened
	Reconnected
	Expired
	Pong
	Created
	Listed
	NoNode // the node to be watched is gone already
	Owned
	Deleted // a node that was watched is gone
	Exists  // the node to be created is there already
)

// M is a message. Each is of a session.
type M struct {
	Type    model.Kind
	Session uint8
	Node    Node
	List    Nodes // of Listed
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with its session and what it is about: "Watch(1,P2.1a)".
func (m M) String() string {
	text := fmt.Sprintf("%s(%d", kinds[m.Type], m.Session)
	if m.Node != (Node{}) {
		text += "," + m.Node.String()
	}
	for _, n := range m.List.all() {
		text += "," + n.String()
	}
	return strings.TrimSuffix(text, ",") + ")"
}

// A Latch is the protocol of the store and its clients. The zero value is Curator's
// LeaderLatch.
type Latch struct {
	model.Passive[P, M]

	// Recipe is the recipe in ZooKeeper's documentation: a client that is suspended
	// leads on, and one that has lost its session begins anew.
	Recipe bool
	// NodeNames is how many names of nodes a client has before it uses the first again; 0
	// is 6.
	NodeNames uint8
	// Single has one node, as Pulsar does: a client whose node it is leads, and all are told
	// when it is deleted.
	Single bool
	// Recreates has a client that is connected again delete its node and create another: Druid
	// closes its latch and makes a new one.
	Recreates bool
	// Pings has sessions end by timers, which pings begin anew.
	Pings bool
}

const (
	lostTimer   model.Timer = iota // of a client: the session is over
	threadTimer                    // of a client: the thread goes on that resets (resets)
	pastTimer                      // of the store, and one more for each client: its past session is over
)

// With Pings there are two clients at most, and these timers.
const (
	pingTimer model.Timer = pastTimer + 2 + iota
	silenceTimer
	sessionTimer // of the store, and one more for each client
)

// The durations of timers in ticks: a client is suspended after two thirds of the time
// that the session lives at the store.
const (
	timeout = 6
	silence = 4
	ping    = 2
)

var (
	rules model.Rules

	openSession   = rules.Add("store: begin a session")
	expireSession = rules.Add("store: the session is over: delete its nodes")
	expirePast    = rules.Add("store: a past session is over: delete its nodes")
	suspend       = rules.Add("client: SUSPENDED")
	reconnect     = rules.Add("client: RECONNECTED")
	lose          = rules.Add("client: LOST")
	reset         = rules.Add("reset: create a node")
	watch         = rules.Add("store: watch a node")
	wake          = rules.Add("the watched node is deleted: ask for the children")
	gone          = rules.Add("the node to be watched is gone")
	ask           = rules.Add("first: ask whose the node is")
	lead          = rules.Add("first: lead")
	follow        = rules.Add("not the first: watch the node before")
	foreign       = rules.Add("the node is of another session: reset")
	ownNode       = rules.Add("the node is one's own")
)

func store(net *model.Net[M]) model.ID { return model.ID(net.N()) }

func (l *Latch) send(p *P, net *model.Net[M], m M) {
	m.Session = p.Session
	net.SendTo(store(net), m)
}

// Stable keeps what the store has, and which names a client has used.
func (l *Latch) Stable(*P) {}

// Role is "store" or "client".
func (*Latch) Role(id model.ID, n int) string {
	if int(id) == n {
		return "store"
	}
	return "client"
}

// Beyond bounds the sessions, and the nodes that are there at once.
func (l *Latch) Beyond(p *P) string {
	switch {
	case p.Full:
		return fmt.Sprintf("more than %d nodes", most)
	case p.Session > 6:
		return fmt.Sprintf("session %d", p.Session)
	}
	return ""
}

// Watches has the store hear of clients with a session, and a client of the store.
func (l *Latch) Watches(p *P, self model.ID) (s model.Set) {
	if p.Store != self {
		return model.SetOf(p.Store)
	}
	for id := range model.Upto(self - 1).All() {
		if p.Live.At(id) != 0 {
			s = s.With(id)
		}
	}
	return s
}

// Init has a client begin its first session. One that comes back has nothing.
func (l *Latch) Init(p *P, net *model.Net[M], _ model.Boot) {
	if net.Self() != store(net) {
		*p = P{Session: p.Session, Last: p.Last}
		l.open(p, net, Starting)
	}
	p.Store = store(net)
}

// open has a client begin a session.
func (l *Latch) open(p *P, net *model.Net[M], as Connection) {
	p.State, p.Session = as, p.Session+1
	l.send(p, net, M{Type: Open})
	if l.Pings {
		net.SetTimer(pingTimer, ping)
	}
}

// Suspect ends a session at the store, or a connection at a client.
func (l *Latch) Suspect(p *P, net *model.Net[M], who model.ID) {
	switch {
	case who == store(net):
		l.suspend(p, net)
	case net.Self() == store(net):
		l.expire(p, net, who)
	}
}

// Timeout ends a session on either side, or pings.
func (l *Latch) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == lostTimer && l.Single:
		p.Lost = true
	case t == lostTimer:
		l.lost(p, net)
	case !l.Pings || t < pingTimer:
		l.expirePast(p, net, model.ID(t-pastTimer)+1)
	case t == pingTimer:
		l.ping(p, net)
	case t == silenceTimer:
		l.suspend(p, net)
	default:
		l.expire(p, net, model.ID(t-sessionTimer)+1)
	}
}

// ping keeps a session alive, or tries again to connect.
func (l *Latch) ping(p *P, net *model.Net[M]) {
	net.SetTimer(pingTimer, ping)
	switch p.State {
	case Connected:
		l.send(p, net, M{Type: Ping})
	case Suspended:
		l.send(p, net, M{Type: Connect})
	default:
		l.send(p, net, M{Type: Open})
	}
}

// suspend is ConnectionState.SUSPENDED: "there has been a loss of connection".
func (l *Latch) suspend(p *P, net *model.Net[M]) {
	if p.State != Connected {
		return
	}
	net.Rule(suspend)
	p.State = Suspended
	if !l.Recipe {
		p.Leads = p.Leads && l.Single
		net.SetTimer(lostTimer, timeout)
	}
	l.send(p, net, M{Type: Connect})
	if l.Pings {
		net.StopTimer(silenceTimer)
	}
}

// lost is ConnectionState.LOST: the session is over, as the store says or as the client's
// own clock does.
func (l *Latch) lost(p *P, net *model.Net[M]) {
	net.Rule(lose)
	p.Leads = false
	net.StopTimer(lostTimer)
	if l.Pings {
		net.StopTimer(silenceTimer)
	}
	if l.Recipe {
		p.Path = Node{}
		l.open(p, net, Starting)
		return
	}
	l.open(p, net, Opening)
}

// Receive is an operation of the store, or a callback at a client.
func (l *Latch) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == store(net) {
		l.serve(p, net, from.ID(), m)
		return
	}
	if m.Session != p.Session {
		return
	}
	l.heard(p, net)
	switch {
	case l.Single:
		l.single(p, net, m)
	case m.Type == Expired && p.State >= Connected:
		l.lost(p, net)
	case m.Type == Opened && p.State < Connected, m.Type == Reconnected && p.State == Suspended:
		l.connected(p, net)
	case m.Type == Created && p.State >= Connected:
		l.created(p, net, m.Node)
	case p.State == Connected:
		l.callback(p, net, m)
	}
}

// heard begins the timer of a client anew that ends where the store is silent.
func (l *Latch) heard(p *P, net *model.Net[M]) {
	if l.Pings && p.State == Connected {
		net.SetTimer(silenceTimer, silence)
	}
}

// connected is a new session, or ConnectionState.RECONNECTED.
func (l *Latch) connected(p *P, net *model.Net[M]) {
	first := p.State == Starting
	l.resume(p, net)
	if first || l.Recreates {
		l.reset(p, net)
		return
	}
	net.Rule(reconnect)
	l.send(p, net, M{Type: Children})
}

func (l *Latch) resume(p *P, net *model.Net[M]) {
	p.State = Connected
	l.heard(p, net)
	net.StopTimer(lostTimer)
}

// callback has what the store answers to a client that is connected.
func (l *Latch) callback(p *P, net *model.Net[M], m M) {
	switch m.Type {
	case Listed:
		l.check(p, net, m.List.all())
	case Deleted:
		net.Rule(wake)
		l.send(p, net, M{Type: Children})
	case NoNode:
		net.Rule(gone)
		l.send(p, net, M{Type: Children})
	case Owned:
		if m.Node.Session != p.Session {
			net.Rule(foreign)
			l.reset(p, net)
			return
		}
		net.Rule(lead)
		p.Leads = true
	}
}

// reset is LeaderLatch.reset: no leader, and another node.
func (l *Latch) reset(p *P, net *model.Net[M]) {
	p.Leads = false
	l.renew(p, net)
}

// renew deletes the client's node and creates another.
func (l *Latch) renew(p *P, net *model.Net[M]) {
	net.Rule(reset)
	l.node(p, net, Node{})
	p.Last = p.Last%cmp.Or(l.NodeNames, names) + 1
	l.send(p, net, M{Type: Create, Node: Node{net.Self(), p.Session, p.Last - 1}})
}

// node is LeaderLatch.setNode: of two nodes, the earlier one is deleted.
func (l *Latch) node(p *P, net *model.Net[M], path Node) {
	if p.Path != (Node{}) && p.Path != path {
		l.send(p, net, M{Type: Delete, Node: p.Path})
	}
	p.Path = path
}

// created has the name of a node that was created.
func (l *Latch) created(p *P, net *model.Net[M], path Node) {
	l.node(p, net, path)
	if p.State == Connected {
		l.send(p, net, M{Type: Children})
	}
}

// check is LeaderLatch.checkLeadership.
func (l *Latch) check(p *P, net *model.Net[M], list []Node) {
	switch at := slices.Index(list, p.Path); {
	case at < 0:
		l.reset(p, net)
	case at > 0:
		net.Rule(follow)
		p.Leads = false
		l.send(p, net, M{Type: Watch, Node: list[at-1]})
	case l.Recipe:
		net.Rule(lead)
		p.Leads = true
	default:
		net.Rule(ask)
		l.send(p, net, M{Type: Owner, Node: p.Path})
	}
}

// Belief says whether a client leads. The store takes the owner of the oldest node for
// the leader.
func (l *Latch) Belief(p *P) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{Elected: p.Nodes[0].Owner}
}
