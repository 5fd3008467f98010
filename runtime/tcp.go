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
	// firstPacket is how long a connection may take to show that who made it has
	// the key.
	firstPacket = 5 * time.Second
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

	mu   sync.Mutex
	open map[net.Conn]bool // accepted
}

func newTCP(in *inbound, listener net.Listener, addresses []string) *tcp {
	t := &tcp{inbound: in, listener: listener, outs: make([]*dialer, in.n), open: make(map[net.Conn]bool)}
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
	t.mu.Lock()
	for c := range t.open {
		_ = c.Close() // which ends its reader
	}
	t.mu.Unlock()
	t.group.Wait()
}

// maxConnections is how many connections are read from at once: one for each
// peer, as many that are about to end, and some by strangers.
func (t *tcp) maxConnections() int { return 2*t.n + 16 }

func (t *tcp) accept() {
	for {
		c, err := t.listener.Accept()
		switch {
		case t.ctx.Err() != nil:
			if err == nil {
				_ = c.Close()
			}
			return
		case err != nil: // no file left, say
			pause(t.ctx, leastBackoff)
		case !t.add(c):
			t.count.refused.Add(1)
			_ = c.Close()
		default:
			t.group.Go(func() { t.read(c) })
		}
	}
}

// add takes a connection in, if there is room.
func (t *tcp) add(c net.Conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.open) >= t.maxConnections() || t.ctx.Err() != nil {
		return false
	}
	t.open[c] = true
	return true
}

func (t *tcp) remove(c net.Conn) {
	t.mu.Lock()
	delete(t.open, c)
	t.mu.Unlock()
	_ = c.Close()
}

// read takes packets in until the connection ends or something comes that is
// none.
func (t *tcp) read(c net.Conn) {
	defer t.remove(c)
	_ = c.SetReadDeadline(time.Now().Add(firstPacket))
	for first := true; ; first = false {
		data, err := readFrame(c)
		if err != nil {
			switch {
			case errors.Is(err, errFrame):
				t.count.malformed.Add(1)
			case first:
				t.count.refused.Add(1)
			}
			return
		}
		p, ok := t.inbound.open(data)
		if !ok || !t.tell(notice{packet: p}) {
			return
		}
		if first {
			_ = c.SetReadDeadline(time.Time{})
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
