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
		Rules: []string{
			"runFollowerState: attempt to gain leadership",
			"runFollowerState: the bid was unsuccessful",
			"runFollowerState: gained leadership",
			"runFollowerState: error attempting to elect",
			"runLeaderState: attempt reelection",
			"runLeaderState: maintained leadership",
			"runLeaderState: not found: lost leadership",
			"runLeaderState: error attempting reelection",
			"runLeaderState: step down, the reelection deadline elapsed",
			"attemptResignLoop: attempt to resign",
			"attemptResignLoop: error attempting to resign",
			"publishLeadershipState: no longer the leader",
			"handleLeadershipNotification: another client resigned",
			"LeaderAttemptElect: no row: insert it",
			"LeaderAttemptElect: on conflict do nothing",
			"LeaderAttemptReelect: the row of this term: extend it",
			"LeaderAttemptReelect: no such row",
			"LeaderResign: delete the row, and notify",
			"LeaderDeleteExpired: the row has expired",
		},
	}
}
