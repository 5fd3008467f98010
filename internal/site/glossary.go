package site

import (
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/setting"
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
}

// ID is the fragment of a term's address.
func (t *term) ID() string { return strings.ReplaceAll(t.Word, " ", "-") }

// A section is a part of the glossary.
type section struct {
	ID, Title, Intro string
	Terms            []term
}

// properties returns the standard properties: all that Lookup knows but for those
// that are others under another fairness.
func properties() []*checker.Property {
	return append(checker.Standard(), checker.OneLeaderPerEpoch, checker.LeaderAgain, checker.E1, checker.Misuse)
}

// An example is two lines: a run in which a property is kept, and one in which it
// is broken.
type example struct{ kept, broken string }

// examples are those of the standard properties; a test knows when one is
// missing.
var examples = map[string]example{
	"uniqueness": {
		"1 stops believing itself coordinator, and then 2 begins to.",
		"1 still believes itself coordinator when 2 begins to, if only for a moment.",
	},
	"settled-uniqueness": {
		"1 and 2 both announce themselves; when all messages have arrived, only 2 leads.",
		"All messages have arrived, no timer runs, and 1 and 2 both lead.",
	},
	"agreement": {
		"In the end 1, 2 and 3 all name 3.",
		"In the end 1 and 3 name 3, and 2 names 2, or none.",
	},
	"live-coordinator": {
		"3 crashes; in the end all name 2, which is up.",
		"In the end 1 still names 3, which is down.",
	},
	"validity": {
		"1 names 3, which has been up before and has crashed since.",
		"1 names 3, which has never been up.",
	},
	"extreme": {
		"1, 2 and 3 are up in the end, and all name 3.",
		"1, 2 and 3 are up in the end, and 1 names 2.",
	},
	"e2": {
		"1 takes part in an election, waits, and is told that 3 leads.",
		"1 takes part in an election and waits for a message that no process will send.",
	},
	"stable-leadership": {
		"The coordinator changes twice, and then stays 3.",
		"The coordinator is 2, then 3, then 2 again, and so on for ever.",
	},
	"re-election": {
		"3 crashes while 1 and 2 follow it; sooner or later both follow 2.",
		"3 crashes while 1 and 2 follow it, and 1 follows it for ever.",
	},
	"termination": {
		"After the election no process sends any more messages.",
		"A message goes round the ring for ever, since no process takes it out.",
	},
	"one-leader-per-epoch": {
		"1 leads in epoch 4 and does not know yet that 2 leads in epoch 5.",
		"1 and 2 both lead in epoch 4.",
	},
	"leader-again": {
		"The network breaks and heals; each time a process leads again.",
		"From some time on all ask and none leads.",
	},
	"e1": {
		"1 names none until it names 3, the highest of those that are up in the end.",
		"1 names 2 for a while, though 3 is the one that is up in the end.",
	},
	"misuse": {
		"A process sends to one that is down: the network loses the message.",
		"A process sends to number 7 of three: the algorithm cannot be carried out.",
	},
}

// basics are words that the pages use without more ado.
var basics = []term{
	{Word: "process", Text: "One of the computers, or programs, that elect. Each has an id: 1, 2, 3 and so on."},
	{Word: "coordinator", Text: "The process that has been elected; the papers say leader, too. A process believes itself coordinator, follows another one, or names none."},
	{Word: "election", Text: "What processes do to agree on a coordinator. A process takes part from the moment when it begins, or is asked, until it knows the outcome."},
	{Word: "setting", Text: "The circumstances in which an algorithm is checked: how many processes there are, what the algorithm may rely on, and what may go wrong. It is written in words like crashes=1, which are listed below."},
	{Word: "state", Text: "What each process knows, which messages are on their way and which timers run, at one moment. The explorer visits every state that is reachable in a setting."},
	{Word: "step", Text: "What leads from one state to the next: a message arrives, a timer expires, a process crashes."},
	{Word: "settled", Text: "No event has to happen any more, and no process takes part in an election: no message is on its way, and no timer runs but those that run all the time."},
	{Word: "shortest run", Text: "A run that breaks a property in the fewest steps. The explorer visits all runs of one step, then all of two, and so on, so it misses no shorter one."},
	{Word: "lasso", Text: "A run without end: some steps, and then a loop that is repeated for ever. It shows that something never happens."},
	{Word: "fairness", Text: "Which endless runs count. In a weakly fair run, a step that stays possible happens. In a strongly fair run, a step that is possible again and again happens, too."},
	{Word: "reading", Text: "A paper leaves things open. Each way to fill them in is a reading, with a name of its own."},
	{Word: "repair", Text: "A reading that changes a rule so that a property holds which did not hold before."},
	{Word: "claim", Text: "A sentence or a figure of a paper that can be executed or computed."},
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
				own.Terms = append(own.Terms, term{Word: p.Name, Text: p.Doc, Of: e.Name, Runs: m.breaking(p.Name, e.Name)})
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
		s.Terms = append(s.Terms, term{Word: p.String(), Text: "Without it there is " + p.Lack() + "."})
	}
	return append(list, s)
}

// breaking returns the recorded runs that break a property, of one algorithm or
// of all.
func (m *maker) breaking(property, of string) (list []*run) {
	for _, r := range m.runs {
		strong := strings.TrimSuffix(strings.TrimSuffix(r.Property, "-strong"), "-unfair")
		if strong == property && (of == "" || r.of != nil && r.of.Name == of) {
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
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}
