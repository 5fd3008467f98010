package validate

import (
	"errors"
	"fmt"
	"io"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// MaxEvents is the number of lines that a log may have.
const MaxEvents = 4_000_000

// A Log is what one run of a system left, of one file or many, put together by
// processes.
type Log struct {
	procs [model.MaxID + 1]stream
	files []string
	seq   []eventlog.Numbers // by file
	timed bool               // every line has a time, or a clock, so far
	clock bool
	count int
	// Partial says that lines tell only part of what processes do: who is asked to begin
	// and whom the detector suspects may be without a line.
	Partial bool
	// Torn are the files whose last line is torn off, and left out.
	Torn []string
	// Aside counts the lines that tell nothing of a process's own: pauses, cuts,
	// and what others observed of it.
	Aside int
}

// A stream is what is known of one process, in order.
type stream struct {
	entries []entry
	outside []entry // crashes that other files tell
	file    int     // that the lines came from last
	begun   bool
	sends   bool // it tells what it sends
	ids     ids
}

// An entry is a line with the sends that belong to it.
type entry struct {
	eventlog.Event
	file  int
	rank  uint64 // where it stands in an order that is worth trying
	sends []send
	// partial says that its sends need not all be there: the process crashed, or
	// the log ends.
	partial bool
	again   int // the line in which the process received the same message before, 0: in none
}

// A send is a line about a message that was sent.
type send struct {
	to      model.Port
	message string
	id      string
	line    int
}

// NewLog returns an empty log.
func NewLog() *Log { return &Log{timed: true, clock: true} }

// Read adds the lines of a file to a log. The lines of a process stand in one
// file, or go on in a later one with a boot. Errors name file and line.
func (l *Log) Read(r eventlog.Source) error {
	file := l.Open(r.Name())
	for {
		e, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, eventlog.ErrTorn):
			l.Torn = append(l.Torn, r.Name())
			return nil
		case err != nil:
			return err
		}
		if err := l.Add(file, e); err != nil {
			return l.wrap(file, e.Line, err)
		}
	}
}

// Open adds a file that has no lines yet, and returns its number.
func (l *Log) Open(name string) (file int) {
	l.files = append(l.files, name)
	l.seq = append(l.seq, eventlog.Numbers{})
	return len(l.files) - 1
}

// Add adds the next line of a file.
func (l *Log) Add(file int, e eventlog.Event) error {
	if l.count++; l.count > MaxEvents {
		return fmt.Errorf("the log has more than %d lines", MaxEvents)
	}
	l.timed = l.timed && !e.Time.IsZero()
	l.clock = l.clock && e.Clock > 0
	if err := l.seq[file].Next(&e); err != nil {
		return err
	}
	p := &l.procs[e.Process]
	own := p.begun && p.file == file
	switch {
	case e.Kind == eventlog.Pause, e.Kind == eventlog.Resume, e.Kind.World(), e.Kind == eventlog.Observe && !own:
		l.Aside++
	case e.Kind == eventlog.Crash && !own:
		p.outside = append(p.outside, entry{Event: e, file: file, rank: uint64(l.count)})
	case e.Kind == eventlog.Send:
		if !own || len(p.entries) == 0 {
			return fmt.Errorf("%s sends before it does anything: a send belongs to the event that stands before it", e.Process.Name())
		}
		if err := p.nameSend(&e, len(p.entries)-1); err != nil {
			return err
		}
		last := &p.entries[len(p.entries)-1]
		last.sends = append(last.sends, send{e.To, e.Message, e.ID, e.Line})
		p.sends = true
	case p.begun && !own && e.Kind != eventlog.Boot:
		return fmt.Errorf("process %s has written in %s already: what it goes on with in another file begins with a boot", e.Process, l.files[p.file])
	default:
		return l.own(file, p, e)
	}
	return nil
}

// own adds a line of what a process did itself.
func (l *Log) own(file int, p *stream, e eventlog.Event) (err error) {
	x := entry{Event: e, file: file, rank: uint64(l.count)}
	if e.Kind == eventlog.Receive {
		if x.again, err = p.nameReceipt(&e); err != nil {
			return err
		}
	}
	if !p.begun || p.file != file { // crashes that this file has told are in its order
		p.tell(file)
	}
	p.entries = append(p.entries, x)
	p.begun, p.file = true, file
	return nil
}

// tell makes crashes that a file has told lines of the process itself.
func (p *stream) tell(file int) {
	var others []entry
	for _, e := range p.outside {
		if e.file == file {
			p.entries = append(p.entries, e)
		} else {
			others = append(others, e)
		}
	}
	p.outside = others
}

// CountFrom has an epoch be the first, 0: a model counts its elections from there, and a
// system that ran before its log began does not. No line of the log tells a lower one.
func (l *Log) CountFrom(first uint64) {
	for id := range l.procs {
		for i := range l.procs[id].entries {
			if b := l.procs[id].entries[i].Belief; b != nil && b.Epoch != nil {
				*b.Epoch -= min(first, *b.Epoch)
			}
		}
	}
}

// Events returns the number of lines that were read.
func (l *Log) Events() int { return l.count }

// whole returns the streams as a search goes through them: crashes that others
// told before the boots that they explain, the others at the end.
func (l *Log) whole() [model.MaxID + 1]stream {
	procs := l.procs
	for id := range procs {
		p := &procs[id]
		if len(p.outside) > 0 {
			p.entries = merged(p.entries, p.outside)
			p.ids.number(p.entries)
		}
		for i := range p.entries {
			e := &p.entries[i]
			last := i+1 == len(p.entries)
			e.partial = last || p.entries[i+1].Kind == eventlog.Crash || p.entries[i+1].Kind == eventlog.Boot
			switch {
			case l.timed:
				e.rank = uint64(e.Time.UnixNano())
			case l.clock:
				e.rank = e.Clock
			}
		}
		settleRanks(p.entries)
	}
	return procs
}

// merged puts crashes that others saw into the entries of a process: each before a
// restart that has no crash of its own before it.
func merged(own, crashes []entry) []entry {
	out := make([]entry, 0, len(own)+len(crashes))
	for i := range own {
		again := own[i].Kind == eventlog.Boot && own[i].Why == model.Restart
		if again && len(crashes) > 0 && (i == 0 || own[i-1].Kind != eventlog.Crash) {
			out, crashes = append(out, crashes[0]), crashes[1:]
		}
		out = append(out, own[i])
	}
	return append(out, crashes...)
}

// settleRanks has the ranks of a process grow: its own order is right, and its
// clock may not be.
func settleRanks(entries []entry) {
	for i := 1; i < len(entries); i++ {
		entries[i].rank = max(entries[i].rank, entries[i-1].rank)
	}
}

// most returns the highest process of which a log tells.
func (l *Log) most() model.ID {
	top := model.None
	for id := range l.procs {
		p := &l.procs[id]
		if len(p.entries)+len(p.outside) > 0 {
			top = model.ID(id)
		}
		for i := range p.entries {
			top = max(top, Highest(&p.entries[i].Event))
		}
	}
	return top
}

// Highest returns the highest process that an event tells of.
func Highest(e *eventlog.Event) model.ID {
	top := max(e.Process, e.Who)
	if e.From < model.Next {
		top = max(top, e.From.ID())
	}
	return top
}

// wrap says where an error is.
func (l *Log) wrap(file, line int, err error) error {
	return fmt.Errorf("%s:%d: %w", l.files[file], line, err)
}

// outOf is the error of a process that a setting does not have.
func (l *Log) outOf(file int, e eventlog.Event, n int) error {
	return l.wrap(file, e.Line, fmt.Errorf("the log tells of process %s: there are only 1 to %d in this setting", e.Process, n))
}

// place returns where a line stands: "node2.ndjson:14".
func (l *Log) place(e *entry) string { return fmt.Sprintf("%s:%d", l.files[e.file], e.Line) }
