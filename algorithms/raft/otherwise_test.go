package raft

import (
	"testing"

	"bullyproof/internal/test/otherwise"
	"bullyproof/ledger"
	"bullyproof/model"
)

// The checklist: the rows hold whether a server names nobody, or the old leader until it hears of the
// next one.
func TestNamesTurnNoRow(t *testing.T) {
	most := uint64(2_000)
	if *deep {
		most = 200_000
	}
	keeps := otherwise.Protocol[P, M]{Protocol: figure2, After: func(before, p *P, net *model.Net[M], _ *M) {
		if p.Leader == model.None && before.Leader != net.Self() {
			p.Leader = before.Leader
		}
	}}
	rows := otherwise.TurnsNoRow(t, Algorithm, ledger.Own, otherwise.Answer{"figure-2": of(keeps)}, most)
	t.Logf("%d rows", rows)
}
