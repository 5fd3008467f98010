package algorithms_test

import (
	"testing"

	"bullyproof/algorithms/assistant"
	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/heaptree"
	"bullyproof/algorithms/invitation"
	"bullyproof/algorithms/sortbully"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
)

// Readings are protocols that the world can run: those of some algorithms here, and of the
// others where the tag thorough is given, since they take long to compile. (The Bully and the
// algorithm of Chang and Roberts have tests of their own.)
func TestProtocols(t *testing.T) {
	t.Parallel()
	play.Protocols(t, "n=3 start=settled crashes=2 restarts=1", &assistant.Protocol{}, &assistant.Repaired{})
	play.Protocols(t, "n=4 start=settled crashes=2", &sortbully.Protocol{}, &sortbully.Protocol{Trusts: true})
	play.Protocols(t, "n=3 start=settled channels=fifo crashes=1 restarts=1",
		&garciamolina.Protocol{}, &garciamolina.Protocol{CallsItself: true}, &garciamolina.Protocol{AnyAnswer: true})
	play.Protocols(t, "n=2 channels=fifo crashes=1 restarts=1 detector=off", &invitation.Protocol{}, &invitation.Protocol{Volatile: true})
	paper := &heaptree.Protocol{}
	for _, in := range []string{"n=3 start=settled crashes=2", "n=3 start=settled joins=1", "n=2 start=settled crashes=1 joins=1"} {
		if !casecount.Takes(t, *play.Deep, 2, in) {
			continue
		}
		play.Protocols(t, in, paper, heaptree.Recorded(), heaptree.Numbered(nil), heaptree.LastLeaf(nil), heaptree.Repaired{Protocol: paper}, heaptree.Tenured{Protocol: paper})
	}
}
