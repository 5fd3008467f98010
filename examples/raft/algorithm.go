package raft

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
)

// Election Safety, figure 3 of the paper: "at most one leader can be elected in a
// given term". At one instant that is checker.OneLeaderPerEpoch. Over time it takes
// a memory of earlier leaders; and what makes it true is in the messages and on the
// disks.
var (
	electionSafety = checker.Always("election-safety",
		"In no term are two servers elected, one after the other either.",
		func(v *model.View) bool { return !elected.Of(v).Twice },
	).Given("a leader", someLeader).Remembering(elected)

	voteOnDisk = checker.Always("vote-on-disk",
		"A server that is up has on disk what votes of its are in flight, or a higher term.",
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

// Algorithm is the example for a catalogue.
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
	Variants: []ledger.Variant{
		{
			Name:    "figure-2",
			Doc:     "Election timeouts differ from server to server, and a leader sends heartbeats.",
			Assumes: "A complete graph, crashes and restarts, disks that keep the term and the vote; here messages that take one tick.",
			Setting: synchronous, New: ledger.SystemOf[P, M](figure2),
		},
		{
			Name:        "any-delays",
			Doc:         "A leader sends one heartbeat. Two terms are explored, since terms are unbounded.",
			Assumes:     "A complete graph, crashes and restarts, disks that keep the term and the vote; any delays and any timeouts.",
			Assumptions: ledger.Said("section 6", ledger.NoNewcomers),
			Setting:     asynchronous, New: ledger.SystemOf[P, M](anyDelays),
		},
	},
	Mutants: []ledger.Mutant{
		{
			Name: "forgets-vote", Of: "any-delays", Caught: checker.OneLeaderPerEpoch.Name, Setting: asynchronous,
			Doc: "A server's vote is not on disk: after a crash it votes again in the same term.",
			New: ledger.SystemOf[P, M](forgetsVote{anyDelays}),
		},
		{
			Name: "forgets-all", Of: "any-delays", Caught: checker.OneLeaderPerEpoch.Name, Setting: asynchronous,
			Doc: "Nothing is on disk: after a crash a server begins with term 0.",
			New: ledger.SystemOf[P, M](forgetsAll{anyDelays}),
		},
	},
	Properties: []*checker.Property{electionSafety, voteOnDisk},
	Asked:      append(checker.Heartbeat(), electionSafety, voteOnDisk),
}

var (
	figure2   = &Raft{Heartbeats: true}
	anyDelays = &Raft{Terms: 2}

	synchronous  = setting.Must(world + "n=3 timing=sync:1 crashes=1 restarts=1")
	asynchronous = setting.Must(world + "n=3 timing=async:1 crashes=1 restarts=1")
)

// world is what all settings have: nobody is asked to begin an election, and
// nobody but a timeout tells of a failure.
const world = "initiators=none detector=off "
