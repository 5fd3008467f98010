package redlock

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

var gaps = checker.AllowGaps("*")

// One client leads at a time, and one leads again and again, whatever a client, an instance or the
// network does.
func TestOneLeader(t *testing.T) {
	for words, states := range map[string]uint64{
		"": 5_176, "losses=1": 39_752, "cuts=1": 102_802, "crashes=1 restarts=1 crashers=5": 103_922,
	} {
		if states > 103_000 && !*play.Deep {
			continue
		}
		t.Run(words, func(t *testing.T) {
			r := checker.Verify(t, fsync, in("timing=lockstep "+words).String(), checker.Asking(checker.Uniqueness, leadsAgain, canLead), gaps)
			assert.Equal(t, states, r.Distinct)
		})
	}
}

// A pause does harm only after step 3. A client that counts its time from the answers is late also
// after one before that.
func TestPause(t *testing.T) {
	const words = "timing=lockstep pauses=1 pausers=1,2"
	checker.Verify(t, fsync, in(words).String(), checker.Asking(checker.Uniqueness, inTime, keysLive), checker.Expect(checker.Uniqueness), gaps)
	checker.Verify[P, M](t, fromAnswer{fsync}, in(words).String(), checker.Asking(inTime), checker.Expect(inTime), gaps)
}

// The time taken off for the drift of clocks has to be enough for it.
func TestDrift(t *testing.T) {
	for words, safe := range map[string]bool{"n=4 drift=10": true, "n=4 drift=15": false} {
		opts := []checker.Option{checker.Asking(checker.Uniqueness), gaps}
		if !safe {
			opts = append(opts, checker.Expect(checker.Uniqueness))
		}
		checker.Verify(t, fsync, in(words).String(), opts...)
	}
}

// Two clients that keep in step lead never, where two instances answer.
func TestNobodyWins(t *testing.T) {
	for words, l := range map[string]*Lock{
		"n=4 timing=lockstep": with(func(l *Lock) { l.SameDelay = true }),
		"n=4":                 fsync,
	} {
		checker.Verify(t, l, in(words).String(), checker.Asking(leadsAgain, canLead), checker.Expect(leadsAgain), gaps)
	}
}

// Tokens of counters alone do not rise, and one is used twice. Those that a majority knows do.
func TestTokens(t *testing.T) {
	tokens := []checker.Option{checker.Asking(rising, checker.OneLeaderPerEpoch), checker.With(func(o *checker.Options) { o.MaxStates = 2_000_000 }), gaps}
	counters := with(func(l *Lock) { l.Fencing, l.Tokens = true, 3 })
	checker.Verify(t, counters, in("timing=lockstep losses=1").String(), append(tokens, checker.Expect(rising))...)
	fencing := with(func(l *Lock) { l.Fencing, l.Raised, l.Tokens = true, true, 3 })
	if *play.Deep {
		checker.Verify(t, fencing, in("timing=lockstep losses=1").String(), tokens...)
	}
	checker.Verify(t, fencing, in("timing=lockstep pauses=1 pausers=1,2").String(), tokens...)
}

// A client that gave an attempt up takes no answer to it, and an instance deletes no other's key.
func TestValues(t *testing.T) {
	client, err := model.NewNode(fsync, in(""), 1)
	assert.NoError(t, err)
	assert.NoError(t, client.Init(model.Cold))
	before := P{Phase: Asks, Attempt: true}
	client.Be(before, validity, answers)
	assert.NoError(t, client.Receive(model.Peer(3), M{Type: Yes, To: Set}))
	assert.Equal(t, before, client.State)

	instance, err := model.NewNode(fsync, in(""), 3)
	assert.NoError(t, err)
	assert.NoError(t, instance.Init(model.Cold))
	for _, value := range []Value{{Client: 2}, {Client: 1, Attempt: true}} {
		instance.Be(P{Key: value}, expiry)
		assert.NoError(t, instance.Receive(model.Peer(1), M{Type: Del}))
		assert.Equal(t, value, instance.State.Key)
	}
}
