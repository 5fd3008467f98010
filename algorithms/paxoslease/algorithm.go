package paxoslease

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is PaxosLease for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "paxoslease",
	Title:  "PaxosLease",
	Source: "M. Trencseni, A. Gazso and H. Reinhardt, PaxosLease: Diskless Paxos for Leases, arXiv:1209.4187, 2012",
	Doc: "A proposer asks a majority of acceptors for a promise and then for the lease, and leads until its own timer expires. Acceptors forget a lease " +
		"when their timers expire. They have nothing on disk, and wait when they have restarted. (Each process is an acceptor, and those that initiate " +
		"are proposers.)",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.TrueClocks, ledger.NoPauses, ledger.NoNewcomers),
	Variants:    slices.Concat(readings, changes, options),
	Mutants: []ledger.Mutant{
		{
			Name: "hasty", Of: "figure", Caught: checker.Uniqueness.Name, Setting: back, New: of(with(func(l *Lease) { l.Wait = 1 })),
			Doc: "A node that restarts waits for half of T.",
		},
		{
			Name: "from-answer", Of: "figure", Caught: checker.Uniqueness.Name, Setting: in(""), New: of(fromAnswer{figure}),
			Doc: "A proposer starts its timer when it has the lease.",
		},
		{
			Name: "brief", Of: "figure", Caught: checker.Uniqueness.Name, Setting: in(""), New: of(with(func(l *Lease) { l.More = -1 })),
			Doc: "Acceptors hold a proposal for half of T.",
		},
		{
			Name: "minority", Of: "catches-up", Caught: checker.Uniqueness.Name, Setting: in("timing=lockstep"),
			Doc: "The proposer's own acceptor is enough in step 5.",
			New: of(minority{tries(func(*Lease) {})}),
		},
		{
			Name: "blind", Of: "figure", Caught: checker.Uniqueness.Name, Setting: in(""), New: of(blind{figure}),
			Doc: "A proposer takes all acceptors that answer to be open.",
		},
		{
			Name: "faithless", Of: "figure", Caught: checker.Uniqueness.Name, Setting: in(""), New: of(faithless{figure}),
			Doc: "An acceptor accepts whatever it has promised.",
		},
		{
			Name: "repeats", Of: "figure", Caught: fresh.Name, Setting: restarts, New: of(with(func(l *Lease) { l.NoCounter = true })),
			Doc: "There is no restart counter on disk.",
		},
		{
			Name: "keeps", Of: "catches-up", Caught: leadsAgain.Name, Setting: in("timing=lockstep crashes=1"),
			Doc: "An acceptor never forgets the proposal that it has accepted.",
			New: of(keeps{tries(func(*Lease) {})}),
		},
		{
			Name: "releases-first", Of: "releases", Caught: checker.Uniqueness.Name, Setting: in("channels=fifo"),
			Doc: "An owner sends its release messages, and takes itself for the owner until its timer expires.",
			New: of(releasesFirst{with(func(l *Lease) { l.Releases = true })}),
		},
		{
			Name: "tardy", Of: "catches-up", Caught: leadsAgain.Name, Setting: in("timing=lockstep"), New: of(tardy{tries(func(*Lease) {})}),
			Doc: "An acceptor answers a propose request three ticks late.",
		},
		{
			Name: "mute", Of: "holds-on", Caught: steady.Name, Setting: in("timing=lockstep"), New: of(mute{holdsOn}),
			Doc: "An owner does not count its own proposal as open.",
		},
	},
	Properties: []*checker.Property{inTime, kept, fresh, rising, leadsAgain, canLead, steady, window},
	Asked:      []*checker.Property{checker.Uniqueness, kept, fresh},
	Silent:     silent,
	Written:    claimfile.In(files, claimfile.Names{"leads": led}),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

// readings are those of the paper's basic algorithm.
var readings = []ledger.Variant{
	{
		Name: "figure", New: of(figure),
		Doc: "A proposer starts its timer before its prepare requests, as figure 2 draws it by its author's later paper. T is 2 ticks and M is 3. Acceptors hold a lease for a tick more, " +
			"since timers of one moment expire in any order here. Three attempts of a proposer are explored.",
		Assumes: world, Setting: in("crashes=1"),
	},
	{
		Name: "step-3", New: of(with(func(l *Lease) { l.AtPropose, l.Runs = true, 2 })),
		Doc:     "As figure, but a proposer starts its timer when it has the prepare responses, as step 3 and the pseudocode have it. It waits for two round trips. Two attempts are explored.",
		Assumes: world, Setting: in(""),
	},
	{
		Name: "timespans", New: of(timespans),
		Doc:     "As figure, but P1 acquires the lease for 1 tick, and others for 3. M is 4.",
		Assumes: world, Setting: in("losses=1"),
	},
	{
		Name: "any-own", New: of(with(func(l *Lease) { l.Own = true })),
		Doc:     "As figure, but an acceptor is also open to a proposer if it has accepted any proposal of this proposer, as in Keyspace.",
		Assumes: world, Setting: in("losses=1"),
	},
}

// changes are to how long something lasts, and to ballot numbers.
var changes = []ledger.Variant{
	{
		Name: "raises", Adds: "acceptors that promise what they accept",
		Doc:     "As timespans, but an acceptor that accepts a proposal promises its ballot number. This is a repair.",
		Assumes: world, Setting: in("losses=1"), New: of(with(func(l *Lease) { l.Span, l.First, l.Wait, l.Raises = 3, 1, 4, true })),
	},
	{
		Name: "own-raises", Adds: "acceptors that promise what they accept", New: of(with(func(l *Lease) { l.Own, l.Raises = true, true })),
		Doc:     "As any-own, but an acceptor that accepts a proposal promises its ballot number.",
		Assumes: world, Setting: in("losses=1"),
	},
	{
		Name: "long-exclusion", Adds: "acceptors that hold a lease for longer than a node waits", New: of(with(func(l *Lease) { l.More = 3 })),
		Doc:     "As figure, but acceptors hold a lease for 5 ticks, while a node that restarts waits for 3.",
		Assumes: world, Setting: in("crashes=1 restarts=1 crashers=3"),
	},
	{
		Name: "no-wait", Adds: "nodes that do not wait when they restart", New: of(with(func(l *Lease) { l.Wait = 0 })),
		Doc:     "As figure, but a node that restarts rejoins at once. Section 3 says what follows.",
		Assumes: world, Setting: in("crashes=1 restarts=1 crashers=3"),
	},
	{
		Name: "gives-up", Adds: "attempts that end soon", New: of(with(func(l *Lease) { l.AtPropose, l.Patience, l.Runs = true, 2, 2 })),
		Doc:     "As step-3, but an attempt ends after 2 ticks, sooner than M, as in Keyspace.",
		Assumes: world, Setting: in(""),
	},
	{
		Name: "margin", Adds: "a margin for clocks that differ by a tenth", New: of(with(func(l *Lease) { l.More, l.Wait = 3, 5 })),
		Doc:         "As figure, but acceptors hold a lease for 5 ticks, and a node that restarts waits for 5.",
		Assumes:     "A majority of the nodes, clocks that differ by a tenth at most, and proposers that do not pause.",
		Assumptions: ledger.Tacit(ledger.NoCopies, ledger.NoPauses, ledger.NoNewcomers),
		Setting:     in("drift=10"),
	},
	{
		Name: "catches-up", Adds: "ballot numbers higher than those that the node has promised", New: of(tries(func(*Lease) {})),
		Doc: "As figure, but a ballot number is also higher than those that the node has promised, as in Keyspace. So run counters can go round in a circle, " +
			"and all attempts are explored. T is 6 ticks.",
		Assumes: world, Setting: in("timing=lockstep crashes=1"),
	},
	{
		Name: "no-sleep", Adds: "ballot numbers higher than those that the node has promised",
		Doc:     "As catches-up, but a proposer that cannot get a majority tries again at once. Section 5 says what follows.",
		Assumes: world, Setting: in("timing=lockstep"), New: of(tries(func(l *Lease) { l.Delay, l.SameDelay = 0, true })),
	},
	{
		Name: "random", Adds: "ballot numbers higher than those that the node has promised",
		Doc:     "As catches-up, but proposers sleep for 1 or 2 ticks, by chance.",
		Assumes: world, Setting: in("timing=lockstep"), New: of(tries(func(l *Lease) { l.Delay, l.Random = 2, true })),
	},
}

// options are sections 6 and 7.
var options = []ledger.Variant{
	{
		Name: "extends", Adds: "a lease that is extended once", New: of(with(func(l *Lease) { l.Span, l.Wait, l.Extensions, l.Runs = 3, 4, 1, 2 })),
		Doc:     "As figure, and an owner extends its lease once (section 6). The attempt has a timer of its own. T is 3 ticks, and two attempts are explored.",
		Assumes: world, Setting: in("cuts=1"),
	},
	{
		Name: "one-timer", Adds: "a lease that is extended once",
		Doc:     "As extends, by the pseudocode: step 3 sets the one timer that there is. Two attempts are explored.",
		Assumes: world, Setting: in("cuts=1"), New: of(with(func(l *Lease) {
			l.Span, l.Wait, l.Extensions, l.AtPropose, l.OneTimer, l.Runs = 3, 4, 1, true, true, 2
		})),
	},
	{
		Name: "holds-on", Adds: "a lease that is extended without end", New: of(holdsOn),
		Doc:     "As catches-up, and an owner extends its lease without end (section 6). T is 12 ticks.",
		Assumes: world, Setting: in("timing=lockstep"),
	},
	{
		Name: "releases", Adds: "a lease that is released early", New: of(with(func(l *Lease) { l.Releases, l.Runs = true, 2 })),
		Doc:     "As figure, and an owner releases its lease after a tick (section 7). Two attempts are explored.",
		Assumes: world, Setting: in("losses=1"),
	},
}

const world = "A majority of the nodes, clocks at one rate, and proposers that do not pause."

var (
	figure    = with(func(*Lease) {})
	timespans = with(func(l *Lease) { l.Span, l.First, l.Wait = 3, 1, 4 })
	holdsOn   = tries(func(l *Lease) { l.Span, l.Wait, l.Always = 12, 13, true })

	// back is where an acceptor crashes and comes back, and restarts where a proposer does.
	back     = in("channels=fifo crashes=1 restarts=1 crashers=3")
	restarts = in("channels=fifo crashes=1 restarts=1 crashers=1,2")
)

// with returns the first reading with a change.
func with(change func(l *Lease)) *Lease {
	l := &Lease{Span: 2, More: 1, Wait: 3, Delay: 1, Runs: 3}
	change(l)
	return l
}

// tries returns the reading whose run counters go round in a circle, with a change.
func tries(change func(l *Lease)) *Lease {
	l := &Lease{Span: 6, More: 1, Wait: 7, Delay: 1, CatchesUp: true}
	change(l)
	return l
}

var of = ledger.SystemOf[P, M]

// in returns a setting of three nodes, of which two are proposers.
var in = setting.Must("n=3 initiators=1,2 detector=off").MustWith
