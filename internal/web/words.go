package web

import (
	"fmt"
	"slices"
	"strconv"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/trace"
)

// A note says something about an action: what kind of thing, and what.
type note struct{ Kind, Text string }

// Kinds of notes; the style sheet has a class for each.
const (
	noteSends  = "sends"
	noteState  = "state"
	noteBreaks = "breaks"
	noteQuiet  = "quiet"
)

// headline says in a few words what happens by an action at a moment. The
// sender of a message is what from says.
func headline(a *model.Action, before *moment, from func(a *model.Action) string) string {
	p, message := a.Process.Name(), prose.Quote(a.Message)
	var s string
	switch a.Kind {
	case model.Delivers:
		s = fmt.Sprintf("%s receives %s from %s", p, message, from(a))
	case model.Drops:
		s = fmt.Sprintf("%s from %s does not reach %s, %s", message, from(a), p, whyDropped(before, a.Process))
	case model.Loses:
		s = fmt.Sprintf("the network loses %s from %s to %s", message, from(a), p)
	case model.Duplicates:
		s = fmt.Sprintf("the network doubles %s from %s to %s", message, from(a), p)
	case model.Expires:
		s = fmt.Sprintf("%s times out: %s", p, a.Timer)
		if a.Premature {
			s += ", too early"
		}
	case model.Ticks:
		s = "a unit of time passes"
	default:
		s = trace.Phrase(a, before.view.Up.Has(a.Who))
	}
	if len(a.Choices) > 0 {
		s += ", choosing " + trace.Chosen(a)
	}
	if a.Crash {
		s += ", and crashes " + sendsOut(a.Out)
	}
	return s
}

func whyDropped(before *moment, id model.ID) string {
	if before.view.Up.Has(id) {
		return "behind the cut"
	}
	return "which is not up"
}

// sendsOut says which sends are out before a crash in the middle of them.
func sendsOut(out []int) string {
	if len(out) == 0 {
		return "before it sends anything"
	}
	from1 := make([]int, len(out))
	for i, n := range out {
		from1[i] = n + 1
	}
	if len(out) == 1 {
		return "with only send " + numberList(from1) + " out"
	}
	return "with only sends " + numberList(from1) + " out"
}

func numberList(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return prose.List(words)
}

// notes says what a step to a moment does.
func notes(m *moment) []note {
	var list []note
	for i := range m.safety {
		if bit := uint64(1) << i; m.broken&bit != 0 && m.before.broken&bit == 0 {
			p := m.safety[i]
			text := "breaks " + p.Name
			if why := p.Explain(&m.view); why != "" {
				text += ": " + why
			}
			list = append(list, note{noteBreaks, text})
		}
	}
	if m.over() {
		return append(list, note{noteBreaks, "goes wrong: " + m.step.Misuse})
	}
	for _, text := range sent(&m.step) {
		list = append(list, note{noteSends, text})
	}
	for i := range m.snap.Processes {
		for _, text := range changes(&m.before.snap.Processes[i], &m.snap.Processes[i], m.step.Action.Kind == model.Ticks) {
			if m.snap.Processes[i].ID != m.step.Action.Process {
				text = m.snap.Processes[i].ID.Name() + " " + text
			}
			list = append(list, note{noteState, text})
		}
	}
	for _, e := range m.step.Dropped {
		list = append(list, note{noteSends, fmt.Sprintf("%s to %s is lost with it", prose.Quote(e.Text), e.To.Name())})
	}
	if m.view.Quiet && !m.before.view.Quiet {
		text := "then nothing is left that has to happen"
		if slices.ContainsFunc(m.snap.Processes, func(p model.ProcessSnapshot) bool { return len(p.Timers) > 0 }) {
			text += " except for what periodic timers begin" // any other timer would have to expire
		}
		list = append(list, note{noteQuiet, text})
	}
	return list
}

// sent says what a step sends, each message once: `sends "OK" to P1 and P2`.
func sent(t *model.Transition) []string {
	type send struct {
		verb, text, fate string
	}
	var order []send
	to := make(map[send][]string)
	for i := range t.Sent {
		s := &t.Sent[i]
		key := send{verb: "sends", text: s.Text}
		if s.Broadcast > 0 {
			key.verb = "broadcasts"
		}
		if s.Lost {
			key.fate = ", lost at once"
		}
		if to[key] == nil {
			order = append(order, key)
		}
		to[key] = append(to[key], s.To.Name())
	}
	texts := make([]string, len(order))
	for i, key := range order {
		texts[i] = fmt.Sprintf("%s %s to %s%s", key.verb, prose.Quote(key.text), prose.List(to[key]), key.fate)
	}
	return texts
}

// changes says what is new about a process, except for what a tick takes from
// every timer.
func changes(was, is *model.ProcessSnapshot, tick bool) []string {
	if is.Status != model.Up {
		return nil // it crashes: all it knew is gone, or kept for later
	}
	list := beliefChanges(was, is)
	var set, stopped []string
	for _, t := range is.Timers {
		if i := timerOf(was, t.Name); i < 0 || !tick && was.Timers[i].Ticks != t.Ticks {
			set = append(set, t.Name)
		}
	}
	for _, t := range was.Timers {
		if timerOf(is, t.Name) < 0 && is.Status == model.Up {
			stopped = append(stopped, t.Name)
		}
	}
	if len(set) > 0 {
		list = append(list, "sets timer "+prose.List(set))
	}
	if len(stopped) > 0 {
		list = append(list, "timer "+prose.List(stopped)+" no longer runs")
	}
	if len(list) == 0 {
		for _, f := range is.Fields {
			if before := fieldOf(was, f.Name); before != f.Value {
				list = append(list, fmt.Sprintf("%s becomes %s", f.Name, f.Value))
			}
		}
	}
	return list
}

func timerOf(p *model.ProcessSnapshot, name string) int {
	return slices.IndexFunc(p.Timers, func(t model.TimerSnapshot) bool { return t.Name == name })
}

func fieldOf(p *model.ProcessSnapshot, name string) string {
	for _, f := range p.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// beliefChanges says what is new in what a process believes.
func beliefChanges(was, is *model.ProcessSnapshot) (list []string) {
	if is.Status != model.Up {
		return nil
	}
	before, now := was.Belief, is.Belief
	if was.Status != model.Up {
		before = model.Belief{}
	}
	if now.Epoch != before.Epoch && now.Epoch != 0 {
		list = append(list, fmt.Sprintf("is in epoch %d", now.Epoch))
	}
	if now.Elected != before.Elected {
		list = append(list, belief(is))
	}
	switch {
	case now.Participant && !before.Participant:
		list = append(list, "is in an election")
	case before.Participant && !now.Participant:
		list = append(list, "is out of the election")
	}
	return list
}

// belief says whom a process takes for the coordinator.
func belief(p *model.ProcessSnapshot) string {
	switch p.Belief.Elected {
	case model.None:
		return "knows no coordinator"
	case p.ID, model.Me:
		return "believes itself coordinator"
	}
	return "follows " + p.Belief.Elected.Name()
}
