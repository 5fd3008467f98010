package trace

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Schema is the version of the file format that this package writes, and the
// only one that it reads.
const Schema = 1

// Limits on what is read and written.
const (
	// MaxBytes is the size of a trace file.
	MaxBytes = 16 << 20
	// MaxSteps is the number of steps of a trace.
	MaxSteps = 100_000
	// MaxText is the length of one text in a trace, in bytes.
	MaxText = 64 << 10
	// maxItems is the length of a list within a step.
	maxItems = 10_000
)

// Misuse is the name of the property that a handler breaks when it does what
// no network can carry out: it panics, or sends to nobody. No watch belongs to
// it; the last step of its trace says what was done.
const Misuse = "misuse"

// Kind is what a trace is evidence of.
type Kind uint8

const (
	// Plain traces show a run, and nothing in particular.
	Plain Kind = iota
	// Violation traces end where their property breaks; of a property of whole
	// runs, where the run is over or begins to repeat itself.
	Violation
	// Witness traces end where their property is met: "a run where X happens".
	Witness
)

var kindNames = []string{"run", "violation", "witness"}

// String returns "run", "violation" or "witness".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", k)
}

// A Header says whose run a trace is, and what it is evidence of.
type Header struct {
	// Algorithm and Variant name the protocol. The variant may be empty.
	Algorithm, Variant string
	// Property names the property that the trace is about; empty for Plain.
	Property string
	// Kind says whether the property breaks or is met at the end.
	Kind Kind
	// Title says in one line, and Story in as many as it takes, what the trace
	// shows. Both are for people, and both may be empty.
	Title, Story string
}

// A Trace is the record of one run: where it began, what happened, and what
// each happening did.
type Trace struct {
	Header
	// Setting is the setting that was checked.
	Setting setting.Setting
	// Origin is Setting narrowed to the one initial state where the run begins.
	Origin setting.Setting
	// Choices are what handlers chose as they came up, before the run begins
	// (Net.Choose), in order: an origin has an initial state for each outcome.
	Choices []int
	// Lasso is the number of the step that begins the cycle of a run without end:
	// after the last step it continues with this one. Steps are numbered from 1;
	// 0 says that the run ends.
	Lasso int
	// Steps are what happened, in order.
	Steps []Step
}

// A Step is one thing that happened, and all that it did.
type Step struct {
	// Action is what happened.
	Action model.Action
	// Rules are the rules of the source that ran.
	Rules []string
	// Sent are the messages that it sent, in order.
	Sent []Message
	// Dropped are the messages in flight that can no longer arrive because of
	// it. The message of a Drops or Loses action is not among them.
	Dropped []Message
	// Changes are what it changed in the states of processes.
	Changes []Change
	// Misuse says what a handler did that no world can carry out; the trace
	// ends with it. Empty as a rule.
	Misuse string
}

// A Message is a message as a step sends or drops it.
type Message struct {
	// From is the sender: None where the network does not know it, which is
	// so for what is in flight on a repaired ring.
	From, To model.ID
	// Port is where it comes in at To.
	Port model.Port
	// Text is the message as its source writes it.
	Text string
	// Due is how many ticks it has left, under synchronous timing.
	Due int
	// Broadcast numbers the broadcasts of a step from 1; 0 is a message that
	// was sent alone.
	Broadcast int
	// Lost says that the network dropped it at once.
	Lost bool
}

// A Change is a change of the state of one process. That ticks take one from
// every timer and message is not among the changes.
type Change struct {
	Process model.ID
	// Field is what changed: "status", "elected", "participant" or "epoch" for
	// what everybody understands, "state.NAME" for a field of the protocol's state,
	// and "timer NAME" for a timer.
	Field string
	// From and To are the values before and after it, as text. A timer that is
	// not set is "-".
	From, To string
}

// FileName returns the name of the file that a trace belongs in, which tells
// its story: "bully-coulouris-uniqueness.json".
func (h *Header) FileName() string {
	last := h.Property
	if last == "" {
		last = h.Kind.String()
	}
	var parts []string
	for _, s := range []string{h.Algorithm, h.Variant, last} {
		if s = fileWord(s); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "-") + ".json"
}

// fileWord returns s in lower case, with a hyphen for each run of what is not
// a letter or a digit of ASCII, and no longer than a file name can bear.
func fileWord(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	s = strings.Join(words, "-")
	return strings.Trim(s[:min(len(s), 60)], "-")
}

// Validate reports the first thing in t that no trace file can hold. It says
// nothing about whether the run is possible: Replay does.
func (t *Trace) Validate() error {
	if err := t.Header.validate(); err != nil {
		return err
	}
	if len(t.Steps) > MaxSteps {
		return fmt.Errorf("trace: %d steps are too many: at most %d", len(t.Steps), MaxSteps)
	}
	if t.Lasso < 0 || t.Lasso > len(t.Steps) {
		return fmt.Errorf("trace: lasso_start is %d: want the number of one of the %d steps", t.Lasso, len(t.Steps))
	}
	for _, s := range []setting.Setting{t.Setting, t.Origin} {
		if err := s.Validate(); err != nil {
			return fmt.Errorf("trace: %w", err)
		}
	}
	if !t.Setting.EqualButStart(t.Origin) {
		return fmt.Errorf("trace: origin %q is not setting %q narrowed to one initial state: only %s may differ", t.Origin, t.Setting, prose.List(setting.Starts()))
	}
	if err := checkNumbers("a choice", t.Choices); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	for i := range t.Steps {
		if err := t.Steps[i].validate(); err != nil {
			return fmt.Errorf("trace: step %d: %w", i+1, err)
		}
		if t.Steps[i].Misuse != "" && i+1 < len(t.Steps) {
			return fmt.Errorf("trace: step %d: nothing can follow a misuse, but %d steps do", i+1, len(t.Steps)-i-1)
		}
	}
	return nil
}

func (h *Header) validate() error {
	if h.Algorithm == "" {
		return fmt.Errorf("trace: the algorithm is missing")
	}
	if int(h.Kind) >= len(kindNames) {
		return fmt.Errorf("trace: unknown kind %d", h.Kind)
	}
	if (h.Property == "") != (h.Kind == Plain) {
		return fmt.Errorf("trace: a %s with the property %q: a violation and a witness have a property, a plain run has none", h.Kind, h.Property)
	}
	for _, f := range []struct{ name, text string }{
		{"algorithm", h.Algorithm}, {"variant", h.Variant}, {"property", h.Property}, {"title", h.Title},
	} {
		if err := checkText(f.name, f.text); err != nil {
			return fmt.Errorf("trace: %w", err)
		}
	}
	if err := checkText("story", strings.ReplaceAll(h.Story, "\n", " ")); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

// checkText refuses a text that a file could not hold or that would do
// something to the terminal on which it is printed.
func checkText(name, s string) error {
	switch {
	case len(s) > MaxText:
		return fmt.Errorf("%s has %d bytes: at most %d", name, len(s), MaxText)
	case !utf8.ValidString(s):
		return fmt.Errorf("%s %q is not UTF-8", name, clip(s))
	}
	if i := strings.IndexFunc(s, prose.Unprintable); i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return fmt.Errorf("%s %q holds %U, which cannot be printed", name, clip(s), r)
	}
	return nil
}

// clip shortens a text that an error shows.
func clip(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

func (s *Step) validate() error {
	if err := validateAction(&s.Action); err != nil {
		return err
	}
	if len(s.Rules) > maxItems || len(s.Sent) > maxItems || len(s.Dropped) > maxItems || len(s.Changes) > maxItems {
		return fmt.Errorf("a list has more than %d entries", maxItems)
	}
	for _, r := range s.Rules {
		if err := checkText("rule", r); err != nil {
			return err
		}
	}
	for _, list := range [][]Message{s.Sent, s.Dropped} {
		for i := range list {
			if err := list[i].validate(); err != nil {
				return err
			}
		}
	}
	for _, c := range s.Changes {
		if err := checkProcess("process", c.Process); err != nil {
			return err
		}
		for _, f := range []struct{ name, text string }{{"field", c.Field}, {"from", c.From}, {"to", c.To}} {
			if err := checkText(f.name, f.text); err != nil {
				return err
			}
		}
	}
	return checkText("misuse", s.Misuse)
}

func (m *Message) validate() error {
	if m.From != model.None || m.Port < model.Next {
		if err := checkProcess("from", m.From); err != nil {
			return err
		}
	}
	if err := checkProcess("to", m.To); err != nil {
		return err
	}
	if m.Port < model.Next && m.Port != model.Peer(m.From) {
		return fmt.Errorf("a message from %d comes in by port %d: want %d, next or prev", m.From, m.Port, m.From)
	}
	if err := checkNumber("due", m.Due, maxNumber); err != nil {
		return err
	}
	if err := checkNumber("broadcast", m.Broadcast, maxNumber); err != nil {
		return err
	}
	return checkText("message", m.Text)
}

func checkProcess(name string, id model.ID) error {
	if id < 1 || id > model.MaxID {
		return fmt.Errorf("%s is %d: want a process, 1 to %d", name, id, model.MaxID)
	}
	return nil
}

// maxNumber is the highest number of ticks, of choices or of sends in a step.
const maxNumber = maxItems

// checkNumbers refuses a list of what has a name that no file can hold.
func checkNumbers(name string, list []int) error {
	if len(list) > maxItems {
		return fmt.Errorf("a list has more than %d entries", maxItems)
	}
	for _, n := range list {
		if err := checkNumber(name, n, maxNumber); err != nil {
			return err
		}
	}
	return nil
}

func checkNumber(name string, n, most int) error {
	if n < 0 || n > most {
		return fmt.Errorf("%s is %d: want 0 to %d", name, n, most)
	}
	return nil
}
