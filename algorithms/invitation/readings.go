package invitation

import "bullyproof/model"

// Pauses is a reading of how long a coordinator waits.
type Pauses uint8

const (
	// LongPauses: longer than from one Merge to the end of the next Check, so that
	// the other, if it is still there, has come first.
	LongPauses Pauses = iota
	// ShortPauses: as long as a Check and the time to the next one, if nobody
	// answers.
	ShortPauses
	// NoPauses: none at all, whatever the priority.
	NoPauses
)

// pause is how long a coordinator waits before it merges.
func (v *Protocol) pause(p *P, net *model.Net[M]) int {
	if net.Self() > p.Found.Max() || v.Pauses == NoPauses {
		return 0
	}
	unit := 2 * net.Bound() * int(net.N())
	if v.Pauses == LongPauses {
		unit *= 2
	}
	return int(p.Found.Max()-net.Self()) * unit
}
