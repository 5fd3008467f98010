package omega

import "bullyproof/model"

var kinds = []string{"ALIVE", "HEARTBEATREQUEST", "HEARTBEATREPLY", "START", "OK", "STOP", "HEARTBEAT"}

var (
	rules model.Rules

	sends    = rules.Add("section 2: send alive messages to all")
	elects   = rules.Add("section 2: elect the lowest process heard from")
	grows    = rules.Add("2.7: a live process was suspected: wait longer")
	suspects = rules.Add("2.7: suspect who did not reply")
	restores = rules.Add("2.7: restore who replied")
	leads    = rules.Add("it trusts itself: send")
	next     = rules.Add("the trusted process is late: trust the next")
	goesBack = rules.Add("a lower process was late: trust it again, and wait longer")
	starts   = rules.Add("start a round")
	timesOut = rules.Add("no OK for more than 2δ: start the next round")
	oks      = rules.Add("task 0: the leader of the round sends OK")
	twoOKs   = rules.Add("two OKs: trust the leader")
	stopped  = rules.Add("STOP: start the next round")
	corrects = rules.Add("a message of a lower round: say which round it is")
	recovers = rules.Add("2.9, Recovery: begin a new epoch")
	selects  = rules.Add("2.9, Timeout: another candidate: wait longer")
)

// Names gives the words of the sources.
func (base) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "beat"}, {Name: "late"}, {Name: "collect"}},
		Rules:  rules,
	}
}
