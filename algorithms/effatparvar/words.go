package effatparvar

import (
	"strconv"

	"bullyproof/model"
)

// The rules are the sentences of section 2, in its order.
var (
	rules model.Rules

	notices    = rules.Add("the leader has crashed: send election to all nodes with higher IDs")
	responds   = rules.Add("election: send one's ID as a response")
	unanswered = rules.Add("no node responds: broadcast coordinator")
	selects    = rules.Add("some nodes respond: select the highest ID and send it")
	informed   = rules.Add("informed about the new leader")
	verifies   = rules.Add("newly elected: send election to nodes with greater IDs")
	greater    = rules.Add("a response from a greater ID: introduce the greatest one")
	remains    = rules.Add("no response from a greater ID: it remains unchanged")
	again      = rules.Add("no node responds: verify before announcing oneself")
	objects    = rules.Add("a leader with a smaller ID is announced: begin an election")
)

var names = model.Names{
	Kinds:  []string{Election: "election", OK: "OK", Selected: "selected", Coordinator: "coordinator"},
	Timers: []model.TimerName{{Name: "wait"}},
	Rules:  rules,
}

// Names returns the vocabulary of the paper.
func (e *Protocol) Names() model.Names { return upTo(again) }

// upTo returns names with the rules before the given one.
func upTo(rule model.Rule) model.Names {
	n := names
	n.Rules = n.Rules[:rule]
	return n
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "election" or "selected(4)".
func (m M) String() string {
	if m.Type == Election {
		return names.Kinds[m.Type]
	}
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
