package render

import (
	"slices"

	"bullyproof/model"
	"bullyproof/trace"
)

// A trunk is the way that messages of one text take from one sending to their
// receivers on one side: across from the sender's line, down as long as they
// are in flight, and from there to each receiver.
type trunk struct {
	from   int // column
	right  bool
	sent   int // row
	arrows []int
	last   int // row of the last end
	// x is where it goes down; 0 if there was no room, and each message goes
	// straight across where it ends.
	x int
}

// ways groups messages by their common ways, and returns for each arrow the
// way that it takes: none if it never leaves, and straight across, none of the trunks, if it
// arrives at once.
func (l layout) ways() (trunks, of []*trunk) {
	of = make([]*trunk, len(l.Arrows))
	for i := range l.Arrows {
		a := &l.Arrows[i]
		if a.Fate == trace.Refused {
			continue
		}
		right := a.To > a.From || a.To == a.From && a.From == 0 // to oneself: where there is room
		if a.Sent == a.End {
			of[i] = &trunk{from: a.From, right: right}
			continue
		}
		t := l.wayOf(trunks, a, right)
		if t == nil {
			t = &trunk{from: a.From, right: right, sent: a.Sent}
			trunks = append(trunks, t)
		}
		t.arrows = append(t.arrows, i)
		t.last = max(t.last, a.End)
		of[i] = t
	}
	return trunks, of
}

// wayOf returns the trunk to which a message belongs, nil if there is none
// yet. Messages come in the order of their sending.
func (l layout) wayOf(trunks []*trunk, a *trace.Arrow, right bool) *trunk {
	for _, t := range slices.Backward(trunks) {
		if t.sent != a.Sent {
			return nil
		}
		if b := &l.Arrows[t.arrows[0]]; t.from == a.From && t.right == right && b.Text == a.Text && b.Copy == a.Copy {
			return t
		}
	}
	return nil
}

// isTick reports whether row i is a tick and nothing else.
func (l layout) isTick(i int) bool {
	return i > 0 && i < len(l.Rows) && l.Rows[i].Action.Kind == model.Ticks && len(l.Rows[i].Dropped) == 0
}

// mergedTick reports whether the tick of row i is drawn with that of the next.
func (l layout) mergedTick(i int) bool { return l.isTick(i) && l.isTick(i+1) && l.Lasso != i+1 }
