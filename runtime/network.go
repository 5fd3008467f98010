package runtime

import (
	"context"
	"net"
	"sync"
	"sync/atomic"

	"bullyproof/model"
)

// A network carries packets between processes.
type network interface {
	// send sends a packet to a process. It never waits, and reports whether the
	// packet is on its way, which does not mean that it arrives.
	send(to model.ID, packet []byte) bool
	// addr is where packets come in.
	addr() net.Addr
	// close ends it, and returns when none of its goroutines runs.
	close()
}

// An endpoint is where packets come in, whatever the network: a net.Listener or a
// net.PacketConn.
type endpoint interface{ Close() error }

// listen takes an address of this machine.
func listen(network, address string) (endpoint, error) {
	if network == "udp" {
		return net.ListenPacket(network, address)
	}
	return net.Listen(network, address)
}

// A notice is what a network tells its process.
type notice struct {
	packet *packet  // one that came in; or nil
	by     *visitor // the connection by which it came; nil: none
	// Otherwise peer is one whose connection is new, or (lost) is broken.
	peer model.ID
	lost bool
}

// inbound is what every network needs to take packets in.
type inbound struct {
	ctx    context.Context
	cancel context.CancelFunc
	self   model.ID
	n      int
	seal   *sealer
	count  *counts
	to     chan<- notice
	group  sync.WaitGroup
}

// tell hands a notice over. It reports whether anybody is there to take it.
func (in *inbound) tell(x notice) bool {
	select {
	case in.to <- x:
		return true
	case <-in.ctx.Done():
		return false
	}
}

// open opens a packet, and counts it.
func (in *inbound) open(data []byte) (*packet, bool) {
	in.count.received.Add(1)
	p, err := in.seal.open(data, in.self, in.n)
	switch {
	case err == nil:
		return p, true
	case err == errForged:
		in.count.forged.Add(1)
	default:
		in.count.malformed.Add(1)
	}
	return nil, false
}

// Counters counts what has come and gone since the process came up.
type Counters struct {
	// Sent counts packets that went out, Received those that came in, whatever
	// became of them.
	Sent, Received uint64
	// Forged counts packets that nobody made who has the key and runs the same
	// protocol, Malformed those that are no packets for this process at all, and
	// messages of it that are none of the protocol.
	Forged, Malformed uint64
	// Repeated counts packets that came before, Stale those of an earlier session
	// of either side.
	Repeated, Stale uint64
	// Refused counts connections that were ended since they had shown nothing
	// authentic: in time, or before too many others came.
	Refused uint64
	// Lost counts packets that did not go out for want of a connection or of room.
	Lost uint64
}

type counts struct {
	sent, received, forged, malformed, repeated, stale, refused, lost atomic.Uint64
}

func (c *counts) read() Counters {
	return Counters{
		Sent: c.sent.Load(), Received: c.received.Load(), Forged: c.forged.Load(), Malformed: c.malformed.Load(),
		Repeated: c.repeated.Load(), Stale: c.stale.Load(), Refused: c.refused.Load(), Lost: c.lost.Load(),
	}
}
