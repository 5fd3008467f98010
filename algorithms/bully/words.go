package bully

import "bullyproof/model"

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

// onceWords are those of a process that remembers for a time that it has begun an election.
var onceWords = model.Names{
	Kinds:  tanenbaumWords.Kinds,
	Timers: append(timers[:1:1], model.TimerName{Name: "2D"}),
	Rules:  tanenbaumWords.Rules,
}

// without returns names without the rules from the given one on.
func without(names model.Names, from model.Rule) model.Names {
	names.Rules = names.Rules[:from]
	if from <= retries {
		names.Timers = timers[:1]
	}
	return names
}
