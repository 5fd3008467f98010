package explore

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"bullyproof/explore/internal/rows"
)

// A Code labels one transition out of a state. Its meaning belongs to the
// System: the search stores none of it and compares none of it, it only hands
// back the labels of the transitions on a trace.
type Code uint64

// A System is a transition system over encoded states.
//
// Two states are the same state exactly if their encodings are the same bytes,
// so an encoding has to be canonical: one value, one sequence of bytes, with
// nothing in it that depends on addresses, on the run or on the worker.
type System interface {
	// Initial yields every initial state. The search copies what it is given;
	// yielding a state twice does no harm.
	Initial(yield func(state []byte) bool)

	// NewExpander returns an expander for one worker. Expanders of one System
	// are used at the same time, each by one goroutine.
	NewExpander() Expander
}

// A Questioner is a System of which not every target is a question: some report
// that it is misused. A search that is not told which targets to wait for does
// not wait for those.
type Questioner interface {
	System

	// Questions returns how many targets are questions; they come first.
	Questions() int
}

// A Starter is a System of which an initial state can be drawn without making the
// others. Walks begin with it where they can: of n processes that toss a coin there
// are 2^n initial states.
type Starter interface {
	System

	// NewStart returns a function that draws initial states, for one goroutine.
	// Its argument draws a number from 0 to k-1, each equally likely, and returns
	// a state that is good until the next one. The state depends on these numbers
	// alone.
	NewStart() func(draw func(k uint64) uint64) (state []byte, err error)
}

// An Expander computes the transitions out of a state. It may keep scratch
// memory between calls, which is how it avoids allocating, but what it answers
// depends on the state alone: the same transitions in the same order.
//
// The method set is the minimum that a search needs. An expander that can do
// more (offer a sufficient subset of the transitions first, and the rest when
// the search finds that the subset closes a cycle) says so by implementing a
// further interface, which the search asks for by type assertion.
type Expander interface {
	// Expand appends every transition out of state to out, and reports there
	// which targets the state and its transitions hit. It must not keep state.
	Expand(state []byte, out *Successors)
}

// Successors collects what expanders find: successor states back to back in
// one buffer, the code of the transition to each, hits of targets, and cuts.
//
// A successor is built in place:
//
//	b := out.Begin()
//	b = append(b, ...)   // the encoded successor
//	out.End(b, code)
//
// A transition that turns out not to exist is abandoned by not calling End.
type Successors struct {
	buf    []byte
	end    []int
	code   []Code
	label  []uint32 // of the successors, where the system labels them
	mark   []uint64 // of the expanded states, where the system marks them
	hits   []hit
	cuts   uint64
	source int   // ordinal of the state under expansion within its batch
	first  int   // index of the first successor of that state
	err    error // the first misuse, while state number errAt was expanded
	errAt  int
}

// A hit is a target met by the state under expansion or by one of its steps.
type hit struct {
	target int
	rank   uint32
	source int // ordinal of the expanded state in the batch
	step   int // index of the successor, or -1 where the state itself is hit
	dead   bool
	code   Code // of a dead end only
}

// Begin returns the buffer to which the next successor is appended.
func (s *Successors) Begin() []byte { return s.buf }

// End accepts what was appended to the buffer that Begin returned as the next
// successor, by a transition with a code.
func (s *Successors) End(b []byte, c Code) {
	s.buf = b
	s.end = append(s.end, len(b))
	s.code = append(s.code, c)
}

// Add appends a successor that stands in memory of its own; it is copied.
func (s *Successors) Add(state []byte, c Code) { s.End(append(s.Begin(), state...), c) }

// Label puts a number to the transition which the latest End accepted, for
// searches that keep the graph. A system labels each of its transitions once, or
// none.
func (s *Successors) Label(number uint32) {
	if len(s.label) != len(s.end)-1 || len(s.end) == s.first {
		s.mislabelled(number)
	}
	s.label = append(s.label, number)
}

// mislabelled says what is wrong with a label.
func (s *Successors) mislabelled(number uint32) {
	switch labels, ends := len(s.label), len(s.end); {
	case ends == s.first:
		s.fail("Label came before the End of a transition; it labels the latest one")
	case labels == ends:
		s.fail("Label came twice for one transition (number %d, then %d)", s.label[labels-1], number)
	default:
		s.failWith(rows.ErrLabels)
	}
}

// Mark puts 64 bits to the state under expansion, for searches that keep the
// graph. A system marks each of its states once, or none.
func (s *Successors) Mark(bits uint64) {
	if len(s.mark) != s.source {
		s.mismarked(bits)
	}
	s.mark = append(s.mark, bits)
}

// mismarked says what is wrong with a mark.
func (s *Successors) mismarked(bits uint64) {
	if marks := len(s.mark); marks == s.source+1 {
		s.fail("Mark came twice for one state (%#x, then %#x)", s.mark[marks-1], bits)
		return
	}
	s.failWith(rows.ErrMarks)
}

// Len returns the number of successors collected.
func (s *Successors) Len() int { return len(s.end) }

// State returns successor i. The slice is good until the next Begin or Reset.
func (s *Successors) State(i int) []byte {
	from := 0
	if i > 0 {
		from = s.end[i-1]
	}
	return s.buf[from:s.end[i]:s.end[i]]
}

// Code returns the code of the transition that leads to successor i.
func (s *Successors) Code(i int) Code { return s.code[i] }

// Hit reports that the state under expansion hits a target (a broken
// invariant, a witness that was asked for). Targets are numbered from 0 to
// Options.Targets-1. Of the shallowest states that hit a target the search
// keeps the one of least rank (model uses the number of faults so far), then
// of least fingerprint.
func (s *Successors) Hit(target int, rank uint32) {
	s.hits = append(s.hits, hit{target: target, rank: rank, source: s.source, step: -1})
}

// EndAt leaves the successors of the state under expansion out if the state hits a target (Hit): runs
// end there. It is called when the state has been expanded.
func (s *Successors) EndAt(target int) {
	if slices.ContainsFunc(s.hits, func(h hit) bool { return h.target == target && h.source == s.source && h.step < 0 }) {
		s.LeadNowhere()
	}
}

// LeadNowhere leaves the successors of the state under expansion out: runs end there. It is called
// when the state has been expanded.
func (s *Successors) LeadNowhere() {
	from := 0
	if s.first > 0 {
		from = s.end[s.first-1]
	}
	s.buf, s.end, s.code = s.buf[:from], s.end[:s.first], s.code[:s.first]
	s.label = s.label[:min(s.first, len(s.label))]
	s.hits = slices.DeleteFunc(s.hits, func(h hit) bool { return h.source == s.source && h.step >= 0 })
}

// HitStep reports that the transition which the latest End accepted hits a
// target. Steps are judged on every transition, whether or not its end has
// been visited.
func (s *Successors) HitStep(target int, rank uint32) {
	if len(s.end) == s.first {
		s.fail("HitStep(%d, %d) came before the End of a transition; it reports the latest one", target, rank)
		return
	}
	s.hits = append(s.hits, hit{target: target, rank: rank, source: s.source, step: len(s.end) - 1})
}

// HitDeadEnd reports that a transition, out of the state under expansion, hits a
// target and leads nowhere: there is no state behind it (code under test that
// panics). Its trace ends with the code.
func (s *Successors) HitDeadEnd(target int, rank uint32, c Code) {
	s.hits = append(s.hits, hit{target: target, rank: rank, source: s.source, step: -1, dead: true, code: c})
}

// Cut reports that the expander left out a transition that exists, for a
// reason numbered from 0 to 63 whose meaning is the System's own (a channel
// that reached its capacity). A search with a cut is incomplete.
func (s *Successors) Cut(reason int) {
	if reason < 0 || reason >= 64 {
		s.fail("Cut(%d) has no such reason; reasons are numbered from 0 to 63", reason)
		return
	}
	s.cuts |= 1 << reason
}

// Cuts has bit i set where Cut(i) was reported since the latest Reset. A system
// that is made of another one passes them on.
func (s *Successors) Cuts() uint64 { return s.cuts }

// IsHit reports whether a target was hit since the latest Reset.
func (s *Successors) IsHit(target int) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.target == target })
}

// HitIn reports whether a target was hit since the latest Reset in the step to a successor, or by a
// state itself where that is -1.
func (s *Successors) HitIn(target, successor int) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.target == target && h.step == successor })
}

// Err returns the first misuse since the latest Reset: a call that came at the
// wrong time, or with a number out of range. It ends a search with that error.
func (s *Successors) Err() error { return s.err }

// Fail ends the search with an error: the expander cannot go on. The first one counts.
func (s *Successors) Fail(err error) { s.failWith(err) }

func (s *Successors) fail(format string, args ...any) {
	s.failWith(fmt.Errorf("explore: "+format+"%s", append(args, calledAt())...))
}

// calledAt says from where a method of this file was called: " (expander.go:17)".
func calledAt() string {
	calls := make([]uintptr, 8)
	frames := runtime.CallersFrames(calls[:runtime.Callers(1, calls)])
	own, more := frames.Next()
	for more {
		var frame runtime.Frame
		if frame, more = frames.Next(); frame.File != own.File {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
		}
	}
	return ""
}

// failWith keeps the first error.
func (s *Successors) failWith(err error) {
	if s.err == nil {
		s.err, s.errAt = err, s.source
	}
}

// begin says that a further state is expanded, number source since Reset.
func (s *Successors) begin(source int) { s.source, s.first = source, len(s.end) }

// check returns the first misuse of an expander that has expanded the states
// since Reset.
func (s *Successors) check(states ...[]byte) error {
	switch {
	case s.err != nil:
		return fmt.Errorf("%w; state %s was expanded", s.err, shown(states[s.errAt]))
	case !slices.IsSorted(s.end):
		return errEnd
	case len(s.label) > 0 && len(s.label) != len(s.end):
		return rows.ErrLabels
	case len(s.mark) > 0 && len(s.mark) != len(states):
		return rows.ErrMarks
	}
	return nil
}

var errEnd = errors.New("explore: End got fewer bytes than Begin returned; it takes those with the successor appended")

// shown returns the bytes of a state, in an error.
func shown(state []byte) string {
	const most = 64
	if len(state) > most {
		return fmt.Sprintf("%x... (%d bytes)", state[:most], len(state))
	}
	return fmt.Sprintf("%x", state)
}

// Reset forgets everything collected and keeps the memory.
func (s *Successors) Reset() {
	s.buf, s.end, s.code, s.hits = s.buf[:0], s.end[:0], s.code[:0], s.hits[:0]
	s.label, s.mark = s.label[:0], s.mark[:0]
	s.cuts, s.source, s.first, s.err = 0, 0, 0, nil
}
