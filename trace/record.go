package trace

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
)

// A Run is an execution of a system, state by state.
type Run struct {
	// System is what ran.
	System *model.System
	// States are the encoded states: States[0] is the initial one and
	// States[i] the one after Steps[i-1]. A last step that is a misuse leads
	// to no state.
	States [][]byte
	// Snapshots are the same states in terms that people read.
	Snapshots []model.Snapshot
	// Steps are the transitions that were taken.
	Steps []model.Transition
	// Demand says for people what the property demands that the run was replayed
	// for; empty for other runs.
	Demand string

	narrowed bool  // the setting of the system is that of the origin, and processes
	choices  []int // chose these as they came up
}

// Begin returns the run of sys that is at its beginning, in state initial.
func Begin(sys *model.System, initial []byte) *Run {
	return &Run{
		System:    sys,
		States:    [][]byte{slices.Clone(initial)},
		Snapshots: []model.Snapshot{sys.Snapshot(initial)},
	}
}

// Start returns the run of a system at its beginning, for a setting that has one
// initial state; the error says that it has several. (Begin takes one of these.)
func Start(sys *model.System) (*Run, error) {
	initial, err := sys.Begin(nil)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return Begin(sys, initial), nil
}

// In returns the run of a system at its beginning, where processes chose these as
// they came up (model.System.Begin). The setting of the system is a narrowed one.
func In(sys *model.System, choices []int) (*Run, error) {
	initial, err := sys.Begin(choices)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	r := Begin(sys, initial)
	r.narrowed, r.choices = true, slices.Clone(choices)
	return r, nil
}

// Enabled returns the transitions that are enabled where the run has arrived;
// none after a misuse.
func (r *Run) Enabled() []model.Transition {
	if r.over() {
		return nil
	}
	return r.System.Transitions(r.States[len(r.States)-1])
}

// over reports whether the last step was a misuse.
func (r *Run) over() bool { return len(r.States) == len(r.Steps) }

// Left says which periodic timers are set where the run has arrived: `only the
// periodic timer "beat" is left`, which is so of a settled state. It is empty where
// none is set.
func (r *Run) Left() string {
	var names []string
	for _, t := range r.System.Names().Timers {
		set := func(p model.ProcessSnapshot) bool {
			return slices.ContainsFunc(p.Timers, func(s model.TimerSnapshot) bool { return s.Name == t.Name })
		}
		if t.Periodic && slices.ContainsFunc(r.Snapshots[len(r.Snapshots)-1].Processes, set) {
			names = append(names, prose.Quote(t.Name))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "only the periodic timer " + names[0] + " is left"
	}
	return "only the periodic timers " + prose.List(names) + " are left"
}

// Take appends one of the transitions that Enabled returned.
func (r *Run) Take(t model.Transition) {
	r.Steps = append(r.Steps, t)
	if t.Misuse == "" {
		r.States = append(r.States, slices.Clone(t.Next))
		r.Snapshots = append(r.Snapshots, r.System.Snapshot(t.Next))
	}
}

// Do takes the transition of an action. If it is not enabled, the error lists
// what is, the nearest first.
func (r *Run) Do(a model.Action) error {
	enabled := r.Enabled()
	i := slices.IndexFunc(enabled, func(t model.Transition) bool { return SameAction(t.Action, a) })
	if i < 0 {
		actions := make([]model.Action, len(enabled))
		for i := range enabled {
			actions[i] = enabled[i].Action
		}
		return errors.New(Refusal(a, r.System.Setting().N, actions, 0))
	}
	r.Take(enabled[i])
	return nil
}

// Record returns the trace of the run so far. It needs to have begun in an
// initial state of its system.
func (r *Run) Record(h Header) *Trace {
	t := &Trace{Header: h, Setting: r.System.Setting(), Steps: make([]Step, len(r.Steps))}
	if t.Origin, t.Choices = t.Setting, r.choices; !r.narrowed {
		t.Origin, t.Choices = r.System.Narrow(r.States[0])
	}
	for i := range r.Steps {
		t.Steps[i] = r.record(i)
	}
	return t
}

// Record goes on with a run by actions and returns its trace. The error names the
// first one that is not enabled.
func Record(r *Run, actions []model.Action, h Header) (*Trace, error) {
	for i, a := range actions {
		if err := r.Do(a); err != nil {
			return nil, fmt.Errorf("trace: step %d: %w", i+1, err)
		}
	}
	t := r.Record(h)
	return t, t.Validate()
}

// record returns what step i did.
func (r *Run) record(i int) Step {
	t := &r.Steps[i]
	s := Step{Action: t.Action, Rules: t.Rules, Misuse: printable(t.Misuse)}
	for _, m := range t.Sent {
		s.Sent = append(s.Sent, sentMessage(&m))
	}
	for _, e := range t.Dropped {
		s.Dropped = append(s.Dropped, message(&e))
	}
	if i+1 < len(r.Snapshots) {
		s.Changes = changes(&r.Snapshots[i], &r.Snapshots[i+1], t.Action.Kind == model.Ticks)
	}
	return s
}

// printable makes the text of a panic, which may be anything, one that a trace
// can hold.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if prose.Unprintable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.ToValidUTF8(s[:min(len(s), MaxText)], "")
}

func message(e *model.Envelope) Message {
	return Message{From: e.From, To: e.To, Port: e.Port, Text: e.Text, Due: e.Due}
}

func sentMessage(s *model.Envelope) Message {
	m := message(s)
	m.Broadcast, m.Lost = s.Broadcast, s.Lost
	return m
}

// changes lists what differs between two states, process by process. A tick
// takes one from every timer, which goes without saying.
func changes(from, to *model.Snapshot, tick bool) []Change {
	var list []Change
	for i := range from.Processes {
		p, q := &from.Processes[i], &to.Processes[i]
		add := func(field, before, after string) {
			if before != after {
				list = append(list, Change{Process: p.ID, Field: field, From: before, To: after})
			}
		}
		add("status", p.Status.String(), q.Status.String())
		add("paused", strconv.FormatBool(p.Paused), strconv.FormatBool(q.Paused))
		add("elected", p.Belief.Elected.String(), q.Belief.Elected.String())
		add("participant", strconv.FormatBool(p.Belief.Participant), strconv.FormatBool(q.Belief.Participant))
		add("epoch", strconv.FormatUint(p.Belief.Epoch, 10), strconv.FormatUint(q.Belief.Epoch, 10))
		changedFields(p.Fields, q.Fields, add)
		changedTimers(p.Timers, q.Timers, tick, add)
	}
	return list
}

// changedFields reports fields of the protocol's state that differ. One that
// only one of the states has (there is none while a process is down) counts as
// empty in the other.
func changedFields(from, to []model.Field, add func(field, before, after string)) {
	value := func(list []model.Field, name string) string {
		for _, f := range list {
			if f.Name == name {
				return f.Value
			}
		}
		return ""
	}
	for _, f := range from {
		add("state."+f.Name, f.Value, value(to, f.Name))
	}
	for _, f := range to {
		if !slices.ContainsFunc(from, func(g model.Field) bool { return g.Name == f.Name }) {
			add("state."+f.Name, "", f.Value)
		}
	}
}

// changedTimers reports timers that were set, stopped or expired.
func changedTimers(from, to []model.TimerSnapshot, tick bool, add func(field, before, after string)) {
	text := func(list []model.TimerSnapshot, name string, less int) string {
		for _, t := range list {
			if t.Name == name {
				return strconv.Itoa(t.Ticks - less)
			}
		}
		return "-"
	}
	passed := 0
	if tick {
		passed = 1
	}
	for _, t := range from {
		add("timer "+t.Name, text(from, t.Name, passed), text(to, t.Name, 0))
	}
	for _, t := range to {
		if text(from, t.Name, 0) == "-" {
			add("timer "+t.Name, "-", text(to, t.Name, 0))
		}
	}
}
