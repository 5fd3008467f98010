package raftmembers

import "bullyproof/model"

// Names gives the words of the sources.
func (r *Server) Names() model.Names {
	return model.Names{
		Kinds:  []string{"RequestVote", "Vote", "Append", "Success"},
		Timers: []model.TimerName{{Name: "election timeout"}, {Name: "a request"}},
		Rules: []string{
			"candidates, 1: election timeout: begin a new term",
			"RequestVote, 2: grant the vote",
			"RequestVote: refuse the vote",
			"candidates, 2: votes enough: become leader",
			"all servers: higher term: become follower",
			"6: the leader is asked for a change",
			"6: C_old,new",
			"AppendEntries: use the latest configuration",
			"AppendEntries, 3: an entry conflicts: delete it and all that follow",
			"leaders, 4: committed",
			"6: C_old,new is committed: C_new",
			"6: the leader is not part of C_new: step down",
			"2015: an entry of the leader's term comes first",
		},
	}
}
