package runtime

import (
	"time"

	"bullyproof/model"
)

// A peer is what a process knows of another one, and of what went between them.
//
// A process has a session from boot to crash, and sessions of later boots have
// higher numbers. Packets say the sessions of both, so that one which was
// recorded in an earlier session of either is refused; and within a session they
// are numbered, so that one which was recorded in this session is refused.
type peer struct {
	id      model.ID
	session uint64 // the highest that it has had; 0: never heard of
	window  window // numbers seen in that session

	// linked says that what is sent now is understood: the peer quoted our
	// session, and has seen a packet with a number from linkFrom on. Messages
	// until then wait in outbox.
	linked   bool
	linkFrom uint64
	sent     uint64 // number of the last packet sent to it
	outbox   []mail

	heard time.Time // the last sign of life
}

// maxOutbox is how many messages wait for a peer that is not there: the oldest
// are lost first, as a network would lose them.
const maxOutbox = 256

// next makes a packet of kind k the next one to the peer.
func (p *peer) next(k packetKind, self model.ID, session uint64) *packet {
	p.sent++
	return &packet{kind: k, from: self, to: p.id, session: session, peer: p.session, number: p.sent, seen: p.window.highest}
}

// unlink has whatever is sent wait until the peer shows that it is there.
func (p *peer) unlink() { p.linked, p.linkFrom = false, p.sent+1 }

// wait puts a message into the outbox. It reports whether there was room.
func (p *peer) wait(m mail) bool {
	room := len(p.outbox) < maxOutbox
	if !room {
		p.outbox = append(p.outbox[:0], p.outbox[1:]...)
	}
	p.outbox = append(p.outbox, m)
	return room
}

// A finding is what becomes of an authentic packet.
type finding uint8

const (
	// fresh packets are of the present sessions of both sides.
	fresh finding = iota
	// strange packets are of a present session of the sender, who does not know
	// ours yet. They tell of the sender's session, and no more.
	strange
	// stale packets are of an earlier session of the sender.
	stale
	// repeated packets have come already, or are too old to tell.
	repeated
)

// accept takes note of an authentic packet from the peer, and says what becomes
// of it; session is ours. It reports whether the link is new: linked, and not so
// before.
func (p *peer) accept(in *packet, session uint64, now time.Time) (f finding, linked bool) {
	if in.session < p.session {
		return stale, false
	}
	if in.session > p.session {
		p.session, p.window = in.session, window{}
		p.linked = false
	}
	if !p.window.add(in.number) {
		return repeated, false
	}
	if in.peer != session {
		return strange, false
	}
	p.heard = now
	if !p.linked && in.seen >= p.linkFrom {
		p.linked, linked = true, true
	}
	return fresh, linked
}

// A window knows which numbers have been seen, as far back as 64 below the
// highest: packets overtake each other on some networks.
type window struct {
	highest uint64
	below   uint64 // bit i: highest-1-i has been seen
}

// add reports whether a number, from 1 on, is new, and has been seen from now on.
func (w *window) add(number uint64) bool {
	switch {
	case number > w.highest:
		up := number - w.highest // shifts by 64 and more leave nothing
		w.below = w.below<<up | 1<<(up-1)
		w.highest = number
		return true
	case number == w.highest:
		return false
	}
	bit := w.highest - 1 - number
	if bit >= 64 || w.below>>bit&1 != 0 {
		return false
	}
	w.below |= 1 << bit
	return true
}

// String returns what became of a packet.
func (f finding) String() string {
	return [...]string{"is fresh", "does not know this session", "is of an earlier session", "came before"}[f]
}
