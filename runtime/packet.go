package runtime

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"bullyproof/model"
)

// A packet is what one process sends another:
//
//	0   2  "bp"
//	2   1  version
//	3   1  kind: greeting or message
//	4   1  sender
//	5   1  receiver
//	6   8  session of the sender
//	14  8  session of the receiver as the sender knows it, 0 where it does not
//	22  8  number: counts what the sender has sent this receiver in its session
//	30  8  the highest number that the sender has seen of the receiver's session
//	38  8  Lamport clock of the event in which a message was sent
//	46  8  which message of its session it is
//	54  1  port by which a message left, on a ring; 0 on a complete graph
//	55  …  the message
//	…   32 HMAC-SHA256 of all that is before it
//
// Integers are big-endian.
type packet struct {
	kind          packetKind
	from, to      model.ID
	session, peer uint64
	number, seen  uint64
	mail
}

// mail is what a packet has that carries a message.
type mail struct {
	clock, order uint64
	by           model.Port
	message      []byte
}

type packetKind uint8

const (
	// A greeting says that the sender is there, and in which session.
	greeting packetKind = iota
	// A message carries one of the protocol's.
	message

	packetKinds
)

const (
	packetVersion = 1
	headerSize    = 55
	macSize       = sha256.Size
	// maxPacket is the size of a packet at the most: what UDP carries.
	maxPacket = 60 << 10
	// maxMessage is the size of a message at the most.
	maxMessage = maxPacket - headerSize - macSize
)

// errForged says that bytes are no packet of anybody who has the key.
var errForged = errors.New("packet is not authentic")

// A sealer makes packets, and opens those that were made with the same key.
type sealer struct{ key []byte }

// newSealer returns a sealer for whoever shares a secret and means the same by
// what is sent. A process that does not share both takes the packets for
// forged.
func newSealer(secret []byte, meaning string) *sealer {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("bullyproof runtime\n"))
	mac.Write([]byte(meaning))
	return &sealer{mac.Sum(nil)}
}

// seal returns the bytes of a packet.
func (s *sealer) seal(p *packet) []byte {
	b := make([]byte, 0, headerSize+len(p.message)+macSize)
	b = append(b, 'b', 'p', packetVersion, byte(p.kind), byte(p.from), byte(p.to))
	for _, x := range []uint64{p.session, p.peer, p.number, p.seen, p.clock, p.order} {
		b = binary.BigEndian.AppendUint64(b, x)
	}
	b = append(b, byte(p.by))
	b = append(b, p.message...)
	return append(b, s.mac(b)...)
}

func (s *sealer) mac(b []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(b)
	return mac.Sum(nil)
}

// open returns the packet that bytes are. It fails if they are not authentic, or
// no packet for process self of n. The message shares memory with the bytes.
func (s *sealer) open(b []byte, self model.ID, n int) (*packet, error) {
	if len(b) < headerSize+macSize || len(b) > maxPacket {
		return nil, fmt.Errorf("packet of %d bytes; %d to %d are right", len(b), headerSize+macSize, maxPacket)
	}
	body, mac := b[:len(b)-macSize], b[len(b)-macSize:]
	if !hmac.Equal(mac, s.mac(body)) {
		return nil, errForged
	}
	if string(b[:2]) != "bp" || b[2] != packetVersion || packetKind(b[3]) >= packetKinds {
		return nil, fmt.Errorf("packet begins with %x; want one of version %d", b[:4], packetVersion)
	}
	at := func(i int) uint64 { return binary.BigEndian.Uint64(b[i:]) }
	p := &packet{
		kind: packetKind(b[3]), from: model.ID(b[4]), to: model.ID(b[5]),
		session: at(6), peer: at(14), number: at(22), seen: at(30),
		mail: mail{clock: at(38), order: at(46), by: model.Port(b[54]), message: body[headerSize:]},
	}
	switch {
	case p.to != self:
		return nil, fmt.Errorf("packet for process %v; this is %v", p.to, self)
	case p.from == model.None || int(p.from) > n || p.from == self:
		return nil, fmt.Errorf("packet from process %v; the others of 1 to %d are right", p.from, n)
	case p.session == 0 || p.number == 0:
		return nil, fmt.Errorf("packet with session %d and number %d; both are above 0", p.session, p.number)
	case p.kind == greeting && len(p.message) > 0:
		return nil, fmt.Errorf("greeting with %d bytes more than it has", len(p.message))
	}
	return p, nil
}
