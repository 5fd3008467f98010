package swim

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/model"
)

// At best all that two of three members say of the third one goes by gossip. If neither ever draws it, P1
// has told P2 each time, and P2 has told P1: it hears of that with a probability of 1 - 1/2^(2k), where a
// piece of news is sent k times.
func TestChanceToRefute(t *testing.T) {
	for k := uint8(1); k <= 4; k++ {
		told := Gossips{Swim: &Swim{Sends: k, Most: 3}}
		r := chances(t, told, in("").String(), chance.Options{Goal: hasRefuted, Blind: true})
		missed := big.NewRat(1, 1<<(2*k))
		assert.Equal(t, new(big.Rat).Sub(big.NewRat(1, 1), missed), r.Reached.Most.Exact, "%d times", k)
		assert.Positive(t, r.Reached.Least.Low)

		spared := chances(t, Gossips{told.Swim, true}, in("").String(), chance.Options{Goal: hasRefuted, Blind: true})
		assert.Less(t, spared.Reached.Most.Low, r.Reached.Least.Low, "%d times", k)
		t.Logf("%d times: %v to %v, and without %v to %v", k, r.Reached.Least, r.Reached.Most, spared.Reached.Least, spared.Reached.Most)
	}
}

// A member that is declared faulty is sent gossip for as long as is said, and not longer: a time of a tick
// leaves less of a chance.
func TestTimeOfTheDead(t *testing.T) {
	whole := chances(t, gossiping, in("").String(), chance.Options{Goal: hasRefuted, Blind: true})
	short := chances(t, brief{gossiping}, in("").String(), chance.Options{Goal: hasRefuted, Blind: true})
	assert.Less(t, short.Reached.Most.High, whole.Reached.Least.Low)
	assert.Positive(t, short.Reached.Least.Low)
}

// brief has a GossipToTheDeadTime of a tick.
type brief struct{ Gossips }

func (s brief) Timeout(p *P, net *model.Net[M], t model.Timer) {
	before := p.List
	s.Gossips.Timeout(p, net, t)
	hasten(p, net, &before)
}

func (s brief) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.List
	s.Gossips.Receive(p, net, from, m)
	hasten(p, net, &before)
}

func hasten(p *P, net *model.Net[M], before *List) {
	for id := range net.Peers().All() {
		if p.List.At(id).Status == Faulty && before.At(id).Status != Faulty {
			net.SetTimer(deadOf(id), 1)
		}
	}
}

func chances(t *testing.T, p model.Protocol[P, M], in string, opt chance.Options) *chance.Report {
	t.Helper()
	sys, err := model.NewFrom(p, in)
	require.NoError(t, err)
	r, err := chance.Of(t.Context(), sys, opt)
	require.NoError(t, err)
	require.Empty(t, r.Why)
	return r
}
