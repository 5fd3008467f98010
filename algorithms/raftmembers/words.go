package raftmembers

import "bullyproof/model"

// Names gives the words of the sources.
func (r *Server) Names() model.Names {
	return model.Names{
		Kinds:  []string{"RequestVote", "Vote", "Append", "Success"},
		Timers: []model.TimerName{{Name: "election timeout"}, {Name: "a request"}},
		Rules:  rules,
	}
}
