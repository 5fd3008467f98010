package murshedallen

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
	// AskedCandidates is after election to Candidate processes: wait for OK.
	AskedCandidates
	// AskedOrdinary is after election to Ordinary processes: wait for OK.
	AskedOrdinary
	// Joining is after query: wait for answer.
	Joining
)

// String returns what the process waits for, in words.
func (m Mode) String() string {
	return [...]string{
		"idle", "waits for OK of Candidates", "waits for OK of Ordinary processes", "waits for answer",
		"waits for others to begin", "waits to take office",
	}[m]
}

// The kinds of messages.
const (
	Election model.Kind = iota
	OK
	Coordinator
	Query
	Answer
)

// The rules, as the source numbers them. It has no number for what a process does
// that learns of a coordinator, which the message of rule 3 is for.
var (
	ruleNames model.Rules

	rule1a  = ruleNames.Add("1a: detects the failure, Ordinary: send election to Candidates")
	rule1b  = ruleNames.Add("1b: detects the failure, Candidate: send election to higher Candidates")
	rule1c  = ruleNames.Add("1a: no Candidate answers: send election to higher Ordinary processes")
	rule2   = ruleNames.Add("2: election: answer OK")
	rule3   = ruleNames.Add("3: select the highest ID, send coordinator to all")
	rule4a  = ruleNames.Add("4a: joins: send query to (higher) Candidates")
	rule4b  = ruleNames.Add("4b: query: answer with the coordinator")
	rule4c  = ruleNames.Add("4c: answer, the coordinator is lower: begin an election")
	rule4d  = ruleNames.Add("4c: answer, the coordinator is not lower: follow it")
	follows = ruleNames.Add("3: coordinator: follow it") // readings count on from here
)

// Names returns the vocabulary of the source.
func (a *Protocol) Names() model.Names {
	return model.Names{
		Kinds:  []string{Election: "election", OK: "OK", Coordinator: "coordinator", Query: "query", Answer: "answer"},
		Timers: []model.TimerName{T: {Name: "T"}},
		Rules:  slices.Clone(ruleNames),
	}
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with what it carries: who detects what failure, or an ID, or
// the coordinator and the Candidate set.
func (m M) String() string {
	switch m.Type {
	case Election:
		return fmt.Sprintf("election(%d,%d)", m.ID, m.Failed)
	case OK:
		return fmt.Sprintf("OK(%d)", m.ID)
	case Coordinator:
		return fmt.Sprintf("coordinator(%d,%s)", m.ID, m.Candidates)
	case Answer:
		return fmt.Sprintf("answer(%d,%s)", m.ID, m.Candidates)
	}
	return "query"
}
