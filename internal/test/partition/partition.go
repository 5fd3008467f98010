// Package partition stands between the processes of a system that runs and cuts
// them off from each other, for tests: each sends to each by a proxy of its own,
// one way.
//
// Data sent over a cut TCP connection wait until the cut heals, as it would
// with retransmissions; datagrams are lost.
package partition

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// A Network is the links between n processes, numbered from 1.
type Network struct {
	n      int
	ctx    context.Context
	cancel context.CancelFunc
	links  []*link // from-1, to-1
	group  sync.WaitGroup
}

// New returns a network that is whole, for "tcp" or "udp", on this machine's
// loopback. Where the processes are it learns by Route.
func New(network string, n int) (*Network, error) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &Network{n: n, ctx: ctx, cancel: cancel}
	for from := 1; from <= n; from++ {
		for to := 1; to <= n; to++ {
			l := &link{net: p, network: network, whole: closed()}
			p.links = append(p.links, l)
			if from == to {
				continue
			}
			if err := l.listen(); err != nil {
				p.Close()
				return nil, err
			}
		}
	}
	return p, nil
}

func closed() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// Addresses returns where a process sends to the others, in the order of their
// numbers. It listens itself at a port that is free.
func (p *Network) Addresses(of int) []string {
	list := make([]string, p.n)
	for to := range list {
		list[to] = "127.0.0.1:0"
		if to+1 != of {
			list[to] = p.link(of, to+1).address
		}
	}
	return list
}

func (p *Network) link(from, to int) *link { return p.links[(from-1)*p.n+to-1] }

// Route says where a process is now.
func (p *Network) Route(to int, address string) {
	for from := 1; from <= p.n; from++ {
		if from != to {
			p.link(from, to).route(address)
		}
	}
}

// Cut keeps from one process what another sends.
func (p *Network) Cut(from, to int) { p.link(from, to).cut() }

// Isolate cuts a process off from all others, both ways.
func (p *Network) Isolate(id int) {
	for other := 1; other <= p.n; other++ {
		if other != id {
			p.Cut(id, other)
			p.Cut(other, id)
		}
	}
}

// Heal makes the network whole.
func (p *Network) Heal() {
	for _, l := range p.links {
		l.heal()
	}
}

// Close ends all links, and returns when nothing runs any more.
func (p *Network) Close() {
	p.cancel()
	for _, l := range p.links {
		l.close()
	}
	p.group.Wait()
}

// A link is the way from one process to another.
type link struct {
	net     *Network
	network string
	address string
	ends    io.Closer // of what it listens with

	mu     sync.Mutex
	target string
	whole  chan struct{} // closed while the link is not cut
	conns  []net.Conn
}

func (l *link) listen() error {
	switch l.network {
	case "tcp":
		in, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		l.ends, l.address = in, in.Addr().String()
		l.net.group.Go(func() { l.accept(in) })
	case "udp":
		in, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		l.ends, l.address = in, in.LocalAddr().String()
		l.net.group.Go(func() { l.relay(in) })
	default:
		return fmt.Errorf("network %q: want \"tcp\" or \"udp\"", l.network)
	}
	return nil
}

func (l *link) route(address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.target = address
}

func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.whole:
		l.whole = make(chan struct{})
	default: // it is cut
	}
}

func (l *link) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.whole:
	default:
		close(l.whole)
	}
}

func (l *link) state() (target string, whole <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.target, l.whole
}

// wait returns where the link leads when it is not cut. It fails when the network
// is closed.
func (l *link) wait() (string, error) {
	for {
		target, whole := l.state()
		select {
		case <-whole:
			return target, nil
		case <-l.net.ctx.Done():
			return "", l.net.ctx.Err()
		}
	}
}

// keep has a connection closed with the link. It reports false if it is closed
// already.
func (l *link) keep(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.net.ctx.Err() != nil {
		_ = c.Close()
		return false
	}
	l.conns = append(l.conns, c)
	return true
}

func (l *link) close() {
	if l.ends != nil {
		_ = l.ends.Close()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		_ = c.Close()
	}
}

func (l *link) accept(in net.Listener) {
	for {
		c, err := in.Accept()
		if err != nil {
			return
		}
		if l.keep(c) {
			l.net.group.Go(func() { l.forward(c) })
		}
	}
}

// forward passes on what comes over a connection, and ends it where either side
// does.
func (l *link) forward(from net.Conn) {
	defer func() { _ = from.Close() }()
	target, err := l.wait()
	if err != nil {
		return
	}
	to, err := net.Dial("tcp", target)
	if err != nil || !l.keep(to) {
		return
	}
	l.net.group.Go(func() {
		_, _ = io.Copy(io.Discard, to)
		_ = from.Close()
	})
	defer func() { _ = to.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if _, err := l.wait(); err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// relay passes datagrams on.
func (l *link) relay(in net.PacketConn) {
	buffer := make([]byte, 64<<10)
	for {
		n, _, err := in.ReadFrom(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		target, whole := l.state()
		select {
		case <-whole:
		default:
			continue // cut
		}
		to, bad := net.ResolveUDPAddr("udp", target)
		if err == nil && bad == nil {
			_, _ = in.WriteTo(buffer[:n], to)
		}
	}
}
