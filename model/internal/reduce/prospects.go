package reduce

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"bullyproof/explore"
)

// Equal prospects, in lockstep where no fault is left.
//
// The outcome of a phase is the product of its outcomes at each process (ticks.go), and
// that depends on the local state of the process and what is due to it. The prospects
// of a process are the outcomes that it can come to, a local state and what has been
// sent, and the values of what is read on the way. Two states in which each process has
// the same prospects, and the same messages are not due, lead to the same states at the
// end of the phase, and have the same values on the way. So one can stand for the
// other, although it need not be reachable itself.
//
// Each process with due messages is given the local state and the messages that are
// found by the first of these steps that keeps its prospects, again and again: another
// local state on the way that has a lesser key; a message less; a message by another
// one with the same content and the same effect at first, from a lesser port. That is a
// function of the state.
//
// Where one state stands for another, its own values on the way may be others in
// combination with what nobody reads. So no state on the way is kept: hits there are those
// of steps that lead nowhere. And the state at the end may be kept as another one, which
// has its value on the way and not now: so that is judged at once, or it might be put off
// for good.

// prospects find which local states and due messages have the same prospects.
type prospects struct {
	effects *effects
	start   *start
	stages  *stages
	flaws   Flaw

	kept         *keptProspects
	keyed        []byte
	ends, values []uint64 // of those asked for
}

// keptProspects are what is known of the prospects of processes in states in which the same
// processes are down.
type keptProspects struct {
	numbers map[xxh3.Uint128]int32 // by what they are, of which there is much: two have one number with a chance of 2^-128
	asked   map[string]int32       // by position, local state and due messages; 0 where they are not known
	normal  map[string]*likeness   // by position, local state and due messages
}

// A likeness is the local state and due messages that stand for others with the same
// prospects.
type likeness struct {
	known  bool
	local  int32
	events []int32
	ends   int      // how many outcomes there are
	values []uint64 // of what is read together, on the way
}

// maxLikenesses is of how many stages prospects are kept before all are forgotten.
const maxLikenesses = 1 << 18

// dueTo returns the events of the messages that are due to a position.
func (s *start) dueTo(pos int) []int32 {
	s.in = s.in[:0]
	for i := range s.mail {
		if m := &s.mail[i]; m.to == pos && m.due == 0 {
			s.in = append(s.in, m.event)
		}
	}
	return s.in
}

// prospectsOf returns the number of the prospects of a position in a local state to
// which some events are due. It reports false where they are not known.
func (p *prospects) prospectsOf(pos int, local int32, due []int32) (int32, bool) {
	p.keyed = appendNumbers(appendNumbers(append(p.keyed[:0], byte(pos)), local), due...)
	if number, ok := p.kept.asked[string(p.keyed)]; ok {
		return number, number > 0
	}
	asked := string(p.keyed)
	number := p.numberOf(pos, p.stages.newStage(pos, local, due, false))
	p.kept.asked[asked] = number
	return number, number > 0
}

// numberOf returns the number of the prospects that a stage has, 0 where they are not
// known.
func (p *prospects) numberOf(pos int, s *stage) int32 {
	if !s.known {
		return 0
	}
	p.ends, p.values = p.ends[:0], p.values[:0]
	for _, i := range s.final {
		n := &s.nodes[i]
		sent := n.sent
		if p.flaws&FlawUnsent != 0 {
			sent = 0
		}
		p.ends = append(p.ends, uint64(n.local)<<32|uint64(sent))
	}
	for i := range s.nodes {
		l := p.effects.locals[s.nodes[i].local]
		p.values = append(p.values, l.together<<8|uint64(l.alone))
	}
	key := []byte{byte(pos)}
	for _, list := range [][]uint64{p.ends, p.values} {
		slices.Sort(list)
		list = slices.Compact(list)
		key = binary.LittleEndian.AppendUint32(key, uint32(len(list)))
		for _, x := range list {
			key = binary.LittleEndian.AppendUint64(key, x)
		}
		if p.flaws&FlawOnTheWay != 0 {
			break
		}
	}
	hash := xxh3.Hash128(key)
	number, ok := p.kept.numbers[hash]
	if !ok {
		number = int32(len(p.kept.numbers)) + 1
		p.kept.numbers[hash] = number
	}
	return number
}

// likenessOf returns what stands for a local state of a position to which some events are
// due.
func (p *prospects) likenessOf(pos int, local int32, due []int32) *likeness {
	key := appendNumbers(appendNumbers([]byte{byte(pos)}, local), due...)
	if l := p.kept.normal[string(key)]; l != nil && p.flaws&Forgetful == 0 {
		return l
	}
	if p.kept.asked == nil || len(p.kept.asked) > maxLikenesses {
		*p.kept = keptProspects{numbers: map[xxh3.Uint128]int32{}, asked: map[string]int32{}, normal: map[string]*likeness{}}
	}
	l := &likeness{local: local, events: slices.Clone(due)}
	s := p.stages.stageOf(pos, l.local, l.events, false)
	if l.known = s.known; l.known {
		want := p.numberOf(pos, s)
		l.ends = len(s.final)
		for i := range s.nodes {
			if v := p.effects.locals[s.nodes[i].local].together; !slices.Contains(l.values, v) {
				l.values = append(l.values, v)
			}
		}
		on := p.localsOf(s)
		for len(l.events) > 0 && (p.lessLocal(pos, l, want, on) || p.lessMail(pos, l, want) || p.lessPorts(pos, l, want)) {
		}
	}
	p.kept.normal[string(key)] = l
	return l
}

// localsOf returns the local states of a stage in the order of their keys.
func (p *prospects) localsOf(s *stage) (on []int32) {
	for i := range s.nodes {
		if x := s.nodes[i].local; !slices.Contains(on, x) {
			on = append(on, x)
		}
	}
	slices.SortFunc(on, func(a, b int32) int { return strings.Compare(p.effects.locals[a].key, p.effects.locals[b].key) })
	return on
}

// lessLocal takes the least local state on the way that has the same prospects. It
// reports whether that is another one.
func (p *prospects) lessLocal(pos int, l *likeness, want int32, on []int32) bool {
	for _, x := range on {
		if x == l.local {
			break
		}
		if got, ok := p.prospectsOf(pos, x, l.events); ok && got == want {
			l.local = x
			return true
		}
	}
	return false
}

// lessMail leaves out the messages without which the prospects are the same.
func (p *prospects) lessMail(pos int, l *likeness, want int32) (some bool) {
	for i := 0; i < len(l.events); {
		less := slices.Delete(slices.Clone(l.events), i, i+1)
		if got, ok := p.prospectsOf(pos, l.local, less); ok && got == want {
			l.events, some = less, true
		} else {
			i++
		}
	}
	return some
}

// lessPorts takes messages of the same content from lesser ports with which the
// prospects are the same.
func (p *prospects) lessPorts(pos int, l *likeness, want int32) bool {
	if p.effects.fifo {
		return false // the order of messages matters
	}
	for i, ev := range l.events {
		text := []byte(p.effects.events[l.events[i]].Message)
		for from, x := range p.start.here {
			port := byte(p.effects.locals[x].id())
			if from == pos || port >= text[0] || p.effects.facts.Ring() {
				continue
			}
			other := p.effects.message(append([]byte{port}, text[1:]...))
			if !p.effects.sameEffect(l.local, ev, other) {
				continue // that they are alike is less likely
			}
			changed := slices.Clone(l.events)
			changed[i] = other
			slices.SortStableFunc(changed, func(a, b int32) int {
				return strings.Compare(p.effects.events[a].Message, p.effects.events[b].Message)
			})
			if got, ok := p.prospectsOf(pos, l.local, changed); ok && got == want {
				l.events = changed
				return true
			}
		}
	}
	return false
}

// mayStandFor reports whether one state may stand for another. (With symmetries it does not.)
func (x *Reducer) mayStandFor() bool {
	return x.foresight.kinds&(WholeTicks|Symmetries) == WholeTicks
}

// sameEffect reports whether two events do the same in a local state.
func (e *effects) sameEffect(x, a, b int32) bool {
	r, s := e.of(x, a), e.of(x, b)
	return !r.bad && !s.bad && r.next == s.next && slices.Equal(r.sends, s.sends)
}

// alike puts in the place of a state without faults left, which begins at base, the one
// that stands for it.
func (x *Reducer) alike(b []byte, base int) []byte {
	f := &x.foresight
	state := b[base:]
	if !x.Calm(state) || !x.AnyDue(state) {
		return b
	}
	up, down := x.UpAndDown(state)
	if up|down != 1<<x.N-1 {
		return b
	}
	x.observe(state, down, up, faultsLeft{})
	ends, values, changed := 1, 1, false
	list := x.likenesses[:0]
	for pos := range x.N {
		l := f.prospects.likenessOf(pos, f.start.here[pos], f.start.dueTo(pos))
		list = append(list, l)
		ends, values = ends*l.ends, values*len(l.values)
		if !l.known || ends > maxProduct || values > maxJudged {
			return b // it has no step of whole ticks
		}
		changed = changed || l.local != f.start.here[pos] || !slices.Equal(l.events, f.start.dueTo(pos))
	}
	x.likenesses = list
	if !changed {
		return b
	}
	var records [][]byte
	for pos, l := range list {
		x.putLocal(state, pos, f.effects.locals[l.local])
		for _, ev := range l.events {
			records = append(records, x.putDue(nil, pos, ev))
		}
	}
	for i := x.MsgOff; i < len(state); i += x.Width {
		if rec := state[i : i+x.Width]; rec[x.DueOff] != 0 {
			records = append(records, slices.Clone(rec))
		}
	}
	x.Sort(records)
	b = b[:base+x.MsgOff]
	for _, rec := range records {
		b = append(b, rec...)
	}
	return b
}

// putDue appends the record of a message that is due to a position; the event is its
// delivery.
func (x *Reducer) putDue(b []byte, pos int, ev int32) []byte {
	base := len(b)
	b = append(append(b, byte(pos)), x.foresight.effects.events[ev].Message...)
	return append(b, x.Zeros[len(b)-base:x.Width]...)
}

// judgeAt judges the state in which the processes are at their nodes, on the way of a
// step out of a state that may stand for another one.
func (x *Reducer) judgeAt(out *explore.Successors) {
	t := &x.tick
	t.mid = x.compose(t.mid[:0])
	lasts := x.lasts(t.mid)
	if !lasts && t.ended() {
		return // nothing is due to anybody next, so no other state stands for it
	}
	for _, i := range x.world.Hits(t.mid, lasts) { // if something lasts, it is owed
		x.note(explored{}, false)
		t.count++
		out.HitDeadEnd(i, x.Spent(t.mid), wholeTickCode|explore.Code(t.count))
	}
}

// ended reports whether all processes are where the phase can end.
func (t *wholeTick) ended() bool {
	for pos, s := range t.stages {
		if !slices.Contains(s.final, t.at[pos]) {
			return false
		}
	}
	return true
}
