package viewstamped

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the view change of Viewstamped Replication for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "viewstamped",
	Title:  "View change of Viewstamped Replication",
	Source: "B. Liskov and J. Cowling, Viewstamped Replication Revisited, MIT-CSAIL-TR-2012-021, sections 4.2 and 4.3",
	Doc: "The primary of a view follows from the number of the view, round robin. A replica that does not hear of it begins the next view, and the new " +
		"primary starts it with the newest of the logs of f+1 replicas. No replica has a disk. One that has crashed asks the others for what it knew.",
	Assumptions: fixed,
	Variants: ledger.Usually(ledger.Variant{Assumes: anyDelays, Setting: returns}, []ledger.Variant{
		{
			Name: "paper", New: of(paper),
			Doc: "A primary takes one request in each view. Two views are explored.",
		},
		{
			Name: "timely", Adds: "delays of one tick, timeouts that outlast a view change, and heartbeats",
			Doc:         "As paper, but a primary tells the others of its commits as long as it is one, and a replica that recovers asks again. Four views are explored.",
			Assumes:     "A complete graph, crashes and restarts of at most f replicas at once, a counter on disk for nonces; here messages that take one tick.",
			Assumptions: slices.Concat(fixed, ledger.Said("section 8.1, for liveness", ledger.BoundedDelays)),
			Setting:     in("timing=sync:1 crashes=1 restarts=1"), New: of(&VR{Heartbeats: true, Requests: true}),
		},
		{
			Name: "one-exchange", Adds: "no round of StartViewChange messages", New: of(&VR{Views: 2, OneExchange: true}),
			Doc: "As paper, without operations, but a replica that notices the need for a view change sends its log at once. Section 8.2 says " +
				"what follows.",
		},
		{
			Name: "goes-on", Adds: "replicas that accept what the old primary prepares", New: of(&VR{Views: 2, Requests: true, GoesOn: true}),
			Doc:     "As paper, but a replica in a view change accepts what the primary of the view before prepares. Section 8.1 says what follows.",
			Setting: in("timing=async:1"),
		},
		{
			Name: "no-nonce", Adds: "recovery without nonces", New: of(&VR{Views: 2, NoNonce: true}),
			Doc: "As paper, without operations, but responses to an earlier recovery count. Section 8.2 says what follows.",
		},
		{
			Name: "disk", Adds: "a view-number on disk", New: of(&VR{Views: 2, Disk: true}),
			Doc: "As paper, without operations, but a replica has its view-number on disk, and recovers in no view before that. This is a repair.",
		},
		{
			Name: "original", Adds: "a view-number on disk, and no round of StartViewChange messages",
			Doc: "As one-exchange, but a replica has its view-number on disk, as section 8.2 has the original version of the protocol.",
			New: of(&VR{Views: 2, Disk: true, OneExchange: true}),
		},
	}),
	Mutants: []ledger.Mutant{
		{
			Name: "forgets", Of: "paper", Caught: promise.Name, Setting: returns, New: of(forgets{&VR{Views: 2, Requests: true}}),
			Doc: "A replica that comes back does not recover: its status is normal, in view 1.",
		},
		{
			Name: "hasty", Of: "paper", Caught: promise.Name, Setting: returns, New: of(hasty{&VR{Views: 2, Requests: true}}),
			Doc: "A replica recovers with the first response of a primary, and does not wait for f+1 responses.",
		},
		{
			Name: "usurps", Of: "paper", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("timing=patient"),
			Doc: "A replica that has StartViewChange of f others takes itself for the primary of the view.",
			New: of(usurps{&VR{Views: 2, Requests: true}}),
		},
		{
			Name: "stubborn", Of: "paper", Caught: survives.Name, Setting: in("timing=async:1"), New: of(stubborn{&VR{Views: 2, Requests: true}}),
			Doc: "A new primary keeps its own log, whatever the others send.",
		},
		{
			Name: "mute", Of: "timely", Caught: checker.E2.Name, Setting: in("timing=lockstep crashes=1 restarts=1"),
			Doc: "A backup does not respond to a replica that recovers.",
			New: of(mute{&VR{Heartbeats: true, Requests: true}}),
		},
		{
			Name: "waits", Of: "timely", Caught: checker.LeaderAgain.Name, Setting: in("timing=lockstep crashes=1 losses=1"),
			Doc: "A replica whose view change does not succeed begins no further one.",
			New: of(waits{&VR{Heartbeats: true, Requests: true}}),
		},
	},
	Properties: []*checker.Property{promise, oneByOne, oneActive, survives},
	Asked:      append(checker.Heartbeat(), promise, oneActive, survives),
	Silent:     open,
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

// paper is the first reading.
var paper = &VR{Views: 2, Requests: true}

var fixed = ledger.Said("section 4", ledger.NoNewcomers)

// returns is where one replica crashes and comes back, and messages take any time.
var returns = in("timing=patient crashes=1 restarts=1")

const anyDelays = "A complete graph, crashes and restarts of at most f replicas at once, a counter on disk for nonces; any delays."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off").MustWith
