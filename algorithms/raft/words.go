package raft

import "bullyproof/model"

var (
	kinds  = []string{"RequestVote", "Vote", "AppendEntries", "Refusal", "PreVote", "PreVoted", "Success"}
	timers = []model.TimerName{{Name: "election timeout"}, {Name: "heartbeat", Periodic: true}, {Name: "quorum check", Periodic: true}}
	rules  = []string{
		"candidates, 1: election timeout: begin a new term",
		"RequestVote, 2: grant the vote",
		"RequestVote, 1: refuse the vote",
		"candidates, 2: votes from a majority: become leader",
		"candidates, 3: AppendEntries from the leader: follow it",
		"all servers: higher term: become follower",
		"AppendEntries, 1: old term: reply false",
		"leaders, 1: heartbeat",
		"9.6: election timeout: ask for pre-votes",
		"9.6: grant the pre-vote",
		"9.6: refuse the pre-vote",
		"4.2.3: hears of a leader: ignore the request for a vote",
		"6.2: no majority has answered: step down",
	}
)

// Names gives the words of figure 2, and those of the dissertation where a switch has a
// server need them.
func (r *Raft) Names() model.Names {
	if !r.PreVote && !r.CheckQuorum && !r.Sticky {
		return model.Names{Kinds: kinds[:PreVote], Timers: timers[:quorumTimer], Rules: rules[:askFirst]}
	}
	return model.Names{Kinds: kinds, Timers: timers, Rules: rules}
}
