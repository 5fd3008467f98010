package effatparvar

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/test/otherwise"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

// waiting is a reading in which a node waits for so many delays.
func waiting(p model.Protocol[P, M], delays int) otherwise.Protocol[P, M] {
	return otherwise.Protocol[P, M]{Protocol: p, After: func(before, p *P, net *model.Net[M], _ *M) {
		if p.Mode != Idle && p.Mode != before.Mode {
			net.SetTimer(Wait, delays*net.Bound())
		}
	}}
}

// The checklist: no row turns with longer waits.
func TestLongerWaitsTurnNoRow(t *testing.T) {
	most := uint64(2_000)
	if *play.Deep {
		most = 200_000
	}
	for _, delays := range []int{3, 4, 6} {
		t.Run(fmt.Sprint(delays), func(t *testing.T) {
			otherwise.TurnsNoRow(t, Algorithm, ledger.Own, otherwise.Answer{
				"to-all": of(waiting(toAll, delays)), "to-one": of(waiting(toOne{toAll}, delays)),
				"unverified": of(waiting(unverified{toAll}, delays)),
			}, most)
		})
	}
}

// A wait that is too short does: the test above can fail.
func TestShortWaitTurnsRows(t *testing.T) {
	turned, _ := otherwise.Turns(t, Algorithm, ledger.Own, otherwise.Answer{"to-all": of(waiting(toAll, 1))}, 2_000)
	assert.NotEmpty(t, turned)
}
