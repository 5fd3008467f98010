package spanningtrees

import (
	"embed"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the election by spanning trees for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "spanningtrees",
	Title: "Election by spanning trees",
	Source: "Reference [6] of M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010, as " +
		"section 1 describes it",
	Reconstruction: "The paper is not at hand. The rules follow from two sentences of Effatparvar et al.",
	Doc: "Each process that begins is the root of a tree. It offers the tree to its neighbours, and they offer it to theirs. A " +
		"process leaves its tree for one with a greater root. If a root hears from all its neighbours that the tree is complete, " +
		"its tree is the only one left, and the root is the leader.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: "every process can send to every other; " + assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "complete", New: of(&Protocol{}),
			Doc: "There is a link between every two processes.",
		},
		{
			Name: "ring", New: of(&Protocol{Ring: true}),
			Doc:     "The network is a bidirectional ring, so trees have some height.",
			Assumes: "a bidirectional ring; " + assumes, Setting: ring,
		},
		{
			Name: "merges", New: ledger.SystemOf[Member, Offer](&Merging{}),
			Doc: "A tree is taken as a whole: a root asks a process outside of its tree, whose root gives its own tree up to a greater " +
				"one. There is a link between every two processes.",
		},
	}),

	Written:    claimfile.In(files, nil),
	Properties: []*checker.Property{sources.Irrevocable},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "the network stays as it is; reliable FIFO links; each process knows its own id, which is unique, and its links"

// Settings.
var (
	usual   = setting.Must("n=3 channels=fifo timing=async")
	ring    = setting.Must("n=3 topology=biring channels=fifo timing=async")
	ring4   = setting.Must("n=4 topology=biring initiators=1,4 channels=fifo timing=async")
	ringTwo = setting.Must("n=3 topology=biring initiators=2,3 channels=fifo timing=async")
)
