package trace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bullyproof/model"
)

// A Redone run is what the actions of a trace do now, whatever they did when it was recorded.
type Redone struct {
	// Run is as long as it shows what the trace shows: a property may break in fewer steps now.
	// Where it does not show that, it has all steps that are possible.
	Run *Run
	// Trace is the record of Run under the header of the trace, in the words of the present
	// program.
	Trace *Trace
	// Differences are what differs from the record, step by step. A name that differs is told
	// once, where it first does.
	Differences []Difference
	// Why says why the actions do not show any more what the trace shows; nil if they do.
	Why error

	all     *Run // with the steps after those of Run
	stopped error
}

// A Difference is where a step is not as it was recorded.
type Difference struct {
	// Step is the number of the step, from 1, and Action what happens in it now.
	Step   int
	Action string
	// What differs: "rules", "sent messages"; of a name its bearer: "field".
	What string
	// Recorded and Now are the two texts; one of them may be empty, which is for nothing.
	Recorded, Now string
	// Name says that the program calls a thing by another name, or has one more thing or one
	// fewer, and does the same.
	Name bool
}

// String says where a difference is, and what differs there.
func (d Difference) String() string {
	return fmt.Sprintf("step %d, %s: %s", d.Step, d.Action, d.text())
}

// text says what differs.
func (d Difference) text() string {
	switch {
	case d.Name && d.Now == "":
		return fmt.Sprintf("the %s %q is no more", d.What, d.Recorded)
	case d.Name && d.Recorded == "":
		return fmt.Sprintf("the %s %q is new", d.What, d.Now)
	case d.Name:
		return fmt.Sprintf("the %s %q is %q now", d.What, d.Recorded, d.Now)
	}
	return difference(d.What, d.Recorded, d.Now).Error()
}

// Redo executes the actions of a trace, whatever they do now, and says what differs and whether
// the run still shows what the trace shows. A message is known by its way: one that has another
// text now is the same if it was sent in the same place or if nothing else can be meant. The error
// says that the trace is not valid, or that it is about nothing that lookup has (UnknownError).
func Redo(t *Trace, lookup Lookup) (*Redone, error) {
	r, watch, err := redoBy(t, lookup)
	if err != nil {
		return nil, err
	}
	return r.judged(t, watch), nil
}

// RedoIn is Redo in a system, which is in the setting of the trace, as ReplayIn is Replay.
func RedoIn(t *Trace, sys *model.System, watch model.Watch) (*Redone, error) {
	r, err := redoIn(t, sys, watch)
	if err != nil {
		return nil, err
	}
	return r.judged(t, watch), nil
}

// judged finds out whether the run shows what the trace shows, and how early.
func (r *Redone) judged(t *Trace, watch model.Watch) *Redone {
	end := len(r.all.Steps)
	first := -1
	if t.Kind != Plain && t.Property != Misuse && t.Lasso == 0 {
		first = r.all.firstHit(watch)
	}
	switch {
	case first >= 0:
		end = first
	case r.stopped != nil:
		r.Why = r.stopped
	default:
		r.Why = r.all.judge(t, watch)
	}
	run := *r.all
	run.Steps = run.Steps[:end]
	run.States = run.States[:min(end+1, len(run.States))]
	run.Snapshots = run.Snapshots[:len(run.States)]
	again := *t
	again.Steps = make([]Step, end)
	for i := range again.Steps {
		again.Steps[i] = run.record(i)
	}
	r.Run, r.Trace = &run, &again
	return r
}

// asRecorded returns the run if nothing differs and it shows what the trace shows at its end.
func (r *Redone) asRecorded(t *Trace, watch model.Watch) (*Run, error) {
	switch {
	case len(r.Differences) > 0:
		return nil, fmt.Errorf("trace: %s", r.Differences[0])
	case r.stopped != nil:
		return nil, r.stopped
	}
	return r.all, r.all.judge(t, watch)
}

// A word is a text that a file or a program has, with what it is a text of.
type word struct{ of, text string }

// A redoing follows the actions of a trace.
type redoing struct {
	run   *Run
	words map[word]bool       // of the file
	now   map[word]string     // what is called otherwise now
	was   map[word]string     // and back
	sent  map[string][]string // the texts of the messages that were sent in place of one
	told  map[Difference]bool // names, with no values in them
	found []Difference
}

// redo follows the actions of a trace from an initial state on, as far as they are possible.
func (t *Trace) redo(sys *model.System, initial []byte, watch model.Watch) *Redone {
	d := &redoing{
		run: Begin(sys, initial), words: t.words(), now: map[word]string{}, was: map[word]string{},
		sent: map[string][]string{}, told: map[Difference]bool{},
	}
	d.run.Demand = watch.Demand
	var stopped error
	for i := range t.Steps {
		action, err := d.meant(t.Steps[i].Action)
		if err != nil {
			stopped = fmt.Errorf("trace: step %d: %w", i+1, err)
			break
		}
		if err := d.run.Do(action); err != nil {
			stopped = fmt.Errorf("trace: step %d: %w", i+1, err)
			break
		}
		d.compare(i, &t.Steps[i])
	}
	return &Redone{all: d.run, Differences: d.found, stopped: stopped}
}

// words returns the texts of a trace that are names of the program.
func (t *Trace) words() map[word]bool {
	words := map[word]bool{}
	for i := range t.Steps {
		s := &t.Steps[i]
		words[word{"message", s.Action.Message}] = true
		words[word{"field", "timer " + s.Action.Timer}] = true
		for _, m := range slices.Concat(s.Sent, s.Dropped) {
			words[word{"message", m.Text}] = true
		}
		for _, r := range s.Rules {
			words[word{"rule", r}] = true
		}
		for _, o := range s.Action.Outcomes {
			words[word{"outcome", o}] = true
		}
		for _, c := range s.Changes {
			words[word{"field", c.Field}] = true
			words[word{valueOf(c.Field), c.From}], words[word{valueOf(c.Field), c.To}] = true, true
		}
	}
	return words
}

// valueOf is of what the values of a field are words.
func valueOf(field string) string { return "value of " + field }

// has reports whether the program has a word.
func (d *redoing) has(w word) bool {
	names := d.run.System.Names()
	if w.of == "rule" {
		return slices.Contains(names.Rules, w.text)
	}
	if timer, ok := strings.CutPrefix(w.text, "timer "); ok && w.of == "field" {
		return slices.ContainsFunc(names.Timers, func(t model.TimerName) bool { return t.Name == timer })
	}
	field, ok := strings.CutPrefix(w.text, "state.")
	return w.of == "field" && (!ok || slices.ContainsFunc(d.run.Snapshots, func(s model.Snapshot) bool {
		return slices.ContainsFunc(s.Processes, func(p model.ProcessSnapshot) bool {
			return slices.ContainsFunc(p.Fields, func(f model.Field) bool { return f.Name == field })
		})
	}))
}

// isName reports whether a text can be another name for a recorded one, either of which may be
// empty, and which it is from now on. A word that both the file and the program have means the
// same in both, so that it is no other name for anything.
func (d *redoing) isName(of, recorded, now string) bool {
	if recorded == now {
		return true
	}
	old, fresh := word{of, recorded}, word{of, now}
	if known, ok := d.now[old]; ok && recorded != "" {
		return known == now
	}
	if _, ok := d.was[fresh]; ok && now != "" {
		return false
	}
	return (recorded == "" || !d.has(old)) && (now == "" || !d.words[fresh])
}

// numbered are the parts of a text that are values, and no names.
var numbered = regexp.MustCompile(`[0-9]+|\b(?:true|false)\b|⊥`)

// sameValues reports whether two texts have the same values in them.
func sameValues(a, b string) bool {
	return slices.Equal(numbered.FindAllString(a, -1), numbered.FindAllString(b, -1))
}

// call notes that the program calls something otherwise.
func (d *redoing) call(of, recorded, now string) {
	if recorded == now {
		return
	}
	old, fresh := word{of, recorded}, word{of, now}
	if known, ok := d.now[old]; ok && known == now {
		return
	}
	if known, ok := d.was[fresh]; ok && known == recorded {
		return
	}
	if recorded != "" {
		d.now[old] = now
	}
	if now != "" {
		d.was[fresh] = recorded
	}
	// Texts that differ in their values alone are told once.
	plain := Difference{What: of, Recorded: numbered.ReplaceAllString(recorded, "N"), Now: numbered.ReplaceAllString(now, "N")}
	if !d.told[plain] {
		d.told[plain] = true
		d.note(Difference{What: of, Recorded: recorded, Now: now, Name: true})
	}
}

// note notes a difference in the step that is the last one so far.
func (d *redoing) note(n Difference) {
	n.Step = len(d.run.Steps)
	n.Action = ActionText(d.run.Steps[n.Step-1].Action)
	d.found = append(d.found, n)
}

// meant returns the action that a recorded one is now. The error says that several can be meant. If
// none can be, it is the recorded one.
func (d *redoing) meant(a model.Action) (model.Action, error) {
	var near []model.Action
	for _, t := range d.run.Enabled() {
		if SameAction(t.Action, a) {
			return a, nil
		}
		b := t.Action
		b.Message, b.Timer = a.Message, a.Timer
		if SameAction(b, a) {
			near = append(near, t.Action)
		}
	}
	timer := a.Kind.Has(model.OfTimer)
	if !timer && !a.Kind.Has(model.OfMessage) {
		return a, nil
	}
	for _, can := range []func(b *model.Action) bool{
		func(b *model.Action) bool {
			if timer {
				return d.now[word{"field", "timer " + a.Timer}] == "timer "+b.Timer
			}
			return slices.Contains(d.sent[a.Message], b.Message)
		},
		func(b *model.Action) bool {
			return timer && d.isName("field", "timer "+a.Timer, "timer "+b.Timer) || !timer && d.mayBe(a.Message, b.Message)
		},
		func(b *model.Action) bool {
			return !timer && !d.words[word{"message", b.Message}] && len(d.sent[a.Message]) == 0
		},
	} {
		var meant []model.Action
		for i := range near {
			if can(&near[i]) {
				meant = append(meant, near[i])
			}
		}
		if len(meant) == 1 {
			return meant[0], nil
		}
		if len(meant) > 1 {
			var texts []string
			for _, m := range meant {
				texts = append(texts, ActionText(m))
			}
			return a, fmt.Errorf("%s may be any of these now: %s", ActionText(a), strings.Join(texts, "; "))
		}
	}
	return a, nil
}

// mayBe reports whether a message can be one that has another text now.
func (d *redoing) mayBe(recorded, now string) bool {
	return sameValues(recorded, now) && d.isName("message", recorded, now)
}

// compare notes what differs between the record of step i and what it does.
func (d *redoing) compare(i int, want *Step) {
	got := d.run.record(i)
	d.compareAction(&want.Action, &got.Action)
	if want.Misuse != got.Misuse {
		d.note(Difference{What: "misuse", Recorded: want.Misuse, Now: got.Misuse, Name: want.Misuse != "" && got.Misuse != ""})
	}
	d.compareRules(want.Rules, got.Rules)
	d.compareSent(want.Sent, got.Sent)
	d.compareDropped(want.Dropped, got.Dropped)
	d.compareChanges(want.Changes, got.Changes)
}

// compareAction compares the names in an action that is followed.
func (d *redoing) compareAction(want, got *model.Action) {
	if want.Timer != got.Timer {
		d.call("field", "timer "+want.Timer, "timer "+got.Timer)
	}
	d.compareMessage("message", want.Message, got.Message, want.Message, got.Message)
	if len(want.Outcomes) == 0 {
		return
	}
	for j := range max(len(want.Outcomes), len(got.Outcomes)) {
		w, g := at(want.Outcomes, j), at(got.Outcomes, j)
		if w != "" && g != "" && d.isName("outcome", w, g) {
			d.call("outcome", w, g)
		} else {
			d.note(Difference{What: "outcomes", Recorded: w, Now: g})
		}
	}
}

// at returns an element of a list, "" after its end.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// compareMessage compares the texts of a message that goes the same way, and is shown so.
func (d *redoing) compareMessage(what, want, got, shownWant, shownGot string) {
	switch {
	case want == got:
	case d.mayBe(want, got):
		d.call("message", want, got)
	case slices.Contains(d.sent[want], got) && what == "message":
		// It was told where it was sent.
	default:
		d.note(Difference{What: what, Recorded: shownWant, Now: shownGot})
	}
}

// compareRules compares the rules that ran, in whatever order.
func (d *redoing) compareRules(want, got []string) {
	want, got = without(want, got)
	for _, w := range want {
		i := slices.IndexFunc(got, func(g string) bool { return d.isName("rule", w, g) })
		switch {
		case i >= 0:
			d.call("rule", w, got[i])
		case d.isName("rule", w, ""):
			d.call("rule", w, "")
			continue
		default:
			i = min(0, len(got)-1)
			d.note(Difference{What: "rules", Recorded: w, Now: at(got, 0)})
		}
		if i >= 0 {
			got = slices.Delete(got, i, i+1)
		}
	}
	for _, g := range got {
		if d.isName("rule", "", g) {
			d.call("rule", "", g)
		} else {
			d.note(Difference{What: "rules", Now: g})
		}
	}
}

// without returns the elements of two lists that the other does not have.
func without[T comparable](a, b []T) (onlyA, onlyB []T) {
	onlyB = slices.Clone(b)
	for _, x := range a {
		if i := slices.Index(onlyB, x); i >= 0 {
			onlyB = slices.Delete(onlyB, i, i+1)
		} else {
			onlyA = append(onlyA, x)
		}
	}
	return onlyA, onlyB
}

// compareSent compares messages in the order in which they were sent. After one that goes another
// way nothing is known of those that follow.
func (d *redoing) compareSent(want, got []Message) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			d.note(Difference{What: "sent messages", Now: messageText(got[i])})
		case i >= len(got):
			d.note(Difference{What: "sent messages", Recorded: messageText(want[i])})
		case !sameWay(want[i], got[i]):
			d.note(Difference{What: "sent messages", Recorded: messageText(want[i]), Now: messageText(got[i])})
			return
		default:
			w, g := want[i].Text, got[i].Text
			d.compareMessage("sent messages", w, g, messageText(want[i]), messageText(got[i]))
			if !slices.Contains(d.sent[w], g) {
				d.sent[w] = append(d.sent[w], g)
			}
		}
	}
}

// sameWay reports whether two messages differ in their texts alone.
func sameWay(a, b Message) bool {
	a.Text, b.Text = "", ""
	return a == b
}

// compareDropped compares messages that can no longer arrive, in whatever order.
func (d *redoing) compareDropped(want, got []Message) {
	want, got = without(want, got)
	for _, w := range want {
		i := slices.IndexFunc(got, func(g Message) bool {
			return sameWay(w, g) && (slices.Contains(d.sent[w.Text], g.Text) || d.mayBe(w.Text, g.Text))
		})
		if i < 0 {
			i = slices.IndexFunc(got, func(g Message) bool { return sameWay(w, g) })
		}
		if i < 0 {
			d.note(Difference{What: "dropped messages", Recorded: messageText(w)})
			continue
		}
		if !slices.Contains(d.sent[w.Text], got[i].Text) {
			d.compareMessage("dropped messages", w.Text, got[i].Text, messageText(w), messageText(got[i]))
		}
		got = slices.Delete(got, i, i+1)
	}
	for _, g := range got {
		d.note(Difference{What: "dropped messages", Now: messageText(g)})
	}
}

// compareChanges compares changes in whatever order: fields may have changed their places.
func (d *redoing) compareChanges(want, got []Change) {
	want, got = without(want, got)
	for _, w := range want {
		i := slices.IndexFunc(got, func(g Change) bool { return d.sameChange(w, g) })
		if i >= 0 {
			g := got[i]
			d.call("field", w.Field, g.Field)
			d.call(valueOf(w.Field), w.From, g.From)
			d.call(valueOf(w.Field), w.To, g.To)
			got = slices.Delete(got, i, i+1)
			continue
		}
		i = slices.IndexFunc(got, func(g Change) bool {
			return g.Process == w.Process && (g.Field == w.Field || d.now[word{"field", w.Field}] == g.Field)
		})
		switch {
		case i >= 0:
			d.note(Difference{What: "changes", Recorded: changeText(w), Now: changeText(got[i])})
			got = slices.Delete(got, i, i+1)
		case d.isName("field", w.Field, ""):
			d.call("field", w.Field, "")
		default:
			d.note(Difference{What: "changes", Recorded: changeText(w)})
		}
	}
	for _, g := range got {
		if d.isName("field", "", g.Field) {
			d.call("field", "", g.Field)
		} else {
			d.note(Difference{What: "changes", Now: changeText(g)})
		}
	}
}

// sameChange reports whether a change is a recorded one, with other names.
func (d *redoing) sameChange(w, g Change) bool {
	if w.Process != g.Process || !d.isName("field", w.Field, g.Field) {
		return false
	}
	for _, of := range []string{"state.", "timer "} {
		if strings.HasPrefix(w.Field, of) != strings.HasPrefix(g.Field, of) {
			return false
		}
	}
	value := func(recorded, now string) bool {
		return recorded == now || strings.HasPrefix(w.Field, "state.") && recorded != "" && now != "" &&
			sameValues(recorded, now) && d.isName(valueOf(w.Field), recorded, now)
	}
	return value(w.From, g.From) && value(w.To, g.To)
}
