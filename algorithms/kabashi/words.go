package kabashi

import (
	"fmt"
	"slices"

	"bullyproof/model"
)

// Mode is what a process waits for.
type Mode uint8

const (
	// Idle processes take part in no election.
	Idle Mode = iota
	// Responses is after ELECTION: wait for OK.
	Responses
	// Answer is after QUERY: wait for CID.
	Answer
)

// String returns what the process waits for, in words.
func (m Mode) String() string {
	return [...]string{
		"idle", "waits for responses", "waits for CID", "waits to take office", "waits for others that have noticed",
		"leaves the election to another",
	}[m]
}

// The kinds of messages.
const (
	ELECTION model.Kind = iota
	OK
	COORDINATOR
	QUERY
	CID
)

// The rules, as the paper numbers them; those that only some readings have last.
var (
	rules model.Rules

	rule1b  = rules.Add("1b: notices the failure: broadcast ELECTION, wait for responses")
	rule2   = rules.Add("2: no responses: become the coordinator")
	rule3b  = rules.Add("3b: ELECTION from a higher ID: send OK")
	rule4   = rules.Add("4: select the smallest ID of the responses, send COORDINATOR for it")
	rule5b  = rules.Add("5b: joins: broadcast QUERY")
	rule5c  = rules.Add("5b: QUERY: the coordinator answers CID")
	rule5d  = rules.Add("5b: CID is higher: become the coordinator")
	rule5e  = rules.Add("5b: CID is smaller: follow it")
	rule6a  = rules.Add("6: COORDINATOR with a higher ID: send COORDINATOR for oneself")
	rule6b  = rules.Add("6: COORDINATOR: follow it")
	rule1a  = rules.Add("1a: notices the failure, has the second minimum ID: send COORDINATOR")
	rule3a  = rules.Add("3a: ELECTION, has the second minimum ID: send COORDINATOR")
	rule5a  = rules.Add("5a: joins with the minimum ID: send COORDINATOR")
	ignores = rules.Add("COORDINATOR with a higher ID than that of the coordinator: ignore it") // in keepsSmaller
	listens = rules.Add("told of a coordinator while waiting for CID: go on waiting")
	office  = rules.Add("all have been told: take office")
)

// Names returns the vocabulary of the paper.
func (a *Protocol) Names() model.Names { return namesTo(ignores) }

// namesTo returns the vocabulary with the rules before the given one.
func namesTo(rule model.Rule) model.Names {
	return model.Names{
		Kinds:  []string{ELECTION: "ELECTION", OK: "OK", COORDINATOR: "COORDINATOR", QUERY: "QUERY", CID: "CID"},
		Timers: []model.TimerName{T: {Name: "T"}},
		Rules:  slices.Clone(rules[:rule]),
	}
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as the paper writes it, with the subscript in brackets.
func (m M) String() string {
	switch m.Type {
	case ELECTION:
		return "ELECTION"
	case OK:
		return fmt.Sprintf("OK(%d)", m.ID)
	case COORDINATOR:
		return fmt.Sprintf("COORDINATOR(%d)", m.ID)
	case QUERY:
		return "QUERY"
	case NOTICED:
		return fmt.Sprintf("NOTICED(%d)", m.ID)
	case HOLD:
		return "HOLD"
	}
	return fmt.Sprintf("CID(%d)", m.ID)
}
