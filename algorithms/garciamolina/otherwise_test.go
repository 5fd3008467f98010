package garciamolina

import (
	"fmt"
	"testing"

	"bullyproof/internal/test/otherwise"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

// checking is a reading in which the coordinator calls Check every so many delays.
func checking(p model.Protocol[P, M], delays int) otherwise.Protocol[P, M] {
	return otherwise.Protocol[P, M]{Protocol: p, After: func(before, p *P, net *model.Net[M], _ *M) {
		if net.IsSet(Period) && (before.At != p.At || before.S != p.S) {
			net.SetTimer(Period, delays*net.Bound())
		}
	}}
}

// The checklist: how often Check is called decides no row.
func TestPeriodOfCheckTurnsNoRow(t *testing.T) {
	most := uint64(7_000)
	if *play.Deep {
		most = 200_000
	}
	for _, delays := range []int{1, 3, 9} {
		t.Run(fmt.Sprint(delays), func(t *testing.T) {
			rows := otherwise.TurnsNoRow(t, Algorithm, ledger.Own, otherwise.Answer{
				"original": of(checking(&Protocol{}, delays)), "calls-itself": of(checking(&Protocol{CallsItself: true}, delays)),
			}, most)
			t.Logf("%d rows", rows)
		})
	}
}
