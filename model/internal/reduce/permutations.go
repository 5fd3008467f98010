package reduce

import (
	"bytes"

	"bullyproof/model/internal/layout"
	"bullyproof/model/internal/renaming"
	"bullyproof/model/process"
	"bullyproof/model/setting"
)

// Permutations of complete graphs.
//
// A permutation of the processes gives each one another id: it moves the local state,
// whether the process has yet to begin, what its disk held before the last write, who is cut
// off from whom and the messages, and renames the ids that stand in states and in messages. Which these are the types say: an
// ID, a Set, a ByID or a Port is of processes, and nothing else is (the scalarsets of Ip
// and Dill 1996). Where ids decide nothing (Optional.Symmetric) the handlers do the same
// to a state and to its permutation, except for the permutation. The rest of the world compares no
// ids, except for a crash between sends, with which no permutations are made: what the setting
// says by id is kept, as a permutation maps each process to one of which the setting says the
// same. So permutations are automorphisms of the transition system, and what is said of rotations
// (rotations.go) is true of them. Here processes may name each other, for names are renamed.
//
// The initial states need not be symmetric, so it does not matter who is asked to begin,
// who is absent, or who is the coordinator of a settled start.

// unpermutable says why states of a world are not permuted, "" if they are.
func (w *Facts) unpermutable() string {
	s := &w.Setting
	switch {
	case w.Dated():
		return dated
	case s.Topology != setting.Complete:
		return "permutations are of complete graphs; on anonymous rings there are rotations"
	case w.unargued(permuted) != "":
		return w.unargued(permuted)
	case w.Symmetric == nil:
		return "permutations: the protocol does not say that ids decide nothing (method Symmetric)"
	case !w.Symmetric.Symmetric(*s):
		return "permutations: ids decide something in this setting, as the protocol says (method Symmetric)"
	case len(s.Lossy)+len(s.CutLinks) > 0:
		return "permutations: " + named
	case s.MidSend && w.Granted[layout.BudgetCrashes] > 0:
		return "permutations: with mid-send=yes a crash comes between sends, which may go to the lowest id first, so ids decide something; without it there are permutations"
	case len(w.interchangeable(0)) == w.N:
		return "permutations: the setting says something else of each process by its id (who may crash, join, pause, or hear of others)"
	}
	return w.Asymmetry()
}

// interchangeable returns the classes of positions of which the setting says the same.
func (w *Facts) interchangeable(flaws Flaw) (classes [][]uint8) {
	s, index := &w.Setting, map[[4]bool]int{}
	for pos := range w.N {
		var said [4]bool
		for i, named := range []Set{s.Crashers, s.Detectors, s.Joiners, s.Pausers} {
			said[i] = named>>pos&1 != 0 && flaws&FlawNamed == 0
		}
		i, ok := index[said]
		if !ok {
			i = len(classes)
			index[said], classes = i, append(classes, nil)
		}
		classes[i] = append(classes[i], uint8(pos))
	}
	return classes
}

// Orbits finds the states that stand for their orbits: by rotations on a ring, otherwise
// by permutations. It is not safe for use by several goroutines at once.
type Orbits struct {
	*Facts
	flaws        Flaw
	state, inMsg *renaming.Names

	slots []uint8 // positions, one class after the other
	class []int   // of each slot, where its class ends

	signs, names [MaxID]uint64 // by position
	order        [MaxID]uint8  // the position that goes to each slot
	ties         [MaxID]int    // of each slot, where those end that have the same sign
	To           renaming.To   // the permutation under way
	tries        int
	best, trial  []byte
	moved        []byte
	stands       []byte // scratch of Replace
}

// Orbits returns what finds the orbits of a world.
func (w *Facts) Orbits(flaws Flaw) *Orbits {
	o := &Orbits{Facts: w, flaws: flaws}
	if w.Ring() {
		return o
	}
	o.state, o.inMsg = w.Names()
	for _, class := range w.interchangeable(flaws) {
		o.slots = append(o.slots, class...)
		for range class {
			o.class = append(o.class, len(o.slots))
		}
	}
	return o
}

// Swaps yields pairs of positions that can change places: whatever can do so can by these,
// one after another. They are the permutation under way.
func (o *Orbits) Swaps(yield func(one, other uint8) bool) {
	for i := 1; i < len(o.slots); i++ {
		if o.class[i-1] == i {
			continue
		}
		one, other := o.slots[i-1], o.slots[i]
		for pos := range o.N {
			o.To[pos] = uint8(pos)
		}
		o.To[one], o.To[other] = other, one
		if !yield(one, other) {
			return
		}
	}
}

// maxTries is how many permutations are tried of a state whose processes are hard to tell
// apart. With more, several states of an orbit may be visited, and nothing is missed.
const maxTries = 720

// Stand appends to b the state that stands for the orbit of a state.
func (o *Orbits) Stand(b, state []byte) []byte {
	if o.Ring() {
		return o.turned(b, state, o.flaws)
	}
	tied := o.sign(state)
	for rounds := 0; tied && rounds < 2; rounds++ {
		tied = o.refine(state)
	}
	if !tied {
		o.rank()
		return o.Renamed(b, state)
	}
	o.tries, o.best = maxTries, o.best[:0]
	o.try(state, 0)
	return append(b, o.best...)
}

// Replace makes the state that begins at base the one that stands for its orbit, and returns the
// buffer.
func (o *Orbits) Replace(b []byte, base int) []byte {
	o.stands = o.Stand(o.stands[:0], b[base:])
	return append(b[:base], o.stands...)
}

// rank makes o.To what o.order says.
func (o *Orbits) rank() {
	for i, pos := range o.order[:o.N] {
		o.To[pos] = o.slots[i]
	}
}

// try tries all orders of those with the same sign, from a slot on, and keeps the least
// of the states that they lead to.
func (o *Orbits) try(state []byte, slot int) {
	if slot == o.N {
		o.tries--
		o.rank()
		o.trial = o.Renamed(o.trial[:0], state)
		if len(o.best) == 0 || bytes.Compare(o.trial, o.best) < 0 {
			o.best, o.trial = o.trial, o.best
		}
		return
	}
	for i := slot; i < o.ties[slot] && o.tries > 0; i++ {
		o.order[slot], o.order[i] = o.order[i], o.order[slot]
		o.try(state, slot+1)
		o.order[slot], o.order[i] = o.order[i], o.order[slot]
	}
}

// Renamed appends to b the permutation of a state that o.To says.
func (o *Orbits) Renamed(b, state []byte) []byte {
	base := len(b)
	b = append(b, state...)
	next := b[base:]
	positions := func(off int) {
		if off >= 0 {
			o.PutPositions(next, off, o.To.Set(o.Positions(state, off), o.N))
		}
	}
	if o.flaws&FlawPending == 0 {
		positions(o.PendingOff)
	}
	positions(o.PausedOff)
	if o.flaws&FlawDivided == 0 {
		o.renameCuts(next, state, positions)
	}
	for pos := range o.N {
		p := o.Proc(next, int(o.To[pos]))
		copy(p, o.Proc(state, pos))
		if o.flaws&FlawNames == 0 {
			o.state.Rename(p[o.POff:], &o.To)
		}
		if o.OldOff >= 0 && o.flaws&FlawDisks == 0 {
			o.state.Rename(p[o.OldOff:], &o.To)
		}
	}
	if o.flaws&FlawMail == 0 {
		o.renameMail(next[o.MsgOff:])
	}
	return b
}

// renameCuts renames who is cut off from whom.
func (o *Orbits) renameCuts(next, state []byte, positions func(off int)) {
	positions(o.SideOff)
	if side := o.Positions(next, o.SideOff); side&1 != 0 {
		o.PutPositions(next, o.SideOff, side^process.Upto(ID(o.N))) // the side without the first
	}
	if o.LinksOff >= 0 {
		for pos := range o.N {
			off := func(pos int) int { return o.LinksOff + pos*o.SetBytes }
			o.PutPositions(next, off(int(o.To[pos])), o.To.Set(o.Positions(state, off(pos)), o.N))
		}
	}
}

// renameMail renames messages, and sorts them.
func (o *Orbits) renameMail(area []byte) {
	w, key := o.Width, o.Width
	if o.Setting.FIFO {
		key = 2
	}
	for at := 0; at < len(area); at += w {
		rec := area[at : at+w]
		rec[0], rec[1] = o.To[rec[0]], o.To.ID(rec[1], o.N)
		if o.flaws&FlawNames == 0 {
			o.inMsg.Rename(rec[o.MOff:], &o.To)
		}
		o.moved = append(o.moved[:0], rec...)
		i := at
		for ; i > 0 && bytes.Compare(area[i-w:i-w+key], o.moved[:key]) > 0; i -= w {
			copy(area[i:i+w], area[i-w:i])
		}
		copy(area[i:i+w], o.moved)
	}
}

// sign gives each process a sign, which is the same for a process and for what a
// permutation makes of it. It puts them in order, and reports whether some have the same.
func (o *Orbits) sign(state []byte) (tied bool) {
	pending := o.Positions(state, o.PendingOff)
	for pos := range o.N {
		p := o.Proc(state, pos)
		h := renaming.Mixed(uint64(pending>>pos&1), 0)
		for _, b := range p[:o.POff] {
			h = renaming.Mixed(h, uint64(b))
		}
		o.signs[pos] = o.state.Sign(h, p[o.POff:], pos, pos)
		if o.OldOff >= 0 {
			o.signs[pos] = o.state.Sign(o.signs[pos], p[o.OldOff:], pos, pos)
		}
	}
	o.names = [MaxID]uint64{}
	o.eachMessage(state, func(h uint64, from, to int) {
		o.names[from] += renaming.Mixed(h, 1)
		o.names[to] += renaming.Mixed(h, 2)
	})
	return o.sort()
}

// refine has the signs tell who names whom, and who writes to whom.
func (o *Orbits) refine(state []byte) (tied bool) {
	o.names = [MaxID]uint64{}
	for pos := range o.N {
		o.state.Named(o.Proc(state, pos)[o.POff:], func(how uint64, other int) {
			if other != pos {
				o.names[pos] += renaming.Mixed(renaming.Mixed(how, 3), o.signs[other])
				o.names[other] += renaming.Mixed(renaming.Mixed(how, 4), o.signs[pos])
			}
		})
	}
	o.eachMessage(state, func(h uint64, from, to int) {
		o.names[from] += renaming.Mixed(renaming.Mixed(h, 1), o.signs[to])
		o.names[to] += renaming.Mixed(renaming.Mixed(h, 2), o.signs[from])
	})
	return o.sort()
}

// eachMessage tells a sign of each message in flight, with the positions of its link.
func (o *Orbits) eachMessage(state []byte, tell func(h uint64, from, to int)) {
	for area := state[o.MsgOff:]; len(area) > 0; area = area[o.Width:] {
		to, from := int(area[0]), int(area[1])-1
		h := uint64(1)
		if o.DueOff >= 0 {
			h = renaming.Mixed(h, uint64(area[o.DueOff]))
		}
		tell(o.inMsg.Sign(h, area[o.MOff:], from, to), from, to)
	}
}

// sort adds o.names to the signs, and puts the processes of each class in their order.
func (o *Orbits) sort() (tied bool) {
	for pos := range o.N {
		o.signs[pos] = renaming.Mixed(o.signs[pos], o.names[pos])
	}
	for first := 0; first < o.N; {
		end := o.class[first]
		for i := first; i < end; i++ {
			pos, at := o.slots[i], i
			for ; at > first && o.signs[o.order[at-1]] > o.signs[pos]; at-- {
				o.order[at] = o.order[at-1]
			}
			o.order[at] = pos
		}
		for i := end - 1; i >= first; i-- {
			o.ties[i] = i + 1
			if i+1 < end && o.signs[o.order[i]] == o.signs[o.order[i+1]] {
				o.ties[i], tied = o.ties[i+1], true
			}
		}
		first = end
	}
	return tied
}
