package sentinel

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Fits: a sentinel remembers the votes of five.
func (s *Sentinel) Fits(in setting.Setting) error {
	return in.AtMost(most-1, "the votes that a sentinel remembers")
}

// Names gives the words of sentinel.c.
func (s *Sentinel) Names() model.Names {
	return model.Names{
		Kinds:  []string{"Ask", "Vote", "Hello"},
		Timers: []model.TimerName{{Name: "master down"}, {Name: "ask again", Periodic: true}, {Name: "election"}, {Name: "hello", Periodic: true}, {Name: "promoted"}, {Name: "another master"}},
		Rules:  rules,
	}
}
