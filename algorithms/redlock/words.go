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
		Rules: rules,
	}
}
