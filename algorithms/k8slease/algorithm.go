package k8slease

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the election of Kubernetes' clients for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "k8slease",
	Title:  "Leader election of Kubernetes' clients",
	Source: "Kubernetes, client-go, package tools/leaderelection (leaderelection.go)",
	Doc: "A record in a store names the holder of a lease. The holder renews it, and stops to lead when it could not for a while. " +
		"A client that sees no renewal for as long as the record says, by its own clock, takes the lease over. (The process with the highest id is the store.)",
	Store: true,
	Assumptions: slices.Concat(
		ledger.Said("package documentation", ledger.TrueClocks),
		ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.BoundedDelays, ledger.NoPauses),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("crashes=1 restarts=1 crashers=1,2")}, []ledger.Variant{
		{
			Name: "defaults", New: of(defaults),
			Doc: "LeaseDuration, RenewDeadline and RetryPeriod are 15, 10 and 2 ticks, and a request is given up after 5.",
		},
		{
			Name: "half", Adds: "a RenewDeadline of half the LeaseDuration", New: of(&Lease{Times: quick, Terms: 2}),
			Doc: "LeaseDuration, RenewDeadline and RetryPeriod are 8, 4 and 2 ticks, and a request is given up after 3.",
		},
		{
			Name: "get-first", Adds: "a Get before each Update", New: of(&Lease{Times: usual, GetFirst: true, Terms: 2}),
			Doc: "As defaults, and as the program was before version 1.30: a leader that renews gets the record first.",
		},
		{
			Name: "two-durations", Adds: "clients that are configured in different ways", New: of(&Lease{Times: slow, First: quick, Terms: 2}),
			Doc:     "P1 has the times of half, and the others 20, 10 and 8 ticks. Each goes by the duration in the record.",
			Setting: in("losses=1"),
		},
		{
			Name: "releases", Adds: "ReleaseOnCancel", New: of(&Lease{Times: usual, ReleaseOnCancel: true, Terms: 2}),
			Doc:     "As defaults, and a client that failed to renew empties the record. Its program goes on until that has an answer, or is given up.",
			Setting: in("cuts=1 cut-by=link heals=owed"),
		},
		{
			Name: "stops-first", Adds: "ReleaseOnCancel once the program has stopped",
			Doc:     "As releases, but its program has stopped before the client empties the record (pull request 139991).",
			Setting: in("cuts=1 cut-by=link heals=owed"), New: of(&Lease{Times: usual, ReleaseOnCancel: true, StopsFirst: true, Terms: 2}),
		},
		{
			Name: "no-timeout", Adds: "requests that hang", New: of(&Lease{Times: hanging, Terms: 2}),
			Doc:     "As defaults, but a request is given up after 20 ticks.",
			Setting: in("losses=1"),
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "no-swap", Of: "defaults", Caught: checker.Uniqueness.Name, Setting: in(""), New: of(noSwap{defaults}),
			Doc: "The store does not compare before it swaps.",
		},
		{
			Name: "no-disk", Of: "defaults", Caught: checker.Uniqueness.Name, Setting: in("crashes=1 restarts=1 crashers=3"),
			Doc: "The store has nothing on disk: after a crash nobody holds the lease.",
			New: of(noDisk{defaults}),
		},
	}...),
	Asked:   []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, checker.OneLeaderAgain},
	Written: claimfile.In(files, nil),
	Files:   files,
}

//go:embed *.go claims.*
var files embed.FS

const up = "A store that is up; connections that end with their process; here requests and answers that take one tick at most."

// usual are the defaults of core clients, hanging have no usual RequestTimeout, quick half of
// the RenewDeadline, and slow a long RetryPeriod.
var (
	usual   = Times{LeaseDuration: 15, RenewDeadline: 10, RetryPeriod: 2, RequestTimeout: 5}
	hanging = Times{LeaseDuration: 15, RenewDeadline: 10, RetryPeriod: 2, RequestTimeout: 20}
	quick   = Times{LeaseDuration: 8, RenewDeadline: 4, RetryPeriod: 2, RequestTimeout: 3}
	slow    = Times{LeaseDuration: 20, RenewDeadline: 10, RetryPeriod: 8, RequestTimeout: 5}
)

var defaults = &Lease{Times: usual, Terms: 2}

var of = ledger.SystemOf[P, M]

// in returns a setting of two clients and a store: connections that end with their process,
// and requests that take one tick at most.
var in = setting.Must("n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost").MustWith
