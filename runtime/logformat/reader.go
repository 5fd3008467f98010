package logformat

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"bullyproof/internal/nearest"
	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// A Reader reads a log line by line, however long the log is.
type Reader struct {
	of     *Reading
	name   string
	in     *bufio.Reader
	line   int
	learns bool // only names

	own    model.ID // the process that the file has named, None before
	many   bool     // it has named several
	last   [model.MaxID + 1]time.Time
	ready  []eventlog.Event
	homing []told // lines that name no process, before any that does
	err    error
}

// told is what a line tells.
type told struct {
	kind          kind
	name, leader  string
	term          uint64
	dated         bool // it tells a term
	time          time.Time
	line          int
	text          string
	group, placed bool // it is of the group that is read; it names its process
	tellsLeader   bool // "" is none
}

// Reader returns a reader of a log. Errors call it by a name, that of the file as a rule.
func (r *Reading) Reader(in io.Reader, name string) *Reader {
	return &Reader{of: r, name: name, in: bufio.NewReaderSize(in, eventlog.MaxLine)}
}

// Name returns what errors call the log.
func (r *Reader) Name() string { return r.name }

// Next returns the next event: a boot, a crash, or the observation of a belief. A process
// whose first line is no boot was up before, and gets a boot in front of it. At the end
// the error is io.EOF; any other names the log and the line. After an error it returns
// the same one.
func (r *Reader) Next() (eventlog.Event, error) {
	for len(r.ready) == 0 && r.err == nil {
		if err := r.read(); errors.Is(err, io.EOF) {
			r.err = io.EOF
		} else if err != nil {
			r.err = fmt.Errorf("%s:%d: %w", r.name, r.line, err)
		}
	}
	if len(r.ready) == 0 {
		return eventlog.Event{}, r.err
	}
	e := r.ready[0]
	r.ready = r.ready[1:]
	return e, nil
}

// read reads a line.
func (r *Reader) read() error {
	data, err := r.in.ReadSlice('\n')
	if errors.Is(err, io.EOF) {
		if len(data) > 0 {
			r.count(Counts{Torn: 1})
		}
		return io.EOF
	}
	r.line++
	r.count(Counts{Lines: 1})
	if errors.Is(err, bufio.ErrBufferFull) {
		return r.skip()
	}
	if err != nil {
		return err
	}
	t, err := r.of.format.find(bytes.TrimRight(data, "\r\n"), r.of.group)
	switch {
	case err != nil:
		return err
	case t == nil:
		return nil
	case !t.group:
		r.count(Counts{Groups: 1})
		return nil
	}
	t.line = r.line
	return r.place(t)
}

// skip leaves out a line that is longer than any that tells something.
func (r *Reader) skip() error {
	for {
		_, err := r.in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func (r *Reader) count(c Counts) {
	if r.learns {
		return
	}
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.of.counts.Lines += c.Lines
	r.of.counts.Events += c.Events
	r.of.counts.Groups += c.Groups
	r.of.counts.Torn += c.Torn
}

// find returns what a line tells, nil if nothing.
func (f *Format) find(line []byte, group string) (*told, error) {
	var match [][]byte
	var by *expression
	for i := range f.events {
		x := &f.events[i]
		if !bytes.Contains(line, []byte(x.part)) {
			continue
		}
		m := x.match.FindSubmatch(line)
		if m == nil {
			continue
		}
		if by != nil {
			return nil, fmt.Errorf("the line matches two events, %s (line %d of the format) and %s (line %d): want expressions of which one matches",
				by.kind, by.line, x.kind, x.line)
		}
		by, match = x, m
	}
	if by == nil {
		return nil, nil
	}
	t := &told{kind: by.kind, group: true, text: string(match[0])}
	for i, name := range by.match.SubexpNames() {
		value := string(match[i])
		switch name {
		case "process":
			t.name, t.placed = value, value != ""
		case "leader":
			t.leader, t.tellsLeader = value, true
		case "group":
			t.group = group == "" || value == group
		case "term":
			var err error
			if t.term, err = strconv.ParseUint(value, 10, 64); err != nil {
				return nil, fmt.Errorf("the term is %q: want a whole number below 2^64", nearest.Clip(value))
			}
			t.dated = true
		}
	}
	if !t.group {
		return t, nil
	}
	var err error
	t.time, err = f.time(line)
	return t, err
}

// time reads the time of a line.
func (f *Format) time(line []byte) (time.Time, error) {
	for i := range f.times {
		x := &f.times[i]
		m := x.match.FindSubmatch(line)
		if m == nil {
			continue
		}
		text := string(m[x.match.SubexpIndex("time")])
		at, err := x.read(text)
		if y := at.UTC().Year(); err != nil || at.IsZero() || y < 1 || y > 9999 {
			return at, fmt.Errorf("the time is %q: want one like %q", nearest.Clip(text), x.layout)
		}
		return at, nil
	}
	return time.Time{}, errors.New("the line has an event and no time that the format reads")
}

// place finds the process of a line. One that names none is of the process of the file.
func (r *Reader) place(t *told) error {
	own, file := r.of.owner(r.name)
	switch {
	case !t.placed && file:
		return r.add(own, t)
	case !t.placed && r.many:
		return errors.New("the line names no process, and the file names several: want a file for each process")
	case !t.placed && r.own != model.None:
		return r.add(r.own, t)
	case !t.placed:
		const most = 64
		if len(r.homing) == most {
			return fmt.Errorf("%d lines name no process: say with --as whose log this is", most+1)
		}
		r.homing = append(r.homing, *t)
		return nil
	}
	id, err := r.of.process(r.name, t.name, true)
	if err != nil {
		return err
	}
	for i := range r.homing { // they stood before
		if err := r.add(id, &r.homing[i]); err != nil {
			return err
		}
	}
	r.homing = nil
	r.many = r.many || r.own != model.None && r.own != id
	r.own = id
	return r.add(id, t)
}

// owner returns whose log a file is; not ok if nobody has said so.
func (r *Reading) owner(file string) (id model.ID, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok = r.files[file]
	return id, ok
}

// add makes an event of what a line tells of a process.
func (r *Reader) add(id model.ID, t *told) error {
	if t.time.Before(r.last[id]) {
		return fmt.Errorf("the clock of %s runs backwards, from %s to %s", id.Name(), eventlog.TimeOfDay(r.last[id]), eventlog.TimeOfDay(t.time))
	}
	r.last[id] = t.time
	e := eventlog.Event{Process: id, Kind: eventlog.Observe, Time: t.time, Note: note(t.text), Line: t.line}
	var err error
	if e.Belief, err = r.belief(id, t); err != nil || r.learns {
		return err
	}
	of := r.of
	of.mu.Lock()
	defer of.mu.Unlock()
	was := of.up[id]
	switch {
	case t.kind == down && was == stopped, was == stopped && t.leader == "" && (t.kind == follower || t.kind == lost):
		return nil // the last words of a process that has stopped
	case t.kind == up:
		e.Kind = eventlog.Boot
	case t.kind == down:
		e.Kind = eventlog.Crash
	}
	if e.Kind == eventlog.Boot {
		e.Why = why(was)
	} else if was != running { // it was up, or came up, and no line told so
		r.ready = append(r.ready, eventlog.Event{Process: id, Kind: eventlog.Boot, Why: why(was), Time: t.time, Line: t.line})
	}
	of.up[id] = running
	if t.kind == down {
		of.up[id] = stopped
	}
	of.counts.Events++
	if t.dated && t.kind != up && t.kind != down {
		before := t.term
		if before > 0 && (t.kind == leads || t.kind == candidate || t.leader != "") {
			before-- // an election led to it
		}
		of.term(before)
	}
	r.ready = append(r.ready, e)
	return nil
}

func why(was state) model.Boot {
	if was == unseen {
		return model.Cold
	}
	return model.Restart
}

// belief returns what a line tells of a belief; nil if nothing.
func (r *Reader) belief(id model.ID, t *told) (*eventlog.Belief, error) {
	var b eventlog.Belief
	who := id
	switch t.kind {
	case up, down:
		return nil, nil
	case candidate:
		who, b.Participant = eventlog.NotMe, new(true)
	case preCandidate:
		who = eventlog.NotMe
	case lost:
		who = model.None
	case follower:
		who, b.Participant = eventlog.NotMe, new(false)
		if t.tellsLeader {
			who = model.None
		}
		if t.leader != "" {
			var err error
			if who, err = r.of.process(r.name, t.leader, false); err != nil {
				return nil, err
			}
		}
	}
	b.Elected = &who
	if t.dated {
		b.Epoch = &t.term
	}
	return &b, nil
}

// note returns a text as a line about it shows it.
func note(text string) string {
	text = strings.Map(func(r rune) rune {
		if prose.Unprintable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	const most = 160
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
