package recall

import "bullyproof/model/process"

// A Cause is what decides what a handler does, and what becomes of its sends.
type Cause struct {
	who         uint64 // number of the state and the id of its process, and the kind of what happens
	event       uint64 // position and timer, or whom the detector reports; the message
	unreachable process.Set
}

// CauseOf returns the cause of what happens to a process whose state has a number.
func CauseOf(state int, kind uint8, event uint64, unreachable process.Set) Cause {
	return Cause{uint64(state)<<8 | uint64(kind), event, unreachable}
}

// Kind returns the kind of what happens.
func (c *Cause) Kind() uint8 { return uint8(c.who) }

// A Slot has what it takes to have an effect happen again.
type Slot struct {
	Cause
	Words  []uint64 // of the effect
	Effect uint16   // 1 + its number, 0 where the slot is free
	Recs   uint16   // records that it sends
}

// An Index finds what happened by what decided it, a power of two of slots, at most half
// of them full.
type Index struct {
	slots []Slot
	count int // of those that are full
	// Hits is how often something was found.
	Hits int
}

// Reset forgets everything.
func (m *Index) Reset() {
	clear(m.slots)
	m.count, m.Hits = 0, 0
}

// hash returns a hash of a cause.
func (c *Cause) hash() uint64 {
	h := c.event*0x9e3779b97f4a7c15 ^ (c.who+1)*0xd6e8feb86659fd93 ^ uint64(c.unreachable)*0xff51afd7ed558ccd
	return h ^ h>>32
}

// Find returns the slot of a cause, nil where its effect is not known.
func (m *Index) Find(c Cause) *Slot {
	if len(m.slots) == 0 {
		return nil
	}
	mask := uint64(len(m.slots) - 1)
	for h := c.hash(); ; h++ {
		s := &m.slots[h&mask]
		if s.Cause == c && s.Effect != 0 {
			m.Hits++
			return s
		}
		if s.Effect == 0 {
			return nil
		}
	}
}

// Add keeps the slot of what is not known.
func (m *Index) Add(s Slot) {
	m.count++
	if 2*m.count > len(m.slots) {
		old := m.slots
		m.slots = make([]Slot, max(64, 2*len(m.slots)))
		for i := range old {
			if old[i].Effect != 0 {
				m.enter(old[i])
			}
		}
	}
	m.enter(s)
}

// enter puts a slot into the index.
func (m *Index) enter(s Slot) {
	mask := uint64(len(m.slots) - 1)
	h := s.hash()
	for m.slots[h&mask].Effect != 0 {
		h++
	}
	m.slots[h&mask] = s
}
