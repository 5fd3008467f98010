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

// A landing is an end of a stage, after a tick.
type landing struct {
	due, lasts bool    // a timer is due; one is set, or a message is sent
	local      int32   // after the tick
	to         []int32 // by receiver, the number of what is sent to it
}

// A gathering is what the processes can be in the next phase.
type gathering struct {
	choices  [][]landing  // by position
	waiting  [MaxID]int32 // by receiver, the number of what has been sent in the phase before
	anyWaits bool         // whether there is any of that

	arrivals [MaxID][]*ready   // by receiver, for all that it and the senders can choose
	parts    [MaxID][]int      // by sender, for each choice and receiver, what it adds to
	where    [MaxID]int        // the places of the arrivals of what is chosen
	head     int32             // the number of what the state has beside processes and messages
	step     uint64            // the number of the step of whole ticks
	distinct [MaxID][]*landing // by sender, what differs to a receiver
	sent     []int32
	key      []byte
}

// maxReady is how many ready processes, or ends, are kept before all are forgotten.
const maxReady = 1 << 17

// landings returns the ends of a stage as they are after a tick.
func (x *Reducer) landings(pos int, s *stage) []landing {
	if s.landings != nil {
		return s.landings
	}
	f := &x.fore
	for _, i := range s.final {
		n := &s.nodes[i]
		l := landing{due: x.isDue(f.locals[n.local]), lasts: n.sent != 0}
		for _, t := range f.locals[n.local].timers {
			l.lasts = l.lasts || t > 0
		}
		if !l.due {
			l.local = x.aged(pos, n.local)
		}
		for to := range f.n {
			var events []int32
			for _, m := range f.mailings.lists[n.sent] {
				if int(m.to) == to {
					events = append(events, m.event)
				}
			}
			l.to = append(l.to, f.shipment(events))
		}
		s.landings = append(s.landings, l)
	}
	return s.landings
}

// aged returns a local state after a tick.
func (x *Reducer) aged(pos int, local int32) int32 {
	f := &x.fore
	if y, ok := f.shipments.aged[local]; ok {
		return y
	}
	key := []byte(f.locals[local].key)
	if f.up>>pos&1 != 0 {
		for t := range x.Timers {
			if at := &key[x.TimerOff+t*x.TimerLen]; *at > 1 {
				*at--
			}
		}
	}
	y := f.localOf(pos, key)
	if f.shipments.aged == nil {
		f.shipments.aged = map[int32]int32{}
	}
	f.shipments.aged[local] = y
	return y
}

// shipment returns the number of what is sent.
func (f *foresight) shipment(events []int32) int32 {
	s, key := &f.shipments, appendNumbers(nil, events...)
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
	f, l := &x.fore, &x.jump
	l.key = appendNumbers(appendNumbers(append(l.key[:0], byte(pos)), local), shipments...)
	if r := f.shipments.ready[string(l.key)]; r != nil {
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
		due = append(due, f.message(rec[1:x.DueOff]))
	}
	r := &ready{likeness: f.likenessOf(pos, local, due)}
	r.proc = []byte(f.locals[r.local].key)[:x.ProcSize]
	for _, ev := range r.likeness.events {
		r.records = x.putDue(r.records, pos, ev)
	}
	what := string(slices.Concat([]byte{byte(pos)}, r.proc, r.records))
	if same := f.shipments.same[what]; same != nil {
		r = same
	} else {
		r.number = int32(len(f.shipments.same))
	}
	f.shipments.same[what], f.shipments.ready[string(l.key)] = r, r
	return r
}

// gather finds what each process can be in the next phase, given the choices.
func (x *Reducer) gather() {
	f, l := &x.fore, &x.jump
	s := &f.shipments
	if s.ready == nil || len(s.ready) > maxReady || len(s.joint) > maxReady {
		s.ready, s.same, s.joint = map[string]*ready{}, map[string]*ready{}, map[string]*joint{}
		s.heads, s.states = map[string]int32{}, map[string]*joint{}
	}
	head := slices.Clone(x.state[:x.MsgOff])
	for to := range f.n {
		clear(x.Proc(head, to))
		count := 1
		for from, choices := range l.choices {
			l.parts[from] = slices.Grow(l.parts[from][:0], f.n*len(choices))[:f.n*len(choices)]
			count *= l.differ(from, to, count)
		}
		l.arrivals[to] = l.arrivals[to][:0]
		for where := range count {
			l.arrivals[to] = append(l.arrivals[to], x.arrivalAt(to, where))
		}
	}
	if _, ok := s.heads[string(head)]; !ok {
		s.heads[string(head)] = int32(len(s.heads))
	}
	l.head = s.heads[string(head)]
	l.step++
}

// differ finds those choices of a sender after which a receiver is not the same, and
// what each choice adds to the place of an arrival. It returns how many there are.
func (g *gathering) differ(from, to, stride int) int {
	choices := g.choices[from]
	list, n := g.distinct[from][:0], len(g.choices)
	for i := range choices {
		c := &choices[i]
		if c.due {
			continue
		}
		k := slices.IndexFunc(list, func(o *landing) bool {
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
	l := &x.jump
	local := int32(0)
	l.sent = l.sent[:0]
	for from := range l.choices {
		list := l.distinct[from]
		c := list[where%len(list)]
		where /= len(list)
		l.sent = append(l.sent, c.to[to])
		if from == to {
			local = c.local
		}
	}
	l.sent = append(l.sent, l.waiting[to])
	return x.readyAt(to, local, l.sent)
}

// choose has a process make a choice, or with -1 take it back.
func (g *gathering) choose(from, choice, times int) {
	n := len(g.choices)
	for to, part := range g.parts[from][choice*n : choice*n+n] {
		g.where[to] += times * part
	}
}

// quickEnds appends the states at the end of the phase. It reports false where they
// have to be composed one by one.
func (x *Reducer) quickEnds(out *explore.Successors) bool {
	f, l := &x.fore, &x.jump
	if !x.likens() || !x.Calm(x.state) || f.fifo || x.PendingOff >= 0 || x.DueOff+1 != x.Width || x.r.Flaws&Forgetful != 0 {
		return false
	}
	for pos := range f.n {
		var waiting []int32 // sent in the phase before
		for i := range f.mail {
			m := &f.mail[i]
			switch {
			case m.due > 1:
				return false
			case m.due == 1 && m.to == pos:
				waiting = append(waiting, m.event)
			}
		}
		l.waiting[pos] = f.shipment(waiting)
	}
	l.choices = l.choices[:0]
	for pos, s := range l.stages {
		l.choices = append(l.choices, x.landings(pos, s))
	}
	l.anyWaits = slices.ContainsFunc(f.mail, func(m flying) bool { return m.due == 1 })
	x.gather()
	x.quickEnd(out, 0, false, false)
	clear(l.at)
	return true
}

// quickEnd appends the product from a position on.
func (x *Reducer) quickEnd(out *explore.Successors, pos int, due, lasts bool) {
	l := &x.jump
	if pos == len(l.choices) {
		if due || !lasts && !l.anyWaits || !x.quickLand(out) {
			x.land(out, !due)
		}
		return
	}
	for i := range l.choices[pos] {
		c := &l.choices[pos][i]
		l.at[pos] = l.stages[pos].final[i]
		if !due && !c.due {
			l.choose(pos, i, 1)
		}
		x.quickEnd(out, pos+1, due || c.due, lasts || c.lasts)
		if !due && !c.due {
			l.choose(pos, i, -1)
		}
	}
}

// quickLand appends the state after a tick, unless another end of the phase has led to
// it. It reports false where the state is to be composed.
func (x *Reducer) quickLand(out *explore.Successors) bool {
	f, l := &x.fore, &x.jump
	l.key = appendNumbers(l.key[:0], l.head)
	for to := range l.choices {
		l.key = appendNumbers(l.key, l.arrived(to).number)
	}
	f.tables, f.up = l.tables, x.up
	to, ok := f.shipments.joint[string(l.key)]
	if !ok {
		to = x.jointState()
	}
	if to == nil {
		return false
	}
	if to.step != l.step {
		to.step = l.step
		x.note(explored{kind: Ticks, pos: -1}, true)
		l.count++
		out.End(append(out.Begin(), to.state...), leapCode|explore.Code(l.count))
	}
	return true
}

// jointState returns the normal form of the state in which the processes have arrived, nil
// where that is to be composed.
func (x *Reducer) jointState() (j *joint) {
	l, s := &x.jump, &x.fore.shipments
	key := string(l.key)
	if l.known() {
		state := slices.Clone(x.state[:x.MsgOff])
		for to := range l.choices {
			r := l.arrived(to)
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
func (g *gathering) arrived(to int) *ready { return g.arrivals[to][g.where[to]] }

// known reports whether others may stand for the processes that have arrived: whether
// the state has a step of whole ticks.
func (g *gathering) known() bool {
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
