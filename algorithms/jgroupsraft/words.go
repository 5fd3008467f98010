package jgroupsraft

import (
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"View", "VoteRequest", "VoteResponse", "LeaderElected"}

// String returns the view as "P1 P2".
func (v View) String() string {
	var names []string
	for _, id := range v {
		if id != model.None {
			names = append(names, id.Name())
		}
	}
	return strings.Join(names, " ")
}

// Fits: the service has room for three members.
func (e *Election) Fits(s setting.Setting) error {
	return s.AtMost(1+most, "the service, and three members")
}

// Names gives the words of the program.
func (e *Election) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "vote_timeout"}, {Name: "voting thread"}, {Name: "view change"}},
		Rules:  rules,
	}
}

// Role is "service" or "member".
func (e *Election) Role(id model.ID, n int) string {
	if int(id) == n {
		return "service"
	}
	return "member"
}
