package mongodb

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the election of MongoDB for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "mongodb",
	Title:  "Elections of MongoDB's replica sets",
	Source: "MongoDB, src/mongo/db/repl/README.md, version 4.2",
	Doc: "A member that hears of no primary asks whether it would be elected, then begins a new term and asks for the votes. A member stores its one " +
		"vote of a term before it answers, and refuses a candidate whose oplog is behind. Version 0 has no terms: there a member that has voted " +
		"votes for nobody else for 30 seconds, and clocks order the entries of the oplog.",
	Assumptions: slices.Concat(
		ledger.Said("section Elections, for there to be a primary", ledger.BoundedDelays),
		ledger.Tacit(ledger.NoNewcomers),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: disks, Setting: in("crashes=1 restarts=1")}, []ledger.Variant{
		{
			Name: "pv1", New: of(pv1),
			Doc: "Protocol version 1, of members with one priority. Three terms are explored.",
		},
		{
			Name: "handoff", Adds: "members that are stepped up at any time", New: of(handoff),
			Doc:         "As pv1 without dry runs, as where members are stepped up. A primary sends one heartbeat. Two terms are explored.",
			Assumes:     "A complete graph, crashes and restarts, a disk that keeps the oplog and the last vote; any delays and any timeouts.",
			Assumptions: ledger.Tacit(ledger.NoNewcomers), Setting: voterCrashes,
		},
		{
			Name: "no-dry-run", Adds: "elections without a dry run", New: of(with(func(a *Member) { a.NoDryRun = true })),
			Doc: "As pv1, but a member begins a new term at once.",
		},
		{
			Name: "arbiter", New: of(arbiter),
			Doc: "As pv1, and P1 is an arbiter: it votes, and has no oplog.",
		},
		{
			Name: "priorities", New: of(with(func(a *Member) { a.Priorities = true })),
			Doc: "As pv1, and higher ids have higher priorities.",
		},
		{
			Name: "catch-up", New: of(with(func(a *Member) { a.CatchUp = true })),
			Doc: "As pv1, and a new primary catches up before it accepts writes.",
		},
		{
			Name: "catchup-takeover", New: of(withTakeover(func(*Member) {})),
			Doc: "As catch-up without a time limit, and a member that is ahead of a primary that catches up runs for election.",
		},
		{
			Name: "catch-up-unlimited", New: of(withTakeover(func(a *Member) { a.Takeover = false })),
			Doc: "As catchup-takeover, with catch-up takeovers disabled.",
		},
		{
			Name: "catchup-takeover-reconfig", New: of(reconfigs),
			Doc: "As catchup-takeover, and a primary reconfigures when a client writes. The members stay the same.",
		},
		{
			Name: "pv0", Source: v0, New: of(pv0),
			Doc: "Protocol version 0, of members with one priority. Clocks are explored up to 5.",
		},
		{
			Name: "pv0-priorities", Source: v0, New: of(Version0{&Member{Priorities: true}, 5}),
			Doc: "As pv0, and higher ids have higher priorities.",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "votes-twice", Of: "handoff", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("timing=async:1"), New: of(votesTwice{handoff}),
			Doc: "A member does not look whether it has voted in the term: reason 5 of the voter is left out.",
		},
		{
			Name: "any-oplog", Of: "pv1", Caught: majorityKept.Name, Setting: settled("cuts=1 heals=1 crashes=1"), New: of(anyOplog{pv1}),
			Doc: "A member votes for a candidate that is behind: reason 4 of the voter is left out.",
		},
		{
			Name: "stays", Of: "pv1", Caught: stepsDown.Name, Setting: settled("cuts=1"), New: of(stays{pv1}),
			Doc: "A primary that hears of no majority does not step down.",
		},
		{
			Name: "unanimous", Of: "pv1", Caught: primaryAgain.Name, Setting: settled("crashes=1"), New: of(unanimous{pv1}),
			Doc: "A candidate needs the votes of all members.",
		},
		{
			Name: "no-takeover", Of: "priorities", Caught: highestLeads.Name, Setting: in("crashes=1 restarts=1"),
			Doc: "A member with a higher priority than the primary does not run for election.",
			New: of(noTakeover{with(func(a *Member) { a.Priorities = true })}),
		},
		{
			Name: "no-primary-vote", Of: "catchup-takeover", Caught: primarySaysYes.Name, Setting: settled("losses=2"),
			Doc: "A catch-up takeover does not need the vote of the primary in its dry run.",
			New: of(noPrimaryVote{withTakeover(func(*Member) {})}),
		},
		{
			Name: "no-lease", Of: "pv0", Caught: checker.Uniqueness.Name, Setting: in("losses=1"), New: of(noLease{pv0}),
			Doc: "A member of version 0 that has voted votes for others at once.",
		},
	}...),
	Properties: []*checker.Property{
		majorityKept, keptInTime, oneCompletes, laterHasIt, freshWinner, voteStored, primaryAgain, highestLeads, primaryStays, winsTerms, stepsDown, laterStays,
		oldEntriesKept, writesAgain, writerStays, primarySaysYes, lateFails,
	},
	Asked:   []*checker.Property{checker.OneLeaderPerEpoch, majorityKept, voteStored, primaryAgain},
	Written: claimfile.In(files, nil),
	Files:   files,
}

//go:embed *.go claims.*
var files embed.FS

const (
	disks = "A complete graph, crashes and restarts, a disk that keeps the oplog and the last vote; here messages that take one tick."
	v0    = "MongoDB 3.2, src/mongo/db/repl/topology_coordinator_impl.cpp"
)

var (
	pv1       = with(func(*Member) {})
	handoff   = &Member{Terms: 2, Once: true, NoDryRun: true}
	arbiter   = with(func(a *Member) { a.Arbiter = true })
	pv0       = Version0{&Member{}, 5}
	reconfigs = withTakeover(func(a *Member) { a.Reconfigures = true })

	// voterCrashes has any delays. P3 crashes, the voter in a run of two candidates.
	voterCrashes = in("timing=async:1 crashes=1 crashers=3 restarts=1")
)

func with(change func(a *Member)) *Member {
	a := &Member{Terms: 3}
	change(a)
	return a
}

func withTakeover(change func(a *Member)) *Member {
	return with(func(a *Member) {
		a.CatchUp, a.Unlimited, a.Takeover = true, true, true
		change(a)
	})
}

var of = ledger.SystemOf[P, M]

// in returns a setting of three members that start, where nobody but a timeout begins an election.
func in(words string) setting.Setting { return world("initiators=none " + words) }

// settled returns one of three members, of which P3 is primary.
func settled(words string) setting.Setting { return world("start=settled " + words) }

var world = setting.Must("n=3 detector=off timing=lockstep").MustWith
