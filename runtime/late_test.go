package runtime

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// A process that has not listened for a while does not take the others for
// dead: only silence that it has heard counts.
func TestWhoWasPausedSuspectsNobody(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=2 start=cold:interleaved timing=async")
	require.NoError(t, err)
	p, err := New(sys, Config{
		Self: 1, Network: "udp", Addresses: []string{"127.0.0.1:0", "127.0.0.1:9"}, Key: secret,
		Tick: time.Hour, Heartbeat: time.Second, Silence: 10 * time.Second,
	})
	require.NoError(t, err)
	defer func() { assert.NoError(t, p.Close()) }()
	require.NoError(t, p.bootUp())
	claim := p.machine
	other, err := sys.Machine(2, nil)
	require.NoError(t, err)
	require.NoError(t, other.Init(model.Cold, nil))
	require.NoError(t, other.Start())
	for _, letter := range other.Sends {
		require.NoError(t, claim.Receive(model.Peer(2), letter.Bytes))
	}
	require.Equal(t, model.ID(2), claim.Belief().Elected)

	now := p.beat.Add(time.Hour)
	require.NoError(t, p.heartbeat(now))
	for range 9 {
		assert.Equal(t, model.ID(2), claim.Belief().Elected)
		now = now.Add(time.Second)
		require.NoError(t, p.heartbeat(now))
	}
	now = now.Add(time.Second)
	require.NoError(t, p.heartbeat(now))
	assert.Equal(t, model.ID(1), claim.Belief().Elected, "it claims what 2 had")
}
