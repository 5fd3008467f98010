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

	// TanenbaumOnce is K where a process that is asked again holds no other election.
	TanenbaumOnce = Once{&Protocol{Words: onceWords, ToAll: true, AfterAnswer: JobDone}}

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

// Once has a process that is asked within a round trip after it has begun an election answer, and
// no more: the question is of that election. K3 says that "the process Q will continue the election
// procedure", and not that it begins another whenever it is asked.
type Once struct{ *Protocol }

// begun is the timer that bounds how long a process knows that it has begun an election. K has no
// T', whose place it takes.
const begun = TPrime

// note begins that time for a process that has begun an election, or has won one at once.
func (b Once) note(net *model.Net[M]) { net.SetTimer(begun, wait(net)) }

// Init is as in Protocol.
func (b Once) Init(p *P, net *model.Net[M], why model.Boot) {
	if b.Protocol.Init(p, net, why); why != model.Cold {
		b.note(net)
	}
}

// Start is as in Protocol.
func (b Once) Start(p *P, net *model.Net[M]) {
	if p.Mode == Idle {
		b.note(net)
	}
	b.Protocol.Start(p, net)
}

// Suspect is as in Protocol.
func (b Once) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Elected {
		b.note(net)
	}
	b.Protocol.Suspect(p, net, who)
}

// Receive is as in Protocol, except for ELECTION.
func (b Once) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Election {
		b.Protocol.Receive(p, net, from, m)
		return
	}
	net.Rule(answers)
	net.Reply(M{Answer})
	if !net.IsSet(begun) {
		b.Start(p, net)
	}
}

// Timeout is as in Protocol.
func (b Once) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != begun {
		b.Protocol.Timeout(p, net, t)
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
