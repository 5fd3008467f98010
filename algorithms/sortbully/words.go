package sortbully

import (
	"strconv"

	"bullyproof/model"
)

// The rules, in the order in which an election applies them.
var (
	rules model.Rules

	notices    = rules.Add("the leader has crashed: send election to all higher nodes")
	responds   = rules.Add("election: respond with one's id")
	grants     = rules.Add("the responses are in: sort them, grant the highest")
	unanswered = rules.Add("nobody responds: announce oneself")
	announces  = rules.Add("granted: announce oneself to all")
	follows    = rules.Add("coordinator: follow it")
	next       = rules.Add("no announcement in time: grant the next of the list")
	exhausted  = rules.Add("no announcement, and the list is exhausted: announce oneself")
)

var names = model.Names{
	Kinds:  []string{Election: "election", OK: "OK", Grant: "grant", Coordinator: "coordinator"},
	Timers: []model.TimerName{{Name: "wait"}},
	Rules:  rules,
}

// Names returns the vocabulary, without the rules that the reading has no use
// for.
func (s *Protocol) Names() model.Names {
	n := names
	if s.Trusts {
		n.Rules = n.Rules[:next]
	}
	return n
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "election" or "coordinator(4)".
func (m M) String() string {
	if m.ID == model.None {
		return names.Kinds[m.Type]
	}
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
