package raft

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Election Safety, figure 3 of the paper: "at most one leader can be elected in a
// given term". At one instant that is checker.OneLeaderPerEpoch. Over time it takes
// a memory of earlier leaders; and what makes it true is in the messages and on the
// disks.
var (
	electionSafety = checker.Always("election-safety",
		"At most one server is elected in each term, even one after another.",
		func(v *model.View) bool { return !elected.Of(v).Twice },
	).Given("a leader", someLeader).Remembering(elected)

	voteOnDisk = checker.Always("vote-on-disk",
		"A live server has stored every vote it has in flight, or a higher term.",
		func(v *model.View) bool {
			for link, m := range model.Mail[M](v) {
				voter := model.Stored[P](v, link.From)
				kept := voter.VotedFor == link.To || voter.Term > m.Term
				if m.Type == Vote && m.Granted && v.Up.Has(link.From) && !kept {
					return false
				}
			}
			return true
		},
	).Given("a vote in flight", func(v *model.View) bool {
		for _, m := range model.Mail[M](v) {
			if m.Type == Vote && m.Granted {
				return true
			}
		}
		return false
	})
)

// The paper's promise of liveness, section 5: the servers "are fully functional
// (available) as long as any majority of the servers are operational and can communicate
// with each other". Somebody believing to lead is not enough: what a leader does without a
// majority is never committed.
var (
	availability = checker.AlwaysEventually("availability",
		"Where a majority is up and connected, again and again a leader reaches a majority.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if v.Reached(id, v.Up).Len() > int(v.N)/2 {
					return true
				}
			}
			return !connectedMajority(v)
		},
	).Given("a majority that is up and connected", connectedMajority).
		Explained(func(*model.View) string {
			return "from some time on no leader reaches a majority, and one is up and connected"
		})

	undisturbed = checker.AlwaysStep("undisturbed",
		"No server leaves a leader of its term with which it exchanges messages and that reaches a majority.",
		func(e *model.Event) bool {
			if e.Kind.IsCrash() || e.Process == model.None {
				return true
			}
			leader := e.From.Elected(e.Process)
			if leader == model.None || leader == e.To.Elected(e.Process) || !e.From.Leaders.Has(leader) {
				return true
			}
			if e.From.Epoch(leader) != e.From.Epoch(e.Process) {
				return true // it leads in another term: the server followed it in one that is over
			}
			reaches := e.From.Reached(leader, e.From.Up)
			return !reaches.Has(e.Process) || reaches.Len() <= int(e.From.N)/2
		},
	).GivenStep("a server that follows a leader", func(e *model.Event) bool { return !e.From.Leaders.Empty() })
)

// fewElections is for a program whose terms go on without end where nobody is elected: none
// of its runs comes back to a state that it was in, so that availability sees nothing.
var fewElections = checker.Always("few-elections",
	"Of five elections in a row, with no fault between them, one has a leader.",
	func(v *model.View) bool { return inVain.Of(v).N < 5 },
).Remembering(inVain)

// couldWin is what pre-votes are for, section 9.6.
var couldWin = checker.AlwaysStep("could-win",
	"No server begins a new term whose log is behind those of a majority.",
	func(e *model.Event) bool {
		if !e.Ran(beginElection) {
			return true
		}
		log, ahead := model.State[P](e.From, e.Process).Log, 0 // which stays as it is
		for id := range e.To.Up.All() {
			if log.behind(model.State[P](e.To, id).Log) {
				ahead++
			}
		}
		return ahead <= int(e.To.N)/2
	},
).GivenStep("a server that begins a new term", func(e *model.Event) bool { return e.Ran(beginElection) })

// inVain counts the elections since somebody was elected, and since the last fault.
var inVain = model.NewMonitor("elections in vain", vain{}, func(m *vain, e *model.Event) {
	switch {
	case e.Ran(becomeLeader), e.Crash, !e.Kind.Owed():
		m.N = 0
	case e.Ran(beginElection):
		m.N = min(m.N+1, 5)
	}
})

type vain struct{ N uint8 }

// connectedMajority reports whether a majority of servers are up and each reaches each.
func connectedMajority(v *model.View) bool {
	for s := model.Set(0); s <= v.Up; s++ {
		if s&^v.Up == 0 && s.Len() > int(v.N)/2 && mutual(v, s) {
			return true
		}
	}
	return false
}

func mutual(v *model.View, s model.Set) bool {
	for id := range s.All() {
		if s&^v.Reached(id, v.Up) != 0 {
			return false
		}
	}
	return true
}

func someLeader(v *model.View) bool { return !v.Leaders.Empty() }

// elected has the leaders of the first terms.
var elected = model.NewMonitor("leaders", leaders{}, func(l *leaders, e *model.Event) {
	if !e.Ran(becomeLeader) || !e.To.Leaders.Has(e.Process) {
		return
	}
	term := e.To.Epoch(e.Process)
	if term >= uint64(len(l.Of)) {
		return
	}
	l.Twice = l.Twice || l.Of[term] != model.None && l.Of[term] != e.Process
	l.Of[term] = e.Process
})

// leaders are who was elected, by term.
type leaders struct {
	Of    [6]model.ID
	Twice bool // two were, in one term
}

// Algorithm is Raft's election for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "raft",
	Title:  "Raft's leader election",
	Source: "D. Ongaro and J. Ousterhout, In Search of an Understandable Consensus Algorithm, USENIX ATC 2014, figure 2",
	Doc: "A server that hears nothing of a leader begins a new term and asks all others for their votes. Each server gives one vote " +
		"in a term, and a server that has the votes of a majority leads in it.",
	Assumptions: slices.Concat(
		ledger.Said("section 5.6, for there to be a leader at all", ledger.BoundedDelays),
		ledger.Said("section 6", ledger.NoNewcomers),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: withOneTick, Setting: rounds}, []ledger.Variant{
		{
			Name: "figure-2", New: of(figure2),
			Doc:     "Election timeouts differ from server to server, and a leader sends heartbeats.",
			Assumes: "A complete graph, crashes and restarts, disks that keep the term and the vote; here messages that take one tick.",
			Setting: synchronous,
		},
		{
			Name: "any-delays", New: of(anyDelays),
			Doc:         "A leader sends one heartbeat. Two terms are explored, since terms are unbounded.",
			Assumes:     "A complete graph, crashes and restarts, disks that keep the term and the vote; any delays and any timeouts.",
			Assumptions: ledger.Said("section 6", ledger.NoNewcomers),
			Setting:     asynchronous,
		},
		{
			Name: "drawn", New: of(drawn),
			Doc:     "As figure-2, but each election timeout is drawn from 10 to 19 ticks, as in the paper.",
			Assumes: withOneTick, Setting: setting.Must("n=3 initiators=none detector=off timing=lockstep"),
		},
		{
			Name: "first-term", New: of(firstTerm),
			Doc:     "As drawn, until the first term has elected somebody or has split the vote: a server that has voted waits for no further timeout.",
			Assumes: withOneTick, Setting: setting.Must("n=3 initiators=none detector=off timing=lockstep"),
		},
		{
			Name: "prevote", Source: dissertation + ", section 9.6", Adds: "pre-votes",
			Doc: "As figure-2, but a server asks whether it would get the votes before it begins a new term, and one that hears of a leader says no.",
			New: of(preVotes),
		},
		{
			Name: "sticky", Source: dissertation + ", section 4.2.3", Adds: "stickiness",
			Doc: "As prevote, and a server that hears of a leader ignores requests for votes.",
			New: of(sticky),
		},
		{
			Name: "prevote-checkquorum", Source: dissertation + ", sections 6.2 and 9.6", Adds: "pre-votes, and a check of the quorum",
			Doc: "As prevote, and a leader that hears of no majority steps down.",
			New: of(checkQuorum),
		},
		{
			Name: "all", Source: dissertation + ", sections 4.2.3, 6.2 and 9.6", Adds: "pre-votes, stickiness, a check of the quorum, and logs",
			Doc: "Pre-votes, stickiness, a check of the quorum, and logs: what programs run today.",
			New: of(all),
		},
		{
			Name: "rollout", Source: dissertation + ", section 9.6", Adds: "pre-votes from the first restart of a server on, and logs",
			Doc: "As prevote, with logs, but a server asks for pre-votes only once it has restarted: servers are upgraded one by one. Three terms are explored.",
			New: of(rollout),
		},
		rearms, ra, lagging, ccf,
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "forgets-vote", Of: "any-delays", Caught: checker.OneLeaderPerEpoch.Name, Setting: asynchronous, New: of(forgetsVote{anyDelays}),
			Doc: "A server's vote is not on disk: after a crash it votes again in the same term.",
		},
		{
			Name: "counts-refusals", Of: "any-delays", Caught: checker.OneLeaderPerEpoch.Name, Setting: asynchronous,
			Doc: "A candidate counts every answer as a vote, a refusal as well.",
			New: of(countsRefusals{anyDelays}),
		},
		{
			Name: "forgets-all", Of: "any-delays", Caught: checker.OneLeaderPerEpoch.Name, Setting: asynchronous, New: of(forgetsAll{anyDelays}),
			Doc: "Nothing is on disk: after a crash a server begins with term 0.",
		},
	}...),
	Properties: []*checker.Property{electionSafety, voteOnDisk, availability, undisturbed, fewElections, couldWin},
	Asked:      append(checker.Heartbeat(), electionSafety, voteOnDisk),
	Silent:     open,
	Relations:  relations,
	Written:    claimfile.In(files, claimfile.Names{"leads": claimfile.Blind(someLeader)}),
	Files:      files,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

var (
	figure2        = &Raft{Heartbeats: true}
	anyDelays      = &Raft{Terms: 2}
	drawn          = &Raft{Heartbeats: true, Drawn: 10, Terms: 2}
	firstTerm      = FirstTerm{&Raft{Drawn: 10, Terms: 1}}
	anyDelaysFirst = &Raft{PreVote: true, Terms: 1}
	preVotes       = &Raft{Heartbeats: true, PreVote: true}
	sticky         = &Raft{Heartbeats: true, PreVote: true, Sticky: true}
	checkQuorum    = &Raft{Heartbeats: true, PreVote: true, CheckQuorum: true}
	all            = &Raft{Heartbeats: true, PreVote: true, Sticky: true, CheckQuorum: true, Logs: true}
	rollout        = Rollout{&Raft{Heartbeats: true, PreVote: true, Logs: true, Terms: 3}}
	presses        = Presses{&Raft{Heartbeats: true, PreVote: true, Logs: true, Terms: 9}}
	lags           = Lagging{&Raft{Heartbeats: true, PreVote: true, Logs: true}}

	synchronous  = setting.Must(world + "n=3 timing=sync:1 crashes=1 restarts=1")
	asynchronous = setting.Must(world + "n=3 timing=async:1 crashes=1 restarts=1")
)

// rounds have messages that take one round.
var rounds = setting.Must("n=3 initiators=none detector=off timing=lockstep crashes=1 restarts=1")

const (
	dissertation = "D. Ongaro, Consensus: Bridging Theory and Practice, dissertation, Stanford 2014"
	withOneTick  = "A complete graph, crashes and restarts, disks that keep the term and the vote; here messages that take one tick."
)

// world is what all settings have: nobody is asked to begin an election, and
// nobody but a timeout tells of a failure.
const world = "initiators=none detector=off "
