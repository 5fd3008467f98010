package viewstamped

import "bullyproof/model"

var kinds = []string{
	"StartViewChange", "DoViewChange", "StartView", "Recovery", "RecoveryResponse", "Prepare", "PrepareOK", "Commit",
}

// Names gives the words of the paper, with its sections.
func (r *VR) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "view timer"}, {Name: "commit timer", Periodic: true}},
		Rules:  rules,
	}
}
