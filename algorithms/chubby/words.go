package chubby

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"Open", "KeepAlive", "TryAcquire", "Release", "Alive", "Expired", "Acquired", "Released", "WrongEpoch", "Request"}

var (
	rules model.Rules

	opens     = rules.Add("2.8: request a new session")
	creates   = rules.Add("2.8: create a session")
	extends   = rules.Add("2.8: extend the lease, and then answer the KeepAlive")
	jeopardy  = rules.Add("2.8: the local lease is over: jeopardy")
	safe      = rules.Add("2.8: a KeepAlive in the grace period: safe")
	expired   = rules.Add("2.8: the session is over: expired")
	ends      = rules.Add("2.8: the lease is over: end the session")
	delays    = rules.Add("2.4: the holder has failed: lock-delay")
	free      = rules.Add("2.4: the lock-delay is over")
	grants    = rules.Add("2.3: the lock goes from free to held: a new generation")
	acquires  = rules.Add("2.6: hold the lock")
	releases  = rules.Add("2.4: a client releases the lock")
	takesOver = rules.Add("2.9: a new epoch, and the leases of the database")
	rejects   = rules.Add("2.9: an older epoch: reject the call")
	learns    = rules.Add("2.9: take the new epoch, and call again")
	tells     = rules.Add("2.9: a fail-over event")
	serves    = rules.Add("2.4: the sequencer is valid: serve")
	refuses   = rules.Add("2.4: an older sequencer: reject the request")
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
		Rules:  rules,
	}
	for id := model.ID(1); id <= most; id++ {
		n.Timers = append(n.Timers, model.TimerName{Name: "lease of " + id.Name()})
	}
	return n
}
