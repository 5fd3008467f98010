// Package play has a test act a run out, one action after another.
package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// System returns what a variant of an algorithm, or a mutant, is in a setting: "" is the
// first variant.
func System(t testing.TB, a *ledger.Algorithm, variant, text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	if m, err := a.Mutant(variant); err == nil {
		sys, err := m.In(s)
		require.NoError(t, err)
		return sys
	}
	v, err := a.Variant(variant)
	require.NoError(t, err)
	sys, err := v.In(s)
	require.NoError(t, err)
	return sys
}

// A Play is a run under way.
type Play struct {
	t     testing.TB
	sys   *model.System
	state []byte
	last  model.Transition
}

// Start returns a run that stands at the first initial state of a system.
func Start(t testing.TB, sys *model.System) *Play {
	p := &Play{t: t, sys: sys}
	sys.Initial(func(state []byte) bool {
		p.state = append(p.state, state...)
		return false
	})
	return p
}

// Do takes actions, each named by its text: "P3 crashes", "P1->P2 election".
func (p *Play) Do(actions ...string) {
	p.t.Helper()
	for _, action := range actions {
		i := p.find(action)
		require.GreaterOrEqual(p.t, i, 0, "%q is not enabled; what is: %q", action, p.Enabled())
		p.last = p.sys.Transitions(p.state)[i]
		require.Empty(p.t, p.last.Misuse)
		p.state = p.last.Next
	}
}

// Enabled returns the texts of the actions that are enabled.
func (p *Play) Enabled() []string {
	var texts []string
	for _, t := range p.sys.Transitions(p.state) {
		texts = append(texts, Text(t.Action))
	}
	return texts
}

// Text is how Do names an action.
func Text(a model.Action) string {
	a.Due = 0 // of messages that differ in their age, either will do
	return trace.ActionText(a)
}

func (p *Play) find(action string) int {
	for i, text := range p.Enabled() {
		if text == action {
			return i
		}
	}
	return -1
}

// Sent returns the messages that the last action sent, in order: "P1->P2 election".
func (p *Play) Sent() string { return Sends(&p.last) }

// Sends says which messages an action sends, as Sent does.
func Sends(t *model.Transition) string {
	var texts []string
	for _, m := range t.Sent {
		texts = append(texts, m.From.Name()+"->"+m.To.Name()+" "+m.Text)
	}
	return strings.Join(texts, ", ")
}

// Rules returns the rules that the last action applied.
func (p *Play) Rules() []string { return p.last.Rules }

// Now returns the state that the run has come to.
func (p *Play) Now() model.Snapshot { return p.sys.Snapshot(p.state) }

// Of returns what a process is in now: "names P3", "names nobody, in an
// election", "down".
func (p *Play) Of(id model.ID) string {
	for _, proc := range p.Now().Processes {
		if proc.ID != id {
			continue
		}
		return Is(&proc)
	}
	p.t.Fatalf("there is no process %v", id)
	return ""
}

// Is says what a process is, as Of does.
func Is(proc *model.ProcessSnapshot) string {
	if proc.Status != model.Up {
		return proc.Status.String()
	}
	text := "names " + proc.Belief.Elected.Name()
	if proc.Belief.Elected == model.None {
		text = "names nobody"
	}
	if proc.Belief.Participant {
		text += ", in an election"
	}
	return text
}
