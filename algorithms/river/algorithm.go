package river

import (
	"embed"
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// ownRow is what the trust window is for.
var ownRow = checker.Always("own-row",
	"While a client leads, and does not resign, no other client has the row.",
	func(v *model.View) bool { return strays(v).Empty() },
).Explained(func(v *model.View) string {
	return fmt.Sprintf("%s leads, and the row is that of %s", strays(v).Min().Name(), model.State[P](v, v.N).Leader.Name())
})

// strays are the clients that lead beside the row of another one, and do not resign.
func strays(v *model.View) (list model.Set) {
	db := model.State[P](v, v.N)
	if db == nil || db.Leader == model.None {
		return 0
	}
	for t := v.Leaders.Without(db.Leader); t != 0; t &= t - 1 {
		if model.State[P](v, t.Min()).Resigns == 0 {
			list = list.With(t.Min())
		}
	}
	return list
}

// steady is what the padding is for.
var steady = checker.AlwaysStep("steady",
	"A client that leads, and has had an answer to each of its requests in time, goes on to lead.",
	func(e *model.Event) bool {
		for t := e.From.Leaders & e.To.Up &^ e.To.Leaders; t != 0; t &= t - 1 {
			p := model.State[P](e.From, t.Min())
			if p.Errors == 0 && p.Resigns == 0 {
				return false
			}
		}
		return true
	},
)

// Algorithm is the election of River for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "river",
	Title:  "Leader election of River",
	Source: "River, a job queue in Go and SQL, package internal/leadership (elector.go, doc.go)",
	Doc: "A row of a SQL table, with a time to live, names the leader, who extends it. A client that finds no row inserts one. " +
		"A leader that could not extend its row for a while steps down. The time of the insert is a fencing token. " +
		"(The process with the highest id is the database.)",
	Store: true,
	Assumptions: slices.Concat(
		ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.BoundedDelays, ledger.TrueClocks, ledger.NoPauses),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("crashes=1 restarts=1 crashers=1,2")}, []ledger.Variant{
		{
			Name: "shipped", New: of(shipped),
			Doc: "As the program is: an interval of 5 ticks, a row that lives for 15, and a margin of one. A leader steps down to its subscribers when its attempts to resign are over.",
		},
		{
			Name: "stops-first", Adds: "subscribers that learn first", New: of(stopsFirst),
			Doc:     "As shipped, but a leader steps down to its subscribers before it attempts to resign.",
			Setting: in("cuts=1 cut-by=link heals=owed"),
		},
		{
			Name: "poll-only", Adds: "clients that only poll", New: of(&Elector{Interval: 5, Padding: 10, Margin: 1, PollOnly: true, Terms: 2}),
			Doc: "As shipped, without notifications.",
		},
		{
			Name: "logged", Adds: "a logged table", New: of(&Elector{Interval: 5, Padding: 10, Margin: 1, StopsFirst: true, Logged: true, Terms: 2}),
			Doc:     "As stops-first, with a table that survives a crash of the database.",
			Setting: in("crashes=1 restarts=1 crashers=3"),
		},
		{
			Name: "before-terms", Adds: "no terms, and no end of the trust", New: of(beforeTerms),
			Doc: "As the program was before pull request 1213: a leader steps down at its fifth error in a row, and its row is that of its name.",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "no-margin", Of: "stops-first", Caught: checker.Uniqueness.Name, Setting: in("cuts=1 cut-by=link heals=owed"),
			Doc: "A leader trusts its row for all of its time to live.",
			New: of(&Elector{Interval: 5, Padding: 10, StopsFirst: true, Terms: 2}),
		},
		{
			Name: "trusts-answer", Of: "stops-first", Caught: checker.Uniqueness.Name, Setting: in("cuts=1 cut-by=link heals=owed"),
			Doc: "A leader's trust in its row counts from the answer, not from the attempt.",
			New: of(trustsAnswer{stopsFirst}),
		},
		{
			Name: "no-expiry", Of: "shipped", Caught: checker.LeaderAgain.Name, Setting: in("crashes=1 restarts=1 crashers=1,2"),
			Doc: "Nobody deletes a row that has expired.",
			New: of(noExpiry{shipped}),
		},
		{
			Name: "replaces", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: in(""),
			Doc: "The insert replaces the row where there is one.",
			New: of(replaces{shipped}),
		},
	}...),
	Properties: []*checker.Property{ownRow, steady},
	Asked:      []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, checker.OneLeaderAgain, ownRow, steady},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

const up = "A database that is up; connections that end with their process; here requests and answers that take one tick at most."

var (
	shipped     = &Elector{Interval: 5, Padding: 10, Margin: 1, Terms: 2}
	beforeTerms = &Elector{Interval: 5, Padding: 10, BeforeTerms: true, Terms: 2}
	stopsFirst  = &Elector{Interval: 5, Padding: 10, Margin: 1, StopsFirst: true, Terms: 2}
)

var of = ledger.SystemOf[P, M]

// in returns a setting of two clients and a database: connections that end with their process,
// and requests that take one tick at most.
var in = setting.Must("n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost").MustWith
