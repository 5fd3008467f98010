package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// Encode returns the trace as in a file: JSON, indented for people, with an
// action, a message or a change on each line. The same trace makes the same
// bytes, and Decode of them the same trace. It fails for a trace that Decode
// would refuse.
func (t *Trace) Encode() ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	var e encoder
	e.raw("{\n")
	e.line("schema", strconv.Itoa(Schema))
	for _, f := range []struct{ name, text string }{
		{"algorithm", t.Algorithm}, {"variant", t.Variant}, {"property", t.Property}, {"kind", t.Kind.String()},
		{"title", t.Title}, {"story", t.Story}, {"setting", t.Setting.String()}, {"origin", t.Origin.String()},
	} {
		e.line(f.name, quote(f.text))
	}
	if len(t.Choices) > 0 {
		e.raw("  ")
		e.list("choices", t.Choices)
		e.raw(",\n")
	}
	if t.Lasso > 0 {
		e.line("lasso_start", strconv.Itoa(t.Lasso))
	}
	e.raw(`  "steps": [`)
	for i := range t.Steps {
		e.separate(i, "\n    ")
		e.step(&t.Steps[i])
	}
	if len(t.Steps) > 0 {
		e.raw("\n  ")
	}
	e.raw("]\n}\n")
	if e.buf.Len() > MaxBytes {
		return nil, fmt.Errorf("trace: %d bytes are too many for a file: at most %d", e.buf.Len(), MaxBytes)
	}
	return e.buf.Bytes(), nil
}

// An encoder writes the JSON of a trace in its own layout, for which package
// encoding/json has no setting.
type encoder struct{ buf bytes.Buffer }

func (e *encoder) raw(s string) { e.buf.WriteString(s) }

// line writes a field of the trace.
func (e *encoder) line(name, value string) { e.raw("  " + quote(name) + ": " + value + ",\n") }

// separate begins element i of a list in a line of its own.
func (e *encoder) separate(i int, indent string) {
	if i > 0 {
		e.raw(",")
	}
	e.raw(indent)
}

func (e *encoder) step(s *Step) {
	e.raw("{\n      ")
	e.action(&s.Action)
	list := func(name string, n int, item func(i int)) {
		if n == 0 {
			return
		}
		e.raw(",\n      " + quote(name) + ": [")
		for i := range n {
			e.separate(i, "\n        ")
			item(i)
		}
		e.raw("\n      ]")
	}
	if len(s.Rules) > 0 {
		quoted := make([]string, len(s.Rules))
		for i, r := range s.Rules {
			quoted[i] = quote(r)
		}
		e.raw(",\n      \"rules\": [" + strings.Join(quoted, ", ") + "]")
	}
	list("sent", len(s.Sent), func(i int) { e.message(&s.Sent[i]) })
	list("dropped", len(s.Dropped), func(i int) { e.message(&s.Dropped[i]) })
	list("changes", len(s.Changes), func(i int) {
		c := &s.Changes[i]
		e.raw(fmt.Sprintf(`{"process": %d, "field": %s, "from": %s, "to": %s}`, c.Process, quote(c.Field), quote(c.From), quote(c.To)))
	})
	if s.Misuse != "" {
		e.raw(",\n      \"misuse\": " + quote(s.Misuse))
	}
	e.raw("\n    }")
}

// action writes the fields of an action that matter for its kind.
func (e *encoder) action(a *model.Action) {
	f := a.Kind
	e.raw(`"action": ` + quote(a.Kind.String()))
	if f.Has(model.AtProcess) {
		e.field("process", int(a.Process))
	}
	if f.Has(model.OfMessage) {
		if a.Port >= model.Next {
			e.raw(`, "port": ` + quote(a.Port.String()))
		} else {
			e.field("from", int(a.Port))
		}
		e.raw(`, "message": ` + quote(a.Message))
		e.optional("due", a.Due)
	}
	if f.Has(model.OfTimer) {
		e.raw(`, "timer": ` + quote(a.Timer))
		if a.Premature {
			e.raw(`, "premature": true`)
		}
	}
	if f.Has(model.AboutAnother) {
		e.field("who", int(a.Who))
	}
	if f.Has(model.OfClock) {
		e.field("ahead", a.Ahead)
	}
	if f.Has(model.OfRequest) {
		e.raw(`, "request": ` + quote(a.Request))
	}
	if a.Link != (setting.CutLink{}) {
		e.raw(`, "link": ` + quote(a.Link.String()))
	} else if f.Has(model.OfSide) {
		e.raw(`, "side": [`)
		for id := range a.Side.All() {
			if id != a.Side.Min() {
				e.raw(", ")
			}
			e.raw(id.String())
		}
		e.raw("]")
	}
	if len(a.Choices) > 0 {
		e.numbers("choices", a.Choices)
	}
	if len(a.Outcomes) > 0 {
		quoted := make([]string, len(a.Outcomes))
		for i, text := range a.Outcomes {
			quoted[i] = quote(text)
		}
		e.raw(`, "outcomes": [` + strings.Join(quoted, ", ") + "]")
	}
	if a.Crash {
		e.raw(`, "crash": true`)
		e.numbers("out", a.Out)
	}
}

func (e *encoder) message(m *Message) {
	e.raw("{")
	if m.From != model.None {
		e.raw(fmt.Sprintf(`"from": %d, `, m.From))
	}
	e.raw(fmt.Sprintf(`"to": %d`, m.To))
	if m.Port >= model.Next {
		e.raw(`, "port": ` + quote(m.Port.String()))
	}
	e.raw(`, "message": ` + quote(m.Text))
	e.optional("due", m.Due)
	e.optional("broadcast", m.Broadcast)
	if m.Lost {
		e.raw(`, "lost": true`)
	}
	e.raw("}")
}

// field writes a number that follows other fields of an object.
func (e *encoder) field(name string, n int) { e.raw(`, ` + quote(name) + ": " + strconv.Itoa(n)) }

// optional writes a number unless it is 0.
func (e *encoder) optional(name string, n int) {
	if n != 0 {
		e.field(name, n)
	}
}

// numbers writes a list that follows other fields of an object.
func (e *encoder) numbers(name string, list []int) {
	e.raw(", ")
	e.list(name, list)
}

func (e *encoder) list(name string, list []int) {
	e.raw(quote(name) + ": [")
	for i, n := range list {
		if i > 0 {
			e.raw(", ")
		}
		e.raw(strconv.Itoa(n))
	}
	e.raw("]")
}

// quote returns s as a JSON string, with > and & as they are.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string has a JSON form
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
