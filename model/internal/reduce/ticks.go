package reduce

import (
	"encoding/binary"
	"slices"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
)

// Whole ticks, in lockstep.
//
// A tick has two phases: messages that are due are delivered, and then, when none is
// left, timers that are due expire. In a phase nothing that is sent arrives, so a
// process goes on by itself: by what was due to it at the beginning, by its own
// timers, and by reports of who is down. As long as there is no fault, all that can
// come of a phase is the product of what can come of it at each process, and the
// states on the way are left out: a state leads to those at the end of its phase,
// after the tick if no timer is due there.
//
// Faults divide a phase. Take a run, and its first fault in the phase of the state.
//
//   - The crash of p: whatever others do before it they can as well do after it.
//     Their messages to p are dropped in either order or wait in either, and nobody
//     reports less. So only p acts before the crash.
//   - A restart of p: others act before it only as far as they report p, for that they
//     cannot do after it. If the event before the report of p commutes with the
//     report, it can happen after it, and so after the restart, unless it is a report of
//     p itself. Of p's due messages any part is dropped before the restart.
//
// So a state also leads to the states after one such fault, and these are states in
// the phase, to be treated alike.
//
// Each value of what is read has to be that of a state that is kept. Within a phase
// processes are independent, so the values that are possible are the product of those at
// each process. Where some are not those of states at the end, one state on the way
// is kept for each.

// maxStage is how many nodes a stage has at most, maxSends how often something has been
// sent in all of them together (one more at each node where a process goes on and on),
// and maxProduct how many states a state leads to. Beyond that there is no step of
// whole ticks.
const (
	maxStage     = 20_000
	maxSends     = 1 << 19
	maxProduct   = 1 << 17
	maxWitnesses = 64
	maxJudged    = 1 << 12 // where they are judged, and not kept
)

// wholeTickCode is what codes of steps of whole ticks begin with.
const wholeTickCode explore.Code = 0xff << 56

// A stage is what can happen at one process in a phase: a graph whose first node is
// that of the state.
type stage struct {
	nodes []stageNode
	sends int // in all nodes
	edges []stageEdge
	final []int32 // nodes in which the phase can end
	known bool

	stageEnds []stageEnd // of final, where somebody has asked
}

type stageNode struct {
	local  int32
	left   uint64 // which of the messages that were due are still in flight
	sent   int32  // the number of what has been sent
	before int32  // the node from which it was found first, and the event; -1 of the first
	event  int32
}

type stageEdge struct{ from, to, event int32 }

// maxKeptNodes is how many nodes of stages, and things sent at them, are kept before all are
// forgotten.
const maxKeptNodes = 1 << 21

// stages find what can happen at processes in a phase.
type stages struct {
	effects *effects
	start   *start
	flaws   Flaw

	kept  *keptStages
	keyed []byte
	evs   []int32
}

// keptStages remember stages of states in which the same processes are down.
type keptStages struct {
	by   map[string]*stage
	size int // of all: their nodes, and what is sent at them
}

// at returns the stage of a position in its present local state; expiring tells which
// phase it is.
func (st *stages) at(pos int, expiring bool) *stage {
	return st.stageOf(pos, st.start.here[pos], st.start.dueTo(pos), expiring)
}

// stageOf returns the stage of a position in a local state to which some events are due.
func (st *stages) stageOf(pos int, local int32, due []int32, expiring bool) *stage {
	phase := byte(0)
	if expiring {
		phase = 1
	}
	key := appendNumbers(appendNumbers(append(st.keyed[:0], phase, byte(pos)), local), due...)
	st.keyed = key
	if s := st.kept.by[string(key)]; s != nil && st.flaws&Forgetful == 0 {
		return s
	}
	s := st.newStage(pos, local, due, expiring)
	size := 1 + len(s.nodes) + s.sends
	if st.kept.size += size; st.kept.size > maxKeptNodes || st.kept.by == nil {
		*st.kept = keptStages{by: map[string]*stage{}, size: size}
	}
	st.kept.by[string(key)] = s
	return s
}

// newStage returns a stage that is not kept.
func (st *stages) newStage(pos int, local int32, due []int32, expiring bool) *stage {
	s := &stage{known: true}
	if len(due) > 64 || !st.findNodes(s, pos, local, slices.Clone(due), expiring) {
		return &stage{} // what was found of it is of no use
	}
	return s
}

func appendNumbers(b []byte, numbers ...int32) []byte {
	for _, x := range numbers {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

// findNodes finds all nodes of a stage. It reports false if they are too many or
// something is not foreseen.
func (st *stages) findNodes(s *stage, pos int, local int32, due []int32, expiring bool) bool {
	up, ticks := st.start.up>>pos&1 != 0, -1
	if expiring {
		ticks = 0
	}
	known := map[nodeKey]int32{}
	st.add(s, known, stageNode{local: local, left: 1<<len(due) - 1, before: -1})
	for i := int32(0); int(i) < len(s.nodes); i++ {
		if len(s.nodes) > maxStage || s.sends > maxSends {
			return false
		}
		n := s.nodes[i]
		for k, ev := range due {
			if n.left>>k&1 == 0 || st.waitsIn(due, n.left, k) {
				continue
			}
			next := n
			next.left &^= 1 << k
			if up && !st.happen(&next, ev) {
				return false
			}
			st.link(s, known, i, next, ev)
		}
		if up {
			st.evs = st.effects.own(n.local, ticks, st.evs[:0])
			for _, ev := range st.evs {
				next := n
				if !st.happen(&next, ev) {
					return false
				}
				st.link(s, known, i, next, ev)
			}
		}
		if n.left == 0 && (!expiring || !up || !slices.Contains(st.effects.locals[n.local].timers, 1)) {
			s.final = append(s.final, i)
		}
	}
	return true
}

// waitsIn reports whether another message of those that are left comes before
// message k: an equal one or, on FIFO channels, one on its link.
func (st *stages) waitsIn(due []int32, left uint64, k int) bool {
	for j := range k {
		if left>>j&1 != 0 && (due[j] == due[k] || st.effects.fifo && st.effects.port(due[j]) == st.effects.port(due[k])) {
			return true
		}
	}
	return false
}

// happen has an event happen at a node. It reports false where it is not foreseen.
func (st *stages) happen(n *stageNode, ev int32) bool {
	r := st.effects.of(n.local, ev)
	if r.bad {
		return false
	}
	n.local, n.sent = r.next, st.effects.join(n.sent, r.sent)
	return true
}

// link adds an edge, and the node to which it leads if that is new.
func (st *stages) link(s *stage, known map[nodeKey]int32, from int32, n stageNode, ev int32) {
	n.before, n.event = from, ev
	if to := st.add(s, known, n); to != from {
		s.edges = append(s.edges, stageEdge{from, to, ev})
	}
}

// A nodeKey tells one node of a stage from another.
type nodeKey struct {
	left        uint64
	local, sent int32
}

func (st *stages) add(s *stage, known map[nodeKey]int32, n stageNode) int32 {
	key := nodeKey{n.left, n.local, n.sent}
	if i, ok := known[key]; ok {
		return i
	}
	i := int32(len(s.nodes))
	known[key] = i
	s.nodes = append(s.nodes, n)
	s.sends += len(st.effects.mailings.lists[n.sent])
	return i
}

// reporting returns the nodes to which a report leads that cannot be put off: of the
// runs to them, one whose last event but one does not commute with the report, or is the
// same report, which nobody makes after the restart.
func (s *stage) reporting(report int32, flaws Flaw) (nodes []int32) {
	by := map[[2]int32]int32{}
	into := make([][]stageEdge, len(s.nodes))
	for _, e := range s.edges {
		by[[2]int32{e.from, e.event}] = e.to
		into[e.to] = append(into[e.to], e)
	}
	for _, e := range s.edges {
		if e.event != report || slices.Contains(nodes, e.to) {
			continue
		}
		needed := e.from == 0
		for _, d := range into[e.from] {
			other, ok := by[[2]int32{d.from, report}]
			if ok = ok && (d.event != report || flaws&FlawTwice != 0); ok {
				var last int32
				last, ok = by[[2]int32{other, d.event}]
				ok = ok && last == e.to
			}
			needed = needed || !ok
		}
		if needed {
			nodes = append(nodes, e.to)
		}
	}
	return nodes
}

// A wholeTick is a step of whole ticks out of a state.
type wholeTick struct {
	*tables
	stages   []*stage // by position
	expiring bool
	bits     []int // which of the due messages of its receiver a message is, by message; -1 if it is not due
	at       []int32
	count    uint32
	mid      []byte
	found    explore.Successors
	crashed  []stageNode

	want    uint32 // the ordinal of a successor whose way is asked for
	way     []explored
	targets []target // by position

	product // of quickEnds
}

// An explored action is one on the way of a whole tick.
type explored struct {
	kind    Kind
	pos     int
	event   Event
	outcome int // which of the outcomes of a fault, from 0
}

// wholeTickPhase reports whether steps of whole ticks are made in the state that has been
// decoded, and which phase it is in.
func (x *Reducer) wholeTickPhase() (expiring, ok bool) {
	if x.foresight.kinds&WholeTicks == 0 || x.up|x.down != 1<<x.N-1 {
		return false, false
	}
	const crashes, restarts = 1 << layout.BudgetCrashes, 1 << layout.BudgetRestarts
	s, left := &x.Setting, x.BudgetsLeft(x.state)
	if left&^(crashes|restarts) != 0 || s.MidSend && left&crashes != 0 || (s.MailDownLost || s.MailOldLost) && left&restarts != 0 {
		return false, false
	}
	for i := x.DueOff; i < len(x.area); i += x.Width {
		if x.area[i] == 0 {
			return false, true
		}
	}
	return true, x.lasts(x.state)
}

// wholeTick expands the state that has been decoded by steps of whole ticks. It reports
// false where there are none.
func (x *Reducer) wholeTick(out *explore.Successors) bool {
	f, t := &x.foresight, &x.tick
	var ok bool
	if t.expiring, ok = x.wholeTickPhase(); !ok {
		return false
	}
	x.startFrom(x.state, x.down, x.unreachable, x.up, faultsLeft{})
	t.tables, t.stages, t.at = f.tables, t.stages[:0], t.at[:0]
	for pos := range x.N {
		s := f.stages.at(pos, t.expiring)
		if !s.known {
			return false
		}
		t.stages, t.at = append(t.stages, s), append(t.at, 0)
	}
	seen := [MaxID]int{}
	t.bits = t.bits[:0]
	for i := range f.start.mail {
		bit := -1
		if m := &f.start.mail[i]; m.due == 0 {
			bit = seen[m.to]
			seen[m.to]++
		}
		t.bits = append(t.bits, bit)
	}
	calm, limit := x.mayStandFor() && x.Calm(x.state), maxWitnesses
	if calm {
		limit = maxJudged
	}
	witnesses, ok := x.witnesses(limit, calm && x.r.Flaws&FlawEnds == 0)
	total := 1
	for _, s := range t.stages {
		total *= len(s.final)
		ok = ok && total <= maxProduct
	}
	before, ok2 := x.beforeRestarts()
	if !ok || !ok2 {
		return false
	}
	t.count = 0
	if !x.quickEnds(out) {
		x.ends(out)
	}
	for _, at := range witnesses {
		copy(t.at, at)
		if calm {
			x.judgeAt(out)
		} else {
			x.appendEnd(out, false)
		}
	}
	x.tickToCrashes(out)
	for _, b := range before {
		x.tickToRestarts(out, b)
	}
	return true
}

// ends appends the states at the end of the phase.
func (x *Reducer) ends(out *explore.Successors) {
	t := &x.tick
	var product func(pos int, due bool)
	product = func(pos int, due bool) {
		if pos == len(t.stages) {
			x.appendEnd(out, !due)
			return
		}
		s := t.stages[pos]
		for _, i := range s.final {
			t.at[pos] = i
			product(pos+1, due || !t.expiring && x.isDue(t.locals[s.nodes[i].local]))
		}
	}
	product(0, false)
	clear(t.at)
}

// isDue reports whether a timer is due in a local state.
func (x *Reducer) isDue(l *local) bool {
	return slices.Contains(l.timers, 1)
}

// land appends the state of the nodes at which the processes are, after a tick if one
// is asked for and possible.
func (x *Reducer) appendEnd(out *explore.Successors, tick bool) {
	t := &x.tick
	b := out.Begin()
	base := len(b)
	b = x.compose(b)
	tick = tick && x.lasts(b[base:])
	if tick {
		x.Pass(b[base:])
	}
	x.note(explored{kind: Ticks, pos: -1}, tick)
	if x.normal != nil {
		b = x.normal(b, base)
	}
	t.count++
	out.End(b, wholeTickCode|explore.Code(t.count))
}

// lasts reports whether a state has something for which time passes.
func (x *Reducer) lasts(state []byte) bool {
	if len(state) > x.MsgOff {
		return true
	}
	for pos := range x.N {
		for _, t := range x.TimersOf(state, pos) {
			if t != 0 {
				return true
			}
		}
	}
	return false
}

// compose appends the state in which the processes are at their nodes.
func (x *Reducer) compose(b []byte) []byte {
	t := &x.tick
	base := len(b)
	b = append(b, x.state[:x.MsgOff]...)
	x.recs = x.recs[:0]
	for pos, s := range t.stages {
		n := &s.nodes[t.at[pos]]
		if t.at[pos] == 0 || x.up>>pos&1 == 0 {
			continue
		}
		x.putLocal(b[base:], pos, t.locals[n.local])
		for _, m := range t.mailings.lists[n.sent] {
			at := len(x.recs)
			x.recs = append(x.recs, x.Zeros[:x.Width]...)
			rec := x.recs[at:]
			rec[0] = byte(m.to)
			copy(rec[1:], t.events[m.event].Message)
			rec[x.DueOff] = byte(x.Bound)
			x.Insert(x.recs, at)
		}
	}
	x.filtered = x.filtered[:0]
	for i, bit := range t.bits {
		rec := x.record(i)
		if to := int(rec[0]); bit < 0 || t.stages[to].nodes[t.at[to]].left>>bit&1 != 0 {
			x.filtered = append(x.filtered, rec...)
		}
	}
	return x.Merge(b, x.recs, x.filtered, -1, 0)
}

// putLocal puts a process in a local state into a state.
func (x *Reducer) putLocal(state []byte, pos int, to *local) {
	copy(x.Proc(state, pos), to.key[:x.ProcSize])
	if x.PendingOff >= 0 && to.key[x.ProcSize] == 0 {
		x.PutPositions(state, x.PendingOff, x.Positions(state, x.PendingOff)&^(1<<pos))
	}
}

// witnesses returns the nodes of states that have values of what is read which those
// that are kept do not have: those at the end, and the state itself. Where another state
// may stand for one at the end, only the state itself is kept. It reports false where
// they are too many.
func (x *Reducer) witnesses(limit int, only bool) (list [][]int32, ok bool) {
	t := &x.tick
	if x.r.Flaws&FlawWitness != 0 {
		return nil, true
	}
	all, count := false, 1
	first := make([][]int32, len(t.stages)) // nodes, one for each value, those that are kept first
	kept := make([]int, len(t.stages))      // how many values those that are kept have
	for pos, s := range t.stages {
		var together []uint64
		var alone []uint32
		keeps := s.final
		if only {
			keeps = []int32{0}
		}
		together, first[pos] = x.values(s, keeps)
		kept[pos] = len(together)
		alone = append(alone, t.locals[s.nodes[0].local].alone)
		for _, i := range keeps {
			alone = append(alone, t.locals[s.nodes[i].local].alone)
		}
		for i := range s.nodes {
			n := t.locals[s.nodes[i].local]
			if !slices.Contains(alone, n.alone) {
				at := make([]int32, len(t.stages))
				at[pos] = int32(i)
				list, alone = append(list, at), append(alone, n.alone)
			}
			if !slices.Contains(together, n.together) {
				together, first[pos] = append(together, n.together), append(first[pos], int32(i))
			}
		}
		all = all || len(together) > kept[pos]
		count *= len(together)
		if count > limit && all {
			return nil, false
		}
	}
	if !all {
		return list, true
	}
	if count > limit {
		return nil, false
	}
	at := make([]int, len(t.stages))
	for range count {
		inner := false
		nodes := make([]int32, len(at))
		for pos := range at {
			nodes[pos] = first[pos][at[pos]]
			inner = inner || at[pos] >= kept[pos]
		}
		if inner {
			list = append(list, nodes)
		}
		for pos := range at {
			if at[pos]++; at[pos] < len(first[pos]) {
				break
			}
			at[pos] = 0
		}
	}
	return list, true
}

// values returns the values of what is read together at some nodes, and for each one of
// the nodes.
func (x *Reducer) values(s *stage, among []int32) (values []uint64, nodes []int32) {
	for _, i := range among {
		if v := x.tick.locals[s.nodes[i].local].together; !slices.Contains(values, v) {
			values, nodes = append(values, v), append(nodes, i)
		}
	}
	return values, nodes
}

// tickToCrashes appends the states after the crash of a process which alone has acted
// before it.
func (x *Reducer) tickToCrashes(out *explore.Successors) {
	t := &x.tick
	if x.Left(x.state, layout.BudgetCrashes) == 0 {
		return
	}
	if x.r.Flaws&FlawAlone == 0 {
		clear(t.at) // where a state on the way has been put together
	}
	restarts := x.Left(x.state, layout.BudgetRestarts) > 0
	for pos := range x.N {
		if x.up>>pos&1 == 0 || !x.mayCrash(pos) {
			continue
		}
		t.crashed = t.crashed[:0]
		for i, n := range t.stages[pos].nodes {
			if !restarts {
				n.left = 0
			}
			if !restarts || !x.Stable {
				n.local = 0
			}
			if x.r.Flaws&FlawPrefix != 0 && i > 0 || slices.ContainsFunc(t.crashed, func(m stageNode) bool {
				return m.local == n.local && m.left == n.left && m.sent == n.sent
			}) {
				continue
			}
			t.crashed = append(t.crashed, n)
			t.at[pos] = int32(i)
			x.fault(out, Crashes, pos)
		}
		t.at[pos] = 0
	}
}

// A beforeRestart has the nodes at which the processes can be when one restarts.
type beforeRestart struct {
	pos   int
	nodes [][]int32
}

// beforeRestarts returns that for each process that can restart. It reports false
// where there are too many.
func (x *Reducer) beforeRestarts() (list []beforeRestart, ok bool) {
	t := &x.tick
	if x.Left(x.state, layout.BudgetRestarts) == 0 {
		return nil, true
	}
	for pos := range x.N {
		if x.down>>pos&1 == 0 {
			continue
		}
		b, count := beforeRestart{pos: pos}, 1
		report, reported := t.others[Event{Kind: Suspects, Who: x.ids[pos]}]
		for q, s := range t.stages {
			nodes := []int32{0}
			switch {
			case q == pos && x.r.Flaws&FlawKept == 0:
				nodes = nodes[:0]
				for i := range s.nodes {
					nodes = append(nodes, int32(i))
				}
			case q != pos && x.up>>q&1 != 0 && reported && x.r.Flaws&FlawHeard == 0:
				nodes = append(nodes, s.reporting(report, x.r.Flaws)...)
			}
			b.nodes = append(b.nodes, nodes)
			if count *= len(nodes); count > maxProduct {
				return nil, false
			}
		}
		list = append(list, b)
	}
	return list, true
}

// tickToRestarts appends the states after a restart.
func (x *Reducer) tickToRestarts(out *explore.Successors, b beforeRestart) {
	t := &x.tick
	var product func(pos int)
	product = func(pos int) {
		if pos == len(b.nodes) {
			x.fault(out, Restarts, b.pos)
			return
		}
		for _, i := range b.nodes[pos] {
			t.at[pos] = i
			product(pos + 1)
		}
	}
	product(0)
	clear(t.at)
}

// fault appends the states after a fault at the nodes at which the processes are.
func (x *Reducer) fault(out *explore.Successors, kind Kind, pos int) {
	t := &x.tick
	t.mid = x.compose(t.mid[:0])
	t.found.Reset()
	x.world.Fault(t.mid, kind, pos, &t.found)
	for i := range t.found.Len() {
		x.note(explored{kind: kind, pos: pos, outcome: i}, true)
		t.count++
		b := out.Begin()
		base := len(b)
		b = append(b, t.found.State(i)...)
		if x.normal != nil {
			b = x.normal(b, base)
		}
		out.End(b, wholeTickCode|explore.Code(t.count))
	}
}

// note notes the way to the next successor, if it is asked for.
func (x *Reducer) note(last explored, happens bool) {
	t := &x.tick
	if t.want != t.count+1 {
		return
	}
	t.targets = t.targets[:0]
	for pos, s := range t.stages {
		t.way = append(t.way, t.wayTo(s, pos, t.at[pos], x.up)...)
		t.targets = append(t.targets, x.targetOf(&s.nodes[t.at[pos]]))
	}
	if happens {
		t.way = append(t.way, last)
	}
}

// wayTo returns the actions on the way to a node of a stage.
func (t *wholeTick) wayTo(s *stage, pos int, node int32, up Set) (way []explored) {
	for i := node; i > 0; i = s.nodes[i].before {
		step := explored{pos: pos, event: t.events[s.nodes[i].event]}
		if step.kind = step.event.Kind; up>>pos&1 == 0 {
			step.kind = Drops
		}
		way = append(way, step)
	}
	slices.Reverse(way)
	return way
}

// A target is the local state to which a process comes in a step of whole ticks.
type target struct {
	key      string // its local state
	together uint64
	alone    uint32
	sends    []string // by receiver, then on FIFO channels as they are sent, else sorted
}

func (x *Reducer) targetOf(n *stageNode) target {
	t := &x.tick
	at := t.locals[n.local]
	a := target{at.key, at.together, at.alone, nil}
	for _, m := range t.mailings.lists[n.sent] {
		a.sends = append(a.sends, string([]byte{byte(m.to)})+t.events[m.event].Message)
	}
	if !x.Setting.FIFO || x.r.Flaws&FlawOrder != 0 {
		slices.Sort(a.sends)
	}
	return a
}

// wayOf returns the actions of a step of whole ticks out of a state; t.targets are where it
// leads.
func (x *Reducer) wayOf(state []byte, code explore.Code) []explored {
	t := &x.tick
	t.want, t.way = uint32(code), []explored{}
	defer func() { t.want = 0 }()
	x.look(state)
	if !x.wholeTick(new(explore.Successors)) {
		return nil
	}
	return t.way
}
