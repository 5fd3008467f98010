// Package eventlog is the record of what a running system did: an event a line,
// each a JSON object (NDJSON). Whoever runs a protocol writes one, this module's
// runtime or anybody's system in any language, and package validate reads it:
// is there a run of the model that shows these events? docs/event-log.md is the
// reference of the form.
//
// A log need not be complete. One file may hold the events of one process or of
// many; of each process, the lines of a file are in the order in which things
// happened, and no other order is relied upon, clocks included.
package eventlog

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Limits on what is read and written.
const (
	// MaxLine is the length of a line, in bytes.
	MaxLine = 64 << 10
	// MaxText is the length of one text in a line, in bytes.
	MaxText = 4 << 10
	// MaxItems is the length of a list in a line.
	MaxItems = 256
)

// Kind is what kind of thing happened.
type Kind uint8

const (
	// Boot: a process came up.
	Boot Kind = iota
	// Start: it was asked to begin an election.
	Start
	// Receive: a message arrived.
	Receive
	// Send: the process sent a message, in the event of its that is the last
	// before this one.
	Send
	// Expire: a timer expired.
	Expire
	// Suspect: the failure detector reported a process to be down.
	Suspect
	// Observe: nothing happened; this is what the process believed, or held.
	Observe
	// Crash: the process went down. Somebody else writes this, if anybody does.
	Crash
	// Pause: the process was halted for a while, as SIGSTOP does.
	Pause
	// Resume: it went on.
	Resume
	// Cut: the network was cut, by somebody who knows.
	Cut
	// Heal: the network was whole again, or a link was.
	Heal

	kinds = iota
)

var kindNames = [kinds]string{
	"boot", "start", "receive", "send", "expire", "suspect", "observe", "crash", "pause", "resume", "cut", "heal",
}

// String returns the kind's name, as in a line.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Handled reports whether a process runs one of its handlers at events of the
// kind: boot, start, receive, expire, suspect.
func (k Kind) Handled() bool { return k <= Suspect && k != Send }

// World reports whether events of the kind happen at no process: cut, heal.
func (k Kind) World() bool { return k == Cut || k == Heal }

// An Event is a line of a log. Which fields a kind has, Validate says.
type Event struct {
	// Process is where it happened; None for Cut and Heal.
	Process model.ID
	// Kind is what happened.
	Kind Kind
	// Why is why the process came up (Boot).
	Why model.Boot
	// From is where a message came in: the sender, or a ring's next or prev
	// (Receive).
	From model.Port
	// To is whither one went: the receiver, or a ring's next or prev (Send).
	To model.Port
	// Message is the text of the message, in the model's words (Receive, Send).
	Message string
	// ID is anything by which the system knows this one message, where it has
	// such a thing (Receive, Send).
	ID string
	// Timer is the name of the timer (Expire).
	Timer string
	// Who is the process that was reported to be down (Suspect).
	Who model.ID
	// Link is what was cut or has healed: "1-2" both ways, "2->1" one way; and
	// Side a part of the processes that was cut off from the rest (Cut, Heal).
	// A Heal with neither is of everything.
	Link string
	Side model.Set

	// Choices are the outcomes of Net.Choose and Net.Pick in the handler, in
	// order; nil: not told. Rules are the rules of the source that it applied, by
	// name; nil: not told.
	Choices []int
	Rules   []string
	// Belief is what the process believes after the event; State what is in the
	// fields of its state, as texts, any of them.
	Belief *Belief
	State  []Field

	// Seq counts the lines of a process, from any number on, 1 more with each;
	// after a boot it may begin anew. 0: not told.
	Seq uint64
	// Clock is a Lamport clock, 0: not told. Time is the wall clock of whoever
	// wrote the line, zero: not told. Both suggest an order, and prove none.
	Clock uint64
	Time  time.Time
	// Note is for people.
	Note string

	// Line is the number of the line, from 1, of an event that was read.
	Line int
}

// A Belief is what a process makes of the election, as far as it is told.
type Belief struct {
	// Elected is the process that it takes for the coordinator, None where it
	// knows of none, Me where it takes itself for it and has no id; nil: not told. NotMe
	// is anything but itself.
	Elected *model.ID
	// Participant says that it is in an election; nil: not told.
	Participant *bool
	// Epoch is the number of the election in which it is; nil: not told.
	Epoch *uint64
}

// Parts are what a belief has: whether the process leads, the number of its election, and whether
// it is in an election.
type Parts struct{ Leader, Epoch, Participant bool }

// Tells reports whether a belief tells one of the parts.
func (p *Parts) Tells(b *Belief) bool {
	return b != nil && (p.Leader && b.Elected != nil || p.Epoch && b.Epoch != nil || p.Participant && b.Participant != nil)
}

// TimeOfDay returns the time of a line as messages about several lines have it.
func TimeOfDay(t time.Time) string { return t.UTC().Format("15:04:05.000000") }

// NotMe stands in a belief for another process or none: the process does not lead. No
// line of an event log says so, but the logs of other programs do (package logformat).
const NotMe model.ID = 254

// A Field is a field of a process's state, with its value as text.
type Field struct{ Name, Value string }

// Knows returns a belief that is told whole.
func Knows(b model.Belief) *Belief {
	return &Belief{Elected: &b.Elected, Participant: &b.Participant, Epoch: &b.Epoch}
}

// traits says which fields a kind of event may have (process and the general
// ones aside), those that it needs first.
type traits struct{ needs, may []string }

var kindTraits = [kinds]traits{
	Boot:    {needs: []string{"why"}, may: []string{"choices", "rules"}},
	Start:   {may: []string{"choices", "rules"}},
	Receive: {needs: []string{"from", "message"}, may: []string{"id", "choices", "rules"}},
	Send:    {needs: []string{"to", "message"}, may: []string{"id"}},
	Expire:  {needs: []string{"timer"}, may: []string{"choices", "rules"}},
	Suspect: {needs: []string{"who"}, may: []string{"choices", "rules"}},
	Observe: {},
	Crash:   {},
	Pause:   {},
	Resume:  {},
	Cut:     {may: []string{"link", "side"}},
	Heal:    {may: []string{"link", "side"}},
}

// has reports whether a field may stand in a line of the kind.
func (k Kind) has(field string) bool {
	switch field {
	case "event", "seq", "clock", "time", "note":
		return true
	case "process":
		return !k.World()
	case "belief", "state":
		return k.Handled() || k == Observe
	}
	t := &kindTraits[k]
	return slices.Contains(t.needs, field) || slices.Contains(t.may, field)
}

// given lists the fields of an event, except for the general ones, that are
// not zero. A boot has a why, and an observation has nothing that it needs.
func (e *Event) given() []string {
	var list []string
	for _, f := range []struct {
		name string
		is   bool
	}{
		{"process", e.Process != model.None}, {"why", e.Kind == Boot || e.Why != 0}, {"from", e.From != 0}, {"to", e.To != 0},
		{"message", e.Message != ""}, {"id", e.ID != ""}, {"timer", e.Timer != ""}, {"who", e.Who != model.None},
		{"link", e.Link != ""}, {"side", !e.Side.Empty()}, {"choices", e.Choices != nil}, {"rules", e.Rules != nil},
		{"belief", e.Belief != nil}, {"state", e.State != nil},
	} {
		if f.is {
			list = append(list, f.name)
		}
	}
	return list
}

// Validate reports the first thing in e that no line can hold.
func (e *Event) Validate() error {
	if int(e.Kind) >= kinds {
		return fmt.Errorf("unknown kind of event %d", e.Kind)
	}
	given := e.given()
	for _, f := range given {
		if !e.Kind.has(f) {
			return fmt.Errorf("the field %q means nothing to a %s", f, e.Kind)
		}
	}
	needs := kindTraits[e.Kind].needs
	if !e.Kind.World() {
		needs = append([]string{"process"}, needs...)
	}
	for _, f := range needs {
		if !slices.Contains(given, f) {
			return fmt.Errorf("a %s lacks the field %q", e.Kind, f)
		}
	}
	if err := e.validateWhere(); err != nil {
		return err
	}
	if err := e.validateLists(); err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{
		{"message", e.Message}, {"id", e.ID}, {"timer", e.Timer}, {"note", e.Note},
	} {
		if err := checkText(f.name, f.text); err != nil {
			return err
		}
	}
	if y := e.Time.UTC().Year(); !e.Time.IsZero() && (y < 1 || y > 9999) {
		return fmt.Errorf("time is in the year %d: want one from 1 to 9999", y)
	}
	return nil
}

// validateWhere checks the processes, ports and links.
func (e *Event) validateWhere() error {
	for _, f := range []struct {
		name string
		id   model.ID
	}{{"process", e.Process}, {"who", e.Who}} {
		if f.id > model.MaxID {
			return fmt.Errorf("%s is %d: want a process, 1 to %d", f.name, f.id, model.MaxID)
		}
	}
	for _, f := range []struct {
		name string
		port model.Port
	}{{"from", e.From}, {"to", e.To}} {
		if f.port > model.Port(model.MaxID) && f.port < model.Next {
			return fmt.Errorf("%s is %d: want a process, 1 to %d, or \"next\" or \"prev\"", f.name, f.port, model.MaxID)
		}
	}
	if e.Link != "" {
		if _, err := setting.ParseCutLink(e.Link); err != nil {
			return err
		}
	}
	if e.Link != "" && !e.Side.Empty() || e.Kind == Cut && e.Link == "" && e.Side.Empty() {
		return fmt.Errorf("a %s has a link or a side, one of them", e.Kind)
	}
	if b := e.Belief; b != nil && b.Elected != nil && *b.Elected > model.MaxID && *b.Elected != model.Me {
		return fmt.Errorf("elected is %d: want a process, 1 to %d, 0 for none, or \"me\"", *b.Elected, model.MaxID)
	}
	return nil
}

// validateLists checks the lists.
func (e *Event) validateLists() error {
	if len(e.Choices) > MaxItems || len(e.Rules) > MaxItems || len(e.State) > MaxItems {
		return fmt.Errorf("a list has more than %d entries", MaxItems)
	}
	for _, c := range e.Choices {
		if c < 0 || c > 255 {
			return fmt.Errorf("a choice is %d: want 0 to 255", c)
		}
	}
	for _, r := range e.Rules {
		if err := checkText("rule", r); err != nil {
			return err
		}
	}
	for i, f := range e.State {
		if err := checkText("state", f.Name); err != nil {
			return err
		}
		if err := checkText("state", f.Value); err != nil {
			return err
		}
		if i > 0 && f.Name <= e.State[i-1].Name {
			return fmt.Errorf("state has the field %q after %q: want them in the order of their names, each once", f.Name, e.State[i-1].Name)
		}
	}
	return nil
}

// checkText refuses a text that a line could not hold or that would do something
// to the terminal on which it is printed.
func checkText(name, s string) error {
	switch {
	case len(s) > MaxText:
		return fmt.Errorf("%s has %d bytes: at most %d", name, len(s), MaxText)
	case !utf8.ValidString(s):
		return fmt.Errorf("%s is not UTF-8", name)
	}
	if i := strings.IndexFunc(s, prose.Unprintable); i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return fmt.Errorf("%s holds %U, which cannot be printed", name, r)
	}
	return nil
}

// String returns the event in one line for people: "P2->P1 COORDINATOR(2)".
func (e *Event) String() string {
	switch p := e.Process.Name(); e.Kind {
	case Boot:
		return fmt.Sprintf("%s comes up (%s)", p, e.Why)
	case Start:
		return fmt.Sprintf("%s starts an election", p)
	case Receive:
		return fmt.Sprintf("%s->%s %s", e.From.Name(), p, e.Message)
	case Send:
		return fmt.Sprintf("%s sends %s to %s", p, prose.Quote(e.Message), e.To.Name())
	case Expire:
		return fmt.Sprintf("%s times out (%s)", p, e.Timer)
	case Suspect:
		return fmt.Sprintf("%s suspects %s", p, e.Who.Name())
	case Observe:
		return fmt.Sprintf("%s is observed", p)
	case Crash:
		return fmt.Sprintf("%s crashes", p)
	case Cut, Heal:
		what := e.Link
		if !e.Side.Empty() {
			what = prose.List(e.Side.Names())
		}
		return strings.TrimSpace(fmt.Sprintf("%s %s", e.Kind, what))
	}
	return fmt.Sprintf("%s %ss", e.Process.Name(), e.Kind)
}
