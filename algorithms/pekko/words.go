package pekko

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Fits: a member has a timer for the heartbeats of each of five.
func (c *Cluster) Fits(s setting.Setting) error {
	return s.AtMost(most, "the members whose heartbeats a member awaits")
}

// Names gives the words of the program and its documentation.
func (c *Cluster) Names() model.Names {
	n := model.Names{Kinds: []string{"Beat"}}
	for id := model.ID(1); id <= most; id++ {
		n.Timers = append(n.Timers, model.TimerName{Name: id.Name() + " is missed"})
	}
	n.Timers = append(n.Timers, model.TimerName{Name: "heartbeat-interval", Periodic: true}, model.TimerName{Name: "stable-after"}, model.TimerName{Name: "down-removal-margin"})
	n.Rules = rules
	return n
}
