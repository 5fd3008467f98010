package ledger

import "encoding/json"

// Schema is the version of the JSON form of a ledger. Fields may be added without
// a new one; none changes its meaning or goes.
const Schema = 2

// MarshalJSON returns the ledger as one object:
//
//	schema       number   Schema
//	algorithms   list     one object for each algorithm:
//	  name, title, source   texts
//	  claims     list     one object for each claim:
//	    name, source, place, text, note, story, repair   texts; may be absent
//	    kind     text     "safety", "liveness", "count", "time" or "figure"
//	    variant  text     the reading in which it is judged
//	    outcome  text     "confirmed", "refuted within" (what the source assumes),
//	                      "refuted beyond" (it), "right" or "wrong" (as a
//	                      calculation), or "undecided"
//	    supposes text     what it supposes that its source does not have as a rule
//	    exceeds  text     of what is refuted beyond: what the source does not assume
//	    finding  text     the claim that is false for the same cause
//	    readings list     of {variant, ruling}: what the evidence says in others
//	    evidence list     one object for each piece:
//	      variant, setting, asked, found   texts
//	      ruling  text    "as claimed", "not as claimed", "undecided" or "moot"
//	      states, depth   numbers: of the search
//	      deep    bool    it belongs to the deep scopes
//	      aside   text    why it decides nothing, where it does not
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
				Outcome: j.Outcome, Supposes: c.Supposes, Exceeds: c.Exceeds, Finding: c.Finding, Readings: j.Readings, Evidence: j.Exhibits, Ran: j.Ran, Idle: j.Idle,
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
	Name     string    `json:"name"`
	Source   string    `json:"source,omitempty"`
	Place    string    `json:"place"`
	Text     string    `json:"text"`
	Kind     ClaimKind `json:"kind"`
	Note     string    `json:"note,omitempty"`
	Story    string    `json:"story,omitempty"`
	Repair   string    `json:"repair,omitempty"`
	Variant  string    `json:"variant"`
	Outcome  Outcome   `json:"outcome"`
	Supposes string    `json:"supposes,omitempty"`
	Exceeds  string    `json:"exceeds,omitempty"`
	Finding  string    `json:"finding,omitempty"`
	Readings []Reading `json:"readings,omitempty"`
	Evidence []Exhibit `json:"evidence,omitempty"`
	Ran      []string  `json:"ran,omitempty"`
	Idle     []string  `json:"idle,omitempty"`
}
