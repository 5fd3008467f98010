package kalternatives

import (
	"strings"

	"bullyproof/model"
)

// Settle makes the result of an election known to the process.
func (a *Protocol) Settle(p *P, _, _ model.ID, live model.Set) { p.List = a.best(live) }

// Belief is the first of the list.
func (a *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.List[0], Participant: p.Elects}
}

var names = model.Names{
	Kinds:  []string{Election: "ELECTION", OK: "OK", Alternatives: "ALTERNATIVES", Next: "NEXT"},
	Timers: []model.TimerName{T: {Name: "T"}},
	Rules:  rules,
}

// namesSilent are those without Tells.
var namesSilent = model.Names{Kinds: names.Kinds[:Next], Timers: names.Timers, Rules: names.Rules[:strikes]}

// Names is the vocabulary.
func (a *Protocol) Names() model.Names {
	if !a.Tells {
		return namesSilent
	}
	return names
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "ALTERNATIVES(4,3,2)".
func (m M) String() string {
	name := repairedNames.Kinds[m.Type]
	if m.Type < Alternatives || m.Type == Who {
		return name
	}
	var parts []string
	for _, id := range m.List {
		if id != model.None {
			parts = append(parts, id.String())
		}
	}
	if m.Busy {
		parts = append(parts, "busy")
	}
	return name + "(" + strings.Join(parts, ",") + ")"
}
