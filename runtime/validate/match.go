package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
)

// A move is a step and the state to which it leads.
type move struct {
	action model.Action
	state  []byte
}

// A variant is a way in which the model does what a line says.
type variant struct {
	hidden []move // that come before, and that no line tells
	action model.Action
	idle   bool   // nothing happens in the model
	beyond string // the bound of the protocol that it passes, "" for none
	state  []byte
	to     model.Set // whoever was sent something
	wakes  bool      // somebody came up or went down
}

// A matcher finds the steps of the model that lines tell.
type matcher struct {
	sys      *model.System
	setting  setting.Setting
	stepper  *model.Stepper
	reader   *model.Stepper // for states within a step of the other
	eager    model.Set      // initiators that begin as they boot
	unbooted bool           // processes boot one by one
	bounded  bool           // the bound of the protocol holds
	beyond   string         // why a step was left out: it passes the bound
}

func newMatcher(sys *model.System, bounded bool) *matcher {
	if !bounded {
		sys = sys.Unbounded()
	}
	m := &matcher{sys: sys, setting: sys.Setting(), stepper: sys.Stepper(), reader: sys.Stepper(), bounded: bounded}
	if lossy(&m.setting) {
		m.stepper.LoseFreely()
	}
	m.unbooted = m.setting.Start == setting.ColdInterleaved
	if !m.setting.Initiators.Lazy {
		m.eager = model.Upto(model.ID(m.setting.N))
		if m.setting.Initiators.Which == setting.These {
			m.eager = m.setting.Initiators.Set
		}
	}
	return m
}

// action returns what a line says that happened, in the model's words.
func action(e *entry) model.Action {
	a := model.Action{Process: e.Process, Port: e.From, Message: e.Message, Timer: e.Timer, Who: e.Who}
	switch e.Kind {
	case eventlog.Boot:
		a.Kind = []model.ActionKind{model.Cold: model.Boots, model.Join: model.Joins, model.Restart: model.Restarts}[e.Why]
	case eventlog.Start:
		a.Kind = model.Starts
	case eventlog.Receive:
		a.Kind = model.Delivers
	case eventlog.Expire:
		a.Kind = model.Expires
	case eventlog.Suspect:
		a.Kind = model.Suspects
	case eventlog.Crash:
		a.Kind = model.Crashes
	}
	return a
}

// match returns the ways in which the model does what the next line of a process
// says. Where there is none, why says what the model does otherwise; it is empty
// where the model does nothing of the kind.
func (m *matcher) match(state []byte, s *stream, i int) (list []variant, why string) {
	e := &s.entries[i]
	status := m.reader.Process(state, e.Process).Status
	if m.idle(s, i, status) {
		if why := m.differsState(e, state); why != "" {
			return nil, why
		}
		return []variant{{idle: true, state: state}}, ""
	}
	for _, before := range m.before(state, e, status) {
		found, w := m.matchAt(before, s, e)
		list = append(list, found...)
		if why == "" {
			why = w
		}
	}
	if len(list) == 0 && why == "" && m.overtakes(e) {
		if lost := m.lose(variant{state: state}, e); len(lost.hidden) > 0 {
			list, why = m.matchAt(lost, s, e)
		}
	}
	return distinct(list), why
}

// matchGasp is match of a restart with one more thing that the process did last of
// all: it was killed before it could write that down.
func (m *matcher) matchGasp(state []byte, s *stream, i int) (list []variant) {
	e := &s.entries[i]
	if e.Kind != eventlog.Boot || e.Why != model.Restart || m.reader.Process(state, e.Process).Status != model.Up {
		return nil
	}
	for _, kind := range handled {
		for _, gasp := range m.reach(variant{state: state}, kind, e.Process) {
			for _, before := range m.down(gasp, e.Process) {
				found, _ := m.matchAt(before, s, e)
				list = append(list, found...)
			}
		}
	}
	return distinct(list)
}

// idle reports whether nothing happens in the model at a line.
func (m *matcher) idle(s *stream, i int, status model.Status) bool {
	switch e := &s.entries[i]; e.Kind {
	case eventlog.Observe:
		return true
	case eventlog.Crash:
		return status == model.Down
	case eventlog.Boot:
		return e.Why == model.Cold && !m.unbooted && i == 0
	case eventlog.Start:
		return m.eager.Has(e.Process) && i > 0 && s.entries[i-1].Kind == eventlog.Boot && s.entries[i-1].Why == model.Cold
	}
	return false
}

// before returns the states in which a line can be looked for: the one that is
// there, or one after steps that must have happened without a line.
func (m *matcher) before(state []byte, e *entry, status model.Status) []variant {
	here := []variant{{state: state}}
	switch again := e.Kind == eventlog.Boot && e.Why == model.Restart; {
	case status == model.Unbooted && (e.Kind != eventlog.Boot || again):
		here = m.reach(here[0], model.Boots, e.Process)
		if again {
			var down []variant
			for _, up := range here {
				down = append(down, m.down(up, e.Process)...)
			}
			return down
		}
	case again && status == model.Up:
		return m.down(here[0], e.Process)
	}
	return here
}

// reach returns the outcomes of one more step that no line tells.
func (m *matcher) reach(from variant, kind model.ActionKind, id model.ID) (list []variant) {
	m.stepper.Steps(from.state, model.Action{Kind: kind, Process: id}, func(t model.Transition) {
		if t.Misuse == "" && !t.Action.Crash {
			next := slices.Clone(t.Next)
			list = append(list, variant{
				hidden: append(slices.Clone(from.hidden), move{t.Action, next}), state: next, to: from.to | receivers(t.Sent), wakes: true,
			})
		}
	})
	if m.bounded {
		m.beyond = cmp.Or(m.beyond, m.stepper.Beyond())
	}
	return list
}

// crashing are the kinds of actions that a crash may be.
var crashing = model.CrashKinds()

// down returns the outcomes of a crash that no line tells.
func (m *matcher) down(from variant, id model.ID) (list []variant) {
	for _, kind := range crashing {
		list = append(list, m.reach(from, kind, id)...)
	}
	return list
}

// handled are the kinds of actions that lines tell, of processes that are up.
var handled = []model.ActionKind{model.Starts, model.Delivers, model.Expires, model.Suspects, model.Misreports}

// matchAt looks for a line in one state.
func (m *matcher) matchAt(from variant, s *stream, e *entry) (list []variant, why string) {
	like := action(e)
	kinds := []model.ActionKind{like.Kind}
	switch like.Kind {
	case model.Suspects:
		kinds = append(kinds, model.Misreports)
	case model.Crashes:
		kinds = crashing
	}
	for _, like.Kind = range kinds {
		m.stepper.Steps(from.state, like, func(t model.Transition) {
			if t.Action.Crash {
				return
			}
			if w := m.differs(s, e, &t); w != "" {
				if why == "" {
					why = w
				}
				return
			}
			list = append(list, variant{
				hidden: from.hidden, action: t.Action, state: slices.Clone(t.Next), to: from.to | receivers(t.Sent),
				wakes: from.wakes || e.Kind == eventlog.Boot || e.Kind == eventlog.Crash, beyond: m.stepper.Beyond(),
			})
		})
		if passed := m.stepper.Beyond(); passed != "" && m.bounded {
			m.beyond = cmp.Or(m.beyond, passed)
			why = cmp.Or(why, fmt.Sprintf("it leads beyond the bound of the model (%s), which ends there", passed))
		}
	}
	return list, why
}

func receivers(sent []model.Envelope) (s model.Set) {
	for i := range sent {
		s = s.With(sent[i].To)
	}
	return s
}

// distinct leaves out ways that lead to where another one leads.
func distinct(list []variant) []variant {
	var out []variant
	for _, v := range list {
		if !slices.ContainsFunc(out, func(w variant) bool { return string(w.state) == string(v.state) }) {
			out = append(out, v)
		}
	}
	return out
}

// differs says what a step of the model does otherwise than a line tells.
func (m *matcher) differs(s *stream, e *entry, t *model.Transition) string {
	if t.Misuse != "" {
		return fmt.Sprintf("the model does what no world can carry out: %s", t.Misuse)
	}
	if e.Choices != nil && !slices.Equal(e.Choices, t.Action.Choices) {
		return fmt.Sprintf("choices: the log has %v, and the model %v", e.Choices, t.Action.Choices)
	}
	if e.Rules != nil && !slices.Equal(slices.Sorted(slices.Values(e.Rules)), slices.Sorted(slices.Values(t.Rules))) {
		return fmt.Sprintf("rules: the log has %s, and the model %s", quoted(e.Rules), quoted(t.Rules))
	}
	begins := e.Kind == eventlog.Boot && m.eager.Has(e.Process) // its start, which may be a line of its own, is in it
	if s.sends && !begins {
		if why := differsSends(e, t.Sent); why != "" {
			return why
		}
	}
	if begins {
		return ""
	}
	return m.differsState(e, t.Next)
}

// differsSends says what is sent otherwise than the lines after an event tell.
func differsSends(e *entry, sent []model.Envelope) string {
	open := slices.Clone(sent)
	for _, s := range e.sends {
		i := slices.IndexFunc(open, func(m model.Envelope) bool { return m.Text == s.message && goesTo(&m, s.to) })
		if i < 0 {
			return fmt.Sprintf("sends: the log has %s to %s (line %d), and the model %s", prose.Quote(s.message), s.to.Name(), s.line, envelopes(open))
		}
		open = slices.Delete(open, i, i+1)
	}
	if len(open) > 0 && !e.partial {
		return fmt.Sprintf("sends: the model sends %s, and the log has no line of it", envelopes(open))
	}
	return ""
}

// goesTo reports whether a message goes to a receiver, or by a port of a ring.
func goesTo(m *model.Envelope, to model.Port) bool {
	switch to {
	case model.Next:
		return m.Port == model.Prev
	case model.Prev:
		return m.Port == model.Next
	}
	return m.To == to.ID()
}

func envelopes(list []model.Envelope) string {
	if len(list) == 0 {
		return "nothing more"
	}
	var texts []string
	for i := range list {
		texts = append(texts, fmt.Sprintf("%s to %s", prose.Quote(list[i].Text), list[i].To.Name()))
	}
	return strings.Join(texts, ", ")
}

func quoted(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return fmt.Sprintf("%q", list)
}

// differsState says what a process holds or believes otherwise than a line tells.
func (m *matcher) differsState(e *entry, state []byte) string {
	if e.Belief == nil && e.State == nil {
		return ""
	}
	p := m.reader.Process(state, e.Process)
	if b := e.Belief; b != nil {
		elected := b.Elected
		if elected != nil && *elected == model.Me {
			elected = &e.Process
		}
		switch aside := elected != nil && *elected == eventlog.NotMe; {
		case aside && leads(&p.Belief, e.Process):
			return "the log has that it does not lead, and in the model it does"
		case elected != nil && !aside && *elected != p.Belief.Elected:
			return fmt.Sprintf("elected: the log has %s, and the model %s", elected.Name(), p.Belief.Elected.Name())
		case b.Participant != nil && *b.Participant != p.Belief.Participant:
			return fmt.Sprintf("participant: the log has %t, and the model %t", *b.Participant, p.Belief.Participant)
		case b.Epoch != nil && *b.Epoch != p.Belief.Epoch:
			return fmt.Sprintf("epoch: the log has %d, and the model %d", *b.Epoch, p.Belief.Epoch)
		}
	}
	for _, f := range e.State {
		i := slices.IndexFunc(p.Fields, func(g model.Field) bool { return g.Name == f.Name })
		if i < 0 {
			return fmt.Sprintf("state: the model has no field %q", f.Name)
		}
		if p.Fields[i].Value != f.Value {
			return fmt.Sprintf("state.%s: the log has %s, and the model %s", f.Name, f.Value, p.Fields[i].Value)
		}
	}
	return ""
}

// leads reports whether a process with a belief leads.
func leads(b *model.Belief, id model.ID) bool { return b.Elected == id || b.Elected == model.Me }
