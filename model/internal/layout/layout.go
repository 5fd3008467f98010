// Package layout says where things stand in an encoded state, and reads and writes
// them there. The world and its reductions agree on it.
package layout

import (
	"bytes"

	"bullyproof/model/process"
	"bullyproof/model/setting"
)

// The budgets of a setting, in the order of setting.Budgets. One that the setting
// does not grant takes no room in a state.
const (
	BudgetCrashes = iota
	BudgetRestarts
	BudgetJoins
	BudgetLosses
	BudgetDuplications
	BudgetCuts
	BudgetHeals
	BudgetPremature
	BudgetSuspicions
	BudgetPauses
	BudgetLostWrites
	BudgetLostDisks
	BudgetClockSteps
	BudgetRequests
	Budgets
)

// The status of a process, the first byte of its part: that of one that has crashed,
// and of one that runs. Others have yet to come up.
const (
	Down = iota
	Up
)

// A Layout says where things stand in an encoded state:
//
//	budgets, pending initiators, what is cut, who pauses, ids by position   (each if it can vary)
//	for each position: status, timers, P
//	monitors
//	messages, a record each: receiver, port, M, due
//
// Everything before the messages has a fixed place. Records are sorted: as
// bytes on unordered channels, by link and then age on FIFO channels.
type Layout struct {
	// N is the number of processes.
	N int
	Header
	Processes
	Clock
	// MonitorOff is where the monitors begin.
	MonitorOff int
	Mail
	Dates
}

// Header says where the parts stand that are there once. An offset of -1 is of what no
// state has.
type Header struct {
	Budget     [Budgets]int
	Granted    [Budgets]uint8
	PendingOff int // initiators yet to begin, by position
	CutsOff    int // what is cut, CutsSize bytes: the side or the links
	CutsSize   int
	SideOff    int // positions that the cut separates
	LinksOff   int // for each position, those that its messages do not reach
	PausedOff  int // positions that pause
	IDsOff     int // ids by position; or -1 where all states share them
	SetBytes   int // of a set of positions
}

// Processes says where the processes begin, how long the part of each is, and what is
// where in it.
type Processes struct {
	ProcOff, ProcSize int

	// A timer has ticks left plus 1 under synchronous timing, 1 where set under
	// asynchronous and patient timing, duration and rank under last resort. Where clocks
	// drift, that is when it expires at the latest, and what is left until it can is
	// the second byte.
	TimerOff, TimerLen int
	POff               int
	// OldOff is where a process has what its disk held before the last write, where
	// that may come back; or -1.
	OldOff int
}

// Mail says where the messages begin, and what is where in the record of one.
type Mail struct {
	MsgOff   int
	Width    int // of a record
	KeyBytes int // of a record's start, as an integer, decide its place; 0: all, as bytes
	Zeros    []byte
	MOff     int
	DueOff   int // or -1
}

// Parts are what a state has: what the setting asks for, some timers for each process,
// and so many bytes for the state of a process, for a message and for all monitors.
type Parts struct {
	Setting                     *setting.Setting
	Timers, P, Message, Monitor int
	Stable                      bool // a crash leaves something of a process
	Dates                       Dates
}

// Of returns the layout of states that have some parts.
func Of(p Parts) Layout {
	s, off := p.Setting, 0
	l := Layout{N: s.N, Clock: ClockOf(s), Dates: p.Dates}
	for i, b := range setting.Budgets() {
		l.Granted[i] = uint8(*b.Of(s))
	}
	take := func(wanted bool, size int) int {
		if !wanted {
			return -1
		}
		off += size
		return off - size
	}
	for i := range l.Budget {
		l.Budget[i] = take(l.Granted[i] > 0, 1)
	}
	l.SetBytes = (l.N + 7) / 8
	l.PendingOff = take(s.Start == setting.ColdInterleaved || s.Initiators.Lazy && s.Start == setting.ColdStart, l.SetBytes)
	l.SideOff = take(s.Cuts > 0 && s.CutBy == setting.CutSides, l.SetBytes)
	l.LinksOff = take(s.Cuts > 0 && s.CutBy != setting.CutSides, l.N*l.SetBytes)
	l.CutsOff, l.CutsSize = l.SideOff, l.SetBytes
	if l.LinksOff >= 0 {
		l.CutsOff, l.CutsSize = l.LinksOff, l.N*l.SetBytes
	}
	l.PausedOff = take(s.Pauses > 0, l.SetBytes)
	l.IDsOff = take(s.Topology != setting.Complete && !s.Anonymous && len(s.Arrangement) == 0, l.N)
	l.ProcOff = off
	l.TimerOff, l.TimerLen = 1, 1
	if s.Timing.Kind == setting.LastResort || s.Drift > 0 {
		l.TimerLen = 2
	}
	l.POff = l.TimerOff + l.TimerLen*p.Timers
	l.ProcSize, l.OldOff = l.POff+p.P, -1
	if p.Stable && l.Granted[BudgetLostWrites] > 0 {
		l.OldOff = l.ProcSize
		l.ProcSize += p.P
	}
	l.MonitorOff = l.ProcOff + l.N*l.ProcSize
	l.MsgOff = l.MonitorOff + p.Monitor
	l.records(s, p.Message)
	return l
}

// records fills in what there is to say of records.
func (l *Layout) records(s *setting.Setting, message int) {
	l.MOff = 2
	l.Width = l.MOff + message
	l.DueOff = -1
	if s.Timing.Kind.Discrete() {
		l.Width++
	}
	switch { // records that fill an integer compare as one
	case l.Width <= 4:
		l.Width = 4
	case l.Width <= 8:
		l.Width = 8
	}
	if s.Timing.Kind.Discrete() {
		l.DueOff = l.Width - 1
	}
	l.Zeros = make([]byte, l.Width)
	switch {
	case s.FIFO:
		l.KeyBytes = 2
	case l.Width <= 8:
		l.KeyBytes = l.Width
	}
}

// Left returns what is left of a budget in an encoded state.
func (l *Layout) Left(state []byte, budget int) int {
	if off := l.Budget[budget]; off >= 0 {
		return int(state[off])
	}
	return 0
}

// BudgetsLeft returns which budgets a state has something left of, one bit for each.
func (l *Layout) BudgetsLeft(state []byte) (left uint) {
	for i := range l.Budget {
		if l.Left(state, i) > 0 {
			left |= 1 << i
		}
	}
	return left
}

// Calm reports whether no fault is left in a state.
func (l *Layout) Calm(state []byte) bool { return l.BudgetsLeft(state) == 0 }

// Spent returns how many faults have happened on the way to a state.
func (l *Layout) Spent(state []byte) uint32 {
	var sum uint32
	for i, off := range l.Budget {
		if off >= 0 {
			sum += uint32(l.Granted[i] - state[off])
		}
	}
	return sum
}

// Positions reads a set of positions (bit i for position i); off may be -1.
func (l *Layout) Positions(state []byte, off int) process.Set {
	var s process.Set
	if off >= 0 {
		for i := range l.SetBytes {
			s |= process.Set(state[off+i]) << (8 * i)
		}
	}
	return s
}

// PutPositions writes a set of positions.
func (l *Layout) PutPositions(state []byte, off int, s process.Set) {
	for i := range l.SetBytes {
		state[off+i] = byte(s >> (8 * i))
	}
}

// Severed reports whether a cut of an encoded state keeps messages of one
// position from another.
func (l *Layout) Severed(state []byte, from, to int) bool {
	if l.LinksOff >= 0 {
		return state[l.LinksOff+from*l.SetBytes+to>>3]>>(to&7)&1 != 0
	}
	return Crosses(l.Positions(state, l.SideOff), from, to)
}

// Crosses reports whether a message between two positions crosses a cut that separates
// a side from the rest.
func Crosses(side process.Set, a, b int) bool { return (side>>a^side>>b)&1 != 0 }

// Flip cuts the way from one position to another, or mends it.
func (l *Layout) Flip(state []byte, from, to uint8) {
	state[l.LinksOff+int(from)*l.SetBytes+int(to>>3)] ^= 1 << (to & 7)
}

// AnyCut reports whether a cut is in force in an encoded state.
func (l *Layout) AnyCut(state []byte) bool {
	if l.CutsOff < 0 {
		return false
	}
	for _, b := range state[l.CutsOff : l.CutsOff+l.CutsSize] {
		if b != 0 {
			return true
		}
	}
	return false
}

// Proc returns the part of an encoded state that holds a position's process.
func (l *Layout) Proc(state []byte, pos int) []byte {
	off := l.ProcOff + pos*l.ProcSize
	return state[off : off+l.ProcSize : off+l.ProcSize]
}

// TimersOf returns the part of a position's process that holds its timers.
func (l *Layout) TimersOf(state []byte, pos int) []byte {
	return l.Proc(state, pos)[l.TimerOff:l.POff]
}

// MayForget reports whether a crash can undo a write to a disk in a state.
func (l *Layout) MayForget(state []byte) bool {
	return l.OldOff >= 0 && l.Left(state, BudgetLostWrites) > 0 && l.Left(state, BudgetCrashes) > 0 && l.Left(state, BudgetRestarts) > 0
}

// Undoes reports whether a crash that undoes a write leaves something else of a position
// than one that leaves what is kept.
func (l *Layout) Undoes(state []byte, pos int, kept []byte) bool {
	return l.MayForget(state) && !bytes.Equal(l.Proc(state, pos)[l.OldOff:], kept)
}

// MayLoseDisks reports whether a crash can lose a disk in a state.
func (l *Layout) MayLoseDisks(state []byte) bool {
	return l.Left(state, BudgetLostDisks) > 0 && l.Left(state, BudgetCrashes) > 0 && l.Left(state, BudgetRestarts) > 0
}

// Wrote notes in the part of a process that its disk held something before a step, and holds
// something after it. It begins with what a process that comes up has found.
func (l *Layout) Wrote(proc, before, after []byte, comesUp bool) {
	if comesUp || !bytes.Equal(before, after) {
		copy(proc[l.OldOff:], before)
	}
}

// ForgetDisks clears what disks held before, where no crash can undo a write any more.
func (l *Layout) ForgetDisks(next []byte) {
	if l.OldOff < 0 || l.MayForget(next) {
		return
	}
	for pos := range l.N {
		clear(l.Proc(next, pos)[l.OldOff:])
	}
}

// UpAndDown returns the positions of the processes that are up and of those that are
// down in a state.
func (l *Layout) UpAndDown(state []byte) (up, down process.Set) {
	for pos := range l.N {
		switch l.Proc(state, pos)[0] {
		case Up:
			up |= 1 << pos
		case Down:
			down |= 1 << pos
		}
	}
	return up, down
}

// Pass takes a tick from every timer and every delay of a state, where time passes in
// ticks, and makes every instant a tick older. Only what waits for a process that pauses can have none left.
func (l *Layout) Pass(next []byte) {
	for pos := range l.N {
		for ts := l.TimersOf(next, pos); len(ts) > 0; ts = ts[l.TimerLen:] {
			if ts[0] > 1 {
				ts[0]--
			}
			if l.TimerLen > 1 && ts[1] > 0 { // clocks drift
				ts[1]--
			}
		}
	}
	for i := l.MsgOff + l.DueOff; i < len(next); i += l.Width {
		if next[i] > 0 {
			next[i]--
		}
	}
	l.age(next)
}
