package fceabr

import (
	"fmt"
	"strings"

	"bullyproof/model"
)

var labels = []string{Election: "Election", SElection: "SElection", Coordinator: "Coordinator", SCoordinator: "SCoordinator"}

// Names returns the vocabulary of the paper. A timer is the tick for which a
// message of a label is kept.
func (a *Protocol) Names() model.Names {
	n := model.Names{Kinds: labels, Rules: rules[:forgets]}
	for _, label := range labels {
		n.Timers = append(n.Timers, model.TimerName{Name: "pass " + label + " on"})
	}
	return n
}

// Known is what a process remembers of the messages of each label.
type Known [4]Seen

// String returns them as the messages are written, with the side that they came
// from: "Election(3,5,2) from next".
func (k Known) String() string {
	var list []string
	for label, seen := range k {
		if seen == (Seen{}) {
			continue
		}
		text := fmt.Sprintf("%s(%d,%d,%d)", labels[label], seen.Informer, seen.Coordinator, seen.Surrogate)
		if seen.From != 0 {
			text += " from " + seen.From.String()
		}
		if seen.Held {
			text += ", held"
		}
		list = append(list, text)
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, "; ")
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return model.Kind(m.Label) }

// String returns m with its three sections, "Election(3,5,2)": informer,
// coordinator, surrogate; before them, with the repair, the number of the
// election.
func (m M) String() string {
	text := fmt.Sprintf("%s(%d,%d,%d)", labels[m.Label], m.Informer, m.Coordinator, m.Surrogate)
	if m.Round > 0 {
		text += fmt.Sprintf(" of %d", m.Round)
	}
	return text
}

// Watches: the coordinator.
func (a *Protocol) Watches(p *P, _ model.ID) model.Set {
	if p.Coordinator == model.None {
		return 0
	}
	return model.SetOf(p.Coordinator)
}

// Settle makes the coordinator known to the process, and the surrogate.
func (a *Protocol) Settle(p *P, _, coordinator model.ID, live model.Set) {
	p.Coordinator, p.Surrogate = coordinator, live.Without(coordinator).Max()
}

// Belief is the coordinator. A process is in an election from when it has seen
// an Election message until it learns of the outcome; while a surrogate is
// sought it is "continuing its ordinary operation without any delay" (V.3).
func (a *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Seen[Election].Informer != model.None}
}
