package chubby

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the lock of Chubby for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "chubby",
	Title:  "Lock of Chubby",
	Source: "M. Burrows, The Chubby lock service for loosely-coupled distributed systems, 2006",
	Doc: "A client has a session with a cell, whose lease the master extends with each KeepAlive, and leads while it holds the lock and its own, shorter lease runs. " +
		"A new master waits for all leases. The lock of a client that fails stays free for the lock-delay. The lock generation is a fencing token. " +
		"(The process with the highest id is the cell.)",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.BoundedDelays, ledger.TrueClocks, ledger.NoPauses, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("crashes=1 restarts=1")}, []ledger.Variant{
		{
			Name: "shipped", New: of(shipped),
			Doc: "A lease of 6 ticks, which is 4 for the client, a grace period of 12 and a lock-delay of 14. A new master begins a lock-delay anew. " +
				"Three generations are explored.",
		},
		{
			Name: "forgets-delay", Doc: "As shipped, but a new master knows of no lock-delay.", New: of(with(func(c *Chubby) { c.Forgets = true })),
		},
		{
			Name: "no-lock-delay", Doc: "As shipped, but the clients specify a lock-delay of 0.", New: of(with(func(c *Chubby) { c.Delay = 0 })),
		},
		{
			Name: "no-grace", Adds: "no grace period", Doc: "As shipped, but a session expires with its local lease. Section 2.9 says what follows.",
			New: of(with(func(c *Chubby) { c.Grace = 0 })),
		},
		{
			Name: "long-lease", Doc: "As shipped, with a lease of 16 ticks, which is 14 for the client.",
			Setting: in("crashes=1 restarts=1 crashers=3"), New: of(with(func(c *Chubby) { c.Lease, c.Hold, c.Retry = 16, 3, 4 })),
		},
		{
			Name: "releases", Doc: "As shipped, and a client that has led for a while releases the lock.",
			New: of(with(func(c *Chubby) { c.Releases = true })),
		},
		{
			Name: "sequencers", Doc: "As shipped, and a leader sends requests with its sequencer to a server, which is in the cell here and checks them.",
			New: of(with(func(c *Chubby) { c.Requests = true })),
		},
		{
			Name: "unmodified", Doc: "As sequencers, but the server does not check them.",
			New: of(with(func(c *Chubby) { c.Requests, c.Unchecked = true, true })),
		},
		{
			Name: "goes-on", Adds: "a primary that goes on in jeopardy", New: of(with(func(c *Chubby) { c.GoesOn = true })),
			Doc: "As shipped, but a client with the lock leads until its session expires: it does not heed the jeopardy event.",
		},
		{
			Name: "goes-on-short", Adds: "a primary that goes on in jeopardy", Doc: "As goes-on, with a lock-delay of 2 ticks, less than the grace period.",
			New: of(with(func(c *Chubby) { c.GoesOn, c.Delay = true, 2 })),
		},
		{
			Name: "clock-margin", Doc: "As no-lock-delay, for clocks that differ by a tenth: a lease of 10 ticks, which is 5 for the client.",
			Assumes:     "As shipped, but clocks that differ by a tenth at most.",
			Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.BoundedDelays, ledger.NoPauses, ledger.NoNewcomers),
			Setting:     in("timing=sync:1 drift=10"), New: of(with(func(c *Chubby) { c.Delay, c.Lease, c.Margin, c.Retry = 0, 10, 5, 4 })),
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{leadsAgain, leaseOutlasts, doubtEnds, ridesOut, quick, kept, atOnce, rising, fenced, oldCalls, acknowledged},
	Asked:      []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, leadsAgain, leaseOutlasts, kept},
	Written:    claimfile.In(files, nil),
	Files:      files,
	Silent:     open,
}

//go:embed *.go claims.*
var files embed.FS

const up = "A cell with a master again and again; calls and answers that take a tick at most, and clocks at one rate."

// leaseTicks and lockDelay are what the properties go by.
const leaseTicks, lockDelay = 6, 14

// with returns the first variant with a change.
func with(change func(c *Chubby)) *Chubby {
	c := &Chubby{Lease: leaseTicks, Margin: 2, Hold: 2, Retry: 3, Grace: 12, Delay: lockDelay, Generations: 3}
	change(c)
	return c
}

var shipped = with(func(*Chubby) {})

var of = ledger.SystemOf[P, M]

// in returns a setting of two clients and the cell.
var in = setting.Must("n=3 initiators=none detector=off channels=fifo timing=lockstep").MustWith
