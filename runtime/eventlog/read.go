package eventlog

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"bullyproof/model"
)

// ErrTorn is what a Reader ends with, in place of io.EOF, where the last line has
// no end and is no event: its writer was stopped as it wrote.
var ErrTorn = errors.New("the last line is torn")

// A Source yields the events of a log. After the last one the error is io.EOF or ErrTorn;
// any other names the log and the line.
type Source interface {
	// Name returns what errors call the log.
	Name() string
	// Next returns the next event.
	Next() (Event, error)
}

// A Reader reads a log line by line, however long the log is.
type Reader struct {
	name string
	r    *bufio.Reader
	line int
	err  error
}

// NewReader returns a reader of a log. Errors call it by a name, that of the file
// as a rule.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{name: name, r: bufio.NewReaderSize(r, MaxLine)}
}

// Name returns what errors call the log.
func (r *Reader) Name() string { return r.name }

// Next returns the next event. At the end the error is io.EOF, or ErrTorn; any
// other names the log and the line ("node2.ndjson:14: ..."). After an error it
// returns the same one.
func (r *Reader) Next() (Event, error) {
	if r.err != nil {
		return Event{}, r.err
	}
	e, err := r.next()
	if r.err = err; err != nil {
		return Event{}, err
	}
	return e, nil
}

func (r *Reader) next() (Event, error) {
	data, err := r.r.ReadSlice('\n')
	r.line++
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return Event{}, r.fail(fmt.Errorf("the line is longer than %d bytes", MaxLine))
	case errors.Is(err, io.EOF) && len(bytes.TrimSpace(data)) == 0:
		return Event{}, io.EOF
	case err != nil && !errors.Is(err, io.EOF):
		return Event{}, r.fail(err)
	}
	e, bad := Decode(data)
	if bad != nil && err != nil { // no end of line
		return Event{}, r.fail(ErrTorn)
	}
	if bad != nil {
		return Event{}, r.fail(bad)
	}
	e.Line = r.line
	return e, nil
}

func (r *Reader) fail(err error) error { return fmt.Errorf("%s:%d: %w", r.name, r.line, err) }

// Numbers looks at the seq of the lines of a file. The zero value has seen none.
type Numbers struct {
	last [model.MaxID + 1]uint64 // by process
}

// Next looks at the next line. The error says that lines of its process are missing before
// it. A line without a number is not counted: others may have written it.
func (n *Numbers) Next(e *Event) error {
	last := &n.last[e.Process]
	if e.Seq == 0 {
		return nil
	}
	if *last != 0 && e.Seq != *last+1 && e.Kind != Boot {
		return fmt.Errorf("seq is %d after %d: lines of process %s are missing, or not in order", e.Seq, *last, e.Process)
	}
	*last = e.Seq
	return nil
}

// Tail returns a reader of what r has now and gets later, as a file does that
// somebody writes to: at the end it looks again every so often (a positive
// duration), until the context is done, which is then its end.
func Tail(ctx context.Context, r io.Reader, every time.Duration) io.Reader {
	return &tail{ctx: ctx, r: r, every: every}
}

// Follow is Tail of a file that has a name, up to where it ends for good: its name is
// that of another file, or it has become shorter than what was read of it, as
// where logs are rotated. Then the reader ends, and whoever opens the name again goes on
// with the next file. While there is no file by the name, this one is waited for.
func Follow(ctx context.Context, f *os.File, every time.Duration) io.Reader {
	t := &tail{ctx: ctx, every: every}
	c := &counted{r: f}
	t.r, t.over = c, func() bool {
		own, err := f.Stat()
		if err != nil {
			return false
		}
		if own.Mode().IsRegular() && own.Size() < c.n {
			return true
		}
		named, err := os.Stat(f.Name())
		return err == nil && !os.SameFile(own, named)
	}
	return t
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

type tail struct {
	ctx   context.Context
	r     io.Reader
	every time.Duration
	over  func() bool // nothing more will come; nil: that is never known
	last  bool        // what was written before that is read
}

// Read waits until there is something to read.
func (t *tail) Read(p []byte) (int, error) {
	for {
		if n, err := t.r.Read(p); n > 0 || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if t.last {
			return 0, io.EOF
		}
		if t.over != nil && t.over() {
			t.last = true // somebody may have written to it meanwhile
			continue
		}
		select {
		case <-t.ctx.Done():
			return 0, io.EOF
		case <-time.After(t.every):
		}
	}
}
