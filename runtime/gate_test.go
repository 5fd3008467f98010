package runtime

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// dial connects, and says a few bytes.
func dial(t *testing.T, to net.Addr, says []byte) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", to.String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	_, err = c.Write(says)
	require.NoError(t, err)
	return c
}

// ended returns what is closed when somebody closes a connection.
func ended(c net.Conn) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, c)
		close(over)
	}()
	return over
}

// Any number of connections by strangers, who say nothing, leave room for a peer.
func TestStrangersKeepNobodyOut(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	notices := make(chan notice, 1)
	seal := newSealer(secret, "")
	n := newTCP(&inbound{ctx: ctx, cancel: cancel, self: 1, n: 2, seal: seal, count: new(counts), to: notices}, l, []string{"", "127.0.0.1:9"})
	defer n.close()
	for range 200 {
		dial(t, l.Addr(), nil)
	}
	greets := seal.seal(&packet{from: 2, to: 1, session: 1, number: 1})
	peer := dial(t, l.Addr(), appendFrame(nil, greets))
	select {
	case x := <-notices:
		assert.Equal(t, model.ID(2), x.packet.from)
	case <-ended(peer):
		assert.Fail(t, "the peer's connection is refused")
	}
	assert.Equal(t, uint64(1), n.count.received.Load())
	assert.NotZero(t, n.count.refused.Load())
}

// A recorded packet that is played back takes no connection from its first
// sender.
func TestPlayedBackIsAStrangers(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=2 start=cold:interleaved timing=async")
	require.NoError(t, err)
	p, err := New(sys, Config{Self: 1, Addresses: []string{"127.0.0.1:0", "127.0.0.1:9"}, Key: secret, Tick: time.Hour})
	require.NoError(t, err)
	defer func() { assert.NoError(t, p.Close()) }()
	gate := p.net.(*tcp).gate
	says := func(number uint64) *visitor {
		t.Helper()
		greets := p.seal.seal(&packet{from: 2, to: 1, session: 7, number: number})
		c := dial(t, p.Addr(), appendFrame(nil, greets))
		select {
		case x := <-p.notices:
			require.NoError(t, p.take(x))
			return x.by
		case <-ended(c):
			require.Fail(t, "the connection is refused")
			return nil
		}
	}
	of := func(want ...*visitor) {
		t.Helper()
		gate.mu.Lock()
		defer gate.mu.Unlock()
		assert.Equal(t, len(want), len(gate.peers[2]))
		for i, v := range gate.peers[2] {
			assert.Same(t, want[i], v)
		}
	}
	first := says(1)
	of(first)
	for range 2 * maxStrangers {
		assert.Equal(t, model.None, says(1).peer)
	}
	of(first)
	second := says(2)
	of(first, second)
	third := says(3)
	of(second, third)
}

// A fake is a connection from an address.
type fake struct {
	net.Conn
	from   string
	closed bool
}

func (f *fake) RemoteAddr() net.Addr            { return f }
func (f *fake) Network() string                 { return "tcp" }
func (f *fake) String() string                  { return f.from }
func (f *fake) SetReadDeadline(time.Time) error { return nil }
func (f *fake) Close() error                    { f.closed = true; return nil }

// The connections that go if there are too many, in the order of their coming.
func TestWhoGoes(t *testing.T) {
	const here, there = "192.0.2.1:1000", "192.0.2.2:1000"
	g := newGate()
	enter := func(from string) (v, out *visitor) { return g.enter(&fake{from: from}) }
	var all []*visitor
	for range maxStrangers {
		v, out := enter(here)
		require.Nil(t, out)
		all = append(all, v)
	}
	_, out := enter("192.0.2.1:2000")
	assert.Same(t, all[0], out, "the oldest")
	_, out = enter(there)
	assert.Same(t, all[1], out, "the oldest of the address that has more")
	all[2].show()
	_, out = enter(there)
	assert.Same(t, all[3], out, "not one with an authentic packet")
	all[2].judge(2, false)
	_, out = enter(there)
	assert.Same(t, all[2], out, "unless that was played back")
	assert.False(t, g.leave(all[2]))
	assert.True(t, g.leave(all[4]))
	_, out = enter(there)
	assert.Nil(t, out, "there is room again")

	all[5].judge(2, true)
	v, out := enter(here)
	assert.Nil(t, out, "a peer takes no room of strangers'")
	v.judge(3, true)
	assert.True(t, g.leave(v))
	assert.False(t, g.leave(v))

	for len(g.strangers) < maxStrangers {
		enter(there)
	}
	for _, v := range g.strangers {
		v.show()
	}
	v, out = enter(there)
	assert.Same(t, v, out, "where all others have shown an authentic packet, the new one")
	g.close()
	assert.True(t, all[5].Conn.(*fake).closed)
	v, out = enter(here)
	assert.Same(t, v, out, "nobody comes any more")
}

// A host with one address of IPv6 has many.
func TestNeighbourhood(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1:80":            "192.0.2.1/32",
		"[::ffff:192.0.2.1]:80":   "192.0.2.1/32",
		"[2001:db8::1:2:3:4]:80":  "2001:db8::/64",
		"[fe80::1:2:3:4%eth0]:80": "fe80::/64",
		"somewhere":               "invalid Prefix",
	} {
		assert.Equal(t, want, neighbourhood(&fake{from: address}).String(), address)
	}
}
