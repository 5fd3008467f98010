package changroberts_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/model"
)

var system = play.In(changroberts.Algorithm)

var (
	slides   = &changroberts.Protocol{}
	readings = []model.Protocol[changroberts.P, changroberts.M]{slides, changroberts.Once{Protocol: slides}, changroberts.Numbered{Protocol: slides}}
)

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 topology=ring timing=patient", readings...)
}

// "Condition E1 is met." Every arrangement, any initiators, eager and lazy.
func TestSafety(t *testing.T) {
	most := 4
	if *play.Deep {
		most = 5
	}
	for _, v := range changroberts.Algorithm.Variants {
		for n := 2; n <= most; n++ {
			for _, initiators := range []string{"one", "one:lazy", "any", "all", "all:lazy"} {
				for _, channels := range []string{"fifo", "unordered"} {
					if testing.Short() && n > 3 && channels == "unordered" {
						continue
					}
					setting := fmt.Sprintf("n=%d topology=ring initiators=%s channels=%s timing=patient", n, initiators, channels)
					_, broken := play.Searched(t, system(t, v.Name, setting), checker.Election()...)
					assert.Empty(t, broken, "%s, %s", v.Name, setting)
				}
			}
		}
	}
}

// The states that others have counted: every process started before anything
// is delivered, unordered channels, ids that fall in sending direction. A state
// is participant and elected_i of each process and the messages.
//
// That is the reading in which smaller ids are stopped for good. As the slides
// have it, an election message that the elected message has overtaken makes a
// non-participant begin one more election.
func TestCounts(t *testing.T) {
	tests := []struct {
		variant, arrangement, channels string
		states                         uint64
		deep                           bool
	}{
		{"once", "3-2-1", "unordered", 50, false},
		{"once", "4-3-2-1", "unordered", 342, false},
		{"once", "5-4-3-2-1", "unordered", 3_058, false},
		{"once", "6-5-4-3-2-1", "unordered", 34_262, false},
		{"once", "8-7-6-5-4-3-2-1", "unordered", 7_284_070, true},
		{"coulouris", "3-2-1", "unordered", 374, false},
		{"coulouris", "4-3-2-1", "unordered", 7_244, false},
		{"coulouris", "5-4-3-2-1", "unordered", 168_672, false},
		{"coulouris", "6-5-4-3-2-1", "unordered", 4_489_095, true},
		{"coulouris", "5-4-3-2-1", "fifo", 137, false},
		{"once", "5-4-3-2-1", "fifo", 137, false},
	}
	for _, tt := range tests {
		t.Run(tt.variant+" "+tt.arrangement+" "+tt.channels, func(t *testing.T) {
			if testing.Short() && tt.states > 50_000 {
				t.Skip("takes long")
			}
			if tt.deep && !*play.Deep {
				t.Skip("takes long: run with -deep")
			}
			n := (len(tt.arrangement) + 1) / 2
			setting := fmt.Sprintf("n=%d topology=ring arrangement=%s initiators=all channels=%s timing=patient",
				n, tt.arrangement, tt.channels)
			states, broken := play.Searched(t, system(t, tt.variant, setting), checker.Election()...)
			assert.Equal(t, tt.states, states)
			assert.Empty(t, broken)
		})
	}
}
