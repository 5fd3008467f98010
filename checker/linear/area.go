package linear

import (
	"cmp"
	"encoding/binary"
	"slices"

	"bullyproof/model"
)

// An area is the part of a state that belongs to clients, the store and what
// coordinators hold of it. Its encoding stands behind that of the system's state.
type area struct {
	initial byte // of the history
	began   [maxClients]byte
	pending [maxClients]pending
	held    [maxClients]bool // the lock was given to the client, and not given back

	value, fence byte // of the store
	sessions     [model.MaxID]session
	late         []pending // on the way to the store from who answers no more, sorted

	events []event // the history, in canonical order
}

// A session is what a coordinator holds between taking over and believing itself
// coordinator no longer.
type session struct {
	open        bool
	copy, token byte
}

// A pending operation is on its way from a coordinator to the store: what the
// store will hold, and by whose token. No operation has none of a client.
type pending struct{ op, via, value, token byte }

func (p pending) compare(q pending) int {
	return cmp.Or(cmp.Compare(p.op, q.op), cmp.Compare(p.value, q.value), cmp.Compare(p.token, q.token))
}

// An event is an element of the history. An operation that takes effect in one
// step is a whole; one that takes two has a begin and an end.
type event struct {
	op     byte
	client byte
	part   part
	value  byte
	token  byte
}

const eventBytes = 5

// A part says which end of an operation an event is.
type part byte

const (
	whole   part = iota
	refusal      // an Acquire that was answered "it is taken"
	begin
	end
)

// clone returns a copy of a.
func (a *area) clone() *area {
	b := *a
	b.events, b.late = slices.Clone(a.events), slices.Clone(a.late)
	return &b
}

// layout is what an area's encoding depends on.
type layout struct {
	n, clients int
	store      bool
}

// appendTo appends the encoding of an area, its length behind it.
func (l *layout) appendTo(b []byte, a *area) []byte {
	from := len(b)
	b = append(b, a.initial)
	for c := range l.clients {
		b = append(b, a.began[c])
		if l.store {
			p := &a.pending[c]
			b = append(b, p.op, p.via, p.value, p.token, flag(a.held[c]))
		}
	}
	if l.store {
		b = append(b, a.value, a.fence)
		for _, s := range a.sessions[:l.n] {
			b = append(b, flag(s.open), s.copy, s.token)
		}
		b = append(b, byte(len(a.late)))
		for _, p := range a.late {
			b = append(b, p.op, p.value, p.token)
		}
	}
	b = a.appendEvents(b)
	return binary.LittleEndian.AppendUint16(b, uint16(len(b)-from))
}

// appendEvents appends the encoding of the history.
func (a *area) appendEvents(b []byte) []byte {
	for _, e := range a.events {
		b = append(b, e.op, e.client, byte(e.part), e.value, e.token)
	}
	return b
}

// split returns a state of the system and the area behind it, decoded.
func (l *layout) split(b []byte) ([]byte, *area) {
	size := int(binary.LittleEndian.Uint16(b[len(b)-2:]))
	at := b[len(b)-2-size : len(b)-2]
	state := b[:len(b)-2-size]
	next := func() byte {
		v := at[0]
		at = at[1:]
		return v
	}
	a := &area{initial: next()}
	for c := range l.clients {
		a.began[c] = next()
		if l.store {
			a.pending[c] = pending{op: next(), via: next(), value: next(), token: next()}
			a.held[c] = next() != 0
		}
	}
	if l.store {
		a.value, a.fence = next(), next()
		for i := range a.sessions[:l.n] {
			a.sessions[i] = session{open: next() != 0, copy: next(), token: next()}
		}
		a.late = make([]pending, next())
		for i := range a.late {
			a.late[i] = pending{op: next(), value: next(), token: next()}
		}
	}
	for len(at) > 0 {
		a.events = append(a.events, event{at[0], at[1], part(at[2]), at[3], at[4]})
		at = at[eventBytes:]
	}
	return state, a
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// elected notes that a process has come to believe itself coordinator. Elections
// between two questions have no order among each other, and of those of one
// process there are no more than questions to come: others cannot be told from
// those.
func (a *area) elected(id model.ID, questions int) {
	e := event{op: byte(Elect), value: byte(id)}
	from := len(a.events)
	same := 0
	for from > 0 && a.events[from-1].op == byte(Elect) {
		from--
		if a.events[from] == e {
			same++
		}
	}
	if same >= questions {
		return
	}
	at := from
	for at < len(a.events) && a.events[at].value <= e.value {
		at++
	}
	a.events = slices.Insert(a.events, at, e)
}

// rank makes tokens as low as they can be without another order, where only their
// order matters: those that the store gives out.
func (a *area) rank(n int) {
	var places []*byte
	add := func(t *byte) {
		if *t > 0 {
			places = append(places, t)
		}
	}
	add(&a.fence)
	for i := range a.sessions[:n] {
		add(&a.sessions[i].token)
	}
	for c := range a.pending {
		add(&a.pending[c].token)
	}
	for i := range a.late {
		add(&a.late[i].token)
	}
	for i := range a.events {
		add(&a.events[i].token)
	}
	slices.SortFunc(places, func(x, y *byte) int { return cmp.Compare(*x, *y) })
	last, ranked := byte(0), byte(0)
	for _, t := range places {
		if *t != last {
			last = *t
			ranked++
		}
		*t = ranked
	}
}

// history returns the events as a history, with a unit of time from each to the
// next.
func (a *area) history(s *Spec) *History {
	h := &History{Spec: s, Initial: uint64(a.initial)}
	open := map[byte]int{} // of each client the operation that has begun
	for i, e := range a.events {
		now := int64(2 * i)
		o := Operation{Client: int(e.client), Op: Op(e.op), Value: uint64(e.value), Token: uint64(e.token), Call: now, Return: now + 1}
		switch e.part {
		case whole:
			o.OK = true
			o.Pending = o.Op == Elect
		case begin:
			o.Pending, o.Token = true, 0
			open[e.client] = len(h.Operations)
		case end:
			p := &h.Operations[open[e.client]]
			p.Pending, p.OK, p.Token, p.Return = false, true, o.Token, now
			continue
		}
		h.Operations = append(h.Operations, o)
	}
	return h
}
