package mongodb

import (
	"fmt"

	"bullyproof/model"
)

// The kinds of messages. Those from Fresh to StepDown are of version 0.
const (
	RequestVotes model.Kind = iota // replSetRequestVotes
	VoteResponse
	Heartbeat // replSetHeartbeat of a primary
	Ack       // what a member answers, with its last entry
	Fresh     // replSetFresh
	FreshResponse
	Elect // replSetElect
	ElectResponse
	StepDown // replSetStepDown
	Fetch    // of a primary that catches up: a query of an oplog
	Batch    // what it brings
)

// M is a message.
type M struct {
	Type      model.Kind
	Dry       bool // dryRun
	Granted   bool // voteGranted; of a FreshResponse: neither fresher nor a veto
	Veto      bool
	Catching  bool // of a primary
	Term      uint8
	Config    uint8  // of a candidate, a primary, or who answers
	ElectedAt uint8  // electionTime, of a primary of version 0
	Last      OpTime // of a candidate, or of who answers
	Oplog     Oplog  // of a primary, or of who is ahead of one
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with what it says: "RequestVotes(2)", "Heartbeat(1,[1:1])".
func (m M) String() string {
	text := ""
	add := func(what any) { text += fmt.Sprintf(",%v", what) }
	if m.Term > 0 {
		add(m.Term)
	}
	if m.Dry {
		add("dry run")
	}
	if m.Type == VoteResponse || m.Type == FreshResponse || m.Type == ElectResponse {
		add(m.Granted)
	}
	if m.Veto {
		add("veto")
	}
	if m.Catching {
		add("catches up")
	}
	if m.ElectedAt > 0 {
		add(fmt.Sprintf("elected at %d", m.ElectedAt))
	}
	if m.Config > 0 {
		add(fmt.Sprintf("config %d", m.Config))
	}
	if m.Last != (OpTime{}) {
		add(m.Last)
	}
	if m.Oplog.Len() > 0 {
		add(m.Oplog)
	}
	if text == "" {
		return kinds[m.Type]
	}
	return kinds[m.Type] + "(" + text[1:] + ")"
}

const (
	election model.Timer = iota
	heartbeat
	liveness
	takeover
	catchUp
	answers
	lease
	recordTimer

	// catchUpTakeover is a timer of version 1, and answers one of version 0.
	catchUpTakeover = answers
)

const (
	writes model.Choice = iota
	recording
	fetching
)

const (
	dryRun model.Rule = iota
	realElection
	olderTerm
	stale
	alreadyVoted
	healthyPrimary
	grants
	wins
	higherTerm
	cannotSeeMajority
	takesOver
	caughtUp
	beats
	appends
	follows
	rollsBack
	acknowledged
	records
	standsV0
	fresher
	vetoesPrimary
	vetoesPriority
	notFresher
	notFreshest
	electsSelf
	leaseHeld
	votesYea
	loses
	electedEarlier
	electedLater
	twoRemote
	asksToStepDown
	askedToStepDown
	fetches
	stalls
	abortsCatchUp
	awaitsTakeover
	takesOverCatchUp
	otherConfig
)

var kinds = []string{"RequestVotes", "Vote", "Heartbeat", "Ack", "Fresh", "FreshResponse", "Elect", "ElectResponse", "StepDown", "Fetch", "Batch"}

// Names gives the words of the README and of the program.
func (a *Member) Names() model.Names {
	names := model.Names{
		Kinds: kinds[:Fresh],
		Timers: []model.TimerName{
			{Name: "election timeout"}, {Name: "heartbeat", Periodic: true}, {Name: "liveness timeout", Periodic: true}, {Name: "takeover"},
			{Name: "catch-up"}, {Name: "answers"}, {Name: "vote lease", Periodic: true}, {Name: "record"},
		},
		Rules: []string{
			"Candidate: a dry-run election",
			"Candidate: the real election: increment the term, vote for itself",
			"Voter, 1: an older term: reject",
			"Voter, 4: the candidate is behind: reject",
			"Voter, 5: already voted in this term: reject",
			"Voter, 6: an arbiter that sees a healthy primary: reject",
			"Voter: grant the vote, and store it",
			"Candidate: votes from a majority: win",
			"Step down: a higher term",
			"Step down: no majority within the liveness timeout",
			"Step up: priority takeover",
			"Transitioning to primary: caught up, or no time left",
			"heartbeat of a primary",
			"write an entry",
			"hear a heartbeat of the primary, fetch its oplog",
			"roll back",
			"a majority acknowledges",
			"record an earlier vote",
			"_startElectSelf: is anybody fresher?",
			"prepareFreshResponse: fresher",
			"veto: there is a primary",
			"veto: a higher priority",
			"prepareFreshResponse: not fresher",
			"_onFreshnessCheckComplete: not freshest, or too few answers",
			"_onFreshnessCheckComplete: vote for itself, ask for votes",
			"vote lease: voted for another one lately",
			"prepareElectResponse: yea",
			"processLoseElection",
			"another primary was elected more recently: step down",
			"another primary was elected earlier: ask it to step down",
			"two remote primaries (transiently)",
			"a higher priority than the primary: ask it to step down",
			"replSetStepDown",
			"CatchupState: fetch from the member that is furthest ahead",
			"CatchupState: the fetch stalls",
			"_runRollback: abort the catch-up",
			"_shouldTakeOverPrimary: ahead of the primary: wait for the catch-up takeover",
			"Step up: catch-up takeover",
			"Voter, 2: another configuration: reject",
		},
		Choices: []model.ChoiceName{
			{Name: "the client", Outcomes: []string{"writes nothing", "writes"}},
			{Name: "the vote", Outcomes: []string{"is recorded at once", "is recorded later"}},
			{Name: "the fetch", Outcomes: []string{"goes on", "stalls"}},
		},
	}
	if a.Unlimited {
		names.Kinds = kinds
	}
	if a.Takeover {
		names.Timers[catchUpTakeover].Name = "catch-up takeover"
	}
	return names
}

// Names gives the words of the program.
func (a Version0) Names() model.Names {
	names := a.Member.Names()
	names.Kinds = kinds[:Fetch]
	names.Choices[0].Outcomes = []string{"writes nothing", "writes", "writes later"}
	return names
}
