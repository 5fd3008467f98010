package compare

import (
	"encoding/json"
	"math"

	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Schema is the version of the JSON form of a comparison. Fields may be added
// without a new one; none changes its meaning or goes.
const Schema = 1

// The JSON form of parts of a comparison.
type (
	subjectJSON struct {
		Name        string          `json:"name"`
		Algorithm   string          `json:"algorithm"`
		Variant     string          `json:"variant"`
		Assumes     string          `json:"assumes"`
		Assumptions []premiseJSON   `json:"assumptions"`
		Setting     setting.Setting `json:"setting"`
	}
	premiseJSON struct {
		Premise string `json:"premise"`
		Place   string `json:"place"`
	}
	faultJSON struct {
		Name  string `json:"name"`
		Words string `json:"words"`
	}
	trialJSON struct {
		Subject string          `json:"subject"`
		Fault   string          `json:"fault"`
		N       int             `json:"n"`
		Setting setting.Setting `json:"setting"`
		Refused string          `json:"refused"`
		Outside []premiseJSON   `json:"outside"`
		Why     string          `json:"why"`
		States  uint64          `json:"states"`
		Depth   int             `json:"depth"`
		Cells   []cellJSON      `json:"cells"`
	}
	cellJSON struct {
		Property    string   `json:"property"`
		Verdict     string   `json:"verdict"`
		Foreign     bool     `json:"foreign"`
		Steps       *int     `json:"steps,omitempty"`
		Endless     bool     `json:"endless"`
		Why         string   `json:"why"`
		Explanation string   `json:"explanation"`
		Run         *runJSON `json:"run,omitempty"`
	}
	runJSON struct {
		Steps int    `json:"steps"`
		Trace string `json:"trace,omitempty"`
		Page  string `json:"page,omitempty"`
	}
	breakJSON struct {
		Subject  string `json:"subject"`
		Fault    string `json:"fault"`
		N        int    `json:"n"`
		Property string `json:"property"`
		Outside  bool   `json:"outside"`
	}
	costsJSON struct {
		Subject    string          `json:"subject"`
		N          int             `json:"n"`
		Setting    setting.Setting `json:"setting"`
		Why        string          `json:"why"`
		UntilNamed bool            `json:"until_named"`
		Messages   *spreadJSON     `json:"messages,omitempty"`
		Time       *spreadJSON     `json:"time,omitempty"`
		Best       *runJSON        `json:"best,omitempty"`
		Worst      *runJSON        `json:"worst,omitempty"`
	}
	spreadJSON struct {
		Best      *int     `json:"best,omitempty"`
		Worst     *int     `json:"worst,omitempty"`
		Unbounded bool     `json:"unbounded"`
		Mean      *float64 `json:"mean,omitempty"`
	}
	withoutJSON struct {
		premiseJSON
		Lack   string    `json:"lack"`
		Before trialJSON `json:"before"`
		Trial  trialJSON `json:"trial"`
	}
	differenceJSON struct {
		A        string   `json:"a"`
		B        string   `json:"b"`
		Why      string   `json:"why"`
		Unseen   bool     `json:"unseen"`
		Fault    string   `json:"fault"`
		N        int      `json:"n"`
		Schedule string   `json:"schedule"`
		RankA    int      `json:"rank_a"`
		RankB    int      `json:"rank_b"`
		AlsoA    []int    `json:"also_a"`
		AlsoB    []int    `json:"also_b"`
		RunA     *runJSON `json:"run_a,omitempty"`
		RunB     *runJSON `json:"run_b,omitempty"`
	}
	answerJSON struct {
		Name    string   `json:"name"`
		Subject string   `json:"subject"`
		Text    string   `json:"text"`
		Verdict string   `json:"verdict"`
		Why     string   `json:"why"`
		Run     *runJSON `json:"run,omitempty"`
	}
)

// MarshalJSON returns the comparison as one object:
//
//	schema       number   Schema
//	subjects     list     of {name, algorithm, variant, assumes, assumptions, setting}; the first is
//	                      the yardstick. assumptions: of {premise, place}
//	faults       list     of {name, words}
//	n            list     numbers of processes
//	breaks       list     what others break of what the first one keeps: of
//	                      {subject, fault, n, property, outside}
//	trials       list     one object for each subject, fault and n:
//	  subject, fault   texts  names
//	  n, setting            setting is what the subject needs under the fault
//	  refused    text     why the fault cannot happen to it; empty as a rule
//	  outside    list     of the assumptions that the fault breaks
//	  why        text     what the search did not see; empty if nothing
//	  states, depth  numbers
//	  cells      list     one object for each property that was asked:
//	    property, verdict, why, explanation   texts, as those of check
//	    foreign  bool     the author of the subject does not ask it
//	    steps    number   of the shortest run that violates it (the way to what is
//	                      repeated, if endless); absent where there is none
//	    endless  bool
//	    run      object   steps, and the names of its files, trace and page, in the
//	                      directory of the comparison, if there is one (a long run has
//	                      no page)
//	costs        list     of {subject, n, setting, why, until_named, messages, time, best, worst}:
//	                      messages and time are {best, worst, unbounded, mean}, best and
//	                      worst the runs of the messages
//	premises     list     of {premise, place, lack, before, trial}: trial is that without the
//	                      premise, before the one with all; both like those of trials
//	differences  list     of {a, b, why, unseen, fault, n, schedule, rank_a, rank_b, also_a,
//	                      also_b, run_a, run_b}; why is empty where there are runs
//	also         list     of {name, subject, text, verdict, why, run}: what clients can expect,
//	                      with a crash and a restart, among the fewest processes
//	interrupted  bool
func (c *Comparison) MarshalJSON() ([]byte, error) {
	out := struct {
		Schema      int              `json:"schema"`
		Subjects    []subjectJSON    `json:"subjects"`
		Faults      []faultJSON      `json:"faults"`
		N           []int            `json:"n"`
		Breaks      []breakJSON      `json:"breaks"`
		Trials      []trialJSON      `json:"trials"`
		Costs       []costsJSON      `json:"costs"`
		Premises    []withoutJSON    `json:"premises"`
		Differences []differenceJSON `json:"differences"`
		Also        []answerJSON     `json:"also"`
		Interrupted bool             `json:"interrupted"`
	}{Schema: Schema, N: c.N, Interrupted: c.Interrupted}
	out.Subjects = each(c.Subjects, func(s *Subject) subjectJSON {
		return subjectJSON{s.Name(), s.Algorithm, s.Variant, s.Assumes, premisesJSON(s.Assumptions), s.Setting}
	})
	out.Faults = each(c.Faults, func(f *Fault) faultJSON { return faultJSON{f.Name, f.Words} })
	out.Breaks = each(c.Breaks(), func(b *Break) breakJSON {
		return breakJSON{b.Subject, b.Fault.Name, b.N, b.Cell.Property, b.Outside}
	})
	out.Trials = each(c.Trials, c.trialJSON)
	out.Costs = each(c.Costs, func(k *Costs) costsJSON {
		return costsJSON{
			k.Subject, k.N, k.Setting, k.Why, k.UntilNamed, costJSON(k.Messages), costJSON(k.Time), c.runJSON(k.Best), c.runJSON(k.Worst),
		}
	})
	out.Premises = each(c.Premises, func(w *Without) withoutJSON {
		return withoutJSON{
			premiseJSON{w.Assumption.Premise.String(), w.Assumption.Place}, w.Assumption.Premise.Lack(), c.trialJSON(w.Before), c.trialJSON(&w.Trial),
		}
	})
	out.Differences = each(c.Differences, func(d *Difference) differenceJSON {
		return differenceJSON{
			d.A, d.B, d.Why, d.Unseen, d.Fault.Name, d.N, d.Schedule, int(d.RankA), int(d.RankB), ids(d.AlsoA), ids(d.AlsoB),
			c.runJSON(d.RunA), c.runJSON(d.RunB),
		}
	})
	out.Also = each(c.Answers, func(a *Answer) answerJSON {
		return answerJSON{a.Name, a.Subject, a.Text, a.Verdict.String(), a.Why, c.runJSON(a.Shown)}
	})
	return json.Marshal(out)
}

// each returns what f makes of each element: an empty list of none.
func each[T, U any](list []T, f func(*T) U) []U {
	out := make([]U, len(list))
	for i := range list {
		out[i] = f(&list[i])
	}
	return out
}

func premisesJSON(list []ledger.Assumption) []premiseJSON {
	return each(list, func(a *ledger.Assumption) premiseJSON { return premiseJSON{a.Premise.String(), a.Place} })
}

func (c *Comparison) trialJSON(t *Trial) trialJSON {
	return trialJSON{
		t.Subject, t.Fault.Name, t.N, t.Setting, t.Refused, premisesJSON(t.Outside), t.Why, t.States, t.Depth,
		each(t.Cells, func(k *Cell) cellJSON {
			out := cellJSON{
				Property: k.Property, Verdict: k.Verdict.String(), Foreign: k.Foreign, Endless: k.Endless, Why: k.Why,
				Explanation: k.Explanation, Run: c.runJSON(k.Shown),
			}
			if k.Shown != nil {
				out.Steps = &k.Steps
			}
			return out
		}),
	}
}

func (c *Comparison) runJSON(s *Shown) *runJSON {
	if s == nil {
		return nil
	}
	r := &runJSON{Steps: len(s.Trace.Steps)}
	if name := c.files[s]; name != "" {
		if r.Trace = name + ".json"; s.paged() {
			r.Page = name + ".html"
		}
	}
	return r
}

func costJSON(c *cost.Cost) *spreadJSON {
	if c == nil {
		return nil
	}
	s := &spreadJSON{Unbounded: c.Unbounded}
	if c.Best >= 0 {
		s.Best = &c.Best
	}
	if !c.Unbounded {
		s.Worst = &c.Worst
	}
	if !math.IsInf(c.Uniform, 0) && !math.IsNaN(c.Uniform) {
		s.Mean = &c.Uniform
	}
	return s
}

// ids lists a set as numbers: a list of IDs, which are bytes, would be written as
// a text in base64.
func ids(s model.Set) []int {
	list := []int{}
	for id := range s.All() {
		list = append(list, int(id))
	}
	return list
}
