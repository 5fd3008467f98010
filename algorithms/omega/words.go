package omega

import "bullyproof/model"

var kinds = []string{"ALIVE", "HEARTBEATREQUEST", "HEARTBEATREPLY", "START", "OK", "STOP", "HEARTBEAT"}

const (
	sends model.Rule = iota
	elects
	grows
	suspects
	restores
	leads
	next
	goesBack
	starts
	timesOut
	oks
	twoOKs
	stopped
	corrects
	recovers
	selects
)

// Names gives the words of the sources.
func (base) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "beat"}, {Name: "late"}, {Name: "collect"}},
		Rules: []string{
			"section 2: send alive messages to all",
			"section 2: elect the lowest process heard from",
			"2.7: a live process was suspected: wait longer",
			"2.7: suspect who did not reply",
			"2.7: restore who replied",
			"it trusts itself: send",
			"the trusted process is late: trust the next",
			"a lower process was late: trust it again, and wait longer",
			"start a round",
			"no OK for more than 2δ: start the next round",
			"task 0: the leader of the round sends OK",
			"two OKs: trust the leader",
			"STOP: start the next round",
			"a message of a lower round: say which round it is",
			"2.9, Recovery: begin a new epoch",
			"2.9, Timeout: another candidate: wait longer",
		},
	}
}
