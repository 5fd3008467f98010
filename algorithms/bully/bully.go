// Package bully is the textbook Bully algorithm, in the readings of three
// sources that differ.
//
// Source: C is G. Coulouris, J. Dollimore, T. Kindberg, "Distributed Systems:
// Concepts and Design", 5th edition, Pearson, 2012, section 15.3, in the words
// of the lecture slides "Co-ordinator Election Algorithms"; "the book" below
// is the section itself. W is Wikipedia, "Bully algorithm", revision of 18 May
// 2017, rules 1 to 5. K is Q. Kabashi, A. Zeqiri, M. Zabeli, "The Reduction of
// Number Messages in Election Bully Algorithm", section II, rules 1) to 3),
// after A. Tanenbaum, M. van Steen, "Distributed Systems: Principles and
// Paradigms", 2nd edition, 2006. All go back to H. Garcia-Molina, "Elections in
// a Distributed Computing System", IEEE Transactions on Computers C-31(1),
// 1982, whose algorithm is another one.
//
// Assumes: every process knows the id of every other and can send to it;
// reliable delivery, in any order; a known bound D on delays (C: "the system is
// synchronous"); processes crash, and come back with the same id.
//
// Guarantees, as C has them: E2 (liveness), and E1 (safety) unless "processes
// that have crashed are replaced by processes with the same identifiers". W and
// K claim nothing. (Two processes that join are enough to break E1, and K is
// not even live: the tests have what is true of each reading.)
//
// Deviations: where the sources differ, Protocol has a field. Where they leave
// something open or contradict themselves there is a reading (readings.go); the
// repair is in repaired.go. A process that begins an election names nobody until it is over, by E1
// of C (elected_i = ⊥); W and K do not say, and are also read otherwise.
//
// Complexity: C says N-2 messages at best, O(N²) at worst. T = 2Ttrans +
// Tprocess = 2D ticks, since handlers take no time; T' = T + 2D.
package bully

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Elected model.ID // C: elected_i; the coordinator, ⊥ where the process knows of none
	Mode    Mode
}

// Mode is what a process waits for.
type Mode uint8

const (
	// Idle processes take part in no election.
	Idle Mode = iota
	// WaitAnswer processes have sent Election and await Answer, for T.
	WaitAnswer
	// WaitCoordinator processes had an answer and await Coordinator.
	WaitCoordinator
)

// String returns the mode's name.
func (m Mode) String() string {
	return [...]string{"idle", "waits for an answer", "waits for a coordinator", "has announced itself"}[m]
}

// M is a message. Beyond its kind it tells only its sender.
type M struct{ Type model.Kind }

// The kinds of messages.
const (
	// Election is "sent to announce an election" (K: ELECTION).
	Election model.Kind = iota
	// Answer is "sent in response to an election message" (W: Alive; K: OK).
	Answer
	// Coordinator is "sent to announce the identity of the elected process"
	// (W: Victory; K: COORDINATOR).
	Coordinator
)

// The timers.
const (
	T      model.Timer = iota // bounds the wait for an answer
	TPrime                    // T': bounds the wait for a coordinator message
)

// The rules that handlers mark; what they say is in Words.
const (
	notices model.Rule = iota
	returns
	highest
	asks
	unanswered
	answered
	answers
	follows
	retries
)

// Protocol is the algorithm. Its fields say where the sources differ; the zero value
// except for Words is Coulouris with T'.
type Protocol struct {
	// Words are what the source calls messages, timers and rules.
	Words model.Names

	// ToAll has a new coordinator announce itself to all other processes
	// (W1, W2: "to all other processes"; K: the N-1 in its formula), rather
	// than to those with lower ids (C, twice: "to all processes with lower
	// identifiers").
	ToAll bool

	// AfterAnswer is what a process does that has been answered.
	AfterAnswer AfterAnswer

	// Remembers has a process in an election go on naming the coordinator that it
	// named before (W and K do not say), rather than nobody (C: "elected_i = ⊥").
	Remembers bool
}

// AfterAnswer is what a process does that has been answered.
type AfterAnswer uint8

const (
	// WaitAndRetry: wait T' for a coordinator message, then begin again (the
	// book; W3: "If it does not receive a Victory message in time, it
	// re-broadcasts the Election message").
	WaitAndRetry AfterAnswer = iota
	// WaitForEver: wait for a coordinator message (C: the slides have no T').
	WaitForEver
	// JobDone: be in no election any more (K3: "P's job is done").
	JobDone
)

// Init: a process that comes up in a running system begins an election (W: "When
// a process P recovers from failure"; K: "If a process that was previously down
// comes back up, it initiates an election procedure"; C: "A process that
// replaces a crashed process may decide that it has the highest identifier").
func (b *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		net.Rule(returns)
		b.begin(p, net, net.Higher())
	}
}

// Start begins an election, unless the process is in one.
func (b *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode == Idle {
		b.begin(p, net, net.Higher())
	}
}

// Suspect: "A process begins an election when it notices, through timeouts,
// that the coordinator has failed." (C; W; K: "is no longer responding")
func (b *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode != Idle || who != p.Elected {
		return
	}
	net.Rule(notices)
	b.begin(p, net, net.Higher())
}

// begin begins an election among the processes of higher.
func (b *Protocol) begin(p *P, net *model.Net[M], higher model.Set) {
	if higher.Empty() {
		// C: "The process that knows it has the highest identifier can elect
		// itself as the coordinator simply by sending a coordinator message."
		// W1: "If P has the highest process id, it sends a Victory message."
		// K: nobody is there to respond.
		net.Rule(highest)
		b.win(p, net)
		return
	}
	// C: "by sending an election message to those processes that have a higher
	// identifier and awaiting answer messages in response". W1. K1.
	net.Rule(asks)
	b.stop(p, net)
	p.Mode = WaitAnswer
	if !b.Remembers {
		p.Elected = model.None
	}
	net.SendAll(higher, M{Election})
	net.SetTimer(T, wait(net))
}

// win makes the process the coordinator and says so.
func (b *Protocol) win(p *P, net *model.Net[M]) {
	b.stop(p, net)
	p.Elected = net.Self()
	b.announce(net)
}

// announce sends Coordinator.
func (b *Protocol) announce(net *model.Net[M]) {
	if b.ToAll {
		net.Broadcast(M{Coordinator})
	} else {
		net.SendAll(net.Lower(), M{Coordinator})
	}
}

// Receive handles the three kinds of messages.
func (b *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Election:
		// C: "If a process receives an election message, it sends back an answer
		// message and begins another election." W4. K3. But C: "An individual process
		// does not call more than one election at a time."
		net.Rule(answers)
		net.Reply(M{Answer})
		b.Start(p, net)

	case Answer:
		// W3: "If P receives an Answer from a process with a higher ID, P waits a
		// certain amount of time." The book: T'. K3: "P's job is done".
		if p.Mode == WaitAnswer {
			net.Rule(answered)
			b.stop(p, net)
			switch b.AfterAnswer {
			case WaitAndRetry:
				p.Mode = WaitCoordinator
				net.SetTimer(TPrime, wait(net)+2*net.Bound())
			case WaitForEver:
				p.Mode = WaitCoordinator
			}
		}

	case Coordinator:
		// C: "If a process p_i receives a coordinator message, it sets its variable
		// elected_i to the identifier of the coordinator." W5.
		net.Rule(follows)
		p.Elected = from.ID()
		b.stop(p, net)
	}
}

// Timeout handles the end of T and of T'.
func (b *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case T:
		// C: "If none arrives within time T, the process considers itself the
		// coordinator and sends a coordinator message." W2. K2: "If no one
		// responds, P wins the election and becomes coordinator."
		net.Rule(unanswered)
		b.win(p, net)
	case TPrime:
		// The book: "begins another election". W3: "it re-broadcasts the Election
		// message".
		net.Rule(retries)
		b.begin(p, net, net.Higher())
	}
}

// wait returns T. C: "T = 2Ttrans + Tprocess is an upper bound on the time that
// can elapse between sending a message to another process and receiving a
// response." Handlers take no time. T' is long enough: an answering process was asked
// within D. It waits T, or is answered by another such process. A coordinator message
// takes D.
func wait(net *model.Net[M]) int { return 2 * net.Bound() }

// stop ends what the process waits for.
func (b *Protocol) stop(p *P, net *model.Net[M]) {
	p.Mode = Idle
	net.StopTimer(T)
	if b.AfterAnswer == WaitAndRetry {
		net.StopTimer(TPrime)
	}
}

// Settle makes coordinator known to the process.
func (b *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief is elected_i and whether the process is in an election.
func (b *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode != Idle}
}

// Names returns the vocabulary of the source.
func (b *Protocol) Names() model.Names { return b.Words }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns the name of the message's kind in C.
func (m M) String() string { return [...]string{"Election", "Answer", "Coordinator"}[m.Type] }

// Format returns the name of m's kind in the source.
func (b *Protocol) Format(m M) string { return b.Words.Kinds[m.Type] }
