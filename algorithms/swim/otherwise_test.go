package swim

import (
	"testing"

	"bullyproof/internal/test/otherwise"
	"bullyproof/internal/test/play"
)

// The checklist: no row on memberlist turns with twice the periods for which a member is suspected.
func TestLongerSuspicionTurnsNoRow(t *testing.T) {
	most := uint64(2_000)
	if *play.Deep {
		most = 200_000
	}
	twice := &Swim{Periods: 4, Most: 3} // of three members
	rows := otherwise.TurnsNoRow(t, Algorithm, memberlist, otherwise.Answer{"memberlist": of(twice)}, most)
	t.Logf("%d rows", rows)
}
