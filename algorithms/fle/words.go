package fle

import "bullyproof/model"

var (
	kinds  = []string{"Notification", "FollowerInfo", "Refused", "LeaderInfo", "AckEpoch", "NewLeader", "Ack", "UpToDate", "Closed"}
	timers = []model.TimerName{{Name: "notification timeout", Periodic: true}, {Name: "finalize wait"}, {Name: "init limit"}, {Name: "connect"},
		{Name: "wait for epoch"}}
	rules = []string{
		"begin a round, and vote for oneself",
		"a vote of a higher round: take over the round",
		"a vote of a lower round: tell the higher one",
		"a better vote: take it over",
		"a majority has the vote: wait for a better one",
		"a better vote while one waits: go on",
		"the wait is over: follow, or lead",
		"a majority follows one who leads: join it",
		"not looking: answer with one's vote",
		"follower: connect",
		"not leading: refuse the connection",
		"leader: a majority has connected: propose an epoch",
		"follower: a higher epoch: accept it",
		"follower: the accepted epoch: acknowledge nothing",
		"follower: a lower epoch: leave",
		"leader: a follower is ahead: close its connection",
		"leader: a majority has accepted: take the epoch",
		"follower: take the epoch and the log",
		"leader: a majority has the log: lead",
		"the limit is over: look for a leader",
		"leader: a voter looks for a leader again: quit",
		"a connection is gone",
	}
)

// Names gives the words of ZooKeeper.
func (f *FLE) Names() model.Names { return model.Names{Kinds: kinds, Timers: timers, Rules: rules} }
