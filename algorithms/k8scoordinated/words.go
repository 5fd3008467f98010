package k8scoordinated

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"None", "Candidate", "Ping", "Ack", "Get", "Record", "Update", "Updated"}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Candidate(1.2)" or "Record(P1,P2,new)", where P2 is the PreferredHolder.
func (m M) String() string {
	text := kinds[m.Type]
	switch {
	case m.Type == Candidate || m.Type == Ack:
		text += fmt.Sprintf("(%d.%d)", m.Version.Emulation, m.Version.Binary)
	case m.Type == Record:
		text += "(" + name(m.Holder)
		if m.Preferred != model.None {
			text += "," + name(m.Preferred)
		}
		if m.Changed {
			text += ",new"
		}
		text += ")"
	case m.Type == Updated && !m.OK:
		text = "Conflict"
	case m.Lost:
		text += "(again)"
	}
	return text
}

func name(id model.ID) string {
	if id == former {
		return "former"
	}
	return id.Name()
}

// Fits: there is room for three candidates.
func (e *Election) Fits(s setting.Setting) error {
	return s.AtMost(1+most, "the API server, and three candidates")
}

// Names gives the words of the program.
func (e *Election) Names() model.Names {
	return model.Names{
		Kinds: kinds,
		Timers: []model.TimerName{
			{Name: "request"}, {Name: "RetryPeriod", Periodic: true}, {Name: "RenewDeadline"}, {Name: "LeaseCandidate", Periodic: true}, {Name: "requeue", Periodic: true},
		},
		Rules: rules,
	}
}

// Role is "API server" or "candidate".
func (e *Election) Role(id model.ID, n int) string {
	if int(id) == n {
		return "API server"
	}
	return "candidate"
}
