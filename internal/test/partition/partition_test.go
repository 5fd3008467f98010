package partition_test

import (
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/partition"
)

// patience is for how long nothing is to come over a cut.
const patience = 50 * time.Millisecond

// Over a cut connection nothing comes until it heals; then all of it does.
func TestCutConnection(t *testing.T) {
	p, err := partition.New("tcp", 2)
	require.NoError(t, err)
	defer p.Close()
	in, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer in.Close()
	p.Route(2, in.Addr().String())

	out, err := net.Dial("tcp", p.Addresses(1)[1])
	require.NoError(t, err)
	got, err := in.Accept()
	require.NoError(t, err)
	send := func(s string) {
		_, err := io.WriteString(out, s)
		require.NoError(t, err)
	}
	read := func() string {
		b := make([]byte, 3)
		_, err := io.ReadFull(got, b)
		require.NoError(t, err)
		return string(b)
	}
	send("one")
	assert.Equal(t, "one", read())

	p.Isolate(2)
	send("two")
	require.NoError(t, got.SetReadDeadline(time.Now().Add(patience)))
	_, err = got.Read(make([]byte, 1))
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, got.SetReadDeadline(time.Time{}))
	p.Heal()
	assert.Equal(t, "two", read())

	require.NoError(t, got.Close())
	_, err = out.Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF, "an end comes through")
}

// Datagrams of a cut link are lost, those of the other way are not.
func TestCutDatagrams(t *testing.T) {
	p, err := partition.New("udp", 2)
	require.NoError(t, err)
	defer p.Close()
	listen := func() net.PacketConn {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	one, two := listen(), listen()
	p.Route(1, one.LocalAddr().String())
	p.Route(2, two.LocalAddr().String())
	send := func(from net.PacketConn, id, to int, s string) {
		address, err := net.ResolveUDPAddr("udp", p.Addresses(id)[to-1])
		require.NoError(t, err)
		_, err = from.WriteTo([]byte(s), address)
		require.NoError(t, err)
	}
	read := func(c net.PacketConn) string {
		b := make([]byte, 10)
		n, _, err := c.ReadFrom(b)
		require.NoError(t, err)
		return string(b[:n])
	}
	send(one, 1, 2, "before")
	assert.Equal(t, "before", read(two))
	p.Cut(1, 2)
	send(one, 1, 2, "lost")
	send(two, 2, 1, "back")
	assert.Equal(t, "back", read(one))
	require.NoError(t, two.SetReadDeadline(time.Now().Add(patience)))
	_, _, err = two.ReadFrom(make([]byte, 10))
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

func TestUnknownNetwork(t *testing.T) {
	_, err := partition.New("ipx", 2)
	assert.EqualError(t, err, `network "ipx": want "tcp" or "udp"`)
}
