package raft

import "bullyproof/model"

var (
	kinds  = []string{"RequestVote", "Vote", "AppendEntries", "Refusal", "PreVote", "PreVoted", "Success"}
	timers = []model.TimerName{{Name: "election timeout"}, {Name: "heartbeat", Periodic: true}, {Name: "quorum check", Periodic: true}}
)

// Names gives the words of figure 2, and those of the dissertation where a switch has a
// server need them.
func (r *Raft) Names() model.Names {
	if !r.PreVote && !r.CheckQuorum && !r.Sticky {
		return model.Names{Kinds: kinds[:PreVote], Timers: timers[:quorumTimer], Rules: rules[:askFirst]}
	}
	return model.Names{Kinds: kinds, Timers: timers, Rules: rules}
}
