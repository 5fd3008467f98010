package web

import (
	"bytes"
	"container/list"
	"fmt"
	"slices"
	"sync"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/trace"
)

// A tree holds runs that pages have shown, as a tree of moments in which those
// with a common beginning share it: a step further costs one step. The state
// shown longest ago is forgotten when the tree has grown to its limit.
//
// A moment is used after those that lead to it, so that the one used longest
// ago has nothing in the tree behind it.
type tree struct {
	mu    sync.Mutex
	nodes map[nodeKey]*list.Element // of *kept
	used  *list.List                // the last used in front
	bytes int64
	most  int64
}

// A kept moment is one that the tree holds, and what it takes there.
type kept struct {
	*moment
	bytes int64
	wide  bool // with what comes next
}

// A nodeKey names a moment: what it follows, and by which action. Of a
// beginning it has the name alone.
type nodeKey struct {
	before *moment
	step   string
}

// A world is a system that is explored from one of its initial states.
type world struct {
	sys    *model.System
	safety []*checker.Property // those that a state or a step can break
	whole  []*checker.Property // those that are about whole runs
}

// A moment is a run that has come so far.
type moment struct {
	*world
	key    nodeKey
	before *moment
	depth  int
	// step led here from the moment before, and state is where it led; after a
	// misuse there is none, and snap is that of the moment before.
	step  model.Transition
	state []byte
	snap  model.Snapshot
	view  model.View
	// broken has bit i set where safety[i] breaks here, and before the same of
	// all moments before.
	broken, brokenBefore uint64

	mu      sync.Mutex
	next    *future  // nil until somebody asks
	rulings []ruling // on properties of whole runs; nil until somebody asks
}

// A future is what may happen at a moment: each action with where it leads, in
// the order of the model. Where there are more actions than anybody would read
// it has where none leads, and of each group the first actions alone.
type future struct {
	moments []*moment
	actions []model.Action // those that are listed
	counts  []int          // of the actions of each group, the others included
}

// cost is about what a future takes.
func (f *future) cost() int64 {
	var n int64
	for i := range f.actions {
		n += actionCost + int64(len(f.actions[i].Message)+len(f.actions[i].Timer)+8*len(f.actions[i].Choices)+8*len(f.actions[i].Out))
	}
	for _, m := range f.moments {
		n += m.cost()
	}
	return n
}

// total returns how many actions there are.
func (f *future) total() int {
	n := 0
	for _, of := range f.counts {
		n += of
	}
	return n
}

// mostLooked is how many actions are taken to see what they would do. It costs
// the square of it.
const mostLooked = 256

// About what a moment and an action take beside their texts.
const (
	momentCost = 4 << 10
	actionCost = 192
)

func newTree(most int64) *tree {
	return &tree{nodes: make(map[nodeKey]*list.Element), used: list.New(), most: most}
}

// root returns the beginning of a name, which make makes unless it is known.
func (t *tree) root(name string, make func() (*moment, error)) (*moment, error) {
	key := nodeKey{step: name}
	if m := t.find(key); m != nil {
		return m, nil
	}
	m, err := make()
	if err != nil {
		return nil, err
	}
	m.key = key
	return t.keep(m), nil
}

// find returns the moment of a key, nil if the tree has none.
func (t *tree) find(key nodeKey) *moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.nodes[key]; ok {
		return e.Value.(*kept).moment
	}
	return nil
}

// keep adds a moment and returns the one that the tree has for its key.
func (t *tree) keep(m *moment) *moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.nodes[m.key]; ok {
		return e.Value.(*kept).moment
	}
	k := &kept{moment: m, bytes: m.cost()}
	t.nodes[m.key] = t.used.PushFront(k)
	t.bytes += k.bytes
	return m
}

// use notes that a moment, and with it those before, was used, and forgets
// what is too much.
func (t *tree) use(m *moment) {
	for _, old := range t.shrink(m) {
		old.forget()
	}
}

// shrink notes that a moment was used, and returns those that the tree has no
// more.
func (t *tree) shrink(m *moment) (gone []*moment) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for ; m != nil; m = m.before {
		if e, ok := t.nodes[m.key]; ok && e.Value.(*kept).moment == m {
			t.used.MoveToFront(e)
		}
	}
	for t.bytes > t.most && t.used.Len() > 0 {
		e := t.used.Back()
		old := e.Value.(*kept)
		t.used.Remove(e)
		delete(t.nodes, old.key)
		t.bytes -= old.bytes
		gone = append(gone, old.moment)
	}
	return gone
}

// forget drops what can be found out again. The moment itself may stay a while,
// as what may happen at the one before.
func (m *moment) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next, m.rulings = nil, nil
}

// ahead returns what may happen at a moment.
func (t *tree) ahead(m *moment) *future {
	next := m.ahead()
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.nodes[m.key]; ok {
		if k := e.Value.(*kept); k.moment == m && !k.wide {
			k.wide = true
			more := next.cost()
			k.bytes += more
			t.bytes += more
		}
	}
	return next
}

// walk returns the moment that a path leads to from a beginning. The error is
// a *notEnabled where a step is not possible.
func (t *tree) walk(root *moment, path []model.Action) (*moment, error) {
	m := root
	for i := range path {
		key := nodeKey{m, encodeAction(&path[i])}
		if known := t.find(key); known != nil {
			m = known
			continue
		}
		after, err := m.after(path[i])
		if err != nil {
			t.use(m)
			return m, err
		}
		m = t.keep(after)
	}
	t.use(m)
	return m, nil
}

// A notEnabled error says that an action cannot happen at a moment.
type notEnabled struct {
	step   int // its number in the path
	action model.Action
	at     *moment
}

func (e *notEnabled) Error() string {
	next := e.at.ahead()
	return fmt.Sprintf("step %d: %s", e.step,
		trace.Refusal(e.action, e.at.sys.Setting().N, next.actions, next.total()-len(next.actions)))
}

// newRoot returns the beginning of the runs of a system from an initial state,
// of which properties are asked.
func newRoot(sys *model.System, state []byte, asked []*checker.Property) *moment {
	w := &world{sys: sys}
	for _, p := range asked {
		switch {
		case p.Witness() || p == checker.Misuse: // they forbid no run
		case p.Temporal():
			w.whole = append(w.whole, p)
		default:
			w.safety = append(w.safety, p)
		}
	}
	m := &moment{world: w, state: state, snap: sys.Snapshot(state), view: *sys.View(state)}
	m.judge()
	return m
}

// over reports whether the last step was a misuse, after which nothing can be
// said.
func (m *moment) over() bool { return m.step.Misuse != "" }

// ended reports whether nothing is owed any more: a run may end here.
func (m *moment) ended() bool {
	if m.over() {
		return false
	}
	owed := false
	m.sys.EachTransition(m.state, func(t model.Transition) { owed = owed || t.Class != "" })
	return !owed
}

// take returns the moment after a transition.
func (m *moment) take(t *model.Transition) *moment {
	n := &moment{world: m.world, key: nodeKey{m, encodeAction(&t.Action)}, before: m, depth: m.depth + 1, step: *t}
	n.brokenBefore = m.broken | m.brokenBefore
	if n.over() {
		n.snap, n.view = m.snap, m.view
		return n
	}
	n.state = slices.Clone(t.Next)
	n.step.Next = n.state
	n.snap, n.view = m.sys.Snapshot(n.state), *m.sys.View(n.state)
	n.judge()
	return n
}

// judge finds out which safety properties break here.
func (m *moment) judge() {
	for i, p := range m.safety {
		watch := p.Watch()
		hit := watch.State != nil && watch.State(&m.view)
		if !hit && m.before != nil {
			hit = watch.HitsStep(m.sys, m.before.state, &m.step)
		}
		if hit {
			m.broken |= 1 << i
		}
	}
}

// after returns the moment after an action.
func (m *moment) after(a model.Action) (*moment, error) {
	m.mu.Lock()
	next := m.next
	m.mu.Unlock()
	if next != nil && len(next.moments) > 0 {
		for _, n := range next.moments {
			if trace.SameAction(n.step.Action, a) {
				return n, nil
			}
		}
		return nil, m.refuse(a)
	}
	var then *moment
	if !m.over() {
		m.sys.EachTransition(m.state, func(t model.Transition) {
			if then == nil && trace.SameAction(t.Action, a) {
				then = m.take(&t)
			}
		})
	}
	if then == nil {
		return nil, m.refuse(a)
	}
	return then, nil
}

func (m *moment) refuse(a model.Action) error {
	return &notEnabled{step: m.depth + 1, action: a, at: m}
}

// ahead returns what may happen.
func (m *moment) ahead() *future {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next != nil {
		return m.next
	}
	next := &future{counts: make([]int, len(groupNames))}
	m.next = next
	if m.over() {
		return next
	}
	var first []model.Transition
	m.sys.EachTransition(m.state, func(t model.Transition) {
		of := groupOf(&t.Action, m.sys.Setting())
		if next.counts[of]++; next.counts[of] <= mostListed {
			next.actions = append(next.actions, t.Action)
		}
		if len(first) <= mostLooked { // one more tells that there are too many
			t.Next = slices.Clone(t.Next)
			first = append(first, t)
		}
	})
	if len(first) > mostLooked {
		return next
	}
	next.actions = nil
	for i := range first {
		next.actions = append(next.actions, first[i].Action)
		next.moments = append(next.moments, m.take(&first[i]))
	}
	return next
}

// cost is about what a moment takes, without what comes next.
func (m *moment) cost() int64 {
	n := momentCost + 2*len(m.state)
	for i := range m.snap.Processes {
		p := &m.snap.Processes[i]
		n += 96 + 64*(len(p.Fields)+len(p.Timers))
	}
	n += 96 * (len(m.snap.InFlight) + len(m.step.Sent) + len(m.step.Dropped))
	return int64(n)
}

// chain returns the moments of the run, from its beginning to m.
func (m *moment) chain() []*moment {
	list := make([]*moment, m.depth+1)
	for ; m != nil; m = m.before {
		list[m.depth] = m
	}
	return list
}

// run returns the run so far.
func (m *moment) run() *trace.Run {
	r := &trace.Run{System: m.sys}
	for _, n := range m.chain() {
		if n.before != nil {
			r.Steps = append(r.Steps, n.step)
		}
		if !n.over() {
			r.States = append(r.States, n.state)
			r.Snapshots = append(r.Snapshots, n.snap)
		}
	}
	return r
}

// again returns the moment before m of the same state that is nearest, nil if
// there is none: from there the run could go round without end.
func (m *moment) again() *moment {
	for b := m.before; b != nil && !m.over(); b = b.before {
		if bytes.Equal(b.state, m.state) {
			return b
		}
	}
	return nil
}
