package shipped

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zeebo/xxh3"

	"bullyproof/checker/shipped/internal/canon"
	"bullyproof/model"
)

// A State is the identity of the value that a process is: a hash of its dump. The zero
// State is that of a process that has not started.
type State struct{ Hi, Lo uint64 }

// A Letter is the identity of a message, with its kind.
type Letter struct {
	Hi, Lo uint64
	Of     model.Kind
}

// Kind returns the kind of the message.
func (l Letter) Kind() model.Kind { return l.Of }

// String returns the identity: who knows the message is the protocol, by its Format.
func (l Letter) String() string { return fmt.Sprintf("%016x%016x", l.Hi, l.Lo) }

// A table keeps values of one type by the hash of their dumps. It is safe for use by
// several goroutines: which of several equal values it keeps makes no difference.
type table[T, E any] struct {
	codec  *canon.Codec
	shards [64]shard[T, E]
	spent  spent
}

type shard[T, E any] struct {
	mu sync.RWMutex
	of map[[2]uint64]*kept[T, E]
}

// A kept is a value that nobody changes any more.
type kept[T, E any] struct {
	hash  [2]uint64
	dump  []byte
	value *T
	more  E
}

// spent is what copies and dumps have cost.
type spent struct {
	copies, dumps, replays, events atomic.Int64
	copying, dumping, replaying    atomic.Int64 // ns
	values, bytes                  atomic.Int64
}

var sampled = int64(64) - 1 // which calls are timed: one of so many

// identify returns the dump of a value and its hash.
func (t *table[T, E]) identify(v *T) ([2]uint64, []byte) {
	var began time.Time
	n := t.spent.dumps.Add(1)
	if n&sampled == 1 {
		began = time.Now()
	}
	dump, err := t.codec.Dump(make([]byte, 0, 512), v)
	if err != nil {
		panic(fmt.Sprintf("a %T is no state of a model: %v", *v, err))
	}
	if n&sampled == 1 {
		t.spent.dumping.Add(int64(time.Since(began)))
	}
	h := xxh3.Hash128(dump)
	if h.Hi|h.Lo == 0 {
		h.Lo = 1 // zero is the identity of no value
	}
	return [2]uint64{h.Hi, h.Lo}, dump
}

func (t *table[T, E]) shard(hash [2]uint64) *shard[T, E] {
	return &t.shards[hash[1]%uint64(len(t.shards))]
}

// get returns what is kept under a hash; nil if nothing is.
func (t *table[T, E]) get(hash [2]uint64) *kept[T, E] {
	s := t.shard(hash)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.of[hash]
}

// keep keeps a value unless an equal one is kept. Fresh makes what is kept of it.
func (t *table[T, E]) keep(hash [2]uint64, dump []byte, fresh func() (*T, E)) *kept[T, E] {
	if k := t.get(hash); k != nil {
		k.same(dump)
		return k
	}
	k := &kept[T, E]{hash: hash, dump: bytes.Clone(dump)}
	k.value, k.more = fresh()
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.of[hash]; first != nil {
		first.same(dump)
		return first
	}
	if s.of == nil {
		s.of = make(map[[2]uint64]*kept[T, E])
	}
	s.of[hash] = k
	t.spent.values.Add(1)
	t.spent.bytes.Add(int64(len(dump)))
	return k
}

// same panics unless what is kept has a dump.
func (k *kept[T, E]) same(dump []byte) {
	if !bytes.Equal(k.dump, dump) {
		panic(fmt.Sprintf("two different values have the identity %x", k.hash))
	}
}

// copied returns a copy of a kept value, nil if it has none.
func (t *table[T, E]) copied(v *T) (*T, error) {
	var began time.Time
	n := t.spent.copies.Add(1)
	if n&sampled == 1 {
		began = time.Now()
	}
	c, err := canon.Copy(t.codec, v)
	if n&sampled == 1 {
		t.spent.copying.Add(int64(time.Since(began)))
	}
	return c, err
}
