package pekko

import "bullyproof/model"

// A Decision is what becomes of a cluster that is divided.
type Decision uint8

const (
	// DownUnreachable: those that are unreachable are no members any more.
	DownUnreachable Decision = iota
	// DownReachable: this side shuts down.
	DownReachable
	// DownAll: all shut down.
	DownAll
)

// A Strategy decides, by who are members and which of them are unreachable.
type Strategy func(members, unreachable model.Set) Decision

// downIf is DownUnreachable on this side, and DownReachable on the other.
func downIf(this bool) Decision {
	if this {
		return DownUnreachable
	}
	return DownReachable
}

// KeepMajority is KeepMajority.decide: the larger part stays, or that with the lowest address.
func KeepMajority(members, unreachable model.Set) Decision {
	this, other := (members &^ unreachable).Len(), unreachable.Len()
	return downIf(this > other || this == other && !unreachable.Has(members.Min()))
}

// StaticQuorum is StaticQuorum.decide: a part of so many members stays. All shut down where two
// parts could have so many.
func StaticQuorum(quorum int) Strategy {
	return func(members, unreachable model.Set) Decision {
		if members.Len() > 2*quorum-1 { // isTooManyMembers
			return DownAll
		}
		return StaticQuorumUnchecked(quorum)(members, unreachable)
	}
}

// StaticQuorumUnchecked is StaticQuorum without isTooManyMembers, of which there was no more than
// a warning once.
func StaticQuorumUnchecked(quorum int) Strategy {
	return func(members, unreachable model.Set) Decision {
		return downIf((members &^ unreachable).Len() >= quorum)
	}
}

// KeepOldest is KeepOldest.oldestDecision: the part with the oldest member stays. With
// down-if-alone it does not if it is alone, and the others are two or more.
func KeepOldest(downIfAlone bool) Strategy {
	alone := 0
	if downIfAlone {
		alone = 2
	}
	return keepOldest(alone)
}

// keepOldest is KeepOldest, where the oldest is left alone by so many others, 0 for none.
func keepOldest(alone int) Strategy {
	return func(members, unreachable model.Set) Decision {
		this, other := (members &^ unreachable).Len(), unreachable.Len()
		if unreachable.Has(members.Min()) {
			this, other = other, this
		}
		stays := alone == 0 || this != 1 || other < alone // the part of the oldest
		return downIf(stays != unreachable.Has(members.Min()))
	}
}

// AutoDown is auto-down-unreachable-after: whoever is unreachable is removed.
func AutoDown(model.Set, model.Set) Decision { return DownUnreachable }
