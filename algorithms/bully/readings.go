package bully

import "bullyproof/model"

// The readings. Each is the one named in a variant of Algorithm; a copy with a
// field changed is another.
var (
	// Coulouris is C with what the book adds: T', and no second election while
	// one runs.
	Coulouris = &Protocol{Words: coulouris}

	// CoulourisKnows is C where a process that noticed the coordinator's failure
	// does not ask it.
	CoulourisKnows = &Protocol{Words: coulouris, KnowsDown: true}

	// CoulourisNoRetry is C as the slides have it, without T'.
	CoulourisNoRetry = &Protocol{Words: without(coulouris, retries), AfterAnswer: WaitForEver}

	// CoulourisKeepsWaiting is C where a coordinator message sets elected_i and
	// does nothing else, to the letter.
	CoulourisKeepsWaiting = &Protocol{Words: coulouris, KeepsWaiting: true}

	// Wikipedia is W.
	Wikipedia = &Protocol{Words: without(wikipedia, refuses), ToAll: true}

	// WikipediaAgain is W with rule 4 to the letter.
	WikipediaAgain = &Protocol{Words: without(wikipedia, refuses), ToAll: true, Again: true}

	// WikipediaRefuses is W where a process bullies a coordinator with a lower
	// id rather than follow it.
	WikipediaRefuses = &Protocol{Words: wikipedia, ToAll: true, Refuses: true}

	// Tanenbaum is K.
	Tanenbaum = &Protocol{Words: tanenbaum, ToAll: true, AfterAnswer: JobDone}
)

var timers = []model.TimerName{T: {Name: "T"}, TPrime: {Name: "T'"}}

var coulouris = model.Names{
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

var wikipedia = model.Names{
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

var tanenbaum = model.Names{
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
