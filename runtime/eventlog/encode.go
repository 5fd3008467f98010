package eventlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"bullyproof/model"
)

// line is an event as JSON, in the order in which lines are written.
type line struct {
	Process model.ID          `json:"process,omitempty"`
	Event   string            `json:"event"`
	Why     string            `json:"why,omitempty"`
	From    *port             `json:"from,omitempty"`
	To      *port             `json:"to,omitempty"`
	Message string            `json:"message,omitempty"`
	ID      string            `json:"id,omitempty"`
	Timer   string            `json:"timer,omitempty"`
	Who     model.ID          `json:"who,omitempty"`
	Link    string            `json:"link,omitempty"`
	Side    []int             `json:"side,omitempty"`
	Choices *[]int            `json:"choices,omitempty"`
	Rules   *[]string         `json:"rules,omitempty"`
	Belief  *beliefLine       `json:"belief,omitempty"`
	State   map[string]string `json:"state,omitempty"`
	Seq     uint64            `json:"seq,omitempty"`
	Clock   uint64            `json:"clock,omitempty"`
	Time    string            `json:"time,omitempty"`
	Note    string            `json:"note,omitempty"`
}

type beliefLine struct {
	Elected     *elected `json:"elected,omitempty"`
	Participant *bool    `json:"participant,omitempty"`
	Epoch       *uint64  `json:"epoch,omitempty"`
}

// A port is a number, "next" or "prev".
type port model.Port

// MarshalJSON writes it.
func (p port) MarshalJSON() ([]byte, error) {
	if q := model.Port(p); q >= model.Next {
		return json.Marshal(q.String())
	}
	return json.Marshal(uint8(p))
}

// elected is a number, 0 for nobody, or "me".
type elected model.ID

// MarshalJSON writes it.
func (e elected) MarshalJSON() ([]byte, error) {
	if model.ID(e) == model.Me {
		return json.Marshal("me")
	}
	return json.Marshal(uint8(e))
}

// Encode returns the line of an event, its end included. It fails where no line
// can hold the event (Validate), or where it would be longer than MaxLine.
func (e *Event) Encode() ([]byte, error) {
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("event log: %w", err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e.line()); err != nil {
		return nil, fmt.Errorf("event log: %w", err)
	}
	if b.Len() > MaxLine {
		return nil, fmt.Errorf("event log: a line of %d bytes: at most %d", b.Len(), MaxLine)
	}
	return b.Bytes(), nil
}

func (e *Event) line() *line {
	l := &line{
		Process: e.Process, Event: e.Kind.String(), Message: e.Message, ID: e.ID, Timer: e.Timer, Who: e.Who,
		Link: e.Link, Seq: e.Seq, Clock: e.Clock, Note: e.Note,
	}
	if e.Kind == Boot {
		l.Why = e.Why.String()
	}
	if e.From != 0 {
		l.From = (*port)(&e.From)
	}
	if e.To != 0 {
		l.To = (*port)(&e.To)
	}
	for id := range e.Side.All() {
		l.Side = append(l.Side, int(id))
	}
	if e.Choices != nil {
		l.Choices = &e.Choices
	}
	if e.Rules != nil {
		l.Rules = &e.Rules
	}
	if b := e.Belief; b != nil {
		l.Belief = &beliefLine{(*elected)(b.Elected), b.Participant, b.Epoch}
	}
	if e.State != nil {
		l.State = make(map[string]string, len(e.State))
		for _, f := range e.State {
			l.State[f.Name] = f.Value
		}
	}
	if !e.Time.IsZero() {
		l.Time = e.Time.UTC().Format(time.RFC3339Nano)
	}
	return l
}

// A Writer writes events, a line each, each with one call of Write: what a
// process wrote before it was killed is whole lines, except for the last one at
// the most. It is safe for use by several goroutines.
type Writer struct {
	mu sync.Mutex
	w  io.Writer
}

// NewWriter returns a writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes an event.
func (w *Writer) Write(e *Event) error {
	data, err := e.Encode()
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.w.Write(data); err != nil {
		return fmt.Errorf("event log: %w", err)
	}
	return nil
}
