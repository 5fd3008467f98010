//go:build thorough

package algorithms_test

import (
	"testing"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/effatparvar"
	"bullyproof/algorithms/effatparvarring"
	"bullyproof/algorithms/electioncommission"
	"bullyproof/algorithms/fceabr"
	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/fredericksonlynch"
	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/algorithms/ingram"
	"bullyproof/algorithms/itairodeh"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/kalternatives"
	"bullyproof/algorithms/lelann"
	"bullyproof/algorithms/murshedallen"
	"bullyproof/algorithms/peterson"
	"bullyproof/algorithms/shirali"
	"bullyproof/algorithms/silberschatz"
	"bullyproof/algorithms/spanningtrees"
	"bullyproof/algorithms/surrogatering"
	"bullyproof/algorithms/xie"
	"bullyproof/internal/test/play"
)

// Readings of more algorithms are protocols that the world can run.
func TestMoreProtocols(t *testing.T) {
	t.Parallel()
	returned := "n=3 start=settled crashes=2 restarts=1"
	play.Protocols(t, returned, &electioncommission.Protocol{}, electioncommission.Repaired())
	play.Protocols(t, returned, &kalternatives.Protocol{K: 1, Tells: true}, &kalternatives.Protocol{K: 2},
		&kalternatives.Repaired{Protocol: kalternatives.Protocol{K: 2, Tells: true}})
	play.Protocols(t, "n=3 start=settled losses=1 crashes=1", effatparvar.Readings()...)
	for _, in := range []string{"n=2 start=settled crashes=1 restarts=1 mid-send=yes", "n=2 start=settled joins=1", "n=2"} {
		play.Protocols(t, in, kabashi.Readings()...)
	}
	for _, in := range []string{"n=2 start=settled crashes=1 restarts=1 mid-send=yes", "n=3 start=settled joins=1", "n=2"} {
		play.Protocols(t, in, murshedallen.Readings()...)
	}
	node := &ingram.Protocol{}
	play.Protocols(t, "n=3 start=settled crashes=1 joins=1 channels=fifo timing=async", node, &ingram.Protocol{Local: true})
	play.Protocols(t, "n=3 initiators=none cuts=1 cut-by=link channels=fifo timing=async", &ingram.Protocol{Graph: ingram.Chain}, ingram.Closes{Protocol: &ingram.Protocol{Graph: ingram.Ring}})
	play.Protocols(t, "n=2 start=settled cuts=1 heals=owed channels=fifo timing=sync:1", ingram.Beacons{Protocol: node})
	of := spanningtrees.Algorithm.Variants
	play.Protocols(t, of[0].Setting.String(), &spanningtrees.Protocol{})
	play.Protocols(t, of[1].Setting.String(), &spanningtrees.Protocol{Ring: true})
	play.Protocols(t, of[2].Setting.String(), &spanningtrees.Merging{})
}

// The same of algorithms on rings.
func TestProtocolsOfRings(t *testing.T) {
	t.Parallel()
	ring := "n=3 topology=ring initiators=all:lazy channels=fifo timing=patient"
	play.Protocols(t, ring, &peterson.Protocol{}, &peterson.Protocol{Relays: true})
	play.Protocols(t, ring, &dolevklawerodeh.Protocol{}, &dolevklawerodeh.Protocol{Initiators: true}, &dolevklawerodeh.Protocol{Sorts: true})
	both := "n=3 topology=biring initiators=all:lazy channels=fifo timing=patient"
	play.Protocols(t, both, &franklin.Protocol{}, &franklin.Protocol{Initiators: true})
	play.Protocols(t, both, &hirschbergsinclair.Protocol{}, &hirschbergsinclair.Protocol{Echoes: true}, &hirschbergsinclair.Protocol{Bystanders: true})
	play.Protocols(t, "n=3 topology=ring initiators=all:lazy timing=lockstep",
		&fredericksonlynch.Protocol{}, &fredericksonlynch.Protocol{WakeUp: true}, &fredericksonlynch.Protocol{Above: 2})
	plain := &lelann.Protocol{}
	play.Protocols(t, "n=3 topology=ring timing=patient",
		plain, lelann.LateStart{Protocol: plain}, lelann.Collects{Protocol: plain}, lelann.Announces{Protocol: plain})
	for _, c := range []itairodeh.Protocol{
		{}, {K: 1}, {K: 2}, {Size: 2}, {Rounds: itairodeh.Counted}, {Rounds: itairodeh.Without}, {Rounds: itairodeh.Without, NoBit: true},
	} {
		play.Protocols(t, "n=2 topology=ring:anonymous initiators=all:lazy channels=fifo timing=patient", &c)
	}
	play.Protocols(t, "n=3 topology=biring:anonymous initiators=all:lazy timing=patient", &itairodeh.Bidirectional{})

	down := "n=3 topology=ring:repaired start=coordinator-down crashes=1"
	play.Protocols(t, down, effatparvarring.Readings()...)
	packet := &silberschatz.Protocol{}
	play.Protocols(t, down, packet, &silberschatz.Book{}, silberschatz.Repaired{Protocol: packet})
	play.Protocols(t, surrogatering.Algorithm.Variants[0].Setting.String(), &surrogatering.Protocol{}, surrogatering.TakesOver{Protocol: &surrogatering.Protocol{}})
	play.Protocols(t, shirali.Algorithm.Variants[0].Setting.String(), &shirali.Protocol{Reach: 1}, &shirali.Protocol{})
	play.Protocols(t, fceabr.Algorithm.Variants[0].Setting.String(), fceabr.Readings()...)
	play.Protocols(t, "n=4 topology=biring:repaired start=coordinator-down channels=fifo timing=lockstep crashes=1", xie.Readings()...)
}
