package model

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"

	"bullyproof/internal/flat"
	"bullyproof/internal/prose"
	"bullyproof/model/clock"
)

// A Census counts which values there are in states that it is shown: of each field of each
// process, of each field of the messages in flight, of each timer, and how many messages are on
// each link. It says which of these take ever larger values the further states are from the
// initial ones: the search of a system with such a growth may have no end. The fields of a protocol
// that shows something else in place of them (Shown) are not counted: they may be numbers under
// which it keeps states, in the order in which they were found. One goroutine at a time uses a
// Census.
type Census struct {
	w       *world
	fields  [][]*censusRow // of each process, by id
	timers  [][]*censusRow // likewise
	mail    []*censusRow   // fields of messages
	links   []*censusRow   // by the ids of sender and receiver
	noTicks int64          // what states have of a timer without a tick left
	deepest int
	ids     []ID  // of the state at hand, by position
	load    []int // messages on each link of the state at hand
}

// A Counted says of what a Census counts the values.
type Counted uint8

// Of what a Census counts the values: a field of a process, a field of messages, a timer, a link.
// The values of a timer that is set are the ticks that are left, of timing=last-resort its duration,
// and those of a link the messages on it.
const (
	CountedField Counted = iota
	CountedMessage
	CountedTimer
	CountedLink
)

// String returns "field", "message", "timer" or "link".
func (c Counted) String() string {
	return [...]string{"field", "message", "timer", "link"}[c]
}

// MostValues is how many different values of one thing a Census tells apart.
const MostValues = 1 << 14

// Values are those that one thing took. Those of an instant (clock.Instant) are the ticks until
// then, below 0 where it is over; the zero Instant is a value without a number.
type Values struct {
	Of              Counted
	Name            string // of the field or timer, "" of a link; elements of an array have one name
	Process         ID     // whose it is, the sender of a link; None of messages
	To              ID     // the receiver of a link, else None
	Distinct        int    // how many there were, at most MostValues
	Least, Greatest int64
}

// A Growth is something that takes ever larger values.
type Growth struct {
	// Of and Name are as in Values. Of and To are its processes: whose field or timer it is, or the
	// senders of links and, in the same order, the receivers.
	Of       Counted
	Name     string
	Who, To  []ID
	Distinct int    // values so far, those of the process or link with the most
	Newest   int    // the depth of the state with the newest greatest one
	Bound    string // what would bound it
}

// NewCensus returns a census of states of the system.
func (s *System) NewCensus() *Census {
	w := s.impl
	c := &Census{w: w, ids: slices.Clone(w.firstIDs), load: make([]int, w.N*w.N)}
	if w.setting.Timing.Kind.Discrete() {
		c.noTicks = 1
	}
	fields := w.planP.Leaves()
	if w.protocol.Shows() {
		fields = nil
	}
	for id := ID(1); int(id) <= w.N; id++ {
		c.fields = append(c.fields, rowsOf(Values{Of: CountedField, Process: id}, fields))
		var timers []*censusRow
		for _, t := range w.names.Timers {
			timers = append(timers, newCensusRow(Values{Of: CountedTimer, Name: t.Name, Process: id}))
		}
		c.timers = append(c.timers, timers)
		for to := ID(1); int(to) <= w.N; to++ {
			c.links = append(c.links, newCensusRow(Values{Of: CountedLink, Process: id, To: to}))
		}
	}
	c.mail = rowsOf(Values{Of: CountedMessage}, w.planM.Leaves())
	return c
}

// Note counts the values in a state, which is so many steps from the initial ones. Depths come in
// ascending order.
func (c *Census) Note(depth int, state []byte) {
	w := c.w
	c.deepest = max(c.deepest, depth)
	if w.IDsOff >= 0 {
		for pos := range c.ids {
			c.ids[pos] = ID(state[w.IDsOff+pos])
		}
	}
	for pos, id := range c.ids {
		proc := w.Proc(state, pos)
		for _, r := range c.fields[id-1] {
			r.noteLeaves(depth, proc[w.POff:])
		}
		for t, r := range c.timers[id-1] {
			if left := proc[w.TimerOff+t*w.TimerLen]; left > 0 {
				r.note(depth, int64(left)-c.noTicks)
			}
		}
	}
	clear(c.load)
	for recs := state[w.MsgOff:]; len(recs) > 0; recs = recs[w.Width:] {
		for _, r := range c.mail {
			r.noteLeaves(depth, recs[w.MOff:])
		}
		if !w.setting.Repaired {
			from, to := c.ids[senderOf(recs, w.N)], c.ids[recs[0]]
			c.load[int(from-1)*w.N+int(to-1)]++
		}
	}
	for link, n := range c.load {
		c.links[link].note(depth, int64(n))
	}
}

// Merge adds what another census of the same system has counted.
func (c *Census) Merge(other *Census) {
	c.deepest = max(c.deepest, other.deepest)
	mine, theirs := c.rows(), other.rows()
	for i, r := range mine {
		for v := range theirs[i].seen {
			r.note(0, v)
		}
	}
}

// Values returns what each thing took that took more than one value.
func (c *Census) Values() []Values {
	var all []Values
	for _, r := range c.rows() {
		if r.Distinct > 1 {
			all = append(all, r.Values)
		}
	}
	return all
}

// Growing returns what takes ever larger values, that with the most values first. Ids, sets, bools and clocks
// do not count: the setting bounds them.
func (c *Census) Growing() []Growth {
	var all []Growth
	for _, r := range c.rows() {
		if !r.grows(c.deepest) {
			continue
		}
		i := slices.IndexFunc(all, func(g Growth) bool { return g.Of == r.Of && g.Name == r.Name })
		if i < 0 {
			i = len(all)
			all = append(all, Growth{Of: r.Of, Name: r.Name, Bound: r.bound(c.w)})
		}
		g := &all[i]
		g.Distinct, g.Newest = max(g.Distinct, r.Distinct), max(g.Newest, r.records[len(r.records)-1])
		if r.Process != None {
			g.Who = append(g.Who, r.Process)
		}
		if r.To != None {
			g.To = append(g.To, r.To)
		}
	}
	slices.SortStableFunc(all, func(a, b Growth) int { return cmp.Compare(b.Distinct, a.Distinct) })
	return all
}

// rows returns all rows, those of one field or timer side by side, in one order for all censuses
// of a system.
func (c *Census) rows() (all []*censusRow) {
	for _, of := range [][][]*censusRow{c.fields, c.timers} {
		for i := range of[0] {
			for _, rows := range of {
				all = append(all, rows[i])
			}
		}
	}
	return slices.Concat(all, c.mail, c.links)
}

// A censusRow counts the values of one thing.
type censusRow struct {
	Values
	leaves  []*flat.Leaf // of a field: all the elements of an array
	seen    map[int64]struct{}
	ranged  bool  // Least and Greatest are set
	records []int // the depths at which a value was further from 0 than all before on its side
}

func newCensusRow(v Values) *censusRow { return &censusRow{Values: v, seen: make(map[int64]struct{})} }

// rowsOf returns a row for each field.
func rowsOf(of Values, leaves []flat.Leaf) (rows []*censusRow) {
	for i := range leaves {
		l := &leaves[i]
		at := slices.IndexFunc(rows, func(r *censusRow) bool { return r.Name == l.Name })
		if at < 0 {
			at, of.Name = len(rows), l.Name
			rows = append(rows, newCensusRow(of))
		}
		rows[at].leaves = append(rows[at].leaves, l)
	}
	return rows
}

// noteLeaves counts the values of a field in an encoding.
func (r *censusRow) noteLeaves(depth int, encoded []byte) {
	for _, l := range r.leaves {
		r.note(depth, leafValue(l, encoded[l.At:l.At+l.Size]))
	}
}

// note counts a value.
func (r *censusRow) note(depth int, v int64) {
	if _, had := r.seen[v]; had || len(r.seen) == MostValues && r.Least <= v && v <= r.Greatest {
		return
	}
	if v > 0 && v > r.Greatest || v < 0 && v < r.Least && v != never {
		r.records = append(r.records, depth)
	}
	if v != never {
		if !r.ranged {
			r.Least, r.Greatest, r.ranged = v, v, true
		}
		r.Least, r.Greatest = min(r.Least, v), max(r.Greatest, v)
	}
	if len(r.seen) < MostValues {
		r.seen[v] = struct{}{}
		r.Distinct = len(r.seen)
	}
}

// Only a search that is so deep, and values with so many records, say that something grows.
const leastGrowing, leastRecords = 12, 6

// grows reports whether the values have gone on to become larger: in each of the later three quarters of
// the depth, and in the last eighth.
func (r *censusRow) grows(deepest int) bool {
	n := len(r.records)
	if deepest < leastGrowing || n < leastRecords || r.bounded() || r.records[n-1] < deepest-deepest/8-1 {
		return false
	}
	quarters := [4]bool{}
	for _, depth := range r.records {
		quarters[min(3, 4*depth/(deepest+1))] = true
	}
	return quarters[1] && quarters[2] && quarters[3]
}

// bounded reports whether the setting bounds the values, since their type does.
func (r *censusRow) bounded() bool {
	if len(r.leaves) == 0 {
		return false
	}
	l := r.leaves[0]
	switch l.Type {
	case reflect.TypeFor[ID](), reflect.TypeFor[Set](), reflect.TypeFor[Port](), reflect.TypeFor[Kind]():
		return true
	}
	return l.Type.Kind() == reflect.Bool || l.In == reflect.TypeFor[clock.Clock]()
}

// bound says what would bound the values.
func (r *censusRow) bound(w *world) string {
	switch {
	case r.Of == CountedLink:
		return "capacity=K has a link hold K messages at the most"
	case r.Of == CountedTimer:
		return "the durations that handlers set the timer to have no bound; a method Beyond leaves out what is beyond one (model.Optional)"
	case r.leaves[0].In == reflect.TypeFor[clock.Instant]():
		return "a method Oldest says after how many ticks an instant is as good as none (model.Optional)"
	}
	return "a method Beyond leaves out the states beyond a bound (model.Optional)"
}

// never is the value of the zero Instant, which no other is like.
const never = math.MinInt64

// leafValue returns the value of a leaf from its bytes.
func leafValue(l *flat.Leaf, b []byte) int64 {
	var word [8]byte
	copy(word[:], b)
	v := int64(binary.LittleEndian.Uint64(word[:]))
	switch l.Type.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		unused := 64 - 8*len(b)
		v = v << unused >> unused
	}
	if l.In == reflect.TypeFor[clock.Instant]() {
		if v == 0 {
			return never
		}
		v += clock.Most - math.MaxUint8 // the greatest byte is Most ticks ahead
	}
	return v
}

// Thing names what took the values, without whose it is: "field Votes[]", "timer T", "field Term
// of messages", "messages on links".
func (v *Values) Thing() string { return thing(v.Of, v.Name) }

func thing(of Counted, name string) string {
	switch of {
	case CountedMessage:
		return "field " + name + " of messages"
	case CountedTimer:
		return "timer " + prose.Quote(name)
	case CountedLink:
		return "messages on links"
	}
	return "field " + name
}

// Whose says whose values they are: "P2", "P2 to P3", "" of messages.
func (v *Values) Whose() string { return whose(v.Process, v.To) }

func whose(id, to ID) string {
	switch {
	case to != None:
		return id.Name() + " to " + to.Name()
	case id != None:
		return id.Name()
	}
	return ""
}

// String says what grows, of whom, and how far it has come: "field Votes[] of P1 and P2 took 127
// values".
func (g Growth) String() string {
	var all []string
	for i, id := range g.Who {
		to := None
		if g.Of == CountedLink {
			to = g.To[i]
		}
		all = append(all, whose(id, to))
	}
	switch who := prose.List(all); g.Of {
	case CountedLink:
		return fmt.Sprintf("links from %s hold up to %d messages", who, g.Distinct-1)
	case CountedMessage:
		return fmt.Sprintf("%s took %d values", thing(g.Of, g.Name), g.Distinct)
	default:
		return fmt.Sprintf("%s of %s took %d values", thing(g.Of, g.Name), who, g.Distinct)
	}
}
