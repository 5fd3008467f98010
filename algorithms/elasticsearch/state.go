package elasticsearch

import (
	"fmt"
	"strings"

	"bullyproof/model"
)

// A State is a cluster state.
type State struct {
	Term, Version uint8
	// Committed and Accepted are voting configurations.
	Committed, Accepted model.Set
	// Cluster is who published the first state, in place of the cluster UUID. Formed says that it is committed.
	Cluster model.ID
	Formed  bool
}

// newer reports whether a state is newer than another one.
func (s State) newer(than State) bool {
	return s.Term > than.Term || s.Term == than.Term && s.Version > than.Version
}

// commit is markLastAcceptedStateAsCommitted.
func (s *State) commit() { s.Committed, s.Formed = s.Accepted, true }

// is reports whether two states are of one term and version.
func (s State) is(other State) bool { return s.number() == other.number() }

// number is the term and the version of a state.
func (s State) number() State { return State{Term: s.Term, Version: s.Version} }

// String returns a state with its term, its version and its configurations: "1.3{P1}>{P1,P2,P3}".
func (s State) String() string {
	text := fmt.Sprintf("%d.%d", s.Term, s.Version)
	if s.Committed != s.Accepted {
		text += names(s.Committed) + ">"
	}
	text += names(s.Accepted)
	if s.Cluster != model.None {
		text += " of " + s.Cluster.Name()
	}
	if s.Formed {
		text += "!"
	}
	return text
}

func names(s model.Set) string { return "{" + strings.Join(s.Names(), ",") + "}" }
