// Package validate says whether a running system does what its model does: given
// the system's event log (package eventlog), is there a run of the model that
// shows these events?
//
// Of the log it relies upon the order of each process's own lines, and upon
// nothing else: messages arrive after they were sent, and clocks may say what they
// like. A search along the lines finds events without a line: crashes, the last
// action of a process before it could write it down and, if Options say so,
// handlers. The pairs of a place in the lines and a state of the model are its
// states.
//
// The model is that of a setting (Log.Setting). In the asynchronous one a message
// that nobody received is still in flight, whether it was lost or is late, and a
// cut or a pause of a process is a delay: logs need not tell of them. In FIFO channels
// the receipt of a message shows that those before it were lost, as they are where a
// connection breaks or an end of it is killed; none overtakes another.
//
// The bound that a protocol sets to its states (model.Optional.Beyond) is one of
// searches. A log may lead beyond it, and the Result says where.
//
// An accepted log shows that its events are those of some run. No log can show
// that of all runs.
package validate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/trace"
)

// DefaultMaxBytes is what a search may take unless Options say otherwise.
const DefaultMaxBytes = 1 << 30

// Options say what a log leaves out, and what the search may take.
type Options struct {
	// Hidden are kinds of actions that processes may take without a line: Starts,
	// Delivers, Expires, Suspects, Misreports, Crashes, Restarts. None: a log tells
	// everything but crashes.
	Hidden []model.ActionKind
	// Complete are parts of beliefs of whose each change the log has a line, even though
	// the steps that Hidden names have none. A step without a line then changes none of
	// them, unless the next line of its process tells what it leads to. That begins with
	// the first line of the process that tells such a part.
	Complete eventlog.Parts
	// Ordered has lines of different processes happen in the order of their times where
	// these differ by more than Slack, which is how far clocks may be off. Each line has a
	// time then. Otherwise clocks decide nothing.
	Ordered bool
	Slack   time.Duration
	// Silent has a process without any line do whatever it may; otherwise it does
	// nothing.
	Silent bool
	// MaxBytes is about how much memory the search may take, 0: DefaultMaxBytes.
	MaxBytes int64
	// Progress, where it is not nil, is told now and then how far the search is.
	// Online does not tell it.
	Progress func(Progress)
}

// differ reports whether two beliefs of a process differ in one of some parts.
func differ(p eventlog.Parts, id model.ID, a, b *model.Belief) bool {
	return p.Leader && leads(a, id) != leads(b, id) || p.Epoch && a.Epoch != b.Epoch || p.Participant && a.Participant != b.Participant
}

// Progress is how far a search is.
type Progress struct {
	// Told is how many of the Lines the run has that comes farthest so far.
	Told, Lines int
	// Nodes is how many places the search branched from, or came to, and Bytes
	// about what they take.
	Nodes   int
	Bytes   int64
	Elapsed time.Duration
}

// Verdict is the outcome of a validation.
type Verdict uint8

const (
	// Accepted: there is a run of the model that shows the log.
	Accepted Verdict = iota
	// Refused: there is none.
	Refused
	// Incomplete: none was found, and not everything was seen, or the protocol
	// bounds its states and a run with steps that Options hide may lead beyond.
	Incomplete
)

// String returns "accepted", "refused" or "incomplete".
func (v Verdict) String() string { return [...]string{"accepted", "refused", "incomplete"}[v] }

// A Result is the outcome of a validation.
type Result struct {
	Verdict Verdict
	// System is the model, and Lines how many lines were to be found in a run of
	// it; Told how many the run has that comes farthest.
	System      *model.System
	Lines, Told int
	// Hidden is how many steps of that run no line tells.
	Hidden int
	// Nodes is how many places the search branched from, or came to.
	Nodes int
	// Beyond is where that run first passes the bound of the protocol (Optional.Beyond), to
	// which searches go and systems do not keep: "term 4 (node2.ndjson:14)". It is empty if
	// the run does not.
	Beyond string
	// Refusals are the lines that cannot come next at the end of that run, the one
	// to look at first in front; none if all lines are in it.
	Refusals []Refusal
	// Why says what ended a search that is incomplete.
	Why string

	initial []byte
	steps   []step
	log     *Log
}

// A Refusal is a line that the model does not allow.
type Refusal struct {
	// Place is the file and the line: "node2.ndjson:14".
	Place string
	// Text is what the line says, and Why what the model does instead, or that it
	// does nothing of the kind.
	Text, Why string
	// Process is where it happens.
	Process model.ID
	// Allowed is what the model has the process do there, the nearest first.
	Allowed []string
	// Waits says that it waits for what a refused line of another process sends.
	Waits bool
	// differs says that the model does what the line says, and with other effects.
	differs bool
}

// Run looks for a run of a system that shows a log. The setting of the system
// comes from Log.Setting.
func Run(ctx context.Context, sys *model.System, l *Log, o Options) (*Result, error) {
	procs := l.whole()
	n := sys.Setting().N
	if top := l.most(); int(top) > n {
		return nil, fmt.Errorf("validate: the log tells of process %s: there are only 1 to %d in this setting", top, n)
	}
	s := newSearch(sys, procs[:n+1], &o)
	all := s.begin()
	found, complete := s.run(ctx)
	r := &Result{System: s.sys, Lines: s.total, Nodes: s.nodes, log: l}
	end := found
	switch {
	case found != nil:
		r.Verdict = Accepted
	case complete && all && s.beyond == "":
		r.Verdict = Refused
	default:
		r.Verdict = Incomplete
		r.Why = s.whyIncomplete(ctx, all)
	}
	if end == nil {
		end = s.best
	}
	if end == nil {
		return r, nil
	}
	r.follow(end)
	if found == nil {
		r.Refusals = s.refusals(end, l)
	}
	return r, nil
}

func (s *search) whyIncomplete(ctx context.Context, all bool) string {
	switch {
	case ctx.Err() != nil:
		return "it was interrupted"
	case !all:
		return "there are more initial states than a search tries: say which one in the setting"
	case s.bytes <= s.most:
		return fmt.Sprintf("steps lead beyond the bound of the model (%s), which ends there: validate a shorter log, or hide nothing", s.beyond)
	}
	return fmt.Sprintf("it has taken %d MB: give it more memory, hide less, or log more", s.most>>20)
}

// follow notes the way to a node.
func (r *Result) follow(n *node) {
	r.Told = n.told
	var parts []*node
	for ; n != nil; n = n.parent {
		parts = append(parts, n)
	}
	r.initial = parts[len(parts)-1].initial
	for _, p := range slices.Backward(parts) {
		r.steps = append(r.steps, p.path...)
	}
	for i := range r.steps {
		s := &r.steps[i]
		if s.entry == nil {
			r.Hidden++
		}
		if s.beyond != "" && r.Beyond == "" {
			r.Beyond = fmt.Sprintf("%s (%s)", s.beyond, r.log.place(s.entry))
		}
	}
}

// refusals lists the lines that cannot come next, the one that others do not
// account for first.
func (s *search) refusals(n *node, l *Log) []Refusal {
	var list []Refusal
	asleep := make([]bool, len(s.procs))
	var stuck model.Set
	for id := 1; id < len(s.procs); id++ {
		if int(n.pos[id]) < s.limit[id] {
			stuck = stuck.With(model.ID(id))
		}
	}
	for id := s.next(n, asleep); id != 0; id = s.next(n, asleep) {
		asleep[id] = true
		if !s.due(n, id) {
			continue
		}
		e := s.entry(n, id)
		ways, why, final := s.ways(n, id)
		if len(ways) > 0 {
			continue
		}
		a := action(e)
		r := Refusal{Place: l.place(e), Text: e.String(), Why: why, Process: e.Process}
		r.Allowed = s.allowed(n.state, e.Process)
		if r.differs = final; !final {
			r.Why = cmp.Or(why, "the model does nothing of the kind there")
			r.Waits = a.Kind == model.Delivers && (e.From >= model.Next && stuck.Len() > 1 || e.From < model.Next && stuck.Has(e.From.ID()))
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b Refusal) int {
		switch {
		case a.Waits == b.Waits:
			return 0
		case b.Waits:
			return -1
		}
		return 1
	})
	return list
}

// allowed lists what a process can do in a state.
func (s *search) allowed(state []byte, id model.ID) (list []string) {
	for _, kind := range append([]model.ActionKind{model.Boots, model.Joins, model.Restarts}, handled...) {
		s.stepper.Steps(state, model.Action{Kind: kind, Process: id}, func(t model.Transition) {
			if text := trace.ActionText(t.Action); !t.Action.Crash && !slices.Contains(list, text) {
				list = append(list, text)
			}
		})
	}
	return list
}

// String says it in lines for people.
func (r *Refusal) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s", r.Place, r.Text, r.Why)
	const most = 8
	switch n := len(r.Allowed); {
	case n == 0:
		fmt.Fprintf(&b, "\n  %s can do nothing there", r.Process.Name())
	case n <= most:
		fmt.Fprintf(&b, "\n  what %s can do there: %s", r.Process.Name(), strings.Join(r.Allowed, "; "))
	default:
		fmt.Fprintf(&b, "\n  what %s can do there: %s; and %d more", r.Process.Name(), strings.Join(r.Allowed[:most], "; "), n-most)
	}
	return b.String()
}

// ErrLong is the error of Trace for a run that no trace file holds.
var ErrLong = errors.New("validate: the run is too long for a trace file")

// Trace returns the last steps of the run that comes farthest, as a run that can
// be drawn; all of them if last is 0. A trace of all steps replays.
func (r *Result) Trace(last int, h trace.Header) (*trace.Trace, *trace.Run, error) {
	var actions []model.Action
	for i := range r.steps {
		if !r.steps[i].still {
			actions = append(actions, r.steps[i].action)
		}
	}
	if last == 0 && len(actions) > trace.MaxSteps {
		return nil, nil, fmt.Errorf("%w: %d steps, and one holds %d at most", ErrLong, len(actions), trace.MaxSteps)
	}
	if n := lostIn(actions); last == 0 && n > maxBudget {
		return nil, nil, fmt.Errorf("%w: it loses %d messages, and a setting grants %d at most", ErrLong, n, maxBudget)
	}
	run, err := r.run(actions, last)
	if err != nil {
		return nil, nil, err
	}
	return run.Record(h), run, nil
}

// run executes actions, and keeps the last ones; 0 stands for all.
func (r *Result) run(actions []model.Action, last int) (*trace.Run, error) {
	skip := 0
	if last > 0 {
		skip = max(0, len(actions)-last)
	}
	state, stepper := r.initial, r.System.Stepper()
	if s := r.System.Setting(); lossy(&s) {
		stepper.LoseFreely()
	}
	for _, a := range actions[:skip] {
		var next []byte
		note := func(t model.Transition) {
			if next == nil && trace.SameAction(t.Action, a) {
				next = slices.Clone(t.Next)
			}
		}
		if stepper.Steps(state, a, note); next == nil {
			r.System.EachTransition(state, note)
		}
		if next == nil {
			return nil, fmt.Errorf("validate: %s is not there again: the handlers are not deterministic", trace.ActionText(a))
		}
		state = next
	}
	run := trace.Begin(r.System, state)
	for _, a := range actions[skip:] {
		if err := run.Do(a); err != nil {
			return nil, fmt.Errorf("validate: %w", err)
		}
	}
	return run, nil
}
