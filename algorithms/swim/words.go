package swim

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"ping", "ping-req", "ack", "Election", "Answer", "Coordinator"}

const (
	pings model.Rule = iota
	asks
	relays
	acks
	returns
	acked
	fails
	suspects
	expires
	confirms
	unmarks
	refutes
	drops
	again
	notices
	higher
	elects
	wins
	answers
	answered
	follows
	retries
)

// Fits: a member has a timer of suspicion for each of five.
func (s *Swim) Fits(in setting.Setting) error {
	return in.AtMost(most, "the members that a member suspects")
}

// Names gives the words of the sources.
func (s *Swim) Names() model.Names {
	n := model.Names{Kinds: kinds, Timers: []model.TimerName{{Name: "period"}, {Name: "ping timeout"}}}
	for id := model.ID(1); id <= most; id++ {
		n.Timers = append(n.Timers, model.TimerName{Name: "suspicion of " + id.Name()})
	}
	n.Timers = append(n.Timers, model.TimerName{Name: "T"}, model.TimerName{Name: "T'"})
	n.Rules = []string{
		"3.1: ping the target of the period",
		"3.1: no ack in time: send ping-req",
		"3.1: ping-req: ping the target",
		"3.1: ping: send ack",
		"3.1: pass the ack on",
		"3.1: ack of the target",
		"3.1: no ack in the period: declare it failed",
		"4.2: no ack in the period: suspect it",
		"4.2: the suspicion expires: declare it faulty",
		"4.2: Confirm: it is faulty",
		"4.2: Alive overrides Suspect",
		"4.2: refute: alive in a higher incarnation",
		"4.2: declared faulty: drop out",
		"aliveNode: a dead member is alive again",
		"the leader is faulty: begin an election",
		"a higher member is alive again: begin an election",
		"send Election to higher members",
		"be the coordinator, say so to all",
		"Election: send Answer, begin an election",
		"Answer: wait for a coordinator",
		"Coordinator: follow it",
		"no coordinator within T': begin again",
	}
	return n
}
