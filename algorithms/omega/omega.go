// Package omega is theory's answer to leader election: the failure detector Omega. It names a
// process to each process, and from some time on the same live one to all.
//
// The definition, in Malkhi, Oprea and Zhou: "There exist a time t and a non-faulty process p,
// such that for any t' ≥ t, every process q that is not faulty at time t' has Ωq(t') = p." Before
// that time nothing is promised, so that several processes may lead at once.
//
// There are five protocols. Heartbeats has all processes send to all, and a timeout that is known
// to be enough. Monarch learns the timeout: whoever suspected a live process waits longer from then
// on. Candidates has only the process send that leads. Rounds is the one that keeps a leader that
// works, and it has three versions. Epochs is for processes that come back after a crash.
//
// Timeouts that are learned begin with one tick, and grow by one. In a synchronous setting they stop
// growing by themselves, once they are long enough; elsewhere Most bounds them, and rounds as well.
// (States beyond are not explored.)
//
// Deviations: a process sends nothing to itself, and takes what it would send itself for received.
// The book's process with the highest rank is P1 here, and so is the lowest process of the others.
//
// Sources. At hand were: the pseudocode of Algorithms 2.7, 2.8 and 2.9 and of Module 2.9 of the book
// by Cachin, Guerraoui and Rodrigues, as public programs have copied them; the whole of D. Malkhi,
// F. Oprea and L. Zhou, Omega Meets Paxos, 2005; the paragraph of M. Aguilera, C. Delporte-Gallet,
// H. Fauconnier and S. Toueg, Stable Leader Election, 2001, that tells the algorithm of rounds, and
// the abstract of that paper; and a program that implements it (ecejjar/Lamport, LeaderElection.py).
// Of M. Larrea, A. Fernández and S. Arévalo, Optimal Implementation of the Weakest Failure Detector
// for Solving Consensus, 2000, there was the abstract: Candidates is a reconstruction. The papers of
// Chandra and Toueg, 1996, and of Aguilera et al. on weak synchrony were not at hand.
package omega

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of a process. Each protocol uses a part of it.
type P struct {
	// Leader is the process that it trusts, None as long as it trusts nobody.
	Leader model.ID

	// Alive are those that it has heard from since it last looked, and Suspected those that it
	// takes to be down.
	Alive, Suspected model.Set
	// Delay is its timeout, and Delays are those of single processes, from 0.
	Delay  uint8
	Delays model.ByID[uint8]

	// Round is the round that it is in, and OKs is how many OK messages it has of that, up to two.
	Round, OKs uint8

	// Epoch counts how often it has come up, and Epochs are those of the processes in Alive.
	Epoch  uint8
	Epochs model.ByID[uint8]
}

// The kinds of messages.
const (
	Alive     model.Kind = iota // of Heartbeats and Candidates
	Request                     // of Monarch: HEARTBEATREQUEST
	Reply                       // HEARTBEATREPLY
	Start                       // of Rounds
	OK                          //
	Stop                        //
	Heartbeat                   // of Epochs
)

// M is a message.
type M struct {
	Type   model.Kind
	Number uint8 // of a round or an epoch
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "OK(2)".
func (m M) String() string {
	if m.Type < Start {
		return kinds[m.Type]
	}
	return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Number)
}

// The timers.
const (
	beat    model.Timer = iota // send again
	late                       // the leader has not been heard from
	collect                    // look who has been heard from
)

// A base has what the protocols share.
type base struct {
	model.Passive[P, M]
	// Most bounds timeouts, in ticks, and rounds; 0 is as many as they count.
	Most uint8
}

// Belief says whom a process trusts.
func (base) Belief(p *P) model.Belief { return model.Belief{Elected: p.Leader} }

// Wanted is the lowest process, which has the highest rank.
func (base) Wanted(live model.Set) model.ID { return live.Min() }

// Beyond bounds what grows.
func (b base) Beyond(p *P) string {
	longest := p.Delay
	for id := model.ID(1); id <= model.MaxID; id++ {
		longest = max(longest, p.Delays.At(id))
	}
	switch {
	case b.Most == 0:
		return ""
	case longest > b.Most:
		return fmt.Sprintf("a timeout of %d ticks", longest)
	case p.Round > b.Most:
		return fmt.Sprintf("round %d", p.Round)
	}
	return ""
}
