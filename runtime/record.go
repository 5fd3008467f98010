package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"bullyproof/internal/filelock"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// A recorder writes the event log of a process. Where that fails it writes no
// more: a log that ends is a log, one with a hole in it is none.
type recorder struct {
	p     *Process
	to    *eventlog.Writer // or nil
	file  *eventFile       // or nil
	seq   uint64
	clock uint64 // Lamport's, of the last event

	events []eventlog.Event // the last event and its sends, which are yet to be written
	lines  []byte           // they, if there is a file
}

// meet has the clock be later than one that came with a message.
func (r *recorder) meet(clock uint64) { r.clock = max(r.clock, clock) }

// handled takes down that a handler has run, and what it sends. Nothing is
// written yet.
func (r *recorder) handled(e *eventlog.Event, now time.Time) {
	r.clock++
	r.events, r.lines = r.events[:0], r.lines[:0]
	if r.to == nil && r.file == nil {
		return
	}
	m := r.p.machine
	if len(r.p.choices) > 0 {
		e.Choices = slices.Clone(r.p.choices)
	}
	e.Rules = []string{}
	for rule := range m.Rules {
		e.Rules = append(e.Rules, r.p.names.Rules[rule])
	}
	e.Belief = eventlog.Knows(m.Belief())
	for _, f := range m.State() {
		e.State = append(e.State, eventlog.Field{Name: f.Name, Value: f.Value})
	}
	slices.SortFunc(e.State, func(a, b eventlog.Field) int { return strings.Compare(a.Name, b.Name) })
	r.add(e, now)
	order := r.p.posted
	for to, letter := range m.Sends {
		order++
		r.add(&eventlog.Event{Kind: eventlog.Send, To: to, Message: letter.Text, ID: mailID(r.p.config.Self, r.p.session, order)}, now)
	}
}

// mailID returns by what the logs of sender and receiver know a message.
func mailID(from model.ID, session, order uint64) string {
	return fmt.Sprintf("%v-%x-%d", from, session, order)
}

func (r *recorder) add(e *eventlog.Event, now time.Time) {
	r.seq++
	e.Process, e.Seq, e.Clock, e.Time = r.p.config.Self, r.seq, r.clock, now
	r.events = append(r.events, *e)
	if r.file == nil {
		return
	}
	line, err := e.Encode()
	if err != nil {
		r.end(err)
		return
	}
	r.lines = append(r.lines, line...)
}

// write writes what was taken down.
func (r *recorder) write() {
	for i := range r.events {
		if r.to == nil {
			break
		}
		if err := r.to.Write(&r.events[i]); err != nil {
			r.end(err)
		}
	}
	if r.file != nil {
		if err := r.file.write(r.lines); err != nil {
			r.end(err)
		}
	}
}

// end ends the log.
func (r *recorder) end(err error) {
	r.p.config.Log.Error("the event log ends here", "error", err)
	r.to, r.lines = nil, nil
	r.close()
}

func (r *recorder) close() {
	if r.file != nil {
		_ = r.file.f.Close()
		r.file = nil
	}
}

// at returns where in the file what was taken down goes.
func (r *recorder) at() int64 {
	if r.file == nil {
		return 0
	}
	return r.file.size
}

// An eventFile is an event log to which one process writes.
type eventFile struct {
	f    *os.File
	size int64
}

// openEventFile opens an event log to write at its end, and keeps others from
// writing there. If whoever wrote it was killed in the middle of a line, that line
// goes.
func openEventFile(name string) (*eventFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	var size int64
	if err = filelock.Take(f); err == nil {
		size, err = cutTorn(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &eventFile{f, size}, nil
}

// cutTorn cuts off what follows the last end of a line, and returns where that
// is.
func cutTorn(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	from := max(0, end-eventlog.MaxLine)
	tail := make([]byte, end-from)
	if _, err := f.ReadAt(tail, from); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	if whole == 0 && from > 0 {
		return 0, fmt.Errorf("%s is no event log: it ends in a line of more than %d bytes", f.Name(), eventlog.MaxLine)
	}
	end = from + int64(whole)
	return end, f.Truncate(end)
}

func (e *eventFile) write(lines []byte) error {
	n, err := e.f.Write(lines)
	e.size += int64(n)
	return err
}

// redo writes lines that were to be written at a place, as far as they are not
// there. A log that is another one by now, since somebody has begun a new file,
// is left as it is.
func (e *eventFile) redo(at int64, lines []byte) error {
	have := e.size - at
	if have < 0 || have >= int64(len(lines)) {
		return nil
	}
	there := make([]byte, have)
	if _, err := e.f.ReadAt(there, at); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.HasPrefix(lines, there) {
		return nil
	}
	return e.write(lines[have:])
}
