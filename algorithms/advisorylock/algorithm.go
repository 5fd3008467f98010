package advisorylock

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// nobodyIsMissed reports whether a client leads, or none has to: none that is up and wants to, or the
// database is down.
func nobodyIsMissed(v *model.View) bool {
	if !v.Leaders.Empty() || !v.Up.Has(v.N) {
		return true
	}
	for id := range v.Up.Without(v.N).All() {
		if !model.State[P](v, id).Stopped {
			return false
		}
	}
	return true
}

// The properties.
var (
	leadsAgain = checker.AlwaysEventually("leads-again",
		"Again and again a live client leads, while the database is up.", nobodyIsMissed,
	).Explained(func(*model.View) string { return "from some time on no live client leads" })

	leadsOn = checker.EventuallyAlways("leads-on",
		"From some time on a live client leads at every moment, while the database is up.", nobodyIsMissed,
	).Explained(func(*model.View) string { return "again and again no live client leads" })

	oneInTheEnd = checker.EventuallyAlways("one-in-the-end",
		"From some time on two clients never lead at once.",
		func(v *model.View) bool { return v.Leaders.Len() <= 1 })

	held = checker.AlwaysStep("held",
		"The lock stays with a session until that is over.",
		func(e *model.Event) bool {
			if !e.From.Up.Has(e.From.N) || !e.To.Up.Has(e.To.N) {
				return true
			}
			has, then := model.State[P](e.From, e.From.N).Holder, model.State[P](e.To, e.To.N)
			return has == Session{} || has == then.Holder || !then.Open[has.Client-1][at(has.Other)]
		})
)

// Algorithm is the election by an advisory lock for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "advisorylock",
	Title:  "Lock of a database session",
	Source: "PostgreSQL 17 documentation, Advisory Locks; reports of Wolverine, GreptimeDB, SkyPilot and Heym",
	Doc: "A client has a session with a database, and tries to take an advisory lock there. It leads when it has the lock, which is released when the session " +
		"ends. (The process with the highest id is the database.)",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("crashes=1 restarts=1")}, []ledger.Variant{
		{
			Name: "pings", New: of(pings),
			Doc: "A client that leads asks its connection at each poll, and closes it if there is no answer.",
		},
		{
			Name: "trusts", Adds: "a flag that nobody asks", New: of(&Lock{}),
			Doc: "A client that has been granted the lock leads on.",
		},
		{
			Name: "pools", Adds: "a pool of connections", New: of(&Lock{Pings: true, Pools: true}),
			Doc: "As pings, but the connection of a statement that was given up goes back to a pool, and stays open.",
		},
		{
			Name: "unlocks", Adds: "a pool of connections, and unlocking", New: of(unlocks),
			Doc: "As pools, but a client unlocks before a connection goes back to the pool, and when it is asked to stop.",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "shared", Of: "pings", Caught: held.Name, Setting: in(""), New: of(shared{pings}),
			Doc: "The database grants a lock that another session has.",
		},
		{
			Name: "outlives", Of: "pings", Caught: leadsAgain.Name, Setting: in("crashes=1 crashers=1,2"), New: of(outlives{pings}),
			Doc: "The lock outlives its session.",
		},
	}...),
	Properties: []*checker.Property{leadsAgain, leadsOn, oneInTheEnd, held},
	Asked:      []*checker.Property{leadsAgain, oneInTheEnd},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

const up = "A database that is up or comes back, connections in order, and a connection that ends with either of its processes."

var (
	pings   = &Lock{Pings: true}
	unlocks = Unlocking{&Lock{Pings: true, Pools: true}}
)

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep").MustWith
