package redlock

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is Redlock for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "redlock",
	Title:  "Redis's distributed lock Redlock",
	Source: "Redis documentation, Distributed Locks with Redis",
	Doc: "A client sets a key with a time to live in all of several independent Redis instances. It leads if it could set it in a majority, until " +
		"the time is over, counted from before it asked. (P1 and P2 are clients, and the others instances.)",
	Store: true,
	Assumptions: slices.Concat(
		ledger.Said("Is the Algorithm Asynchronous?", ledger.TrueClocks),
		ledger.Tacit(ledger.NoCopies, ledger.InOrder),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: world, Setting: comesBack}, []ledger.Variant{
		{
			Name: "fsync", New: of(fsync),
			Doc: "Instances have their keys on disk, with fsync=always. Keys live for 8 ticks, and clients take 2 off for the drift of clocks.",
		},
		{
			Name: "delayed", New: of(with(func(l *Lock) { l.Disk, l.Delayed = false, 9 })),
			Doc: "Instances have nothing on disk. One that restarts does not answer for 9 ticks, one more than keys live.",
		},
		{
			Name: "every-second", New: of(fsync),
			Doc:     "Instances have their keys on disk, and a crash undoes the last write, as with fsync every second. The same section says what follows.",
			Setting: in("timing=lockstep crashes=1 restarts=1 lost-writes=1"),
		},
		{
			Name: "no-persistence", New: of(with(func(l *Lock) { l.Disk = false })),
			Doc: "Instances have nothing on disk, and one that restarts answers at once. The section on crash recovery says what follows.",
		},
		{
			Name: "plain-del", Adds: "a release that does not compare the value", New: of(with(func(l *Lock) { l.PlainDel = true })),
			Doc:     "As fsync, but a client that releases the lock deletes whatever key there is. The section on a single instance says what follows.",
			Setting: in(""),
		},
		{
			Name: "same-delay", Adds: "one delay for all", New: of(with(func(l *Lock) { l.SameDelay = true })),
			Doc:     "As fsync, but clients wait for the same time before they try again. The section on retries says what follows.",
			Setting: in("n=4 timing=lockstep"),
		},
		{
			Name: "drawn", New: of(with(func(l *Lock) { l.Drawn = 3 })),
			Doc:     "As fsync, but a client waits for 2 to 4 ticks by chance before it tries again. That is the random delay of the section on retries.",
			Setting: in("n=4 timing=lockstep"),
		},
		{
			Name: "extends", Adds: "a lock that is extended once", New: of(with(func(l *Lock) { l.Extensions = 1 })),
			Doc:     "As fsync, and a client that leads extends the lock once. The document makes this an option.",
			Setting: in("losses=1"),
		},
		{
			Name: "extends-always", Adds: "a lock that is extended without a limit", New: of(with(func(l *Lock) { l.Always = true })),
			Doc:     "As extends, without a limit. The document says what follows.",
			Setting: in(""),
		},
		{
			Name: "counters", Adds: "fencing tokens from counters", New: of(with(func(l *Lock) { l.Fencing, l.Tokens = true, 3 })),
			Doc: "As fsync, and each instance counts the keys that it sets. The highest count in a client's majority is its token. " +
				"This is ours, as the document has no tokens, and M. Kleppmann says what is wrong with it. Three tokens are explored.",
			Setting: in("losses=1"),
		},
		{
			Name: "fencing", Adds: "fencing tokens that a majority knows",
			Doc: "As counters, and before a client leads it raises the counts of a majority to its token, where its key is still there. " +
				"This is ours also. Three tokens are explored.",
			Setting: in("losses=1"), New: of(with(func(l *Lock) { l.Fencing, l.Raised, l.Tokens = true, true, 3 })),
		},
	}),
	Mutants: []ledger.Mutant{
		{
			Name: "from-answer", Of: "fsync", Caught: checker.Uniqueness.Name, Setting: in(""), New: of(fromAnswer{fsync}),
			Doc: "A client counts the validity time from when it has the lock, not from before it asked.",
		},
		{
			Name: "keeps-on", Of: "fsync", Caught: keysLive.Name, Setting: in("n=3"), New: of(keepsOn{fsync}),
			Doc: "A client leads on when the validity time is over.",
		},
		{
			Name: "half", Of: "fsync", Caught: checker.Uniqueness.Name, Setting: in("n=4"), New: of(with(func(l *Lock) { l.Quorum = 1 })),
			Doc: "Half of the instances is enough.",
		},
		{
			Name: "all", Of: "fsync", Caught: leadsAgain.Name, Setting: in("timing=lockstep crashes=1 crashers=5"),
			Doc: "A client needs all instances.",
			New: of(with(func(l *Lock) { l.Quorum = 3 })),
		},
		{
			Name: "no-expiry", Of: "fsync", Caught: leadsAgain.Name, Setting: in("n=3 crashes=1 crashers=1"), New: of(noExpiry{fsync}),
			Doc: "The key is set without a time to live.",
		},
		{
			Name: "hasty", Of: "delayed", Caught: checker.Uniqueness.Name, Setting: in("crashes=1 restarts=1 crashers=5"),
			Doc: "An instance that restarts does not answer for half of the time that keys live.",
			New: of(with(func(l *Lock) { l.Disk, l.Delayed = false, 4 })),
		},
	},
	Properties: []*checker.Property{leadsAgain, canLead, turns, inTime, pausedLeads, keysLive, rising},
	Asked:      []*checker.Property{checker.Uniqueness, leadsAgain, canLead},
	Written:    claimfile.In(files, claimfile.Names{"leads": led}),
	Files:      files,
	Relations:  relations,
	Silent:     open,
}

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

const world = "Connections that end with their process, clocks at nearly one rate, and clients that do not pause; here messages that take one tick at most."

// fsync is the first reading.
var fsync = with(func(*Lock) {})

// with returns the first reading with a change.
func with(change func(l *Lock)) *Lock {
	l := &Lock{TTL: 8, Drift: 2, Delay: 2, Disk: true}
	change(l)
	return l
}

// comesBack is where an instance or a client crashes and comes back.
var comesBack = in("timing=lockstep crashes=1 restarts=1")

var of = ledger.SystemOf[P, M]

// in returns a setting of two clients and three instances, with connections that end with their
// process.
var in = setting.Must("n=5 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost").MustWith
