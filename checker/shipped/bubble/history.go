package bubble

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"
)

// A boot is how a process comes up.
type boot struct {
	self, n int
	boots   int // restarts so far
	disk    *disk
}

// A node is a process after a history, or after one of several that are taken to be one (Env.State).
type node struct {
	id     [2]uint64
	boot   *boot
	before *node // nil: the event is the boot
	event  event
	length int // of the history, in events
	result

	mu     sync.Mutex
	next   map[event]*step
	others []*node // that are taken to be this one, and are kept for an audit
}

// A result is what a repeat sees of a process behind an event.
type result struct {
	outcome
	whole  bool     // the event takes the rest of its tick
	named  string   // the values that the process has named, with all of its own that count; "" if it names none
	chosen []choice // of the program, within the event
	wake   int      // ticks until the world sees something that the process does by itself, or never
}

// A step is what an event does after a history.
type step struct {
	out    []sent
	to     *node
	fork   int    // of how many the program has to choose one first; then there is no node yet
	failed string // how it goes wrong; then there is no node

	mu      sync.Mutex
	audited int // of the other histories that are taken to be its beginning
}

// path returns the nodes from the boot on.
func (n *node) path() []*node {
	if n == nil {
		return nil
	}
	path := make([]*node, n.length)
	for ; n != nil; n = n.before {
		path[n.length-1] = n
	}
	return path
}

// happened says what the last event of a history is.
func (n *node) happened() string {
	if n.before == nil {
		return "its boot" + n.chose()
	}
	return n.event.text() + n.chose()
}

// chose says what a program chose: " (case 2 of 2)".
func (n *node) chose() string {
	if len(n.chosen) == 0 {
		return ""
	}
	return " (" + texts(n.chosen) + ")"
}

// rests reports whether nothing but a message changes the process any more: its clock stops.
func (n *node) rests(w *world) bool {
	idle := n.before != nil && n.event.from == 0 && n.event.after >= w.Horizon && n.before.wake == never
	return n.ended || w.role(n.boot.self, n.boot.n).Timeless || idle && n.wake == never && len(n.out) == 0
}

// digest appends what tells an event from others.
func (e *event) digest(to []byte) []byte {
	m := &e.message
	for _, n := range [...]int{e.after, e.from, int(m.Form), m.Call.By, m.Call.Boot, m.Call.Number, m.Part} {
		to = binary.AppendUvarint(to, uint64(n))
	}
	return append(to, m.Text...)
}

// digest appends what tells a boot from others.
func (b *boot) digest(to []byte) []byte {
	for _, n := range [...]int{b.self, b.n, b.boots} {
		to = binary.AppendUvarint(to, uint64(n))
	}
	for _, n := range b.disk.hash {
		to = binary.LittleEndian.AppendUint64(to, n)
	}
	return to
}

// identity returns the identity of a node: that of its history, or of the values that the process
// has named.
func (n *node) identity() [2]uint64 {
	b := make([]byte, 0, 256)
	switch {
	case n.named != "":
		b = append(n.boot.digest(b), 'v')
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(n.leader)), n.epoch)
		for _, h := range n.disk.hash {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
		b = append(b, n.named...)
	case n.before == nil:
		b = append(append(n.boot.digest(b), 'b'), n.event.took...)
	default:
		for _, h := range n.before.id {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
		if n.event.took != "" {
			b = append(binary.AppendUvarint(append(b, 'c'), uint64(len(n.event.took))), n.event.took...)
		}
		b = n.event.digest(append(b, 'e'))
	}
	h := xxh3.Hash128(b)
	return [2]uint64{h.Hi, h.Lo | 1} // zero is the identity of no node
}

// A shard has some of the nodes.
type shard struct {
	mu sync.RWMutex
	of map[[2]uint64]*node
}

func (w *world) shard(id [2]uint64) *shard { return &w.nodes[id[0]%uint64(len(w.nodes))] }

// node returns the node with an identity, nil if there is none.
func (w *world) node(id [2]uint64) *node {
	s := w.shard(id)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.of[id]
}

// Of the histories that are taken to be one so many are kept for an audit.
const (
	mostOthers = 10
	mostAlike  = 4 // that end with one event
)

// keepOther keeps a history that is taken to be this one for an audit. Of those that end with one event,
// most of which are alike, it keeps the first and some.
func (n *node) keepOther(other *node) {
	n.mu.Lock()
	defer n.mu.Unlock()
	same := 0
	for _, o := range n.others {
		if o.event == other.event {
			same++
		}
	}
	if len(n.others) < mostOthers && same < mostAlike {
		n.others = append(n.others, other)
	}
}

// keep returns the node that a node is taken to be: itself, or the first with its identity. It fails
// if the two differ in what the world will see of them.
func (w *world) keep(n *node) (kept *node, failed string) {
	s := w.shard(n.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.of[n.id]
	if first == nil {
		if s.of == nil {
			s.of = map[[2]uint64]*node{}
		}
		s.of[n.id] = n
		w.spent.nodes.Add(1)
		return n, ""
	}
	if first.before == n.before && first.event == n.event {
		return first, "" // another worker has been here
	}
	w.spent.merged.Add(1)
	if first.wake != n.wake {
		return nil, w.apart(first, n, fmt.Sprintf("goes on by itself %s, and %s", soon(first.wake), soon(n.wake)))
	}
	first.keepOther(n)
	return first, ""
}

func soon(ticks int) string {
	if ticks == never {
		return "not at all"
	}
	return fmt.Sprintf("in %d ticks", ticks)
}

// step returns what an event does after a history, which is run if it is not known.
func (w *world) step(before *node, b *boot, e event) *step {
	s := w.known(before, b, e)
	if s == nil {
		s = w.make(before, b, e)
	}
	if w.audits && before != nil && s.fork == 0 {
		w.audit(before, e, s)
	}
	return s
}

// known returns the step of an event after a history, nil if it has not been run.
func (w *world) known(before *node, b *boot, e event) *step {
	if before == nil {
		w.bootsMu.Lock()
		defer w.bootsMu.Unlock()
		return w.boots[b.key(e)]
	}
	before.mu.Lock()
	defer before.mu.Unlock()
	return before.next[e]
}

// learn keeps a step, unless another worker has been there, and returns the one that is kept.
func (w *world) learn(before *node, b *boot, e event, s *step) *step {
	mu := &w.bootsMu
	if before != nil {
		mu = &before.mu
	}
	mu.Lock()
	defer mu.Unlock()
	if before == nil {
		if w.boots[b.key(e)] == nil {
			w.boots[b.key(e)] = s
		}
		return w.boots[b.key(e)]
	}
	if before.next == nil {
		before.next = map[event]*step{}
	}
	if before.next[e] == nil {
		before.next[e] = s
	}
	return before.next[e]
}

// A bootKey tells boots apart.
type bootKey struct {
	self, n, boots int
	disk           *disk
	took           string
}

func (b *boot) key(e event) bootKey { return bootKey{b.self, b.n, b.boots, b.disk, e.took} }

// make runs a step.
func (w *world) make(before *node, b *boot, e event) *step {
	r := w.repeat(before, b, e)
	if r.failed != "" {
		return w.learn(before, b, e, &step{failed: r.failed})
	}
	first, s := w.taken(before, b, e, r.last)
	if s.failed == "" && r.ahead != nil {
		// The repeat has run on to the next thing that the process does by itself.
		if later := (event{after: r.last.wake}); w.known(s.to, b, later) == nil {
			w.taken(s.to, b, later, *r.ahead)
		}
	}
	return first
}

// taken makes the steps to where a repeat has come: one for each choice that the event does not say, of
// which the repeat took the first, and one to the node.
func (w *world) taken(before *node, b *boot, e event, r result) (first, last *step) {
	for _, c := range r.chosen[len(e.took):] {
		if s := w.learn(before, b, e, &step{fork: c.of}); first == nil {
			first = s
		}
		e.took += "\x00"
	}
	last = w.learn(before, b, e, w.arrive(before, b, e, r))
	if first == nil {
		first = last
	}
	return first, last
}

// arrive makes the step to where a repeat has come.
func (w *world) arrive(before *node, b *boot, e event, r result) *step {
	if r.outcome.failed != "" {
		return &step{failed: r.outcome.failed}
	}
	to := &node{boot: b, before: before, event: e, length: 1, result: r}
	if before != nil {
		to.length += before.length
	}
	to.id = to.identity()
	kept, failed := w.keep(to)
	return &step{out: r.out, to: kept, failed: failed}
}

// audit repeats a step after the other histories that are taken to be its beginning, those that it has
// not been repeated after, and takes down what goes wrong.
func (w *world) audit(before *node, e event, s *step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.failed == "" {
		before.mu.Lock()
		if s.audited == len(before.others) {
			before.mu.Unlock()
			return
		}
		other := before.others[s.audited]
		before.mu.Unlock()
		s.audited++
		if failed := w.audited(before, other, e, s); failed != "" {
			w.goesWrong(failed)
			return
		}
	}
}

// audited repeats a step after another history.
func (w *world) audited(before, other *node, e event, s *step) (failed string) {
	r := w.repeat(other, other.boot, e)
	if r.failed != "" {
		return r.failed
	}
	n := &node{boot: other.boot, before: other, event: e, length: other.length + 1, result: r.last}
	n.id = n.identity()
	one, two := outcome{out: s.out, leader: s.to.leader, epoch: s.to.epoch, disk: s.to.disk, ended: s.to.ended}, r.last.outcome
	switch {
	case len(r.last.chosen) != len(e.took):
		return w.apart(before, other, fmt.Sprintf("has other choices upon %s", e.text()))
	case !one.equal(&two):
		return w.apart(before, other, fmt.Sprintf("%s, and %s, upon %s", one.text(), two.text(), e.text()))
	case n.named == "" || s.to.named == "":
		return ""
	case n.id != s.to.id:
		return w.apart(before, other, "has other values upon "+e.text())
	case n.wake != s.to.wake:
		return w.apart(before, other, fmt.Sprintf("goes on by itself %s, and %s, upon %s", soon(s.to.wake), soon(n.wake), e.text()))
	}
	s.to.keepOther(n)
	return ""
}

// apart says that two histories are taken to be one and are not.
func (w *world) apart(one, two *node, how string) string {
	return fmt.Sprintf("the values that P%d names by Env.State are equal after two histories, and it %s: name what else decides what it does\n\tafter %s\n\tand after %s",
		one.boot.self, how, told(one.path()), told(two.path()))
}

// told tells a history, its end if it is long.
func told(path []*node) string {
	const most = 12
	var b bytes.Buffer
	if len(path) > most {
		fmt.Fprintf(&b, "%d events, then ", len(path)-most)
		path = path[len(path)-most:]
	}
	for i, n := range path {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(n.happened())
	}
	return b.String()
}

// kept returns the disk with a content.
func (w *world) kept(values map[string]string) *disk {
	var b []byte
	for _, key := range slices.Sorted(maps.Keys(values)) {
		for _, s := range [...]string{key, values[key]} {
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
	}
	h := [2]uint64{}
	if len(values) > 0 {
		x := xxh3.Hash128(b)
		h = [2]uint64{x.Hi, x.Lo | 1}
	}
	d, ok := w.disks.Load(h)
	if !ok {
		d, _ = w.disks.LoadOrStore(h, &disk{h, maps.Clone(values)})
	}
	return d.(*disk)
}
