package maker

import (
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// A term is a word of the glossary.
type term struct {
	Word, Text string
	// Kept and Broken are the example: a line in which it is kept, and one in which
	// it is broken. Examples are those of a word of a setting.
	Kept, Broken string
	Examples     []setting.WordExample
	// Runs break it.
	Runs []*run
	// Of is the algorithm whose own property it is.
	Of string
	// Another says that a property of another algorithm has the same name.
	Another bool
}

// ID is the fragment of a term's address.
func (t *term) ID() string {
	id := strings.ReplaceAll(t.Word, " ", "-")
	if t.Another {
		id += "-of-" + t.Of
	}
	return id
}

// A section is a part of the glossary.
type section struct {
	ID, Title, Intro string
	Terms            []term
}

// properties returns the standard properties: all that Lookup knows except for
// those that are others under another fairness.
func properties() []*checker.Property {
	return append(append(checker.Standard(), checker.OnRequest()...), checker.Misuse)
}

// An example is two lines: a run in which a property is kept, and one in which it
// is broken.
type example struct{ kept, broken string }

// examples are those of the standard properties; a test knows when one is
// missing.
var examples = map[string]example{
	"uniqueness": {
		"P1 stops believing itself coordinator, and then P2 begins to.",
		"P1 still believes itself coordinator when P2 begins to, if only for a moment.",
	},
	"settled-uniqueness": {
		"P1 and P2 both announce themselves; when all messages have arrived, only P2 leads.",
		"All messages have arrived, no timer runs, and P1 and P2 both lead.",
	},
	"agreement": {
		"In the end P1, P2 and P3 all name P3.",
		"In the end P1 and P3 name P3, and P2 names P2, or none.",
	},
	"live-coordinator": {
		"P3 crashes; in the end all name P2, which is up.",
		"In the end P1 still names P3, which is down.",
	},
	"validity": {
		"P1 names P3, which has been up before and has crashed since.",
		"P1 names P3, which has never been up.",
	},
	"extreme": {
		"P1, P2 and P3 are up in the end, and all name P3.",
		"P1, P2 and P3 are up in the end, and P1 names P2.",
	},
	"e2": {
		"P1 is in an election, waits, and learns that P3 leads.",
		"P1 is in an election and waits for a message that no process will send.",
	},
	"stable-leadership": {
		"The coordinator changes twice, and then stays P3.",
		"The coordinator is P2, then P3, then P2 again, and so on without end.",
	},
	"re-election": {
		"P3 crashes while P1 and P2 follow it; eventually both follow P2.",
		"P3 crashes while P1 and P2 follow it, and P1 never stops following it.",
	},
	"termination": {
		"After the election no process sends any more messages.",
		"A message goes round the ring without end, since no process takes it out.",
	},
	"one-leader-per-epoch": {
		"P1 leads in epoch 4 and does not know yet that P2 leads in epoch 5.",
		"P1 and P2 both lead in epoch 4.",
	},
	"leader-again": {
		"The network breaks and heals; each time a process leads again.",
		"From some time on all ask and none leads.",
	},
	"one-leader-again": {
		"P3 crashes and comes back believing that it leads, and follows P2 as soon as it hears of it.",
		"P3 comes back, and from then on P1 follows P3 and P2 leads.",
	},
	"e1": {
		"P1 names none until it names P3, the highest of those that are up in the end.",
		"P1 names P2 for a while, though P3 is the one that is up in the end.",
	},
	"misuse": {
		"A process sends to one that is down: the network loses the message.",
		"A process sends to number 7 of three: the algorithm cannot be carried out.",
	},
}

// basics are words that the pages use without more ado.
var basics = []term{
	{Word: "process", Text: "One of the computers, or programs, that elect. Each has an id: 1, 2, 3 and so on."},
	{Word: "coordinator", Text: "The process that has been elected; papers also call it the leader. A process believes itself coordinator, follows another one, or names none."},
	{Word: "election", Text: "What processes do to agree on a coordinator. A process takes part from the moment when it begins, or is asked, until it knows the outcome."},
	{Word: "setting", Text: "The circumstances in which an algorithm is checked: how many processes there are, what the algorithm may rely on, and what may go wrong. It is written in words like crashes=1, which are listed below."},
	{Word: "state", Text: "What each process knows, which messages are on their way and which timers run, at one moment. The explorer visits every state that is reachable in a setting."},
	{Word: "step", Text: "What leads from one state to the next: a message arrives, a timer expires, a process crashes."},
	{Word: "settled", Text: "No event has to happen any more, and no process is in an election: no message is on its way, and no timer runs but those that run all the time."},
	{Word: "shortest run", Text: "A run that breaks a property in the fewest steps. The explorer visits all runs of one step, then all of two, and so on, so it misses no shorter one."},
	{Word: "lasso", Text: "A run without end: some steps, and then a loop that never ends. It shows that something never happens."},
	{Word: "fairness", Text: "Which endless runs count. In a weakly fair run, a step that stays possible happens. In a strongly fair run, a step that is possible again and again also happens."},
	{Word: "reading", Text: "A paper leaves things open. Each way to fill them in is a reading, with a name of its own."},
	{Word: "variant", Text: "One form of an algorithm as code: a reading, a repair, or a mutant."},
	{Word: "repair", Text: "A reading that changes a rule so that a property holds which did not hold before."},
	{Word: "claim", Text: "A sentence or a figure of a paper that can be executed or computed."},
	{Word: "vacuous", Text: "Nothing breaks a property, and what it is about never comes up: then the search says nothing about it."},
	{Word: "incomplete", Text: "A search ended before it had visited every state, and found no violation: the property is undecided."},
	{Word: "mutant", Text: "An algorithm with one deliberate fault. A check that is worth anything finds it."},
	{Word: "tick", Text: "The unit of time in a setting with synchronous timing. Between two ticks, processes act and no time passes."},
	{Word: "timer", Text: "A process sets a timer to act later if nothing else happens. The Bully algorithm has two: T is how long a process waits for answers, and T' is how long it then waits for the coordinator."},
	{Word: "failure detector", Text: "Tells a process that another one is down. A perfect one is never wrong; with suspicions=1, one report may be wrong."},
	{Word: "epoch", Text: "The number of an election, which grows: a message of an older epoch can be told from a new one. Papers also call it a term."},
	{Word: "fencing token", Text: "A number that a leader sends with each write. A store that has seen a higher one refuses the write, so an old leader does no harm."},
	{Word: "linearizable", Text: "A history of clients is linearizable if each operation could have happened at one instant between its request and its answer, and the answers fit that order."},
	{Word: "finding", Text: "The claims that are false for one cause: several such claims are one finding."},
}

// glossary returns the glossary.
func (m *maker) glossary() []section {
	list := []section{{ID: "basics", Title: "Words of elections", Terms: basics}}
	s := section{ID: "properties", Title: "Properties", Intro: "A demand on an election. An algorithm keeps a property if no run breaks it."}
	for _, p := range properties() {
		x := examples[p.Name]
		s.Terms = append(s.Terms, term{Word: p.Name, Text: p.Doc, Kept: x.kept, Broken: x.broken, Runs: m.breaking(p.Name, "")})
	}
	list = append(list, s)
	own := section{ID: "own", Title: "Properties of single algorithms", Intro: "What their sources promise beside that."}
	for i := range m.Entries {
		e := &m.Entries[i]
		for _, p := range e.Properties {
			if !slices.ContainsFunc(own.Terms, func(t term) bool { return t.Word == p.Name && t.Text == p.Doc }) {
				another := slices.ContainsFunc(own.Terms, func(t term) bool { return t.Word == p.Name })
				own.Terms = append(own.Terms, term{Word: p.Name, Text: p.Doc, Of: e.Name, Another: another, Runs: m.breaking(p.Name, e.Name)})
			}
		}
	}
	if len(own.Terms) > 0 {
		list = append(list, own)
	}
	s = section{ID: "settings", Title: "Words of a setting", Intro: "The world in which an algorithm is checked, and what may happen there. A budget limits how often something may happen."}
	for _, w := range setting.Words() {
		s.Terms = append(s.Terms, term{Word: w.Key, Text: sentence(w.Doc), Examples: w.Examples})
	}
	list = append(list, s)
	s = section{ID: "premises", Title: "Assumptions", Intro: "What an algorithm may rely on, and what may happen instead."}
	for _, p := range ledger.Premises() {
		s.Terms = append(s.Terms, term{Word: p.String(), Text: "Without it, this may happen: " + p.Lack() + "."})
	}
	return append(list, s)
}

// breaking returns the recorded runs that break a property, of one algorithm or
// of all.
func (m *maker) breaking(property, of string) (list []*run) {
	for _, r := range m.runs {
		strong := strings.TrimSuffix(strings.TrimSuffix(r.Property, "-strong"), "-unfair")
		if strong == property && (of == "" || r.of.Name == of) {
			list = append(list, r)
		}
	}
	return list
}

// sentence makes a sentence of a phrase.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return prose.Capital(strings.TrimSuffix(s, ".")) + "."
}
