package redlock

import "bullyproof/model"

var kinds = []string{"Set", "Del", "Extend", "Raise", "Yes", "No"}

// Names gives the words of the documentation.
func (l *Lock) Names() model.Names {
	return model.Names{
		Kinds: kinds,
		Timers: []model.TimerName{
			{Name: "retry", Periodic: true}, {Name: "answers"}, {Name: "check"}, {Name: "validity"}, {Name: "extended validity"}, {Name: "low"},
			{Name: "expiry"}, {Name: "silence"},
		},
		Rules: []string{
			"steps 1, 2: note the time, set the key in all instances",
			"step 3: a majority has the key",
			"steps 3, 4: the validity time is not over: the lock is acquired",
			"step 3: no majority",
			"step 5, release: unlock all instances, and try again after a delay",
			"SET NX: no key: set it",
			"SET NX: there is a key: refuse",
			"release script: the value is the same: delete the key",
			"release script: no key, or another value: nothing",
			"the key expires",
			"delayed restart: do not answer yet",
			"extend the lock in all instances",
			"extended in a majority of instances",
			"raise the counts to the token",
		},
	}
}
