package herman

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is Herman's ring for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "herman",
	Title:  "Self-stabilising ring of Herman",
	Source: "T. Herman, Probabilistic self-stabilization, Information Processing Letters 35(2), 1990 (rules as the literature tells them)",
	Doc: "Processes without ids stand in a ring, and each has any bit at first. All move at once: a process whose bit is that of the one before it has a token " +
		"and tosses a new bit, and the others take the bit before them. With probability 1 one token is left, which goes round.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.BoundedDelays, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.NoFailures, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: ring}, []ledger.Variant{
		{
			Name: "fair", New: of(&Ring{}),
			Doc:     "The coin is fair.",
			Literal: []string{conjecture, verified},
		},
		{
			Name: "bits", New: of(&Ring{BitsAlone: true}),
			Doc: "As fair, but a process forgets whether it had a token, and nobody leads: for figures of larger rings.",
		},
		{
			Name: "biased", New: of(&Ring{BitsAlone: true, Zeros: 1, Ones: 3}),
			Doc: "As bits, but the coin shows 0 with probability 1/4, and 1 with 3/4.",
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{oneRemains, stabilises, canStabilise, goesRound},
	Asked:      []*checker.Property{checker.Uniqueness, oneRemains, canStabilise, goesRound},
	Written:    claimfile.In(files, claimfile.Names{"one-token": oneToken}),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

// The sources beside the paper, as claims name them.
const (
	conjecture = "M. Bruna, R. Grigore, S. Kiefer, J. Ouaknine, J. Worrell, Proving the Herman-Protocol Conjecture, ICALP 2016"
	verified   = "M. Kwiatkowska, G. Norman, D. Parker, Probabilistic verification of Herman's self-stabilisation algorithm, Formal Aspects of Computing 24, 2012"
)

const assumes = "a ring of an odd number of processes, which have no ids and move all at once; each reads the bit of the one before it"

var of = ledger.SystemOf[P, M]

// ring is a ring of three.
var ring = setting.Must("n=3 topology=ring:anonymous initiators=none detector=off timing=lockstep")
