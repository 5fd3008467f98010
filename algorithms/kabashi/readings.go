package kabashi

import (
	"fmt"
	"slices"

	"bullyproof/model"
)

// Protocol is the algorithm. Its zero value is the prose of section IV, where
// the fields choose what the paper leaves open, or says in two ways.
type Protocol struct {
	// SecondOfAll has the process next above the coordinator that failed be the
	// one with the second minimum ID, whichever id that is. To know that, a
	// process has to know all ids; the paper says that it knows none (section VI)
	// but the minimum that a process may take, so that by itself it can only know
	// whether its own ID is the one above that.
	SecondOfAll bool

	// Sparse has no process have the minimum ID that a process may take, nor the
	// one above it: every election is by rule 1b, and whoever joins queries.
	Sparse bool

	// GoesOn has a process that has sent ELECTION collect responses for all of T,
	// and select a coordinator then, though it has been told of one: the
	// pseudocode waits for responses and looks at nothing but OK messages. The
	// prose is silent.
	GoesOn bool

	// KeepsSmaller has a process that takes a process with a smaller ID for the
	// coordinator, and has not noticed that it failed, ignore COORDINATOR_k. Rule 6
	// says of what to do with a COORDINATOR_k that is no offence to P_w nothing,
	// and section I that all acknowledge the coordinator.
	KeepsSmaller bool

	// Pseudocode has the process with the second minimum ID answer any ELECTION by
	// COORDINATOR, as the procedure electionMessageReceived does, which compares
	// IDs later. The prose compares first.
	Pseudocode bool

	// AlwaysQueries has a process with the minimum ID query as any other does when
	// it joins, as the procedure joiningTheSystem does.
	AlwaysQueries bool

	// OKOfInitiator has OK carry the ID of the process that began the election,
	// as the pseudocode prints: send(OK_i). The prose has OK_j.
	OKOfInitiator bool

	// WaitsForCID has a process that joins wait for CID for ever. The paper sets no
	// limit of time.
	WaitsForCID bool

	// Repaired makes four small changes, without which the algorithm does not keep
	// its promises where processes join or come back. It takes KeepsSmaller too.
	//
	// Whoever announces itself takes office a round trip later: within D all that
	// are up have been told, any of them with a smaller ID objects by rule 6, and
	// the objection is there within another D. So nobody takes office while
	// somebody else is in it.
	//
	// Who has been chosen by another (rule 4) announces itself, as if it had been
	// told of a higher ID: whoever chose it may have crashed before all were told.
	//
	// A process that joins listens for a whole round trip, and goes by the smallest
	// ID that it has been told of by then, in CID or in COORDINATOR: the first to
	// answer may be a coordinator that has a successor already, whose announcement
	// came while the process was not there yet.
	//
	// And a process ignores announcements above the coordinator that it knows: of
	// two that are in flight at once the smaller ID counts, whichever is last. It
	// forgets the coordinator when it notices its failure.
	Repaired bool
}

// The readings that are variants of Algorithm.
var (
	prose      = &Protocol{}
	sparse     = &Protocol{Sparse: true}
	goesOn     = &Protocol{GoesOn: true}
	knowsAll   = &Protocol{SecondOfAll: true}
	keepsLower = &Protocol{KeepsSmaller: true}
	waits      = &Protocol{WaitsForCID: true}
	pseudocode = &Protocol{Pseudocode: true, AlwaysQueries: true, GoesOn: true, WaitsForCID: true}
	letter     = &Protocol{Pseudocode: true, AlwaysQueries: true, GoesOn: true, WaitsForCID: true, OKOfInitiator: true}
	repaired   = &Protocol{KeepsSmaller: true, Repaired: true}
)

// The rules, as the paper numbers them; those that only some readings have last.
const (
	rule1b model.Rule = iota
	rule2
	rule3b
	rule4
	rule5b
	rule5c
	rule5d
	rule5e
	rule6a
	rule6b
	rule1a
	rule3a
	rule5a
	ignores
	office
)

var ruleNames = []string{
	rule1b:  "1b: notices the failure: broadcast ELECTION, wait for responses",
	rule2:   "2: no responses: become the coordinator",
	rule3b:  "3b: ELECTION from a higher ID: send OK",
	rule4:   "4: select the smallest ID of the responses, send COORDINATOR for it",
	rule5b:  "5b: joins: broadcast QUERY",
	rule5c:  "5b: QUERY: the coordinator answers CID",
	rule5d:  "5b: CID is higher: become the coordinator",
	rule5e:  "5b: CID is smaller: follow it",
	rule6a:  "6: COORDINATOR with a higher ID: send COORDINATOR for oneself",
	rule6b:  "6: COORDINATOR: follow it",
	rule1a:  "1a: notices the failure, has the second minimum ID: send COORDINATOR",
	rule3a:  "3a: ELECTION, has the second minimum ID: send COORDINATOR",
	rule5a:  "5a: joins with the minimum ID: send COORDINATOR",
	ignores: "COORDINATOR with a higher ID than that of the coordinator: ignore it",
	office:  "all have been told: take office",
}

// Names returns the vocabulary of the paper, without the rules that the reading
// does not have.
func (a *Protocol) Names() model.Names {
	rules := ruleNames
	switch {
	case a.Repaired:
	case a.KeepsSmaller:
		rules = rules[:office]
	case a.AlwaysQueries:
		rules = rules[:rule5a]
	case a.Sparse:
		rules = rules[:rule1a]
	default:
		rules = rules[:ignores]
	}
	return model.Names{
		Kinds:  []string{ELECTION: "ELECTION", OK: "OK", COORDINATOR: "COORDINATOR", QUERY: "QUERY", CID: "CID"},
		Timers: []model.TimerName{T: {Name: "T"}},
		Rules:  slices.Clone(rules),
	}
}

// Kind returns the kind of m.
func (a *Protocol) Kind(m M) int { return int(m.Kind) }

// Format returns m as the paper writes it, with the subscript in brackets.
func (a *Protocol) Format(m M) string {
	switch m.Kind {
	case ELECTION:
		return "ELECTION"
	case OK:
		return fmt.Sprintf("OK(%d)", m.ID)
	case COORDINATOR:
		return fmt.Sprintf("COORDINATOR(%d)", m.ID)
	case QUERY:
		return "QUERY"
	}
	return fmt.Sprintf("CID(%d)", m.ID)
}
