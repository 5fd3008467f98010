package runtime

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/model"
)

const (
	// writeTimeout is how long a peer may leave a full connection unread.
	writeTimeout = 30 * time.Second
	// Between two attempts to connect there are so long a time at the least, and
	// twice as long after each that fails, up to the most.
	leastBackoff, mostBackoff = 20 * time.Millisecond, 320 * time.Millisecond
	// maxQueue is how many packets wait for a connection to take them.
	maxQueue = 1024
)

// tcp carries packets over connections, each with its length before it. A
// process sends over the connections that it makes and reads from those that it
// accepts: one each way for each two processes.
type tcp struct {
	*inbound
	listener net.Listener
	outs     []*dialer // by id-1; nil of the process itself
	gate     *gate     // of the connections that others have made
}

func newTCP(in *inbound, listener net.Listener, addresses []string) *tcp {
	t := &tcp{inbound: in, listener: listener, outs: make([]*dialer, in.n), gate: newGate()}
	for i, address := range addresses {
		if id := model.ID(i + 1); id != in.self {
			d := &dialer{inbound: in, peer: id, address: address, queue: make(chan []byte, maxQueue)}
			t.outs[i] = d
			in.group.Go(d.run)
		}
	}
	in.group.Go(t.accept)
	return t
}

func (t *tcp) addr() net.Addr { return t.listener.Addr() }

func (t *tcp) send(to model.ID, packet []byte) bool { return t.outs[to-1].send(packet) }

func (t *tcp) close() {
	t.cancel()
	_ = t.listener.Close() // which ends accept
	t.gate.close()         // which ends readers
	t.group.Wait()
}

func (t *tcp) accept() {
	for {
		c, err := t.listener.Accept()
		if err != nil {
			if t.ctx.Err() != nil {
				return
			}
			pause(t.ctx, leastBackoff) // no file left, say
			continue
		}
		v, out := t.gate.enter(c)
		if out != nil {
			t.count.refused.Add(1)
			_ = out.Close()
		}
		if out != v {
			t.group.Go(func() { t.read(v) })
		}
	}
}

// read takes packets in until the connection ends or something comes that is
// none.
func (t *tcp) read(v *visitor) {
	defer func() { _ = v.Close() }()
	for first := true; ; first = false {
		data, err := readFrame(v)
		if err != nil {
			in := t.gate.leave(v)
			switch {
			case errors.Is(err, errFrame):
				t.count.malformed.Add(1)
			case first && in:
				t.count.refused.Add(1)
			}
			return
		}
		p, ok := t.open(data)
		if ok {
			v.show()
		}
		if !ok || !t.tell(notice{packet: p, by: v}) {
			t.gate.leave(v)
			return
		}
	}
}

// A frame is the length of a packet as two bytes, and the packet.
const frameHead = 2

var errFrame = errors.New("no frame")

func readFrame(r io.Reader) ([]byte, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint16(head[:]))
	if n < headerSize+macSize || n > maxPacket {
		return nil, fmt.Errorf("%w: length %d; %d to %d are right", errFrame, n, headerSize+macSize, maxPacket)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	return data, nil
}

func appendFrame(b, packet []byte) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(packet))), packet...)
}

// A dialer keeps a connection to a peer, and sends over it.
type dialer struct {
	*inbound
	peer      model.ID
	address   string
	queue     chan []byte
	connected atomic.Bool
}

func (d *dialer) send(packet []byte) bool {
	if !d.connected.Load() {
		return false
	}
	select {
	case d.queue <- packet:
		return true
	default:
		return false
	}
}

func (d *dialer) run() {
	for wait := leastBackoff; d.ctx.Err() == nil; {
		var to net.Dialer
		c, err := to.DialContext(d.ctx, "tcp", d.address)
		if err != nil {
			pause(d.ctx, wait)
			wait = min(2*wait, mostBackoff)
			continue
		}
		wait = leastBackoff
		d.use(c)
		pause(d.ctx, wait)
	}
}

// use sends over a connection as long as it lasts.
func (d *dialer) use(c net.Conn) {
	ctx, broken := context.WithCancel(d.ctx)
	defer broken()
	var watch sync.WaitGroup
	// Nothing comes back over it but its end.
	watch.Go(func() {
		var b [1]byte
		_, _ = c.Read(b[:])
		broken()
	})
	d.connected.Store(true)
	d.tell(notice{peer: d.peer})
	d.write(ctx, c)
	d.connected.Store(false)
	_ = c.Close()
	watch.Wait()
	d.drain()
	d.tell(notice{peer: d.peer, lost: true})
}

func (d *dialer) write(ctx context.Context, c net.Conn) {
	var frame []byte
	for {
		select {
		case <-ctx.Done():
			return
		case packet := <-d.queue:
			frame = appendFrame(frame[:0], packet)
			_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
			if _, err := c.Write(frame); err != nil {
				return
			}
		}
	}
}

// drain throws away what the connection did not take: it is of a session that
// may be over.
func (d *dialer) drain() {
	for {
		select {
		case <-d.queue:
			d.count.lost.Add(1)
		default:
			return
		}
	}
}

// pause waits for a while, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
