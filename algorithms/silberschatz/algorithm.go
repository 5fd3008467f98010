package silberschatz

import (
	"embed"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the ring algorithm with collected ids for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "silberschatz",
	Title: "Ring algorithm with collected ids",
	Source: fceabr + ", section II; after A. Silberschatz, P. Galvin, Operating System Concepts, Addison-Wesley, 4th edition, " +
		"1994, section Election algorithms",
	Doc: "A process that notices that the coordinator has failed sends a packet round the ring that collects the ids of all active " +
		"processes. When it is back, the process elects the highest of them, and a second packet tells the others.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.RightReports, ledger.OneFailure, ledger.NoReturns, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Figures: figures}, []ledger.Variant{
		{
			Name: "packet", New: of(&Protocol{}),
			Doc:     "One packet of each process that notices collects the ids, and one announces the coordinator.",
			Assumes: assumes, Setting: usual,
		},
		{
			Name: "until-told", New: of(untilTold{&Protocol{}}),
			Doc: "As packet, but the announcement is taken out by the last process that has to be told. Its informer knows from " +
				"its own packet how many these are.",
			Assumes: assumes, Setting: usual,
		},
		{
			Name: "names-nobody", New: of(namesNobody{&Protocol{}}),
			Doc:     "As packet, but a process that passes an Election packet on names nobody until it is told.",
			Assumes: assumes, Setting: usual,
		},
		{
			Name: "book", New: of(&Book{}),
			Doc: "The algorithm of Silberschatz and Galvin: each process sends its own id round the ring and keeps a list of those " +
				"that come by. When its own id is back the list is complete, and no announcement is needed.",
			Literal:     []string{"A. Silberschatz, P. Galvin, Operating System Concepts"},
			Source:      "A. Silberschatz, P. Galvin, Operating System Concepts, section Election algorithms, rules 1 to 2c",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.InOrder, ledger.RightReports, ledger.OneFailure, ledger.NoReturns, ledger.NoNewcomers),
			Assumes:     assumes + "; channels keep the order of messages", Setting: inOrder,
		},
		{
			Name: "repaired", Repair: true, Adds: "a limit to the wait for the packet", New: of(Repaired{&Protocol{}}),
			Doc: "As packet, with three changes. A packet that reaches a process a second time, since its informer has failed, is " +
				"taken out of the ring. A packet that is not back after N message times is made again. An elected process takes out the " +
				"announcement of another one.",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.RightReports, ledger.BoundedDelays, ledger.NoReturns, ledger.NoNewcomers),
			Assumes:     assumes + "; a known bound on delays", Setting: oneMore,
		},
	}),

	Written:    claimfile.In(files, nil),
	Relations:  relations,
	Properties: []*checker.Property{sources.OnceElected},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

const (
	fceabr = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"I.J. Information Technology and Computer Science 1, 2013"
	effatparvar = "M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010"

	assumes = "a unidirectional ring that is closed around failed processes; reliable links, in any order; unique ids; " +
		"the coordinator fails, and does not return"
)

// Settings.
var (
	usual   = setting.Must("n=4 topology=ring:repaired start=coordinator-down timing=patient")
	inOrder = setting.Must("n=4 topology=ring:repaired start=coordinator-down channels=fifo timing=patient")
	oneMore = setting.Must("n=3 topology=ring:repaired start=coordinator-down crashes=1")
	oneAsks = setting.Must("n=3 topology=ring initiators=one timing=patient")
)

// up returns the number of processes that are up in a setting of n whose
// coordinator has failed: the n of the sources.
func up(n int) int { return n - 1 }

// figures are what publications say that an election costs. Of N processes, the
// coordinator has failed.
var figures = []cost.Figure{
	{
		Name: "one process notices", Formula: "2N", Case: cost.WorstCase, Source: fceabr + ", Table 1",
		Value: func(n int, p model.ID) (int, bool) { return 2 * up(n), p != model.None }, Note: liveOnly,
	},
	{
		Name: "all notice", Formula: "N²", Case: cost.WorstCase, Source: fceabr + ", Table 1; " + effatparvar + ", Table 1",
		Value: func(n int, p model.ID) (int, bool) { return up(n) * up(n), p == model.None },
		Note:  liveOnly + " It leaves out the announcements: with them it is 2N².",
	},
}

const liveOnly = "N stands for the processes that are up."
