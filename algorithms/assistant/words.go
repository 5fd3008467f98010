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
	Rules: []string{
		reports:       "the coordinator is down: tell the assistant",
		takesOver:     "the assistant takes over: ask who is there",
		succeeds:      "be coordinator, the highest that answered is assistant",
		elects:        "hold an election: ask everybody",
		decides:       "the two highest are coordinator and assistant",
		answers:       "asked: answer",
		adopts:        "COORDINATOR: follow it, note its assistant",
		returns:       "comes up: hold an election",
		outOfPatience: "the assistant has not taken over: hold an election",
	},
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
