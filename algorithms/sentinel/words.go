package sentinel

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Fits: a sentinel remembers the votes of five. Those that others were added to are three.
func (s *Sentinel) Fits(in setting.Setting) error {
	if s.Faulty.Added {
		if err := in.AtLeast(3, "the sentinels that were there before"); err != nil {
			return err
		}
	}
	return in.AtMost(most-1, "the votes that a sentinel remembers")
}

// Names gives the words of sentinel.c.
func (s *Sentinel) Names() model.Names {
	return model.Names{
		Kinds:  []string{"Ask", "Vote", "Hello"},
		Timers: []model.TimerName{{Name: "master down"}, {Name: "ask again", Periodic: true}, {Name: "election"}, {Name: "hello", Periodic: true}},
		Rules:  rules,
	}
}
