package main

import (
	"flag"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

var (
	deep = flag.Bool("deep", false, "run what takes longer, too")
	seed = flag.Uint64("seed", 0, "of the faults that -deep has; 0: a new one")
)

// Faults at any moment, also in the middle of elections, and several at a time:
// as long as three of five servers can talk, they elect, and what they did is
// what the model does.
func TestRaftSurvivesAnything(t *testing.T) {
	if !*deep {
		t.Skip("for -deep")
	}
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-seed %d", *seed)
	draw := rand.New(rand.NewPCG(*seed, 0))
	c := newCluster(t, 5, "-tick", "40ms", "raft/figure-2")
	all := model.Upto(5)
	for id := 1; id <= 5; id++ {
		c.run(id)
	}
	for range 40 {
		// The processes that are not faulty can talk to each other.
		faulty := draw.Perm(5)[:1+draw.IntN(2)]
		var dead, paused []int
		fine := all
		for _, i := range faulty {
			id := i + 1
			fine = fine.Without(model.ID(id))
			switch draw.IntN(3) {
			case 0:
				c.kill(id)
				dead = append(dead, id)
			case 1:
				c.signal(id, syscall.SIGSTOP)
				paused = append(paused, id)
			case 2:
				c.wires.Isolate(id)
			}
		}
		c.elected(fine)
		// Some events later, in any order, all is well again.
		left := draw.IntN(20)
		c.await("some events", func(*eventlog.Event) bool { left--; return left < 0 })
		for _, id := range paused {
			c.signal(id, syscall.SIGCONT)
		}
		if draw.IntN(2) == 0 {
			c.wires.Heal()
		}
		for _, id := range dead {
			c.run(id)
		}
		c.wires.Heal()
	}
	c.elected(all)
	logs := c.logs()
	accepted(t, variant(t, raft.Algorithm, "figure-2"), logs)
	place := forge(t, logs[draw.IntN(5)])
	r := validated(t, variant(t, raft.Algorithm, "figure-2"), logs)
	require.NotEmpty(t, r.Refusals)
	assert.Equal(t, place, r.Refusals[0].Place, r.Refusals[0].Why)
}
