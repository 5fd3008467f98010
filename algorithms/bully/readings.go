package bully

import "bullyproof/model"

// Protocol is the algorithm. Its fields choose where the sources differ or say
// nothing; the zero value but for Words is Coulouris.
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

	// KnowsDown has a process that noticed the coordinator's failure leave it
	// out of its election: the second highest is then "the process that knows
	// it has the highest identifier". C contradicts itself: by the slide on
	// performance it "can immediately elect itself and send N-2 coordinator
	// messages", by the summary table the best case is N-1, which has one
	// election message to the failed coordinator first. W and K are silent.
	KnowsDown bool

	// Again has a process that is asked while it is in an election begin anew.
	// C is explicit that it does not ("An individual process does not call more
	// than one election at a time"; the book: unless it has begun one already).
	// W4 is silent, and taken literally does ("and starts a new election").
	// K is silent ("the process Q will continue the election procedure").
	Again bool

	// KeepsWaiting has a process that awaits answers go on with that when a
	// coordinator message comes: no answer, and it announces itself. All are
	// silent, and taken literally do (C: "If none arrives within time T").
	KeepsWaiting bool

	// Refuses has a process that is told of a coordinator with a lower id than
	// its own begin an election. All are silent; taken literally they accept
	// (W5: "it treats the sender as the coordinator"), and under C nobody is
	// told by a process with a lower id.
	Refuses bool

	// Repaired is no reading, but the smallest change that we know which makes
	// the claims of C true where processes are replaced: who announces itself
	// leads only 2D later, and then announces itself again. After D the first
	// announcement has arrived, so that whoever led or was about to has given up;
	// after another D whatever those had sent before has arrived as well, and the
	// second announcement is the last that anybody receives. There are never two
	// coordinators, and in the end all name the one there is.
	Repaired bool

	// Tprocess is the last part of T = 2Ttrans + Tprocess, in ticks. Handlers
	// take no time, so that it is 0; below, T is too short.
	Tprocess int
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

// The readings. Each is the one named in a variant of Algorithm; a copy with a
// field changed is another.
var (
	// Coulouris is C with what the book adds: T', and no second election while
	// one runs.
	Coulouris = &Protocol{Words: coulourisWords}

	// CoulourisKnows is C where a process that noticed the coordinator's failure
	// does not ask it.
	CoulourisKnows = &Protocol{Words: coulourisWords, KnowsDown: true}

	// CoulourisNoRetry is C as the slides have it, without T'.
	CoulourisNoRetry = &Protocol{Words: without(coulourisWords, retries), AfterAnswer: WaitForEver}

	// CoulourisKeepsWaiting is C where a coordinator message sets elected_i and
	// does nothing else, to the letter.
	CoulourisKeepsWaiting = &Protocol{Words: coulourisWords, KeepsWaiting: true}

	// CoulourisRepaired is C with the repair.
	CoulourisRepaired = &Protocol{Words: repairedWords, Repaired: true}

	// Wikipedia is W.
	Wikipedia = &Protocol{Words: without(wikipediaWords, refuses), ToAll: true}

	// WikipediaAgain is W with rule 4 to the letter.
	WikipediaAgain = &Protocol{Words: without(wikipediaWords, refuses), ToAll: true, Again: true}

	// WikipediaRefuses is W where a process bullies a coordinator with a lower
	// id rather than follow it.
	WikipediaRefuses = &Protocol{Words: wikipediaWords, ToAll: true, Refuses: true}

	// Tanenbaum is K.
	Tanenbaum = &Protocol{Words: tanenbaumWords, ToAll: true, AfterAnswer: JobDone}
)

var timers = []model.TimerName{T: {Name: "T"}, TPrime: {Name: "T'"}}

var coulourisWords = model.Names{
	Kinds:  []string{Election: "election", Answer: "answer", Coordinator: "coordinator"},
	Timers: timers,
	Rules: []string{
		notices:    "notices that the coordinator has failed: begin an election",
		returns:    "replaces a crashed process: begin an election",
		highest:    "knows it has the highest identifier: elect itself",
		asks:       "lower identifier: send election to higher identifiers, await answers",
		unanswered: "no answer within T: elect itself",
		answered:   "answer: await a coordinator message",
		answers:    "election: send back answer, begin another election",
		follows:    "coordinator: set elected_i",
		retries:    "no coordinator message within T': begin another election",
	},
}

var repairedWords = model.Names{
	Kinds:  coulourisWords.Kinds,
	Timers: append(timers[:2:2], model.TimerName{Name: "2D"}),
	Rules: append(coulourisWords.Rules[:refuses:refuses],
		"a coordinator with a lower identifier: begin an election",
		"2D after the announcement: be the coordinator, send coordinator again"),
}

var wikipediaWords = model.Names{
	Kinds:  []string{Election: "Election", Answer: "Answer", Coordinator: "Victory"},
	Timers: timers,
	Rules: []string{
		notices:    "the current coordinator is down: rule 1",
		returns:    "recovers from failure: rule 1",
		highest:    "1a: highest process id: send Victory to all others",
		asks:       "1b: otherwise: send Election to higher process ids",
		unanswered: "2: no Answer: broadcast Victory",
		answered:   "3a: Answer: wait for Victory",
		answers:    "4: Election: send Answer, start a new election",
		follows:    "5: Coordinator: treat the sender as the coordinator",
		retries:    "3b: no Victory in time: re-broadcast Election",
		refuses:    "Coordinator from a lower process id: start a new election",
	},
}

var tanenbaumWords = model.Names{
	Kinds:  []string{Election: "ELECTION", Answer: "OK", Coordinator: "COORDINATOR"},
	Timers: timers[:1],
	Rules: []string{
		notices:    "the coordinator is no longer responding: initiate an election",
		returns:    "comes back up: initiate an election",
		highest:    "1 and 2: nobody has a higher number: win",
		asks:       "1: send ELECTION to higher numbers, wait for responses",
		unanswered: "2: no one responds: win, become coordinator",
		answered:   "3: OK: P's job is done",
		answers:    "3: ELECTION: answer OK, continue the election procedure",
		follows:    "COORDINATOR: the sender is the coordinator",
	},
}

// without returns names without the rules from the given one on.
func without(names model.Names, from model.Rule) model.Names {
	names.Rules = names.Rules[:from]
	if from <= retries {
		names.Timers = timers[:1]
	}
	return names
}
