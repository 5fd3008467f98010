package bully

import "bullyproof/model"

// The readings. Each is the one named in a variant of Algorithm; to read a rule in
// another way, embed one of them and override its handler.
var (
	// Coulouris is C with what the book adds: T', and no second election while
	// one runs.
	Coulouris = &Protocol{Words: coulourisWords}

	// CoulourisNoRetry is C as the slides have it, without T'.
	CoulourisNoRetry = &Protocol{Words: without(coulourisWords, retries), AfterAnswer: WaitForEver}

	// Wikipedia is W, except for the second election of rule 4.
	Wikipedia = &Protocol{Words: without(wikipediaWords, refuses), ToAll: true}

	// WikipediaRemembers is Wikipedia where a process names its old coordinator while it
	// is in an election.
	WikipediaRemembers = &Protocol{Words: Wikipedia.Words, ToAll: true, Remembers: true}

	// Tanenbaum is K.
	Tanenbaum = &Protocol{Words: tanenbaumWords, ToAll: true, AfterAnswer: JobDone}

	// TanenbaumRemembers is K where a process names its old coordinator while it is in an
	// election.
	TanenbaumRemembers = &Protocol{Words: tanenbaumWords, ToAll: true, AfterAnswer: JobDone, Remembers: true}

	// TanenbaumLower is K where a process announces itself to lower ids only: K does not say
	// to whom.
	TanenbaumLower = &Protocol{Words: tanenbaumWords, AfterAnswer: JobDone}
)

// KnowsDown has a process that noticed the coordinator's failure leave it out of its
// election: the second highest is then "the process that knows it has the highest
// identifier". C contradicts itself: by the slide on performance it "can immediately
// elect itself and send N-2 coordinator messages", by the summary table the best case
// is N-1, which has one election message to the failed coordinator first. W and K are
// silent.
type KnowsDown struct{ *Protocol }

// Suspect is as in Protocol, except for who is asked.
func (b KnowsDown) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Elected {
		net.Rule(notices)
		b.begin(p, net, net.Higher().Without(who))
	}
}

// Again has a process that is asked while it is in an election begin anew. C is
// explicit that it does not. W4 is silent, and taken literally does ("and starts a
// new election"). K is silent ("the process Q will continue the election procedure").
type Again struct{ *Protocol }

// Receive is as in Protocol, except for an election message.
func (b Again) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	in := p.Mode != Idle
	b.Protocol.Receive(p, net, from, m)
	if m.Type == Election && in {
		b.begin(p, net, net.Higher())
	}
}

// SendsAgain has a process that is asked while it is in an election send Election again,
// and go on with its waits. W4 says what a new election is: "that is, P sends Election
// messages to the processes with higher ids than itself". It says nothing of the wait.
type SendsAgain struct{ *Protocol }

// Receive is as in Protocol, except for an election message.
func (b SendsAgain) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	in := p.Mode != Idle
	b.Protocol.Receive(p, net, from, m)
	if m.Type == Election && in {
		net.Rule(asks)
		net.SendAll(net.Higher(), M{Election})
	}
}

// KeepsWaiting has a process that awaits answers go on with that when a coordinator
// message comes, which sets elected_i and does nothing else: no answer, and it
// announces itself. All are silent, and taken literally do (C: "If none arrives within
// time T").
type KeepsWaiting struct{ *Protocol }

// Receive is as in Protocol, except for a coordinator message.
func (b KeepsWaiting) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator && p.Mode == WaitAnswer {
		net.Rule(follows)
		p.Elected = from.ID()
		return
	}
	b.Protocol.Receive(p, net, from, m)
}
