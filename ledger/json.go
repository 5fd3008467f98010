package ledger

import "encoding/json"

// Schema is the version of the JSON form of a ledger. Fields may be added without
// a new one; none changes its meaning or goes.
const Schema = 3

// MarshalJSON returns the ledger as one object:
//
//	schema       number   Schema
//	algorithms   list     one object for each algorithm:
//	  name, title, source   texts
//	  claims     list     one object for each claim:
//	    name, source, place, text, note, story, repair   texts; may be absent
//	    kind     text     "safety", "liveness", "count", "time" or "figure"
//	    variant  text     the reading in which it is judged first
//	    outcome  text     "confirmed", "confirmed for every N" (proved, too),
//	                      "refuted within" (what the source assumes),
//	                      "refuted beyond" (it), "open" (it depends on a question),
//	                      "contradiction", "follows" or "does not follow" (from its
//	                      formula), or "undecided"
//	    questions list    what its source leaves open, one object for each:
//	      question, asks   texts: its name, absent of a question about the world, and it
//	      decides  bool   the outcome depends on it
//	      answers  list   of {answer, excluded, holds, fails}: the sentence that excludes
//	                      it, if one does, or else the readings that give it and in which
//	                      the claim is true, and not true
//	    supposes text     what it supposes that its source does not have as a rule
//	    exceeds  text     of what is refuted beyond: what the source excludes
//	    delays   text     of what comes out otherwise under equal delays, and is not open for
//	                      that: the sentence that excludes one of the two
//	    proved   list     of what is confirmed for every N: the properties of relations.txt
//	    between  list     of a contradiction: the claims that are its sentences
//	    formula  text     of a calculation: the claim that its formula is
//	    finding  text     the claim that is false for the same cause
//	    readings list     of {variant, if, ruling, admissible}: what the evidence says in
//	                      each, under an answer about the world where there is an if
//	    trees    list     what it comes to in all readings of what its source does not say
//	                      of events, under each answer about the world (if): {readings,
//	                      holds, fails}, numbers; of a run in which it fails {steps,
//	                      setting}; of an open claim {turns, with, without, where}: the
//	                      question that turns it, the answer with which it holds, that with
//	                      which it fails, and other answers
//	    evidence list     one object for each piece:
//	      variant, setting, asked, found   texts
//	      ruling  text    "as claimed", "not as claimed", "undecided" or "moot"
//	      fingerprint     text: of the code that was searched, where that took more
//	                      than 1,000 states
//	      states, depth   numbers: of the search
//	      deep    bool    it belongs to the deep scopes
//	      aside   text    why it decides nothing, where it does not
//	      if      text    the answer about the world under which it is asked
//	    ran, idle  lists of texts: what ran where the claim was judged, and what
//	                        could have run and did not
func (l *Ledger) MarshalJSON() ([]byte, error) {
	out := ledgerJSON{Schema: Schema, Algorithms: []entryJSON{}}
	for i := range l.Entries {
		e := &l.Entries[i]
		list := entryJSON{Name: e.Algorithm.Name, Title: e.Algorithm.Title, Source: e.Algorithm.Source, Claims: []claimJSON{}}
		for k := range e.Judgements {
			c, j := &e.Algorithm.Claims()[k], &e.Judgements[k]
			list.Claims = append(list.Claims, claimJSON{
				Name: c.Name, Source: c.Source, Place: c.Place, Text: c.Text, Kind: c.Kind,
				Note: c.Note, Story: c.Story, Repair: c.Repair, Variant: judged(e.Algorithm, c),
				Outcome: j.Outcome, Questions: e.Algorithm.Dependencies(c, j), Proved: c.Proved, Between: c.Between, Formula: c.Formula, Supposes: c.Supposes, Exceeds: c.Exceeds, Delays: c.Delays, Finding: c.Finding, Readings: j.Readings, Trees: j.Trees, Evidence: j.Exhibits, Ran: j.Ran, Idle: j.Idle,
			})
		}
		out.Algorithms = append(out.Algorithms, list)
	}
	return json.Marshal(out)
}

type ledgerJSON struct {
	Schema     int         `json:"schema"`
	Algorithms []entryJSON `json:"algorithms"`
}

type entryJSON struct {
	Name   string      `json:"name"`
	Title  string      `json:"title"`
	Source string      `json:"source"`
	Claims []claimJSON `json:"claims"`
}

type claimJSON struct {
	Name      string       `json:"name"`
	Source    string       `json:"source,omitempty"`
	Place     string       `json:"place"`
	Text      string       `json:"text"`
	Kind      ClaimKind    `json:"kind"`
	Note      string       `json:"note,omitempty"`
	Story     string       `json:"story,omitempty"`
	Repair    string       `json:"repair,omitempty"`
	Variant   string       `json:"variant"`
	Outcome   Outcome      `json:"outcome"`
	Questions []Dependency `json:"questions,omitempty"`
	Proved    []string     `json:"proved,omitempty"`
	Between   []string     `json:"between,omitempty"`
	Formula   string       `json:"formula,omitempty"`
	Supposes  string       `json:"supposes,omitempty"`
	Exceeds   string       `json:"exceeds,omitempty"`
	Delays    string       `json:"delays,omitempty"`
	Finding   string       `json:"finding,omitempty"`
	Readings  []Reading    `json:"readings,omitempty"`
	Trees     []TreeRuling `json:"trees,omitempty"`
	Evidence  []Exhibit    `json:"evidence,omitempty"`
	Ran       []string     `json:"ran,omitempty"`
	Idle      []string     `json:"idle,omitempty"`
}
