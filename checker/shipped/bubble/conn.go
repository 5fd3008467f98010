package bubble

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// conns are the connections of a process, and where it listens.
type conns struct {
	of     map[Call]*conn
	dialed map[int]int // how many there have been to each process
	listen map[string]*listener
}

// errRefused and errReset are what connections fail with.
var (
	errRefused = errors.New("bubble: connection refused")
	errReset   = errors.New("bubble: connection reset by peer")
)

// An address is a host and a port.
type address string

func (address) Network() string  { return "bubble" }
func (a address) String() string { return string(a) }

// Dial connects to an address, "server:80": the host is a process (Env.Process), which listens at the
// port. It is good as DialContext of an http.Transport. It fails if the process does not listen there,
// and when the context ends or the run does. Each Write is a message, and so are the beginning of a
// connection, which is answered, and its end. They arrive in order: after one that is lost no other is
// read, and nothing is sent again.
func (e *Env) Dial(ctx context.Context, _, at string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return nil, err
	}
	to, err := e.Process(host)
	if err != nil {
		return nil, err
	}
	if to == e.boot.self {
		return nil, fmt.Errorf("bubble: P%d dials itself at %s: want another process", to, at)
	}
	e.mu.Lock()
	e.conns.dialed[to]++
	c := e.opened(Call{e.boot.self, e.boot.boots, e.conns.dialed[to]}, to, at)
	e.send(to, Message{Form: Dial, Call: c.id, Text: port})
	e.mu.Unlock()
	err = c.wait(ctx, func() bool { return c.accepted || c.err != nil })
	e.mu.Lock()
	defer e.mu.Unlock()
	if err == nil && c.err != nil {
		err = c.err
		if !c.accepted {
			err = errRefused
		}
	}
	if err != nil {
		c.gone()
		return nil, &net.OpError{Op: "dial", Net: "bubble", Addr: address(at), Err: err}
	}
	return c, nil
}

// Listen listens at a port, "80".
func (e *Env) Listen(port string) (net.Listener, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.conns.listen[port] != nil {
		return nil, fmt.Errorf("bubble: P%d listens at port %s already", e.boot.self, port)
	}
	l := &listener{env: e, port: port, changed: make(chan struct{})}
	e.conns.listen[port] = l
	return l, nil
}

// A listener accepts connections at a port.
type listener struct {
	env     *Env
	port    string
	queue   []*conn
	closed  bool
	changed chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		l.env.mu.Lock()
		if l.closed {
			l.env.mu.Unlock()
			return nil, net.ErrClosed
		}
		if len(l.queue) > 0 {
			c := l.queue[0]
			l.queue = l.queue[1:]
			l.env.mu.Unlock()
			return c, nil
		}
		changed := l.changed
		l.env.mu.Unlock()
		select {
		case <-changed:
		case <-l.env.ctx.Done():
			return nil, net.ErrClosed
		}
	}
}

func (l *listener) Close() error {
	l.env.mu.Lock()
	defer l.env.mu.Unlock()
	if l.closed {
		return net.ErrClosed
	}
	l.closed = true
	delete(l.env.conns.listen, l.port)
	close(l.changed)
	return nil
}

func (l *listener) Addr() net.Addr { return address(fmt.Sprintf("p%d:%s", l.env.boot.self, l.port)) }

// A conn is an end of a connection. The lock of its Env holds for its fields.
type conn struct {
	env  *Env
	id   Call
	peer int
	at   string // of the other end

	accepted bool
	in       []byte
	early    map[int]Message // that came before their turn
	next     int             // the part that is read next
	sent     int             // parts
	ended    bool            // the other end sends no more
	closed   bool
	err      error // why nothing more is read or written

	readBy, writeBy time.Time
	changed         chan struct{} // is closed when one of these is another
}

// opened makes an end of a connection. The lock is held.
func (e *Env) opened(id Call, peer int, at string) *conn {
	c := &conn{env: e, id: id, peer: peer, at: at, next: 1, early: map[int]Message{}, changed: make(chan struct{})}
	e.conns.of[id] = c
	return c
}

// change wakes up who waits. The lock is held.
func (c *conn) change() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// gone forgets the end. The lock is held.
func (c *conn) gone() { delete(c.env.conns.of, c.id) }

// wait waits until something is so, which is asked under the lock.
func (c *conn) wait(ctx context.Context, until func() bool) error {
	for {
		c.env.mu.Lock()
		done, changed := until(), c.changed
		c.env.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-c.env.ctx.Done():
			return errOver
		}
	}
}

// arrive has a message of a connection arrive. The lock is held.
func (n *conns) arrive(e *Env, from int, m Message) {
	c := n.of[m.Call]
	switch {
	case m.Form == Dial:
		l := n.listen[m.Text]
		if c != nil || l == nil {
			if c == nil {
				e.send(from, Message{Form: Reset, Call: m.Call})
			}
			return
		}
		c = e.opened(m.Call, from, fmt.Sprintf("p%d:%d", from, m.Call.Number))
		c.accepted = true
		e.send(from, Message{Form: Accept, Call: m.Call})
		l.queue = append(l.queue, c)
		close(l.changed)
		l.changed = make(chan struct{})
		return
	case c == nil:
		if m.Form == Data || m.Form == Accept {
			e.send(from, Message{Form: Reset, Call: m.Call})
		}
		return
	case m.Form == Accept:
		c.accepted = true
	case m.Form == Reset:
		c.err = errReset
		c.gone()
	case m.Part >= c.next:
		c.early[m.Part] = m
		c.read()
	}
	c.change()
}

// read takes the parts whose turn it is. The lock is held.
func (c *conn) read() {
	for {
		m, ok := c.early[c.next]
		if !ok {
			return
		}
		delete(c.early, c.next)
		c.next++
		if m.Form == Close {
			c.ended = true
			if c.closed {
				c.gone()
			}
		}
		c.in = append(c.in, m.Text...)
	}
}

func (c *conn) Read(b []byte) (int, error) {
	for {
		c.env.mu.Lock()
		n := copy(b, c.in)
		c.in = c.in[n:]
		err, by, changed := c.err, c.readBy, c.changed
		switch {
		case n > 0 || len(b) == 0:
			err = nil
		case c.closed:
			err = net.ErrClosed
		case err == nil && c.ended:
			err = io.EOF
		}
		c.env.mu.Unlock()
		if n > 0 || len(b) == 0 || err != nil {
			return n, err
		}
		if err := c.pause(changed, by); err != nil {
			return 0, err
		}
	}
}

// pause waits for a change, until an instant that is not zero.
func (c *conn) pause(changed <-chan struct{}, by time.Time) error {
	var over <-chan time.Time
	if !by.IsZero() {
		left := time.Until(by)
		if left <= 0 {
			return os.ErrDeadlineExceeded
		}
		timer := time.NewTimer(left)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-changed:
		return nil
	case <-over:
		return os.ErrDeadlineExceeded
	case <-c.env.ctx.Done():
		return errOver
	}
}

func (c *conn) Write(b []byte) (int, error) {
	c.env.mu.Lock()
	defer c.env.mu.Unlock()
	switch {
	case c.closed:
		return 0, net.ErrClosed
	case c.err != nil:
		return 0, c.err
	case !c.writeBy.IsZero() && time.Until(c.writeBy) <= 0:
		return 0, os.ErrDeadlineExceeded
	case c.env.over:
		return 0, errOver
	}
	c.sent++
	c.env.send(c.peer, Message{Form: Data, Call: c.id, Part: c.sent, Text: string(b)})
	return len(b), nil
}

func (c *conn) Close() error {
	c.env.mu.Lock()
	defer c.env.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	c.closed = true
	if c.err == nil {
		c.sent++
		c.env.send(c.peer, Message{Form: Close, Call: c.id, Part: c.sent})
	}
	if c.ended || c.err != nil {
		c.gone()
	}
	c.change()
	return nil
}

func (c *conn) LocalAddr() net.Addr  { return address(fmt.Sprintf("p%d", c.env.boot.self)) }
func (c *conn) RemoteAddr() net.Addr { return address(c.at) }

func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

func (c *conn) SetReadDeadline(t time.Time) error {
	c.env.mu.Lock()
	defer c.env.mu.Unlock()
	c.readBy = t
	c.change()
	return nil
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	c.env.mu.Lock()
	defer c.env.mu.Unlock()
	c.writeBy = t
	return nil
}

// open reports whether the process has connections. The lock is held.
func (n *conns) open() bool { return len(n.of) > 0 }
