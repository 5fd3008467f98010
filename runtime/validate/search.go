package validate

import (
	"container/heap"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
)

// A step is one of a run that shows a log.
type step struct {
	action model.Action
	entry  *entry // that tells it, nil if none does
	still  bool   // nothing changes
	beyond string // the bound of the protocol that it passes, "" for none
}

// A node is where a search has come to: in the lines, and in the model.
type node struct {
	parent *node
	path   []step // from the parent
	state  []byte
	pos    []int32 // by process: the next line
	told   int     // lines that are behind it
	hidden int     // steps without a line since the last of these
	number int     // of the node
	// initial is the initial state in which a node without a parent begins.
	initial []byte
	broken  *Broken // the first invariant that breaks on the way
}

// A frontier is the nodes that wait: those with the most lines behind them, of
// these those with the fewest hidden steps, and of these the first that was found.
type frontier []*node

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	switch a, b := f[i], f[j]; {
	case a.told != b.told:
		return a.told > b.told
	case a.hidden != b.hidden:
		return a.hidden < b.hidden
	default:
		return a.number < b.number
	}
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(*node)) }
func (f *frontier) Pop() any {
	last := len(*f) - 1
	n := (*f)[last]
	(*f)[last] = nil
	*f = (*f)[:last]
	return n
}

// A search looks for a run of the model that shows a log. Its nodes are pairs of
// a place in every process's lines and a state of the model. Where the next line
// of a process commutes with whatever the others can do (see free), the search
// takes it and looks at nothing else; otherwise it tries everything, without
// taking the same node twice.
type search struct {
	*matcher
	procs      []stream // by id
	limit      []int    // by id: so many lines can be looked at
	dark       []bool   // by id: processes that do things that no line tells
	kinds      []model.ActionKind
	complete   eventlog.Parts
	ordered    bool
	slack      uint64 // in nanoseconds, of ordered
	depth      int    // so many steps without a line are tried between two lines
	deep       []*node
	total      int
	free       bool // lines commute
	calm       bool // crashes and restarts do, too
	world      []model.ActionKind
	waiting    frontier
	seen       map[xxh3.Uint128]struct{}
	nodes      int
	bytes      int64
	most       int64
	online     bool
	invariants []Invariant
	progress   func(Progress)
	start      time.Time
	ticks      int // calls of report
	ends
}

// ends are the nodes at which a search came to an end.
type ends struct {
	best     *node   // with the most lines behind it
	ended    []*node // where more lines may come
	farthest int     // lines behind the node that came farthest
}

// newSearch returns a search that has not begun.
func newSearch(sys *model.System, procs []stream, o *Options) *search {
	bounded := len(o.Hidden) > 0 || o.Silent // what no line tells may never end
	s := &search{matcher: newMatcher(sys, bounded), procs: procs, seen: make(map[xxh3.Uint128]struct{}), most: o.MaxBytes, progress: o.Progress}
	if s.most <= 0 {
		s.most = DefaultMaxBytes
	}
	s.dark, s.limit = make([]bool, len(procs)), make([]int, len(procs))
	suspicions := 0
	for id := range procs {
		s.limit[id] = len(procs[id].entries)
		s.total += s.limit[id]
		suspicions += faultsOf(procs[id].entries).suspicions
		s.dark[id] = id > 0 && (len(o.Hidden) > 0 || o.Silent && len(procs[id].entries) == 0)
	}
	s.kinds, s.complete = o.Hidden, o.Complete
	s.ordered, s.slack, s.depth = o.Ordered, uint64(o.Slack), firstDepth
	w := &s.setting
	s.free = w.Timing.Kind == setting.Asynchronous && w.Capacity == 0 && !w.MailDownLost && !w.MailOldLost
	for _, b := range setting.Budgets() {
		anyOrder := slices.Contains([]string{"crashes", "restarts", "joins", "losses", "heals", "suspicions"}, b.Key)
		s.free = s.free && (anyOrder || *b.Of(w) == 0)
	}
	s.calm = (!w.FIFO || lossy(w)) && w.Suspicions >= min(suspicions, maxBudget)
	switch {
	case !s.free:
		s.world = []model.ActionKind{model.Ticks}
		for _, k := range model.ActionKinds() {
			if !k.Has(model.WithHandler) && k != model.Ticks && !slices.Contains(crashing, k) {
				s.world = append(s.world, k)
			}
		}
	case w.FIFO && !lossy(w):
		s.world = []model.ActionKind{model.Drops, model.Loses}
	}
	return s
}

// begin puts the initial states of the model into the search. It reports whether
// there were no more of them than a search takes.
func (s *search) begin() bool {
	const most = 4096
	count := 0
	s.sys.Initial(func(state []byte) bool {
		if count++; count > most {
			return false
		}
		initial := slices.Clone(state)
		s.push(&node{state: initial, initial: initial, pos: make([]int32, len(s.procs))})
		return true
	})
	return count <= most
}

// push adds a node, unless it has been there.
func (s *search) push(n *node) {
	key := make([]byte, 0, len(n.state)+4*len(n.pos))
	for _, p := range n.pos {
		key = binary.LittleEndian.AppendUint32(key, uint32(p))
	}
	hash := xxh3.Hash128(append(key, n.state...))
	if _, ok := s.seen[hash]; ok {
		return
	}
	s.seen[hash] = struct{}{}
	s.nodes++
	n.number = s.nodes
	s.bytes += nodeBytes + int64(len(n.state)+4*len(n.pos))
	heap.Push(&s.waiting, n)
}

// The sizes of a node and a step, about.
const (
	nodeBytes = 400
	stepBytes = 240
)

// run goes on until a node is found that has all lines behind it, which it
// returns; nil if there is none. It reports whether it saw everything.
func (s *search) run(ctx context.Context) (found *node, complete bool) {
	s.start = time.Now()
	for s.more() {
		if ctx.Err() != nil || s.bytes > s.most {
			return nil, false
		}
		n := heap.Pop(&s.waiting).(*node)
		if n.hidden >= s.depth {
			s.deep = append(s.deep, n)
			continue
		}
		children, ok := s.advance(ctx, n)
		if n.told == s.total && ok {
			return n, true
		}
		if !ok {
			return nil, false
		}
		if s.online {
			s.ended = append(s.ended, n)
		}
		if s.best == nil || n.told > s.best.told {
			s.best = n
		}
		for _, c := range children {
			s.push(c)
		}
	}
	return nil, true
}

// firstDepth is how many steps without a line a search tries at first between two lines.
// Where that is a dead end the way out is often another step before, and a search that
// looked for it among ever more steps would never come to that.
const firstDepth = 8

// more reports whether a node waits. Where none does, those wait that are behind more
// steps without a line than were tried so far.
func (s *search) more() bool {
	if len(s.waiting) == 0 && len(s.deep) > 0 {
		s.depth *= 2
		for _, n := range s.deep {
			heap.Push(&s.waiting, n)
		}
		s.deep = nil
	}
	return len(s.waiting) > 0
}

// due reports whether the next line of a process can come next by the clocks.
func (s *search) due(n *node, id int) bool {
	if !s.ordered {
		return true
	}
	rank := s.entry(n, id).rank
	for p := 1; p < len(s.procs); p++ {
		if int(n.pos[p]) < s.limit[p] && s.entry(n, p).rank+s.slack < rank {
			return false
		}
	}
	return true
}

// report tells how far the search is, at a node, now and then.
func (s *search) report(n *node) {
	const every = 256 // of so many calls
	s.farthest = max(s.farthest, n.told)
	if s.ticks++; s.progress != nil && s.ticks%every == 0 {
		s.progress(Progress{Told: s.farthest, Lines: s.total, Nodes: s.nodes, Bytes: s.bytes, Elapsed: time.Since(s.start)})
	}
}

// advance takes every line that commutes with whatever else can happen, and then
// returns what may come next where no such line is left. It reports whether it
// could, before the context was done.
func (s *search) advance(ctx context.Context, n *node) (children []*node, ok bool) {
	asleep := make([]bool, len(s.procs))
	for taken := 1; ; taken++ {
		if taken%1024 == 0 && ctx.Err() != nil {
			return nil, false
		}
		s.report(n)
		id := s.next(n, asleep)
		if id == 0 {
			break
		}
		ways, _, _ := s.ways(n, id)
		if len(ways) > 1 && s.commutes(id, n) {
			return s.children(n, id, ways), true
		}
		if len(ways) != 1 || !s.commutes(id, n) {
			asleep[id] = true
			continue
		}
		told := ways[0].idle && len(s.entry(n, id).sends) > 0 // the model has sent that before
		s.take(n, id, &ways[0])
		for to := range asleep {
			asleep[to] = asleep[to] && !told && !ways[0].wakes && !ways[0].to.Has(model.ID(to))
		}
	}
	if n.told == s.total {
		return nil, true
	}
	return s.branch(n), true
}

// next returns the process whose next line is the first one, of those that are
// not asleep; 0 if there is none.
func (s *search) next(n *node, asleep []bool) (id int) {
	for p := 1; p < len(s.procs); p++ {
		if asleep[p] || int(n.pos[p]) == s.limit[p] {
			continue
		}
		if id == 0 || s.entry(n, p).rank < s.entry(n, id).rank {
			id = p
		}
	}
	return id
}

// entry returns the next line of a process.
func (s *search) entry(n *node, id int) *entry { return &s.procs[id].entries[n.pos[id]] }

// commutes reports whether the next line of a process commutes with whatever else
// can happen before it: others can neither keep it from happening nor change what
// it does, and it does not keep them. Messages in flight stay, a timer is its
// owner's, and the process itself does nothing else first.
func (s *search) commutes(id int, n *node) bool {
	if !s.free || s.dark[id] || s.ordered {
		return false
	}
	switch k := action(s.entry(n, id)).Kind; k {
	case model.Crashes, model.Restarts:
		return s.calm
	case model.Suspects:
		return s.calm
	}
	return true
}

// take has a way of the next line of a process happen.
func (s *search) take(n *node, id int, w *variant) {
	before, e := len(n.path), s.entry(n, id)
	for i := range w.hidden {
		n.path = append(n.path, step{action: w.hidden[i].action})
		s.ask(n, &w.hidden[i], e)
	}
	n.path = append(n.path, step{action: w.action, entry: e, still: w.idle || string(w.state) == string(n.state), beyond: w.beyond})
	s.ask(n, &move{w.action, w.state}, e)
	n.pos[id]++
	n.told++
	n.hidden = 0
	s.bytes += stepBytes * int64(len(n.path)-before)
}

// ask asks the invariants of a step of a node, which an entry tells, or which comes
// right before what it tells. The node is then behind the step.
func (s *search) ask(n *node, m *move, e *entry) {
	if len(s.invariants) > 0 && n.broken == nil {
		n.broken = s.breaks(n.state, m, e)
	}
	n.state = m.state
}

// child returns a node that goes on from another one.
func (n *node) child() *node {
	return &node{parent: n, state: n.state, pos: slices.Clone(n.pos), told: n.told, hidden: n.hidden, broken: n.broken}
}

// children returns a node for each way of the next line of a process.
func (s *search) children(n *node, id int, ways []variant) (out []*node) {
	for i := range ways {
		c := n.child()
		s.take(c, id, &ways[i])
		out = append(out, c)
	}
	return out
}

// branch returns everything that may come next: lines, in the order that is worth
// trying, and what no line tells.
func (s *search) branch(n *node) (out []*node) {
	asleep := make([]bool, len(s.procs))
	for id := s.next(n, asleep); id != 0; id = s.next(n, asleep) {
		asleep[id] = true
		if !s.due(n, id) {
			continue
		}
		ways, _, _ := s.ways(n, id)
		if len(ways) == 0 {
			ways = s.matchGasp(n.state, &s.procs[id], int(n.pos[id]))
		}
		out = append(out, s.children(n, id, ways)...)
	}
	for id := range s.procs {
		if !s.dark[id] {
			continue
		}
		for _, kind := range s.hiddenKinds(id) {
			for _, w := range s.reach(variant{state: n.state}, kind, model.ID(id)) {
				if s.untold(n, id, w.state) {
					out = append(out, s.without(n, &w))
				}
			}
		}
	}
	return append(out, s.byTheWorld(n)...)
}

// untold reports whether a step of a process may have no line: it changes nothing of which
// each change has one, or the next line tells what it leads to.
func (s *search) untold(n *node, id int, next []byte) bool {
	if s.complete == (eventlog.Parts{}) {
		return true
	}
	entries, pos := s.procs[id].entries, int(n.pos[id])
	if !slices.ContainsFunc(entries[:pos], func(e entry) bool { return s.complete.Tells(e.Belief) }) {
		return true
	}
	before := s.reader.Process(n.state, model.ID(id)).Belief
	after := s.reader.Process(next, model.ID(id)).Belief
	if !differ(s.complete, model.ID(id), &before, &after) {
		return true
	}
	return pos < len(entries) && s.complete.Tells(entries[pos].Belief) && s.due(n, id) && s.differsState(&entries[pos], next) == ""
}

// hiddenKinds are what a process may do that no line tells.
func (s *search) hiddenKinds(id int) []model.ActionKind {
	if len(s.procs[id].entries) == 0 {
		return slices.Concat([]model.ActionKind{model.Boots, model.Restarts, model.Joins}, crashing, handled)
	}
	return s.kinds
}

// without returns the node that a step leads to that no line tells.
func (s *search) without(n *node, w *variant) *node {
	c := n.child()
	for i := range w.hidden {
		c.path = append(c.path, step{action: w.hidden[i].action, still: string(w.hidden[i].state) == string(c.state)})
		c.state = w.hidden[i].state
	}
	c.hidden++
	s.bytes += stepBytes
	return c
}

// byTheWorld returns the nodes to which the network and time lead.
func (s *search) byTheWorld(n *node) (out []*node) {
	if len(s.world) == 0 {
		return nil
	}
	s.sys.EachTransition(n.state, func(t model.Transition) {
		if slices.Contains(s.world, t.Action.Kind) {
			next := slices.Clone(t.Next)
			out = append(out, s.without(n, &variant{hidden: []move{{t.Action, next}}, state: next}))
		}
	})
	return append(out, s.early(n)...)
}

// early returns the nodes to which crashes lead that no line tells, before the restart that
// shows them: while a process is down, messages to it are dropped.
func (s *search) early(n *node) (out []*node) {
	for id := 1; id < len(s.procs); id++ {
		if int(n.pos[id]) == s.limit[id] || s.reader.Process(n.state, model.ID(id)).Status != model.Up {
			continue
		}
		if e := s.entry(n, id); e.Kind == eventlog.Boot && e.Why == model.Restart {
			for _, w := range s.down(variant{state: n.state}, model.ID(id)) {
				out = append(out, s.without(n, &w))
			}
		}
	}
	return out
}
