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

var (
	rules model.Rules

	dryRun            = rules.Add("Candidate: a dry-run election")
	realElection      = rules.Add("Candidate: the real election: increment the term, vote for itself")
	olderTerm         = rules.Add("Voter, 1: an older term: reject")
	stale             = rules.Add("Voter, 4: the candidate is behind: reject")
	alreadyVoted      = rules.Add("Voter, 5: already voted in this term: reject")
	healthyPrimary    = rules.Add("Voter, 6: an arbiter that sees a healthy primary: reject")
	grants            = rules.Add("Voter: grant the vote, and store it")
	wins              = rules.Add("Candidate: votes from a majority: win")
	higherTerm        = rules.Add("Step down: a higher term")
	cannotSeeMajority = rules.Add("Step down: no majority within the liveness timeout")
	takesOver         = rules.Add("Step up: priority takeover")
	caughtUp          = rules.Add("Transitioning to primary: caught up, or no time left")
	beats             = rules.Add("heartbeat of a primary")
	appends           = rules.Add("write an entry")
	follows           = rules.Add("hear a heartbeat of the primary, fetch its oplog")
	rollsBack         = rules.Add("roll back")
	acknowledged      = rules.Add("a majority acknowledges")
	records           = rules.Add("record an earlier vote")
	standsV0          = rules.Add("_startElectSelf: is anybody fresher?")
	fresher           = rules.Add("prepareFreshResponse: fresher")
	vetoesPrimary     = rules.Add("veto: there is a primary")
	vetoesPriority    = rules.Add("veto: a higher priority")
	notFresher        = rules.Add("prepareFreshResponse: not fresher")
	notFreshest       = rules.Add("_onFreshnessCheckComplete: not freshest, or too few answers")
	electsSelf        = rules.Add("_onFreshnessCheckComplete: vote for itself, ask for votes")
	leaseHeld         = rules.Add("vote lease: voted for another one lately")
	votesYea          = rules.Add("prepareElectResponse: yea")
	loses             = rules.Add("processLoseElection")
	electedEarlier    = rules.Add("another primary was elected more recently: step down")
	electedLater      = rules.Add("another primary was elected earlier: ask it to step down")
	twoRemote         = rules.Add("two remote primaries (transiently)")
	asksToStepDown    = rules.Add("a higher priority than the primary: ask it to step down")
	askedToStepDown   = rules.Add("replSetStepDown")
	fetches           = rules.Add("CatchupState: fetch from the member that is furthest ahead")
	stalls            = rules.Add("CatchupState: the fetch stalls")
	abortsCatchUp     = rules.Add("_runRollback: abort the catch-up")
	awaitsTakeover    = rules.Add("_shouldTakeOverPrimary: ahead of the primary: wait for the catch-up takeover")
	takesOverCatchUp  = rules.Add("Step up: catch-up takeover")
	otherConfig       = rules.Add("Voter, 2: another configuration: reject")
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
		Rules: rules,
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
