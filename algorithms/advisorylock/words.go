package advisorylock

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"try", "ping", "close", "unlock", "granted", "refused", "pong", "broken"}

// Fits: the database has room for three clients.
func (l *Lock) Fits(s setting.Setting) error {
	return s.AtMost(1+most, "the database, and three clients")
}

// Names gives the words of the programs.
func (l *Lock) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "poll", Periodic: true}, {Name: "answer"}},
		Rules:  rules,
	}
}
