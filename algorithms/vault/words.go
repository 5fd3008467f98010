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
		Rules: []string{
			"tryToLock: attempt to write the item",
			"Lock: acquired",
			"periodicallyRenewLock: renew the item",
			"watch: read the item",
			"watch: the call failed",
			"waitForLeadership: leadership lost, stop active operation",
			"waitForLeadership: step down from active operation to standby",
			"Unlock: delete the item",
			"updateItem: write the item",
			"updateItem, Unlock: the condition failed",
			"Unlock: the item is gone",
		},
	}
}
