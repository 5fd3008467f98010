package cluster

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
)

// A gathering has the states that the threads of a task find, each once. Shards have
// fingerprints that begin with their number, so that they are in order too.
type gathering struct {
	shards []shard
	skip   uint // the first bits of a fingerprint, which are the number of its shard
}

type shard struct {
	sync.Mutex
	combiner
	_ [64]byte // another thread writes the next one
}

// There are so many shards for each thread that threads seldom wait for each other, and at
// least so many that a shard fits better in caches than all. With more than that the few
// states of a batch for each would come too late for their cache misses to overlap.
const (
	shardsEach  = 4
	leastShards = 8
	mostShards  = 32
)

func newGathering(threads int) *gathering {
	g := &gathering{skip: uint(bits.Len(uint(min(max(leastShards, threads*shardsEach), mostShards) - 1)))}
	g.shards = make([]shard, 1<<g.skip)
	for i := range g.shards {
		g.shards[i].skip = g.skip
	}
	return g
}

// of returns the number of the shard of a fingerprint.
func (g *gathering) of(fp uint64) int { return int(fp >> (64 - g.skip)) }

// share returns the shards that a thread writes in the end.
func (g *gathering) share(thread, threads int) []shard {
	n := len(g.shards)
	return g.shards[thread*n/threads : (thread+1)*n/threads]
}

// A found is a state that was found, for a combiner.
type found struct {
	state      []byte
	fp, origin uint64
}

// A combiner is a set of states by fingerprint, with the least origin of each. A slot
// grows with the fingerprint, so that the table is nearly in order.
type combiner struct {
	slots   []slot
	skip    uint // the first bits of fingerprints, in which they do not differ
	shift   uint
	n       int
	data    []byte // the states, each behind its length
	touched uint64 // sum of what touching loaded, so that it is not optimized away
}

type slot struct {
	fp, origin uint64 // fp is 0 where the slot is free
	at         int    // of the state in data
}

const (
	leastBits = 10
	slotBytes = 24
	perState  = 3 * slotBytes // of slots, from 2 to 4 for a state
	// behind is how many slots there are behind the last home.
	behind = 128
	// touchSlots is how many slots have their states touched at a time.
	touchSlots = 128
)

func (c *combiner) alloc(bits uint) {
	c.slots, c.shift = make([]slot, 1<<bits+behind), 64-bits
}

// addAll adds states. It touches their slots first, so that the cache misses overlap.
func (c *combiner) addAll(all []found) {
	if c.slots != nil {
		for i := range all {
			c.touched += c.slots[c.home(all[i].fp)].fp
		}
	}
	for i := range all {
		c.add(all[i].state, all[i].fp, all[i].origin)
	}
}

// home is the first slot that may have a fingerprint.
func (c *combiner) home(fp uint64) uint64 { return fp << c.skip >> c.shift }

// add adds a state, or lowers the origin that it has.
func (c *combiner) add(state []byte, fp, origin uint64) {
	if c.slots == nil {
		c.alloc(leastBits)
	}
	s := c.find(fp)
	if s != nil && s.fp == fp {
		s.origin = min(s.origin, origin)
		return
	}
	for s == nil || c.n >= (len(c.slots)-behind)/2 {
		c.grow()
		s = c.find(fp)
	}
	*s = slot{fp, origin, len(c.data)}
	c.n++
	c.data = append(binary.AppendUvarint(c.data, uint64(len(state))), state...)
}

// find returns the slot of a fingerprint, or the one where it goes, nil if there is none.
func (c *combiner) find(fp uint64) *slot {
	for i := c.home(fp); i < uint64(len(c.slots)); i++ {
		if s := &c.slots[i]; s.fp == fp || s.fp == 0 {
			return s
		}
	}
	return nil
}

// grow doubles the table, until nothing is beyond its end.
func (c *combiner) grow() {
	old := c.slots
	for bits := 64 - c.shift + 1; ; bits++ {
		c.alloc(bits)
		if c.refill(old) {
			return
		}
	}
}

func (c *combiner) refill(old []slot) bool {
	for _, o := range old {
		if o.fp == 0 {
			continue
		}
		s := c.find(o.fp)
		if s == nil {
			return false
		}
		*s = o
	}
	return true
}

// bytes is about the memory that its states take. A table that was larger once does not
// count: otherwise it would be full as soon as it is emptied.
func (c *combiner) bytes() int64 { return int64(c.n)*perState + int64(len(c.data)) }

// drain yields the states in the order of their fingerprints, each behind its length,
// and forgets them.
func (c *combiner) drain(yield func(fp, origin uint64, record []byte) error) error {
	for i, ahead := 0, 0; i < len(c.slots); i++ {
		if i >= ahead {
			ahead = c.touch(i)
		}
		if c.slots[i].fp == 0 {
			continue
		}
		from := i
		for i < len(c.slots) && c.slots[i].fp != 0 {
			i++
		}
		together := c.slots[from:i]
		if !slices.IsSortedFunc(together, compareSlots) {
			slices.SortFunc(together, compareSlots)
		}
		for _, s := range together {
			length, prefix := binary.Uvarint(c.data[s.at:])
			if err := yield(s.fp, s.origin, c.data[s.at:s.at+prefix+int(length)]); err != nil {
				return err
			}
		}
	}
	if c.n < len(c.slots)/16 { // it has been larger
		c.slots = nil
	}
	clear(c.slots)
	c.n, c.data = 0, c.data[:0]
	return nil
}

// touch touches the states of some slots, and returns the first slot behind them.
func (c *combiner) touch(from int) (behind int) {
	behind = min(from+touchSlots, len(c.slots))
	for _, s := range c.slots[from:behind] {
		if s.fp != 0 {
			c.touched += uint64(c.data[s.at])
		}
	}
	return behind
}

func compareSlots(a, b slot) int {
	if a.fp < b.fp {
		return -1
	}
	return 1
}
