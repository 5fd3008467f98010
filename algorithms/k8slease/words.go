package k8slease

import "bullyproof/model"

var kinds = []string{"None", "Get", "Record", "Update", "Updated", "Release"}

// Names gives the words of the program.
func (l *Lease) Names() model.Names {
	return model.Names{
		Kinds: kinds,
		Timers: []model.TimerName{
			{Name: "request"}, {Name: "RetryPeriod", Periodic: true}, {Name: "LeaseDuration"}, {Name: "RenewDeadline"}, {Name: "shutdown"},
		},
		Rules: rules,
	}
}
