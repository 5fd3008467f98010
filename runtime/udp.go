package runtime

import (
	"net"

	"bullyproof/model"
)

// udp carries each packet in a datagram.
type udp struct {
	*inbound
	conn  net.PacketConn
	peers []net.Addr // by id-1
}

func newUDP(in *inbound, conn net.PacketConn, addresses []string) (*udp, error) {
	u := &udp{inbound: in, conn: conn, peers: make([]net.Addr, in.n)}
	for i, address := range addresses {
		if model.ID(i+1) == in.self {
			continue
		}
		a, err := net.ResolveUDPAddr("udp", address)
		if err != nil {
			return nil, err
		}
		u.peers[i] = a
	}
	in.group.Go(u.read)
	return u, nil
}

func (u *udp) read() {
	buffer := make([]byte, maxPacket+1)
	for {
		n, _, err := u.conn.ReadFrom(buffer)
		if u.ctx.Err() != nil {
			return
		}
		if err != nil {
			continue // an ICMP message about an earlier packet, say
		}
		if p, ok := u.open(append([]byte(nil), buffer[:n]...)); ok && !u.tell(notice{packet: p}) {
			return
		}
	}
}

func (u *udp) send(to model.ID, packet []byte) bool {
	_, err := u.conn.WriteTo(packet, u.peers[to-1])
	return err == nil
}

func (u *udp) addr() net.Addr { return u.conn.LocalAddr() }

func (u *udp) close() {
	u.cancel()
	_ = u.conn.Close() // which ends read
	u.group.Wait()
}
