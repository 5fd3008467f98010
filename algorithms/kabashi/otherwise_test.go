package kabashi

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/test/otherwise"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

// namesNobody is a reading in which a process that is asked names nobody until it learns of a
// coordinator, and namesTheOld one in which a process that asks names the old one meanwhile.
func namesNobody(p model.Protocol[P, M]) otherwise.Protocol[P, M] {
	return otherwise.Protocol[P, M]{Protocol: p, After: func(_, p *P, net *model.Net[M], arrived *M) {
		if arrived != nil && arrived.Type == ELECTION && p.Mode == Idle && p.Coordinator != net.Self() {
			p.Coordinator = model.None
		}
	}}
}

func namesTheOld(p model.Protocol[P, M]) otherwise.Protocol[P, M] {
	return otherwise.Protocol[P, M]{Protocol: p, After: func(before, p *P, _ *model.Net[M], _ *M) {
		if p.Mode == Responses && before.Mode == Idle {
			p.Coordinator = before.Coordinator
		}
	}}
}

// The checklist: no row turns on whom a process names during an election.
func TestNamesTurnNoRow(t *testing.T) {
	most := uint64(2_000)
	if *play.Deep {
		most = 200_000
	}
	for name, by := range map[string]func(model.Protocol[P, M]) otherwise.Protocol[P, M]{"nobody": namesNobody, "the old one": namesTheOld} {
		t.Run(name, func(t *testing.T) {
			rows := otherwise.TurnsNoRow(t, Algorithm, ledger.Own, otherwise.Answer{
				"waits": of(by(waits)), "prose": of(by(prose)), "sparse": of(by(noMinima)), "goes-on": of(by(goesOn{prose})),
			}, most)
			t.Logf("%d rows", rows)
		})
	}
}

// It takes no such care of a process that never announces itself: the test above can fail.
func TestSilentWinnerTurnsRows(t *testing.T) {
	mute := otherwise.Protocol[P, M]{Protocol: waits, After: func(before, p *P, net *model.Net[M], _ *M) {
		if p.Coordinator == net.Self() && before.Coordinator != net.Self() {
			p.Coordinator = model.None
		}
	}}
	turned, _ := otherwise.Turns(t, Algorithm, ledger.Own, otherwise.Answer{"waits": of(mute)}, 2_000)
	assert.NotEmpty(t, turned)
}
