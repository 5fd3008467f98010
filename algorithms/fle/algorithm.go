package fle

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The purpose of recovery: an epoch has one leader, over time as well, and that one has
// the log of those who made it the leader.
var (
	epochOnce = checker.Always("epoch-once",
		"At most one server leads in each epoch, even one after another.",
		func(v *model.View) bool { return !led.Of(v).Twice },
	).Given("a leader", someLeader).Remembering(led)

	highest = checker.AlwaysStep("highest",
		"A server takes a new epoch as the leader from a majority of whom nobody has a longer log.",
		func(e *model.Event) bool {
			if !e.Ran(newEpoch) {
				return true
			}
			leader := model.State[P](e.To, e.Process)
			if leader == nil { // it has crashed in that step
				return true
			}
			for id := range leader.Agreed.Without(e.Process).All() {
				if model.Stored[P](e.To, id).Zxid > leader.Zxid {
					return false
				}
			}
			return true
		},
	).GivenStep("a leader that takes an epoch", func(e *model.Event) bool { return e.Ran(newEpoch) })
)

// availability is what an ensemble promises.
var availability = checker.AlwaysEventually("availability",
	"Where a majority is up, again and again somebody leads.",
	func(v *model.View) bool { return someLeader(v) || v.Up.Len() <= int(v.N)/2 },
).Given("a majority that is up", func(v *model.View) bool { return v.Up.Len() > int(v.N)/2 })

func someLeader(v *model.View) bool { return !v.Leaders.Empty() }

// led has the leaders of the first epochs.
var led = model.NewMonitor("leaders", leaders{}, func(l *leaders, e *model.Event) {
	if !e.Ran(established) || !e.To.Leaders.Has(e.Process) {
		return
	}
	epoch := e.To.Epoch(e.Process)
	if epoch >= uint64(len(l.Of)) {
		return
	}
	l.Twice = l.Twice || l.Of[epoch] != model.None && l.Of[epoch] != e.Process
	l.Of[epoch] = e.Process
})

// leaders are who has led, by epoch.
type leaders struct {
	Of    [6]model.ID
	Twice bool // two have, in one epoch
}

// Algorithm is Fast Leader Election for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "fle",
	Title:  "ZooKeeper's Fast Leader Election",
	Source: internals,
	Doc: "Servers vote in rounds, and go over to each better vote: of a higher epoch, a longer log, a higher id. Whoever a majority has voted " +
		"for leads when a majority has accepted a new epoch of it, and has its log.",
	Assumptions: assumed,
	Variants: ledger.Usually(ledger.Variant{Assumes: world}, []ledger.Variant{
		{
			Name: "zookeeper", New: of(&FLE{Rounds: 6}),
			Doc:     "As the program does it, with messages that take one tick.",
			Setting: rounds,
		},
		{
			Name: "any-delays", New: of(&FLE{Rounds: 2, Once: true}),
			Doc:     "Timers may expire too early, and a server sends its notifications once, so that an election need not end. Two rounds and epochs are explored.",
			Setting: asynchronous,
		},
		{
			Name: "hasty", Adds: "a wait for better votes that is no longer than a message takes, and a leader that waits without a limit to be followed",
			Doc:     "A server may decide before a better vote has come, and a leader without followers is mended by nothing but what it hears.",
			Setting: impatient, New: of(hasty),
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{epochOnce, highest, availability},
	Asked:      []*checker.Property{checker.OneLeaderPerEpoch, epochOnce, highest, availability, checker.E2, checker.StableLeadership},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

var (
	assumed = append(ledger.Said("section Active Messaging: \"All communication channels are FIFO\"", ledger.InOrder),
		ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoNewcomers)...)

	hasty = &FLE{Rounds: 5, Hasty: true, Unlimited: true}

	rounds       = setting.Must(connections + "n=3 initiators=none timing=lockstep crashes=1 restarts=1")
	asynchronous = setting.Must(connections + "n=3 initiators=none timing=async:1 crashes=1")
	impatient    = setting.Must(connections + "n=3 initiators=none timing=sync:1 start=cold:interleaved crashes=1 crashers=3")
	joining      = setting.Must(connections + "n=3 timing=lockstep start=settled crashes=1 restarts=1 crashers=3 suspicions=2 detectors=1,2")
)

const (
	internals = "Apache ZooKeeper 3.9, ZooKeeper Internals, and FastLeaderElection.java, Leader.java, Learner.java"
	world     = "Connections that keep the order of messages and end with their processes, disks that keep the epochs and the log."

	// connections are those of TCP: what is on the way to or from a process that is down
	// is lost, and each side notices.
	connections = "reports=always channels=fifo mail-down=lost mail-old=lost "
)
