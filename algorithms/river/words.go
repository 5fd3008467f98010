package river

import "bullyproof/model"

var kinds = []string{"None", "Elect", "Elected", "Reelect", "Reelected", "Resign", "Deleted", "Resigned"}

// Names gives the words of the program.
func (e *Elector) Names() model.Names {
	return model.Names{
		Kinds: kinds,
		Timers: []model.TimerName{
			{Name: "ElectInterval", Periodic: true}, {Name: "request"}, {Name: "trustedUntil"}, {Name: "other trustedUntil"}, {Name: "expires_at"},
		},
		Rules: rules,
	}
}
