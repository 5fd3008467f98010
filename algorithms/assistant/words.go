package assistant

import "bullyproof/model"

// Settle makes coordinator and assistant known to the process.
func (a *Protocol) Settle(p *P, _, coordinator model.ID, live model.Set) {
	p.Coordinator, p.Assistant = coordinator, live.Without(coordinator).Max()
}

// Belief is the coordinator that the process knows of.
func (a *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Mode != Idle}
}

var names = model.Names{
	Kinds:  []string{Crash: "CRASH", Query: "QUERY", Election: "ELECTION", Answer: "ANSWER", Coordinator: "COORDINATOR"},
	Timers: []model.TimerName{Collect: {Name: "collect"}, Patience: {Name: "patience"}},
	Rules:  rules,
}

// Names is the vocabulary.
func (a *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "COORDINATOR(3,2)".
func (m M) String() string {
	name := repairedNames.Kinds[m.Type]
	if m.Type == Coordinator || m.Type == Leads {
		name += "(" + m.Coordinator.String() + "," + m.Assistant.String()
		if m.Busy {
			name += ", busy"
		}
		name += ")"
	}
	return name
}
