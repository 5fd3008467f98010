package starter

import "bullyproof/model"

// store grants the lock. It embeds Passive, which does nothing where a handler of its is not
// overridden, and believes nothing of any coordinator.
type store struct {
	model.Passive[Store, M]
}

// Store is the state of the store. It is all that a handler may remember: here a timer does.
type Store struct{}

// taken is the timer that is set while the lock is taken.
const taken model.Timer = 0

// The rules, as traces and reports call them.
var (
	storeRules model.Rules

	grants  = storeRules.Add("store: the lock is free: grant it")
	refuses = storeRules.Add("store: the lock is taken")
)

// Receive is called when a client asks for the lock.
func (*store) Receive(_ *Store, net *model.Net[M], _ model.Port, _ M) {
	if net.IsSet(taken) {
		net.Rule(refuses)
		return
	}
	net.Rule(grants)
	net.SetTimer(taken, lease)
	net.Reply(M{granted})
}

// Names gives the words of the system to messages, timers and rules.
func (*store) Names() model.Names {
	return model.Names{Kinds: kinds, Timers: []model.TimerName{{Name: "taken"}}, Rules: storeRules}
}
