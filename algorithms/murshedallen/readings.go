package murshedallen

import (
	"fmt"

	"bullyproof/model"
)

// Protocol is the algorithm. Its zero value is the rules of the source as they
// stand; the fields choose what they leave open.
type Protocol struct {
	// GoesOn has a process that has begun an election go on with it when a
	// coordinator message comes. The source is silent.
	GoesOn bool

	// KnowsDown has a process that detects the failure leave the coordinator that
	// has failed out of its election. Rule 1 does not, and Table I counts an
	// election message to it; Table II does not.
	KnowsDown bool

	// AnswersLeader has a process that knows of another coordinator than the one
	// that the election is about answer by that coordinator, which ends the
	// election. Rule 1 speaks of an answer message with the IDs of the leader and
	// the Candidate set that belongs to the election message, rule 2 of OK alone;
	// and why else would the election message name the coordinator that has failed?
	AnswersLeader bool

	// Rearranges has the Candidate set that a coordinator message tells of begin at
	// the coordinator and go as far down as half of all processes do. Section III.A
	// says that "the set cardinality must be rearranged" when a process joins, and
	// no rule does. Otherwise the set is always the upper half.
	Rearranges bool

	// WaitsForAnswer has a process that joins wait for an answer for ever, even
	// where there is nobody to ask. The source sets no limit of time, and has an
	// election begin at an answer alone (rule 4c).
	WaitsForAnswer bool

	// TieBreaker has a process that detects the failure wait before it begins an
	// election, the longer the lower its id, and leave it to another that begins
	// one meanwhile. The source does not have it; the abstract of Murshed and Allen
	// speaks of a "tie breaker time" against elections at the same time, and how it
	// is done here is a guess.
	TieBreaker bool

	// KeepsHigher has a process that has a coordinator, and has not detected its
	// failure, ignore coordinator messages with lower ids.
	KeepsHigher bool

	// Repaired makes five small changes, without which processes that join or come
	// back can leave two coordinators behind. It takes KeepsHigher too: of two
	// announcements in flight at once the higher id counts, whichever is last. A
	// process forgets the coordinator when it detects its failure.
	//
	// Whoever announces itself takes office a round trip later: by then all that
	// are up have been told, and the coordinator so far has followed.
	//
	// Who has been chosen by another (rule 3) announces itself: the electioneer may
	// have crashed before all were told, and only who is in office can know that
	// nobody else is.
	//
	// Who hears a lower id announced than its own objects: by an election, or, if it
	// has announced itself, by doing so again. It may not have been there when it
	// was asked or told, and only it knows.
	//
	// A process that joins listens for a whole round trip, and goes by the highest
	// id that it has been told of by then: the first to answer may not have heard
	// yet of the successor of the coordinator that it names.
	Repaired bool
}

// The readings that are variants of Algorithm.
var (
	rules         = &Protocol{}
	goesOn        = &Protocol{GoesOn: true}
	knowsDown     = &Protocol{KnowsDown: true}
	answersLeader = &Protocol{AnswersLeader: true}
	rearranges    = &Protocol{Rearranges: true}
	waits         = &Protocol{WaitsForAnswer: true}
	tieBreaker    = &Protocol{TieBreaker: true}
	keepsHigher   = &Protocol{KeepsHigher: true}
	repaired      = &Protocol{KeepsHigher: true, Repaired: true}
)

// The rules, as the source numbers them; those that only some readings have last.
const (
	rule1a model.Rule = iota
	rule1b
	rule1c
	rule2
	rule3
	rule4a
	rule4b
	rule4c
	rule4d
	follows
	extra // what one reading has and others do not: tells, holdsBack or keeps
	chosen
	insists
	bullies
	office
)

const tells, holdsBack, keeps = extra, extra, extra

// Names returns the vocabulary of the source, without the rules that the reading
// does not have.
func (a *Protocol) Names() model.Names {
	list := []string{
		rule1a:  "1a: detects the failure, Ordinary: send election to Candidates",
		rule1b:  "1b: detects the failure, Candidate: send election to higher Candidates",
		rule1c:  "1a: no Candidate answers: send election to higher Ordinary processes",
		rule2:   "2: election: answer OK",
		rule3:   "3: select the highest ID, send coordinator to all",
		rule4a:  "4a: joins: send query to (higher) Candidates",
		rule4b:  "4b: query: answer with the coordinator",
		rule4c:  "4c: answer, the coordinator is lower: begin an election",
		rule4d:  "4c: answer, the coordinator is not lower: follow it",
		follows: "coordinator: follow it",
	}
	switch {
	case a.AnswersLeader:
		list = append(list, "1: election about another coordinator: answer with the leader")
	case a.TieBreaker:
		list = append(list, "detects the failure: wait for others to begin")
	case a.KeepsHigher:
		list = append(list, "coordinator with a lower ID than that of the coordinator: ignore it")
	}
	if a.Repaired {
		list = append(list,
			"coordinator: chosen by another: announce oneself",
			"coordinator with a lower ID than one's own, oneself announced: announce oneself again",
			"coordinator with a lower ID than one's own: begin an election",
			"all have been told: take office")
	}
	return model.Names{
		Kinds:  []string{Election: "election", OK: "OK", Coordinator: "coordinator", Query: "query", Answer: "answer"},
		Timers: []model.TimerName{T: {Name: "T"}},
		Rules:  list,
	}
}

// Kind returns the kind of m.
func (a *Protocol) Kind(m M) int { return int(m.Kind) }

// Format returns m with what it carries: who detects what failure, or an ID, or
// the coordinator and the Candidate set.
func (a *Protocol) Format(m M) string {
	switch m.Kind {
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
