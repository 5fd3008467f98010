package itairodeh

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/internal/test/play"
	"bullyproof/model"
)

// The expected messages of the asynchronous elections of Itai and Rodeh, and of Fokkink and Pang,
// as Storm has them.
func TestAsynchronousItaiRodeh(t *testing.T) {
	for _, c := range []struct {
		n        int
		protocol Protocol
		messages string
		deep     bool
	}{
		{2, Protocol{K: 2}, "7", false},
		{3, Protocol{K: 2}, "59/4", false},
		{3, Protocol{K: 3}, "163/16", false},
		{3, Protocol{K: 4}, "173/20", false},
		{4, Protocol{K: 2}, "526/21", false},
		{4, Protocol{K: 4}, "4436/315", false},
		{5, Protocol{K: 4}, "29311/1428", true},
		{3, Protocol{K: 3, Rounds: Without}, "163/16", false},
		{4, Protocol{K: 2, Rounds: Without}, "526/21", false},
		{5, Protocol{K: 2, Rounds: Without}, "2378/63", true},
		{5, Protocol{K: 3, Rounds: Without}, "93211/3744", true},
		{3, Protocol{K: 3, Rounds: Without, NoBit: true}, "101/12", false},
		{4, Protocol{K: 2, Rounds: Without, NoBit: true}, "809/42", false},
	} {
		if c.deep && !*play.Deep {
			continue
		}
		t.Run(fmt.Sprintf("%d of %+v", c.n, c.protocol), func(t *testing.T) {
			sys, err := model.NewFrom(&c.protocol, fmt.Sprintf("n=%d topology=ring:anonymous channels=fifo timing=patient", c.n))
			require.NoError(t, err)
			r, err := chance.Of(t.Context(), sys, chance.Options{ExactStates: 100_000})
			require.NoError(t, err)
			require.Empty(t, r.Why)
			assert.Equal(t, "1", r.Reached.Least.String())
			messages := r.Cost("messages")
			assert.Equal(t, c.messages, messages.Least.String())
			assert.Equal(t, c.messages, messages.Most.String())
		})
	}
}
