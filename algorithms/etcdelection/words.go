package etcdelection

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"Campaign", "Older", "KeepAlive", "Proclaim", "Created", "Next", "Deleted", "Alive", "Expired"}

// Fits: the store has room for three clients.
func (e *Election) Fits(s setting.Setting) error {
	return s.AtMost(1+most, "the store, and three clients")
}

// Names gives the words of the package and of etcd.
func (e *Election) Names() model.Names {
	n := model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "keep alive", Periodic: true}, {Name: "session done"}},
		Rules:  rules,
	}
	for c := model.ID(1); c <= most; c++ {
		n.Timers = append(n.Timers, model.TimerName{Name: "lease of " + c.Name()}, model.TimerName{Name: "other lease of " + c.Name()})
	}
	return n
}
