package kabashi

import "bullyproof/model"

// Protocol is the algorithm. Its zero value is the prose of section IV, where
// the fields choose what the paper leaves open, or says in two ways.
type Protocol struct {
	// SecondOfAll has the process next above the coordinator that failed be the
	// one with the second minimum ID, whichever id that is. To know that, a
	// process has to know all ids; the paper says that it knows none (section VI)
	// but the minimum that a process may take, so that by itself it can only know
	// whether its own ID is the one above that.
	SecondOfAll bool

	// Sparse has no process have the minimum ID that a process may take, nor the
	// one above it: every election is by rule 1b, and whoever joins queries.
	Sparse bool

	// GoesOn has a process that has sent ELECTION collect responses for all of T,
	// and select a coordinator then, though it has been told of one: the
	// pseudocode waits for responses and looks at nothing but OK messages. The
	// prose is silent.
	GoesOn bool

	// KeepsSmaller has a process that takes a process with a smaller ID for the
	// coordinator, and has not noticed that it failed, ignore COORDINATOR_k. Rule 6
	// says of what to do with a COORDINATOR_k that is no offence to P_w nothing,
	// and section I that all acknowledge the coordinator.
	KeepsSmaller bool

	// Pseudocode has the process with the second minimum ID answer any ELECTION by
	// COORDINATOR, as the procedure electionMessageReceived does, which compares
	// IDs later. The prose compares first.
	Pseudocode bool

	// AlwaysQueries has a process with the minimum ID query as any other does when
	// it joins, as the procedure joiningTheSystem does.
	AlwaysQueries bool

	// OKOfInitiator has OK carry the ID of the process that began the election,
	// as the pseudocode prints: send(OK_i). The prose has OK_j.
	OKOfInitiator bool

	// WaitsForCID has a process that joins wait for CID for ever. The paper sets no
	// limit of time.
	WaitsForCID bool
}

// secondMinimum reports whether a process has the second minimum ID.
func (a *Protocol) secondMinimum(p *P, net *model.Net[M]) bool {
	if a.SecondOfAll {
		return p.Coordinator != model.None && net.Self() == p.Coordinator+1
	}
	return net.Self() == MIN+1 && !a.Sparse
}

// isMinimum reports whether a process has the minimum ID that a process may take.
func (a *Protocol) isMinimum(net *model.Net[M]) bool { return net.Self() == MIN && !a.Sparse }

// The readings that are variants of Algorithm.
var (
	prose      = &Protocol{}
	sparse     = &Protocol{Sparse: true}
	goesOn     = &Protocol{GoesOn: true}
	knowsAll   = &Protocol{SecondOfAll: true}
	keepsLower = &Protocol{KeepsSmaller: true}
	waits      = &Protocol{WaitsForCID: true}
	pseudocode = &Protocol{Pseudocode: true, AlwaysQueries: true, GoesOn: true, WaitsForCID: true}
	letter     = &Protocol{Pseudocode: true, AlwaysQueries: true, GoesOn: true, WaitsForCID: true, OKOfInitiator: true}
	repaired   = &Repaired{keepsLower}
	asksFirst  = AsksFirst{prose}
)
