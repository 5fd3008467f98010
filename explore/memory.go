package explore

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"bullyproof/explore/internal/visited"
	"bullyproof/internal/machine"
)

// A search looks at the memory of the process when its own accounts say that it
// has grown, so that a small search never does, and before it asks for much at
// once: what Go cannot get ends the program, and all that was found is lost.
const (
	minMeasured = 1 << 24 // bytes on the accounts from which on the process is measured
	minStride   = 1 << 18 // bytes on the accounts between two looks
	maxStride   = 1 << 26

	// batchesMeasured is after how many batches a worker has a look whatever the
	// accounts say: expanders, and exact searches, make garbage.
	batchesMeasured = 1 << 9

	// batchesLimited is the same where MaxBytes says how much there is.
	batchesLimited = 1 << 5
)

// A memory tells what the process takes and may take. Tests have others than
// that of the machine.
type memory interface {
	// used returns the bytes of memory that the process takes.
	used() int64

	// room returns how many bytes more the machine lets it take, and what keeps
	// it from taking more, in words.
	room() (bytes int64, what string)

	// free gives back to the machine what nothing refers to any more.
	free()
}

// A meter keeps a search within its limit of memory, or within what the machine
// has left.
type meter struct {
	memory
	limit int64 // Options.MaxBytes, or 0

	mu    sync.Mutex
	freed int64  // what the process took when free had been called last
	asked int64  // what it took when the machine was asked for its room last
	left  int64  // what that was
	what  string // and what keeps it from being more
	most  int64  // that the process was seen to take
}

// fits reports whether the process may take so many bytes more, 0 for any
// number, and how many more of them are left then. Reason is why it may not.
func (m *meter) fits(more int64) (left int64, reason Reason) {
	m.mu.Lock()
	defer m.mu.Unlock()
	used := m.look()
	bound, reason := m.bound(used)
	// As much as a part of the bound may be garbage before it is collected.
	if slack := bound / 32; used+more > bound-slack && used-m.freed > slack {
		m.free()
		used = m.look()
		m.freed = used
		m.asked = 0
		bound, reason = m.bound(used)
	}
	if left = bound - used - more; left < 0 {
		return left, reason
	}
	return left, 0
}

// look returns what the process takes.
func (m *meter) look() int64 {
	used := m.used()
	m.most = max(m.most, used)
	return used
}

// bound returns what the process may take that takes so much now, and the reason
// of a search that would need more.
func (m *meter) bound(used int64) (int64, Reason) {
	if grown := used - m.asked; m.asked == 0 || grown > min(max(m.left/8, minStride), maxStride) {
		m.left, m.what = m.room()
		m.asked = used
	}
	machine := int64(math.MaxInt64)
	if m.left < math.MaxInt64-m.asked {
		machine = m.asked + m.left
	}
	if m.limit > 0 && m.limit <= machine {
		return m.limit, ByteLimit
	}
	return machine, MachineLimit
}

// bytes returns the memory of visited set, frontier and graph.
func (s *search) bytes() int64 {
	n := s.pool.Bytes() + s.graphBytes.Load()
	if s.disk != nil {
		n += s.disk.bytes.Load()
	}
	return n + s.set.Bytes()
}

// lacks returns why the search cannot have so many bytes more, and 0 where it
// can. It is called when memory has been taken (then more is 0), and before much
// of it is.
func (s *search) lacks(more int64) Reason {
	n := s.bytes() + more
	for {
		old := s.peak.Load()
		if n <= old || s.peak.CompareAndSwap(old, n) {
			break
		}
	}
	if s.opt.MaxBytes > 0 && n > s.opt.MaxBytes {
		return ByteLimit
	}
	if n < s.nextLook.Load() {
		return 0
	}
	return s.measure(more)
}

// beyondLimit reports whether the search cannot have so many bytes more, without
// taking that for its end. It leaves a part of what there is.
func (s *search) beyondLimit(more int64) bool {
	n := s.bytes() + more
	return s.opt.MaxBytes > 0 && n > s.opt.MaxBytes-s.opt.MaxBytes/16 ||
		n >= s.nextLook.Load() && s.measure(more+more/2) != 0
}

// measure is lacks by what the process takes in fact.
func (s *search) measure(more int64) Reason {
	needed := more
	if s.exact != nil {
		needed += int64(s.distinct()) * visited.EntryBytes // what traces will take
	}
	left, reason := s.meter.fits(needed)
	s.nextLook.Store(s.bytes() + more + min(max(left/16, minStride), maxStride))
	return reason
}

// within stops the search where there is too little memory for so many bytes
// more, and reports whether there is enough.
func (s *search) within(more int64) bool {
	if s.disk != nil {
		return s.disk.within(more)
	}
	reason := s.lacks(more)
	if reason == 0 || s.spared(reason) {
		return true
	}
	s.stop(reason)
	return false
}

// refused stops a search to which the system refused memory that the search had
// taken for available.
func (s *search) refused() {
	s.meter.mu.Lock()
	defer s.meter.mu.Unlock()
	if s.meter.what == "" || s.meter.left > 0 {
		s.meter.what = "what the system promises to processes"
	}
	s.stop(MachineLimit)
}

// mapped returns the bytes of the visited set that Go's runtime does not know of.
func (s *search) mapped() int64 {
	if s.set == nil { // which is made when there is a meter
		return 0
	}
	return s.set.Mapped()
}

// aProcess is the memory of this process.
type aProcess struct {
	samples []metrics.Sample
	mapped  func() int64 // what the search takes beside what Go's runtime knows
	outside int64        // what the process takes beside both: its code
}

func newProcess(mapped func() int64) *aProcess {
	return &aProcess{
		mapped:  mapped,
		samples: []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}},
		outside: -1,
	}
}

func (p *aProcess) used() int64 {
	if p.outside < 0 {
		p.outside = machine.ResidentFiles()
	}
	metrics.Read(p.samples)
	known := int64(p.samples[0].Value.Uint64()-p.samples[1].Value.Uint64()) + p.mapped() + p.outside
	return max(known, machine.Resident()) // which has what earlier searches have mapped
}

func (p *aProcess) room() (int64, string) {
	metrics.Read(p.samples)
	return machine.Room("/", int64(p.samples[1].Value.Uint64()))
}

func (p *aProcess) free() { debug.FreeOSMemory() }
