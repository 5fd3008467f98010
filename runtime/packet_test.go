package runtime

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
)

var secret = []byte("a secret of the tests")

func somePacket() *packet {
	return &packet{
		kind: message, from: 2, to: 1, session: 7, peer: 8, number: 9, seen: 10,
		mail: mail{clock: 11, order: 12, by: model.Next, message: []byte{1, 2, 3}},
	}
}

func TestPacketsOpenAsTheyWereSealed(t *testing.T) {
	s := newSealer(secret, "a protocol")
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64Min(1)
		in := &packet{
			kind: packetKind(rapid.IntRange(0, 1).Draw(t, "kind")), from: model.ID(rapid.IntRange(2, 5).Draw(t, "from")), to: 1,
			session: number.Draw(t, "session"), peer: rapid.Uint64().Draw(t, "peer"), number: number.Draw(t, "number"), seen: rapid.Uint64().Draw(t, "seen"),
			mail: mail{clock: rapid.Uint64().Draw(t, "clock"), order: rapid.Uint64().Draw(t, "order"), by: model.Port(rapid.Byte().Draw(t, "by")), message: []byte{}},
		}
		if in.kind == message {
			in.message = rapid.SliceOf(rapid.Byte()).Draw(t, "message")
		}
		out, err := s.open(s.seal(in), 1, 5)
		require.NoError(t, err)
		assert.Equal(t, in, out)
	})
}

func TestPacketsThatAreRefused(t *testing.T) {
	s := newSealer(secret, "a protocol")
	with := func(change func(p *packet)) []byte {
		p := somePacket()
		change(p)
		return s.seal(p)
	}
	good := s.seal(somePacket())
	_, err := s.open(good, 1, 5)
	require.NoError(t, err)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		_, err := s.open(bad, 1, 5)
		assert.ErrorIs(t, err, errForged, "byte %d", i)
	}
	for name, bad := range map[string][]byte{
		"another secret":   newSealer([]byte("another secret..."), "a protocol").seal(somePacket()),
		"another protocol": newSealer(secret, "another protocol").seal(somePacket()),
	} {
		_, err := s.open(bad, 1, 5)
		assert.ErrorIs(t, err, errForged, name)
	}
	for says, bad := range map[string][]byte{
		"0 bytes; 87 to 61440":                   nil,
		"86 bytes; 87":                           good[:86],
		"61441 bytes; 87":                        make([]byte, maxPacket+1),
		"packet for process 3; this is 1":        with(func(p *packet) { p.to = 3 }),
		"from process 6; the others of 1 to 5":   with(func(p *packet) { p.from = 6 }),
		"from process 1; the others":             with(func(p *packet) { p.from = 1 }),
		"from process ⊥; the others":             with(func(p *packet) { p.from = 0 }),
		"session 0 and number 9":                 with(func(p *packet) { p.session = 0 }),
		"session 7 and number 0":                 with(func(p *packet) { p.number = 0 }),
		"begins with 62700102":                   with(func(p *packet) { p.kind = packetKinds }),
		"greeting with 3 bytes more than it has": with(func(p *packet) { p.kind = greeting }),
	} {
		_, err := s.open(bad, 1, 5)
		assert.ErrorContains(t, err, says)
	}
}

// Any bytes are a packet or are refused; a packet seals as itself.
func FuzzOpen(f *testing.F) {
	s := newSealer(secret, "a protocol")
	f.Add(s.seal(somePacket()), true)
	f.Add([]byte("bp"), false)
	f.Add(make([]byte, headerSize+macSize), true)
	f.Fuzz(func(t *testing.T, data []byte, authentic bool) {
		if authentic && len(data) >= macSize { // what somebody with the key could send
			data = append(data[:len(data)-macSize:len(data)-macSize], s.mac(data[:len(data)-macSize])...)
		}
		p, err := s.open(data, 1, 5)
		if err != nil {
			return
		}
		assert.Equal(t, data, s.seal(p))
	})
}
