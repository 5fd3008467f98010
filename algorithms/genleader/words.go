package genleader

import "bullyproof/model"

var kinds = []string{
	"halt", "ackLeader", "hasLeader", "isLeader", "notLeader", "ldr", "ldr/4", "normQ", "notNorm", "heartbeat", "checklead", "election", "up", "closed",
}

// The choice: what the runtime system says of nodes that were down.
const nodeInfo, notUp = model.Choice(0), 0

// Faults are what is wrong with mutants.
type Faults struct {
	// Unwatched: a node that is halted is not monitored.
	Unwatched bool
	// Hasty: one node that is down is enough for stage 2.
	Hasty bool
	// Deaf: a node in stage 1 does not answer normQ.
	Deaf bool
	// Yields: a node that has a leader answers a halt as if it had none.
	Yields bool
	// Quiet: a leader does nothing when it learns of another one.
	Quiet bool
	// Abdicates: a leader that is halted waits.
	Abdicates bool
}

// Names gives the words of the program.
func (g *GenLeader) Names() model.Names {
	return model.Names{
		Kinds:   kinds,
		Timers:  []model.TimerName{{Name: "TAU", Periodic: true}, {Name: "heartbeat"}, {Name: "candidate_timer", Periodic: true}, {Name: "send_checklead", Periodic: true}},
		Choices: []model.ChoiceName{{Name: "node_info", Outcomes: []string{"not up", "up"}}},
		Rules: []string{
			"startStage1: wait for the nodes before it",
			"startStage2: halt the nodes behind it",
			"continStage2: halt the next node",
			"hasBecomeLeader: lead, and tell those that have answered",
			"halting: wait for the node that halts it",
			"hasLeader: ask the leader of the node that was halted",
			"ldr: surrender",
			"notLeader: begin again",
			"normQ: answer the leader's question",
			"notNorm, isLeader: have the node follow",
			"DOWN: the leader is down, or who might become it",
			"DOWN: the node that is being halted is down",
			"DOWN: all nodes before it are down",
			"checklead: two nodes lead, have all begin an election",
			"election: begin one",
			"checklead: answer with a heartbeat",
		},
	}
}
