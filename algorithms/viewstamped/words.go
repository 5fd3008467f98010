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
		Rules: []string{
			"4.2, 1: notice the need for a view change",
			"4.2, 2: f others do: send the log to the new primary",
			"4.2, 3: f+1 logs: start the view",
			"4.2, 5: the view has started",
			"5.2: the sender is ahead: take its state",
			"4.3, 1: ask the others",
			"4.3, 2: respond",
			"4.3, 3: f+1 responses, one of the latest primary: recovered",
			"4.1, 3: take a request",
			"4.1, 4: prepare",
			"4.1, 6: tell of the latest commit",
			"4.1, 5: f others have it: commit",
			"4.1: the sender is behind: drop",
		},
	}
}
