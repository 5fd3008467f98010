package swim

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"ping", "ping-req", "ack", "Election", "Answer", "Coordinator", "gossip"}

var (
	rules model.Rules

	pings    = rules.Add("3.1: ping the target of the period")
	asks     = rules.Add("3.1: no ack in time: send ping-req")
	relays   = rules.Add("3.1: ping-req: ping the target")
	acks     = rules.Add("3.1: ping: send ack")
	returns  = rules.Add("3.1: pass the ack on")
	acked    = rules.Add("3.1: ack of the target")
	fails    = rules.Add("3.1: no ack in the period: declare it failed")
	suspects = rules.Add("4.2: no ack in the period: suspect it")
	expires  = rules.Add("4.2: the suspicion expires: declare it faulty")
	confirms = rules.Add("4.2: Confirm: it is faulty")
	unmarks  = rules.Add("4.2: Alive overrides Suspect")
	refutes  = rules.Add("4.2: refute: alive in a higher incarnation")
	drops    = rules.Add("4.2: declared faulty: drop out")
	again    = rules.Add("aliveNode: a dead member is alive again")
	notices  = rules.Add("the leader is faulty: begin an election")
	higher   = rules.Add("a higher member is alive again: begin an election")
	elects   = rules.Add("send Election to higher members")
	wins     = rules.Add("be the coordinator, say so to all")
	answers  = rules.Add("Election: send Answer, begin an election")
	answered = rules.Add("Answer: wait for a coordinator")
	follows  = rules.Add("Coordinator: follow it")
	gossips  = rules.Add("gossip: news to a member that is drawn")
	retries  = rules.Add("no coordinator within T': begin again")
)

// Fits: a member has a timer of suspicion for each of five.
func (s *Swim) Fits(in setting.Setting) error {
	return in.AtMost(most, "the members that a member suspects")
}

// Names gives the words of the sources.
func (s *Swim) Names() model.Names {
	n := model.Names{Kinds: kinds[:Gossip], Timers: []model.TimerName{{Name: "period"}, {Name: "ping timeout"}}}
	for id := model.ID(1); id <= most; id++ {
		n.Timers = append(n.Timers, model.TimerName{Name: "suspicion of " + id.Name()})
	}
	n.Timers = append(n.Timers, model.TimerName{Name: "T"}, model.TimerName{Name: "T'"})
	n.Rules = rules
	return n
}
