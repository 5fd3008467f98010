package electioncommission

import (
	"strconv"

	"bullyproof/model"
)

// Watches returns whom the failure detector watches for a process: the
// coordinator, except for the commission, which only asks.
func (c *Protocol) Watches(p *P, self model.ID) model.Set {
	if self == Commission || p.Elected == model.None {
		return 0
	}
	return model.Set(0).With(p.Elected)
}

// Wanted is the highest that is up; the commission only where it is alone.
func (c *Protocol) Wanted(live model.Set) model.ID { return live.Max() }

// Settle makes coordinator known to the process.
func (c *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief is the process that it follows.
func (c *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Waits || p.Asked != model.None}
}

var names = model.Names{
	Kinds:  []string{Report: "REPORT", Verify: "VERIFY", Alive: "ALIVE", Recovered: "RECOVERED", Coordinator: "COORDINATOR"},
	Timers: []model.TimerName{T: {Name: "T"}},
	Rules:  rules,
}

// Names is the vocabulary.
func (c *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "COORDINATOR(3)".
func (m M) String() string {
	name := names.Kinds[m.Type]
	if m.Type == Report || m.Type == Coordinator {
		name += "(" + strconv.Itoa(int(m.ID)) + ")"
	}
	if m.Number > 0 {
		name += " no. " + strconv.Itoa(int(m.Number))
	}
	return name
}
