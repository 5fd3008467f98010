package chubby

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"Open", "KeepAlive", "TryAcquire", "Release", "Alive", "Expired", "Acquired", "Released", "WrongEpoch", "Request"}

const (
	opens model.Rule = iota
	creates
	extends
	jeopardy
	safe
	expired
	ends
	delays
	free
	grants
	acquires
	releases
	takesOver
	rejects
	learns
	tells
	serves
	refuses
)

// Fits: a master has room for three clients.
func (c *Chubby) Fits(s setting.Setting) error {
	return s.AtMost(1+most, "a cell, and three clients in its database")
}

// Names gives the words of the paper.
func (c *Chubby) Names() model.Names {
	n := model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "retry"}, {Name: "local lease"}, {Name: "lock-delay"}},
		Rules: []string{
			"2.8: request a new session",
			"2.8: create a session",
			"2.8: extend the lease, and then answer the KeepAlive",
			"2.8: the local lease is over: jeopardy",
			"2.8: a KeepAlive in the grace period: safe",
			"2.8: the session is over: expired",
			"2.8: the lease is over: end the session",
			"2.4: the holder has failed: lock-delay",
			"2.4: the lock-delay is over",
			"2.3: the lock goes from free to held: a new generation",
			"2.6: hold the lock",
			"2.4: a client releases the lock",
			"2.9: a new epoch, and the leases of the database",
			"2.9: an older epoch: reject the call",
			"2.9: take the new epoch, and call again",
			"2.9: a fail-over event",
			"2.4: the sequencer is valid: serve",
			"2.4: an older sequencer: reject the request",
		},
	}
	for id := model.ID(1); id <= most; id++ {
		n.Timers = append(n.Timers, model.TimerName{Name: "lease of " + id.Name()})
	}
	return n
}
