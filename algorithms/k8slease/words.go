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
		Rules: []string{
			"tryAcquireOrRenew, 1: leader: update without a get",
			"tryAcquireOrRenew, 2: get the record",
			"tryAcquireOrRenew, 3: the record has changed: observe it",
			"tryAcquireOrRenew, 3: held by another, and not yet expired",
			"tryAcquireOrRenew, 4: try to update",
			"store: the record is as the client has it: swap it",
			"store: the record has changed: refuse",
			"acquire: became leader",
			"renew: renewed the lease",
			"tryAcquireOrRenew: failed: try again",
			"renew: failed until RenewDeadline: stop leading",
			"release: give the lease up",
			"LeaseDuration without a change has passed",
		},
	}
}
