package model

import (
	"errors"
	"fmt"
	"reflect"

	"bullyproof/internal/flat"
	"bullyproof/setting"
)

// The faults that a setting budgets, in the order in which an encoded state
// holds what is left of them. One that the setting does not grant takes no
// room.
const (
	budgetCrashes = iota
	budgetRestarts
	budgetJoins
	budgetLosses
	budgetDuplications
	budgetCuts
	budgetHeals
	budgetPremature
	budgetSuspicions
	budgetPauses
	budgets
)

var budgetNames = [budgets]string{
	"crashes", "restarts", "joins", "losses", "duplications", "cuts", "heals", "premature", "suspicions", "pauses",
}

// layout says where things stand in an encoded state:
//
//	budgets, pending initiators, what is cut, who pauses, ids by position   (each if it can vary)
//	for each position: status, timers, P
//	monitors
//	messages, a record each: receiver, port, M, due
//
// Everything before the messages has a fixed place. Records are sorted: as
// bytes on unordered channels, by link and then age on FIFO channels.
type layout struct {
	budget     [budgets]int // offset, or -1
	granted    [budgets]uint8
	pendingOff int // initiators yet to begin, by position; or -1
	cutsOff    int // what is cut, cutsSize bytes: the side or the links; or -1
	cutsSize   int
	sideOff    int // positions that the cut separates; or -1
	linksOff   int // for each position, those that its messages do not reach; or -1
	pausedOff  int // positions that pause; or -1
	idsOff     int // ids by position; or -1 where all states share them
	setBytes   int

	procOff, procSize  int
	timerOff, timerLen int // within a process
	pOff               int // within a process
	monitorOff         int
	msgOff             int
	width              int // of a message record
	keyBytes           int // of a record's start, as an integer, decide its place; 0: all, as bytes
	zeros              []byte
	mOff               int // within a record
	dueOff             int // within a record; or -1
}

// Timers as a state holds them: ticks left plus 1 under synchronous timing, 1
// where set under asynchronous and patient timing, duration and rank under last resort.
// Where clocks drift, that is when they expire at the latest, and what is left
// until they can is the second byte.
func timerLen(s *setting.Setting) int {
	if s.Timing.Kind == setting.LastResort || s.Drift > 0 {
		return 2
	}
	return 1
}

// world is a protocol in a setting.
type world struct {
	layout
	protocol code
	has      optionals
	typeP    reflect.Type // of states of processes
	typeM    reflect.Type // of messages
	setting  setting.Setting
	names    Names
	n        int
	ids      []ID // by position; where they vary, those of the first initial state
	planP    flat.Plan
	planM    flat.Plan
	sync     bool
	ring     bool
	detector setting.Detector // the default made out
	monitors []*monitor
	periodic uint8 // timers
}

// New returns the system that p is in setting s. It fails if s contradicts
// itself, if P or M is not flat (the error names the field), if the vocabulary
// of p does not fit an encoding, or if p has a method by the name of an optional
// one (System.Optional) that is another one.
func New[P any, M Message](p Protocol[P, M], s setting.Setting) (*System, error) {
	return newSystem(codeFor(p), s)
}

func newSystem(c code, s setting.Setting) (*System, error) {
	w, err := newWorld(c, s)
	if err != nil {
		return nil, err
	}
	s = w.setting
	if !w.has.settler && (s.Start == setting.SettledStart || s.Start == setting.CoordinatorDown) {
		return nil, fmt.Errorf("start %q: protocol %T has no Settle method; use a cold start", s.Start, c.protocol())
	}
	if w.planP, err = flat.Of(w.typeP, w.trim); err != nil {
		return nil, fmt.Errorf("state of a process: %w", err)
	}
	if w.planM, err = flat.Of(w.typeM, w.trim); err != nil {
		return nil, fmt.Errorf("message: %w", err)
	}
	w.place()
	if err := w.tryStarts(); err != nil {
		return nil, err
	}
	return &System{impl: w, setting: s, names: w.names}, nil
}

func (w *world) in(s setting.Setting) (*System, error) {
	sys, err := newSystem(w.protocol, s)
	if err == nil {
		sys.impl = sys.impl.monitored(w.monitors)
	}
	return sys, err
}

// NewFrom is New with the setting as a text (setting.Parse): "n=3 crashes=1".
func NewFrom[P any, M Message](p Protocol[P, M], text string) (*System, error) {
	s, err := setting.Parse(text)
	if err != nil {
		return nil, err
	}
	return New(p, s)
}

// newWorld returns the world of a protocol and a setting, without what concerns
// encodings.
func newWorld(c code, s setting.Setting) (*world, error) {
	s = s.Normal()
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if c == nil {
		return nil, errors.New("no protocol: want a value that has its handlers")
	}
	has, err := c.optional()
	if err != nil {
		return nil, err
	}
	w := &world{protocol: c, has: has, setting: s, names: c.names(), n: s.N}
	w.typeP, w.typeM = c.types()
	w.sync, w.ring = s.Timing.Kind.Discrete(), s.Topology != setting.Complete
	w.detector = s.Detects()
	return w, w.checkNames()
}

// tryStarts shows whether the protocol comes up at all: in the first so many
// initial states, which are all that most settings have.
func (w *world) tryStarts() error {
	e, tries := w.newExpander(nil), 256
	if w.n > setting.MaxExhaustive { // each takes long
		tries = 64
	}
	for o := range w.origins() {
		if tries--; tries < 0 {
			break
		}
		if _, err := e.initial(o); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) checkNames() error {
	switch k := w.names; {
	case len(k.Kinds) == 0 || len(k.Kinds) > 64:
		return fmt.Errorf("protocol %T names %d kinds of messages; 1 to 64 are right", w.protocol.protocol(), len(k.Kinds))
	case len(k.Timers) > 8:
		return fmt.Errorf("protocol %T names %d timers; at most 8 are right", w.protocol.protocol(), len(k.Timers))
	case len(k.Rules) > 64:
		return fmt.Errorf("protocol %T names %d rules; at most 64 are right", w.protocol.protocol(), len(k.Rules))
	}
	if w.has.bounder && len(w.names.Kinds) == 64 {
		return fmt.Errorf("protocol %T has a bound and names 64 kinds of messages; with a bound 1 to 63 are right", w.protocol.protocol())
	}
	if err := w.checkChoices(); err != nil {
		return err
	}
	for t, name := range w.names.Timers {
		if name.Periodic {
			w.periodic |= 1 << t
		}
	}
	return nil
}

// perProcess marks ByID for trim.
type perProcess interface{ perProcess() (elem reflect.Type) }

func (*ByID[T]) perProcess() reflect.Type { return reflect.TypeFor[T]() }

// trim tells the plan which bytes of sets and of arrays by process count.
func (w *world) trim(t reflect.Type) (int, bool) {
	if t == reflect.TypeFor[Set]() {
		return (w.n + 7) / 8, true
	}
	if t.Kind() == reflect.Struct {
		if a, ok := reflect.New(t).Interface().(perProcess); ok {
			elem := a.perProcess()
			// An element that is not flat, or has padding, is left to the plan.
			if plan, err := flat.Of(elem, w.trim); err == nil && plan.Size() == int(elem.Size()) {
				return w.n * plan.Size(), true
			}
		}
	}
	return 0, false
}

// place fills in the layout.
func (w *world) place() {
	s, off := w.setting, 0
	w.granted = [budgets]uint8{
		uint8(s.Crashes), uint8(s.Restarts), uint8(s.Joins), uint8(s.Losses), uint8(s.Duplications),
		uint8(s.Cuts), uint8(s.Heals), uint8(s.Timing.Premature), uint8(s.Suspicions), uint8(s.Pauses),
	}
	take := func(wanted bool, size int) int {
		if !wanted {
			return -1
		}
		off += size
		return off - size
	}
	for i := range w.budget {
		w.budget[i] = take(w.granted[i] > 0, 1)
	}
	w.setBytes = (w.n + 7) / 8
	w.pendingOff = take(s.Start == setting.ColdInterleaved || s.Initiators.Lazy && s.Start == setting.ColdStart, w.setBytes)
	w.sideOff = take(s.Cuts > 0 && s.CutBy == setting.CutSides, w.setBytes)
	w.linksOff = take(s.Cuts > 0 && s.CutBy != setting.CutSides, w.n*w.setBytes)
	w.cutsOff, w.cutsSize = w.sideOff, w.setBytes
	if w.linksOff >= 0 {
		w.cutsOff, w.cutsSize = w.linksOff, w.n*w.setBytes
	}
	w.pausedOff = take(s.Pauses > 0, w.setBytes)
	w.idsOff = take(w.ring && !s.Anonymous && len(s.Arrangement) == 0, w.n)
	w.ids = s.Arrangement
	if len(w.ids) == 0 {
		for id := range w.n {
			w.ids = append(w.ids, ID(id+1))
		}
	}
	w.procOff = off
	w.timerOff, w.timerLen = 1, timerLen(&s)
	w.pOff = w.timerOff + w.timerLen*len(w.names.Timers)
	w.procSize = w.pOff + w.planP.Size()
	w.monitorOff = w.procOff + w.n*w.procSize
	w.msgOff = w.monitorOff
	for _, m := range w.monitors {
		w.msgOff += m.size
	}

	w.mOff = 2
	w.width = w.mOff + w.planM.Size()
	w.dueOff = -1
	if w.sync {
		w.width++
	}
	switch { // records that fill an integer compare as one
	case w.width <= 4:
		w.width = 4
	case w.width <= 8:
		w.width = 8
	}
	if w.sync {
		w.dueOff = w.width - 1
	}
	w.zeros = make([]byte, w.width)
	switch {
	case w.setting.FIFO:
		w.keyBytes = 2
	case w.width <= 8:
		w.keyBytes = w.width
	}
}

// left returns what is left of a budget in an encoded state.
func (l *layout) left(state []byte, budget int) int {
	if off := l.budget[budget]; off >= 0 {
		return int(state[off])
	}
	return 0
}

// spent returns how many faults have happened on the way to a state.
func (l *layout) spent(state []byte) uint32 {
	var sum uint32
	for i, off := range l.budget {
		if off >= 0 {
			sum += uint32(l.granted[i] - state[off])
		}
	}
	return sum
}

// positions reads a set of positions (bit i for position i); off may be -1.
func (l *layout) positions(state []byte, off int) Set {
	var s Set
	if off >= 0 {
		for i := range l.setBytes {
			s |= Set(state[off+i]) << (8 * i)
		}
	}
	return s
}

func (l *layout) putPositions(state []byte, off int, s Set) {
	for i := range l.setBytes {
		state[off+i] = byte(s >> (8 * i))
	}
}

// proc returns the part of an encoded state that holds a position's process.
func (l *layout) proc(state []byte, pos int) []byte {
	off := l.procOff + pos*l.procSize
	return state[off : off+l.procSize : off+l.procSize]
}
