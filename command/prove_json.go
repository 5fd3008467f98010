//go:build !js

package command

import (
	"bullyproof/checker/induction"
	"bullyproof/checker/relation"
)

// A proveJSON is what prove --json writes.
type proveJSON struct {
	Schema      int          `json:"schema"`
	Algorithm   string       `json:"algorithm"`
	Settings    []string     `json:"settings,omitempty"`
	States      int          `json:"states"`
	Transitions int          `json:"transitions"`
	Solver      string       `json:"solver,omitempty"`
	Sentences   int          `json:"sentences,omitempty"`
	Kept        int          `json:"kept,omitempty"`
	Queries     int          `json:"queries,omitempty"`
	Properties  []provenJSON `json:"properties,omitempty"`
	Apart       *apartJSON   `json:"apart,omitempty"`
}

type provenJSON struct {
	Name      string    `json:"name"`
	Sentence  string    `json:"sentence"`
	Verdict   string    `json:"verdict"`
	Sentences []string  `json:"sentences,omitempty"`
	State     string    `json:"state,omitempty"`
	Open      *openJSON `json:"open,omitempty"`
}

// An openJSON is a step that a proof does not get past.
type openJSON struct {
	Ring    []int  `json:"ring,omitempty"`
	Before  string `json:"before"`
	Step    string `json:"step,omitempty"`
	After   string `json:"after,omitempty"`
	Reached string `json:"reached"`
}

// An apartJSON is where a protocol is not as it is described.
type apartJSON struct {
	Setting string   `json:"setting"`
	Run     []string `json:"run"`
	Before  string   `json:"before"`
	Action  string   `json:"action,omitempty"`
	After   string   `json:"after,omitempty"`
	Step    string   `json:"step,omitempty"`
}

func apartReport(name string, d *relation.Disagreement) proveJSON {
	return proveJSON{Schema: jsonSchema, Algorithm: name, Apart: &apartJSON{d.Setting, append([]string{}, d.Run...), d.Before, d.Action, d.After, d.Step}}
}

func proveReport(name string, m *relation.Model, r *induction.Report) proveJSON {
	out := proveJSON{Schema: jsonSchema, Algorithm: name, States: r.States, Transitions: r.Transitions}
	for _, s := range m.Settings {
		out.Settings = append(out.Settings, s.String())
	}
	if r.Solver != nil {
		out.Solver = r.Solver.Name + " " + r.Solver.Version
	}
	if r.Result != nil {
		out.Sentences, out.Kept, out.Queries = r.Result.Tried, r.Result.Kept, r.Result.Queries
	}
	for _, a := range r.Answers {
		p := provenJSON{Name: a.Property.Name, Sentence: m.Text(&a.Property), Verdict: string(a.Verdict), State: a.State}
		if a.Proof != nil {
			for i := range a.Proof.Sentences {
				p.Sentences = append(p.Sentences, m.Text(&a.Proof.Sentences[i]))
			}
		}
		if x := a.Open; x != nil && x.In != nil {
			p.Open = &openJSON{Before: x.In.StateText(x.Before), Step: x.Step, Reached: string(x.Reached)}
			if x.Step != "" && x.After != nil {
				p.Open.After = x.In.StateText(x.After)
			}
			if m.Sorts[relation.Process].Ring {
				for _, id := range x.In.Ring {
					p.Open.Ring = append(p.Open.Ring, int(id))
				}
			}
		}
		out.Properties = append(out.Properties, p)
	}
	return out
}
