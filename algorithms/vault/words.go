package vault

import "bullyproof/model"

var kinds = []string{"Acquire", "Renew", "Get", "Delete", "Updated", "Renewed", "Refused", "Got"}

// The choices: what a tick does first, and whether somebody asks the node to step down.
const (
	order, renewsFirst  = model.Choice(0), 0
	request, toStepDown = model.Choice(1), 1
)

// Names gives the words of the program.
func (b *Backend) Names() model.Names {
	return model.Names{
		Kinds:   kinds,
		Timers:  []model.TimerName{{Name: "tryToLock"}, {Name: "even ticker"}, {Name: "odd ticker"}, {Name: "manualStepDownSleepPeriod"}},
		Choices: []model.ChoiceName{{Name: "first", Outcomes: []string{"renew", "watch"}}, {Name: "asked to", Outcomes: []string{"stay", "step down"}}},
		Rules:   rules,
	}
}
