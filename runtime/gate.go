package runtime

import (
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"bullyproof/model"
)

const (
	// firstPacket is how long a connection may take to show that who made it is a
	// peer.
	firstPacket = 5 * time.Second
	// maxStrangers is how many connections are open at once of which that is not
	// known.
	maxStrangers = 64
	// maxOfPeer is how many connections a peer has: one, and one that is about to
	// end.
	maxOfPeer = 2
)

// A gate holds the connections that others have made, so that nobody without the
// key keeps out those who have it.
//
// A connection is a stranger's until a packet comes over it that is authentic and
// new: one that was recorded and is played back proves nothing. Peers' connections
// are apart from those of strangers, and each peer has room for its own. Where
// there are too many strangers one goes that has not shown any authentic packet:
// the oldest of the address that has the most of them, so that one address does
// not crowd out another. A peer sends its first packet as soon as it is connected.
// It has firstPacket for that, or, where somebody at its own address makes k
// connections a second, maxStrangers/k seconds.
type gate struct {
	mu        sync.Mutex
	closed    bool
	strangers []*visitor              // the oldest first
	peers     map[model.ID][]*visitor // the oldest first
}

// A visitor is a connection that somebody has made.
type visitor struct {
	net.Conn
	gate  *gate
	from  netip.Prefix
	keyed bool     // an authentic packet has come, and may be new
	peer  model.ID // whose it is; None: a stranger's
}

func newGate() *gate { return &gate{peers: make(map[model.ID][]*visitor)} }

// enter takes a connection in, and gives it a while for its first packet. It
// returns the connection that goes instead: none as a rule, another one, or this
// one. A gate that is closed takes none in.
func (g *gate) enter(c net.Conn) (v, out *visitor) {
	v = &visitor{Conn: c, gate: g, from: neighbourhood(c.RemoteAddr())}
	_ = c.SetReadDeadline(time.Now().Add(firstPacket))
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return v, v
	}
	g.strangers = append(g.strangers, v)
	if len(g.strangers) > maxStrangers {
		out = g.crowding()
		g.strangers = without(g.strangers, out)
	}
	return v, out
}

// neighbourhood returns whose address it is: of IPv6 a network's, since whoever
// has one address there has many.
func neighbourhood(a net.Addr) netip.Prefix {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := at.Addr().Unmap(), 32
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits) // has as many
	return p
}

// crowding returns the stranger who goes: the oldest without an authentic packet
// of the address that has the most. The newest has shown none.
func (g *gate) crowding() (out *visitor) {
	of := make(map[netip.Prefix]int)
	for _, v := range g.strangers {
		if !v.keyed {
			of[v.from]++
		}
	}
	for _, v := range g.strangers {
		if !v.keyed && (out == nil || of[v.from] > of[out.from]) {
			out = v
		}
	}
	return out
}

// show notes that an authentic packet has come over a connection.
func (v *visitor) show() {
	v.gate.mu.Lock()
	defer v.gate.mu.Unlock()
	v.keyed = true
}

// judge says whether an authentic packet from a peer, which came over a
// connection, is new. Then the connection is the peer's, for as long as it lasts.
func (v *visitor) judge(id model.ID, isNew bool) {
	if v == nil {
		return // it came in a datagram
	}
	g := v.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	v.keyed = isNew
	if !isNew || !slices.Contains(g.strangers, v) {
		return
	}
	g.strangers = without(g.strangers, v)
	v.peer = id
	_ = v.SetReadDeadline(time.Time{})
	list := append(g.peers[id], v)
	if len(list) > maxOfPeer {
		_ = list[0].Close()
		list = list[1:]
	}
	g.peers[id] = list
}

// leave takes a connection out. It reports whether it was still in.
func (g *gate) leave(v *visitor) (was bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if v.peer == model.None {
		was = slices.Contains(g.strangers, v)
		g.strangers = without(g.strangers, v)
		return was
	}
	was = slices.Contains(g.peers[v.peer], v)
	g.peers[v.peer] = without(g.peers[v.peer], v)
	return was
}

// close ends all connections, and takes in no more.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for _, v := range g.strangers {
		_ = v.Close()
	}
	for _, list := range g.peers {
		for _, v := range list {
			_ = v.Close()
		}
	}
}

func without(list []*visitor, v *visitor) []*visitor {
	return slices.DeleteFunc(list, func(x *visitor) bool { return x == v })
}
