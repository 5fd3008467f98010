package leaderlatch

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var (
	kinds = []string{"Open", "Connect", "Ping", "Create", "Delete", "Children", "Watch", "Owner", "Opened", "Reconnected", "Expired",
		"Pong", "Created", "Listed", "NoNode", "Owned", "Deleted", "Exists"}
	timers = []model.TimerName{{Name: "lost"}, {Name: "reset thread"}, {Name: "past session of P1"}, {Name: "past session of P2"}}
	third  = []model.TimerName{{Name: "past session of P3"}}
	pings  = []model.TimerName{{Name: "ping", Periodic: true}, {Name: "silence"}, {Name: "session of P1"}, {Name: "session of P2"}}
)

// Fits: the store has timers for two clients that ping, or for three others.
func (l *Latch) Fits(s setting.Setting) error {
	if l.Pings {
		return s.AtMost(3, "the store, and its timers for two clients")
	}
	return s.AtMost(4, "the store, and its timers for three clients")
}

// Names gives the words of Curator.
func (l *Latch) Names() model.Names {
	more := third
	if l.Pings {
		more = pings
	}
	return model.Names{Kinds: kinds, Timers: append(timers[:len(timers):len(timers)], more...), Rules: rules}
}
