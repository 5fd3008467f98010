package reduce

import (
	"slices"

	"bullyproof/explore"
)

// The states at the end of a phase in which no fault is left are a product of many, and
// what each process gets in the next one depends on who sends it what. So what stands for
// a process and its mail is looked up by its local state and, for each sender, the number
// of what that one sends to it; and the state of all by the numbers of these.
// TestReducedRemembersRightly holds this against states that are composed and made normal
// one by one.

// shipments number what one process sends to another in a phase.
type shipments struct {
	numbers map[string]int32
	events  [][]int32
	aged    map[int32]int32 // local states after a tick

	ready  map[string]*ready
	same   map[string]*ready // by what they are
	heads  map[string]int32  // numbers of what states have beside processes and messages
	joint  map[string]*joint // by the numbers of a head and of ready processes; nil where they are to be composed
	states map[string]*joint // by what they are
}

// A ready process is what stands for one, with the records of what is due to it.
type ready struct {
	*likeness
	number  int32
	proc    []byte
	records []byte
}

// A joint is the state of ready processes, in normal form.
type joint struct {
	state []byte
	step  uint64 // the step of whole ticks that has led to it last
}

// A stageEnd is an end of a stage, after a tick.
type stageEnd struct {
	due, lasts bool    // a timer is due; one is set, or a message is sent
	local      int32   // after the tick
	to         []int32 // by receiver, the number of what is sent to it
}

// A product has the states that the processes can have in the next phase.
type product struct {
	choices  [][]stageEnd // by position
	waiting  [MaxID]int32 // by receiver, the number of what has been sent in the phase before
	anyWaits bool         // whether there is any of that

	arrivals [MaxID][]*ready    // by receiver, for all that it and the senders can choose
	parts    [MaxID][]int       // by sender, for each choice and receiver, what it adds to
	where    [MaxID]int         // the places of the arrivals of what is chosen
	head     int32              // the number of what the state has beside processes and messages
	step     uint64             // the number of the step of whole ticks
	distinct [MaxID][]*stageEnd // by sender, what differs to a receiver
	sent     []int32
	key      []byte
}

// maxReady is how many ready processes, or ends, are kept before all are forgotten.
const maxReady = 1 << 17

// stageEnds returns the ends of a stage as they are after a tick.
func (x *Reducer) stageEnds(pos int, s *stage) []stageEnd {
	if s.stageEnds != nil {
		return s.stageEnds
	}
	f := &x.foresight
	for _, i := range s.final {
		n := &s.nodes[i]
		l := stageEnd{due: x.isDue(f.effects.locals[n.local]), lasts: n.sent != 0}
		for _, t := range f.effects.locals[n.local].timers {
			l.lasts = l.lasts || t > 0
		}
		if !l.due {
			l.local = x.aged(pos, n.local)
		}
		for to := range x.N {
			var events []int32
			for _, m := range f.effects.mailings.lists[n.sent] {
				if int(m.to) == to {
					events = append(events, m.event)
				}
			}
			l.to = append(l.to, f.shipments.number(events))
		}
		s.stageEnds = append(s.stageEnds, l)
	}
	return s.stageEnds
}

// aged returns a local state after a tick.
func (x *Reducer) aged(pos int, local int32) int32 {
	f := &x.foresight
	if y, ok := f.shipments.aged[local]; ok {
		return y
	}
	key := []byte(f.effects.locals[local].key)
	if f.start.up>>pos&1 != 0 {
		for t := range x.Timers {
			if at := &key[x.TimerOff+t*x.TimerLen]; *at > 1 {
				*at--
			}
		}
	}
	y := f.effects.localOf(pos, key)
	if f.shipments.aged == nil {
		f.shipments.aged = map[int32]int32{}
	}
	f.shipments.aged[local] = y
	return y
}

// number returns the number of what is sent.
func (s *shipments) number(events []int32) int32 {
	key := appendNumbers(nil, events...)
	if i, ok := s.numbers[string(key)]; ok {
		return i
	}
	if s.numbers == nil {
		s.numbers = map[string]int32{}
	}
	i := int32(len(s.events))
	s.numbers[string(key)] = i
	s.events = append(s.events, events)
	return i
}

// readyAt returns what stands for a process of a local state that gets some shipments.
func (x *Reducer) readyAt(pos int, local int32, shipments []int32) *ready {
	f, t := &x.foresight, &x.tick
	t.key = appendNumbers(appendNumbers(append(t.key[:0], byte(pos)), local), shipments...)
	if r := f.shipments.ready[string(t.key)]; r != nil {
		return r
	}
	var records [][]byte
	for _, s := range shipments {
		for _, ev := range f.shipments.events[s] {
			records = append(records, x.putDue(nil, pos, ev))
		}
	}
	x.Sort(records)
	var due []int32
	for _, rec := range records {
		due = append(due, f.effects.message(rec[1:x.DueOff]))
	}
	r := &ready{likeness: f.prospects.likenessOf(pos, local, due)}
	r.proc = []byte(f.effects.locals[r.local].key)[:x.ProcSize]
	for _, ev := range r.likeness.events {
		r.records = x.putDue(r.records, pos, ev)
	}
	what := string(slices.Concat([]byte{byte(pos)}, r.proc, r.records))
	if same := f.shipments.same[what]; same != nil {
		r = same
	} else {
		r.number = int32(len(f.shipments.same))
	}
	f.shipments.same[what], f.shipments.ready[string(t.key)] = r, r
	return r
}

// gather finds what each process can be in the next phase, given the choices.
func (x *Reducer) gather() {
	f, t := &x.foresight, &x.tick
	s := f.shipments
	if s.ready == nil || len(s.ready) > maxReady || len(s.joint) > maxReady {
		s.ready, s.same, s.joint = map[string]*ready{}, map[string]*ready{}, map[string]*joint{}
		s.heads, s.states = map[string]int32{}, map[string]*joint{}
	}
	head := slices.Clone(x.state[:x.MsgOff])
	for to := range x.N {
		clear(x.Proc(head, to))
		count := 1
		for from, choices := range t.choices {
			t.parts[from] = slices.Grow(t.parts[from][:0], x.N*len(choices))[:x.N*len(choices)]
			count *= t.differ(from, to, count)
		}
		t.arrivals[to] = t.arrivals[to][:0]
		for where := range count {
			t.arrivals[to] = append(t.arrivals[to], x.arrivalAt(to, where))
		}
	}
	if _, ok := s.heads[string(head)]; !ok {
		s.heads[string(head)] = int32(len(s.heads))
	}
	t.head = s.heads[string(head)]
	t.step++
}

// differ finds those choices of a sender after which a receiver is not the same, and
// what each choice adds to the place of an arrival. It returns how many there are.
func (g *product) differ(from, to, stride int) int {
	choices := g.choices[from]
	list, n := g.distinct[from][:0], len(g.choices)
	for i := range choices {
		c := &choices[i]
		if c.due {
			continue
		}
		k := slices.IndexFunc(list, func(o *stageEnd) bool {
			return o.to[to] == c.to[to] && (from != to || o.local == c.local)
		})
		if k < 0 {
			k, list = len(list), append(list, c)
		}
		g.parts[from][i*n+to] = k * stride
	}
	g.distinct[from] = list
	return len(list)
}

// arrivalAt returns what a receiver is after the choices that have that place.
func (x *Reducer) arrivalAt(to, where int) *ready {
	t := &x.tick
	local := int32(0)
	t.sent = t.sent[:0]
	for from := range t.choices {
		list := t.distinct[from]
		c := list[where%len(list)]
		where /= len(list)
		t.sent = append(t.sent, c.to[to])
		if from == to {
			local = c.local
		}
	}
	t.sent = append(t.sent, t.waiting[to])
	return x.readyAt(to, local, t.sent)
}

// choose has a process make a choice, or with -1 take it back.
func (g *product) choose(from, choice, times int) {
	n := len(g.choices)
	for to, part := range g.parts[from][choice*n : choice*n+n] {
		g.where[to] += times * part
	}
}

// quickEnds appends the states at the end of the phase. It reports false where they
// have to be composed one by one.
func (x *Reducer) quickEnds(out *explore.Successors) bool {
	f, t := &x.foresight, &x.tick
	if !x.mayStandFor() || !x.Calm(x.state) || x.Setting.FIFO || x.PendingOff >= 0 || x.DueOff+1 != x.Width || x.r.Flaws&Forgetful != 0 {
		return false
	}
	for pos := range x.N {
		var waiting []int32 // sent in the phase before
		for i := range f.start.mail {
			m := &f.start.mail[i]
			switch {
			case m.due > 1:
				return false
			case m.due == 1 && m.to == pos:
				waiting = append(waiting, m.event)
			}
		}
		t.waiting[pos] = f.shipments.number(waiting)
	}
	t.choices = t.choices[:0]
	for pos, s := range t.stages {
		t.choices = append(t.choices, x.stageEnds(pos, s))
	}
	t.anyWaits = slices.ContainsFunc(f.start.mail, func(m inFlight) bool { return m.due == 1 })
	x.gather()
	x.quickEnd(out, 0, false, false)
	clear(t.at)
	return true
}

// quickEnd appends the product from a position on.
func (x *Reducer) quickEnd(out *explore.Successors, pos int, due, lasts bool) {
	t := &x.tick
	if pos == len(t.choices) {
		if due || !lasts && !t.anyWaits || !x.appendQuickEnd(out) {
			x.appendEnd(out, !due)
		}
		return
	}
	for i := range t.choices[pos] {
		c := &t.choices[pos][i]
		t.at[pos] = t.stages[pos].final[i]
		if !due && !c.due {
			t.choose(pos, i, 1)
		}
		x.quickEnd(out, pos+1, due || c.due, lasts || c.lasts)
		if !due && !c.due {
			t.choose(pos, i, -1)
		}
	}
}

// appendQuickEnd appends the state after a tick, unless another end of the phase has led to
// it. It reports false where the state is to be composed.
func (x *Reducer) appendQuickEnd(out *explore.Successors) bool {
	f, t := &x.foresight, &x.tick
	t.key = appendNumbers(t.key[:0], t.head)
	for to := range t.choices {
		t.key = appendNumbers(t.key, t.arrived(to).number)
	}
	f.use(t.tables)
	f.start.up = x.up
	to, ok := f.shipments.joint[string(t.key)]
	if !ok {
		to = x.jointState()
	}
	if to == nil {
		return false
	}
	if to.step != t.step {
		to.step = t.step
		x.note(explored{kind: Ticks, pos: -1}, true)
		t.count++
		out.End(append(out.Begin(), to.state...), wholeTickCode|explore.Code(t.count))
	}
	return true
}

// jointState returns the normal form of the state in which the processes have arrived, nil
// where that is to be composed.
func (x *Reducer) jointState() (j *joint) {
	t, s := &x.tick, x.foresight.shipments
	key := string(t.key)
	if t.known() {
		state := slices.Clone(x.state[:x.MsgOff])
		for to := range t.choices {
			r := t.arrived(to)
			copy(x.Proc(state, to), r.proc)
			state = append(state, r.records...)
		}
		state = x.withoutDead(state, 0)
		if j = s.states[string(state)]; j == nil {
			j = &joint{state: state}
			s.states[string(state)] = j
		}
	}
	s.joint[key] = j
	return j
}

// arrived returns what a process is after what has been chosen.
func (g *product) arrived(to int) *ready { return g.arrivals[to][g.where[to]] }

// known reports whether others may stand for the processes that have arrived: whether
// the state has a step of whole ticks.
func (g *product) known() bool {
	ends, values := 1, 1
	for to := range g.choices {
		r := g.arrived(to)
		if !r.known {
			return false
		}
		if ends, values = ends*r.ends, values*len(r.values); ends > maxProduct || values > maxJudged {
			return false
		}
	}
	return true
}
