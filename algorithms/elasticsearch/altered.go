package elasticsearch

// Faults are what mutants do.
type Faults struct {
	// ForgetsTerm has a node lose its term in a crash.
	ForgetsTerm bool
	// AcceptedAlone and CommittedAlone have one of the two configurations elect.
	AcceptedAlone, CommittedAlone bool
	// NewAlone commits with a quorum of the published configuration.
	NewAlone bool
	// Overlaps has a new master reconfigure at once.
	Overlaps bool
	// NoJoins has a master reconfigure with nodes that have not joined it.
	NoJoins bool
	// NewerJoins counts nodes whose state is newer.
	NewerJoins bool
}
