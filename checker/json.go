package checker

import (
	"encoding/json"
	"math"
	"strings"

	"bullyproof/model"
)

// reportSchema is the version of the JSON form of a report. Fields may be added
// without a new one; none changes its meaning or goes.
const reportSchema = 1

// MarshalJSON returns the report as one object:
//
//	schema       number   1: the version of this form
//	algorithm, variant, setting   texts
//	verdict      text     "holds", "violated", "incomplete" or "vacuous"
//	why          text     what the search did not see; empty if nothing
//	properties   list     one object for each property:
//	  name, doc, kind     texts
//	  verdict    text     "holds", "violated", "found", "not found", "incomplete" or "vacuous"
//	  why        text     of an incomplete one; what never came up, of a vacuous one
//	  explanation text    what is the matter at the end of the trace
//	  fairness   text     what is assumed of runs without end: "weak fairness"
//	  steps      number   of the trace
//	  lasso      number   of the step with which the trace goes on after its last
//	  shortest   bool     no trace has fewer steps
//	  trace      object   as trace files have it
//	search       object:
//	  order, reason       texts
//	  complete   bool     every reachable state was visited
//	  workers, distinct, generated, depth   numbers
//	  levels     list     distinct states by depth; empty for depth first
//	  complete_depth number every run of up to so many steps was looked at; -1 if not even the initial states
//	  gave_up    text     why the search went on without the graph; absent if it did not
//	  estimate   number   of states there are, by the growth of the levels of a search that ended early; absent if nothing can be said
//	  out_degree number   transitions out of a state, on average
//	  exact      bool     whole states were compared
//	  collision_probability   number, an upper bound; 0 if exact
//	  collisions number   of fingerprints, that an exact search saw through
//	  seconds, distinct_per_second, generated_per_second, peak_bytes   numbers
//	bound        text     what a declared bound left out; absent if nothing
//	growth       list     what takes ever larger values, where the search ended early; absent if nothing is known to:
//	  of, name, processes, to   "field", "message", "timer" or "link", its name, whose it is, of links the receivers
//	  values, newest   numbers   how many values there were, and the depth of the newest
//	  bound      text     what would bound it
//	values       list     of {of, name, process, to, distinct, least, greatest}: what each thing took; absent if not asked for
//	tallies      list     how many states there are by the value that something has in them; absent if not asked for:
//	  name, states, distinct   what has the values; states with one; how many values there are, absent if very many
//	  values     list     of {value, states}; absent if very many
//	  least, greatest     numbers, absent if no value is one
//	  none, why           how many states have no value, and why; absent if all have
//	reduction    object   what was decided on a reduced system; absent if that was not asked for:
//	  name       text     of the reductions made, with commas between them; absent where they were refused
//	  refused    text     why nothing was reduced
//	  left       list     of {properties, why}: those asked that were not decided on a reduced system, of those that were open
//	  properties list     names of the properties decided on it
//	  distinct   number   its states that were visited
//	  beyond     number   of states of the system as it is after which it was reduced; absent if it was at once
//	  complete   bool     that is all of them
//	  alone      bool     search and coverage are of it, too
//	coverage     object   rules, sent, received and actions: lists of {name, times}
//	remedy       text     what to raise and what to lower to see more; absent if nothing
//	optional     list     of {method, what, has}: the optional methods of protocols, and whether this one has them
//	gaps         list     of {kind, name, what}: what could have run and did not
//
// Fields that do not apply (the trace of a property that holds) are absent.
func (r *Report) MarshalJSON() ([]byte, error) {
	out := reportJSON{
		Schema: reportSchema, Algorithm: r.Algorithm, Variant: r.Variant, Setting: r.Setting.String(),
		Verdict: r.Verdict().String(), Why: r.Why, Bound: r.Bound,
		Properties: []findingJSON{}, Gaps: []gapJSON{}, Optional: []optionalJSON{}, Remedy: r.Remedy(),
		Search: r.searchJSON(), Reduction: r.Reduction.toJSON(),
		Coverage: coverageJSON{
			Rules: counts(r.Coverage.Rules), Sent: counts(r.Coverage.Sent),
			Received: counts(r.Coverage.Received), Actions: counts(r.Coverage.Actions),
		},
	}
	for i := range r.Findings {
		f, err := r.Findings[i].toJSON()
		if err != nil {
			return nil, err
		}
		out.Properties = append(out.Properties, f)
	}
	for _, o := range r.Optional {
		out.Optional = append(out.Optional, optionalJSON(o))
	}
	for _, g := range r.Gaps {
		out.Gaps = append(out.Gaps, gapJSON{g.Kind, g.Name, g.What})
	}
	for _, g := range r.Growth {
		out.Growth = append(out.Growth, growthJSON{g.Of.String(), g.Name, g.Who, g.To, g.Distinct, g.Newest, g.Bound})
	}
	for _, v := range r.Values {
		out.Values = append(out.Values, valuesJSON{v.Of.String(), v.Name, v.Process, v.To, v.Distinct, v.Least, v.Greatest})
	}
	for i := range r.Tallies {
		out.Tallies = append(out.Tallies, r.Tallies[i].toJSON())
	}
	return json.Marshal(out)
}

type growthJSON struct {
	Of        string     `json:"of"`
	Name      string     `json:"name,omitempty"`
	Processes []model.ID `json:"processes,omitempty"`
	To        []model.ID `json:"to,omitempty"`
	Values    int        `json:"values"`
	Newest    int        `json:"newest"`
	Bound     string     `json:"bound"`
}

type valuesJSON struct {
	Of       string   `json:"of"`
	Name     string   `json:"name,omitempty"`
	Process  model.ID `json:"process,omitempty"`
	To       model.ID `json:"to,omitempty"`
	Distinct int      `json:"distinct"`
	Least    int64    `json:"least"`
	Greatest int64    `json:"greatest"`
}

type reportJSON struct {
	Schema     int            `json:"schema"`
	Algorithm  string         `json:"algorithm"`
	Variant    string         `json:"variant"`
	Setting    string         `json:"setting"`
	Verdict    string         `json:"verdict"`
	Why        string         `json:"why"`
	Bound      string         `json:"bound,omitempty"`
	Properties []findingJSON  `json:"properties"`
	Search     searchJSON     `json:"search"`
	Growth     []growthJSON   `json:"growth,omitempty"`
	Values     []valuesJSON   `json:"values,omitempty"`
	Tallies    []tallyJSON    `json:"tallies,omitempty"`
	Reduction  *reductionJSON `json:"reduction,omitempty"`
	Coverage   coverageJSON   `json:"coverage"`
	Remedy     string         `json:"remedy,omitempty"`
	Optional   []optionalJSON `json:"optional"`
	Gaps       []gapJSON      `json:"gaps"`
}

type findingJSON struct {
	Name        string          `json:"name"`
	Doc         string          `json:"doc"`
	Kind        string          `json:"kind"`
	Verdict     string          `json:"verdict"`
	Why         string          `json:"why,omitempty"`
	Explanation string          `json:"explanation,omitempty"`
	Fairness    string          `json:"fairness,omitempty"`
	Steps       *int            `json:"steps,omitempty"`
	Lasso       int             `json:"lasso,omitempty"`
	Shortest    *bool           `json:"shortest,omitempty"`
	Trace       json.RawMessage `json:"trace,omitempty"`
}

type searchJSON struct {
	Order                string   `json:"order"`
	Reason               string   `json:"reason"`
	Complete             bool     `json:"complete"`
	Workers              int      `json:"workers"`
	Distinct             uint64   `json:"distinct"`
	Generated            uint64   `json:"generated"`
	Depth                int      `json:"depth"`
	Levels               []uint64 `json:"levels"`
	CompleteDepth        int      `json:"complete_depth"`
	GaveUp               string   `json:"gave_up,omitempty"`
	Estimate             uint64   `json:"estimate,omitempty"`
	OutDegree            float64  `json:"out_degree"`
	Exact                bool     `json:"exact"`
	CollisionProbability float64  `json:"collision_probability"`
	Collisions           uint64   `json:"collisions"`
	Seconds              float64  `json:"seconds"`
	DistinctPerSecond    float64  `json:"distinct_per_second"`
	GeneratedPerSecond   float64  `json:"generated_per_second"`
	PeakBytes            int64    `json:"peak_bytes"`
}

type coverageJSON struct {
	Rules    []countJSON `json:"rules"`
	Sent     []countJSON `json:"sent"`
	Received []countJSON `json:"received"`
	Actions  []countJSON `json:"actions"`
}

type countJSON struct {
	Name  string `json:"name"`
	Times int64  `json:"times"`
}

type optionalJSON struct {
	Method string `json:"method"`
	What   string `json:"what"`
	Has    bool   `json:"has"`
}

type gapJSON struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	What string `json:"what"`
}

func (r *Report) searchJSON() searchJSON {
	distinct, generated := r.Rate()
	estimate, _ := r.Estimate()
	return searchJSON{
		Estimate: estimate,
		Order:    r.Order.String(), Reason: r.Reason.String(), Complete: r.Complete(), Workers: r.Workers,
		Distinct: r.Distinct, Generated: r.Generated, Depth: r.Depth, Levels: append([]uint64{}, r.Levels...),
		CompleteDepth: r.CompleteDepth, GaveUp: r.GaveUp,
		OutDegree: r.OutDegree, Exact: r.Exact, CollisionProbability: r.CollisionProbability, Collisions: r.Collisions,
		Seconds: r.Duration.Seconds(), DistinctPerSecond: math.Round(distinct), GeneratedPerSecond: math.Round(generated),
		PeakBytes: r.PeakBytes,
	}
}

func (f *Finding) toJSON() (findingJSON, error) {
	out := findingJSON{
		Name: f.Property.Name, Doc: f.Property.Doc, Kind: f.Property.kind.String(),
		Verdict: f.Verdict.String(), Why: f.Why, Explanation: f.Explanation,
	}
	if fairness, ok := f.Property.Fairness(); ok {
		out.Fairness = fairness.String()
	}
	if f.Trace == nil {
		return out, nil
	}
	out.Lasso = f.Trace.Lasso
	steps := len(f.Trace.Steps)
	out.Steps, out.Shortest = &steps, &f.Shortest
	data, err := f.Trace.Encode()
	out.Trace = data
	return out, err
}

func counts(list []model.Count) []countJSON {
	out := make([]countJSON, len(list))
	for i, c := range list {
		out[i] = countJSON(c)
	}
	return out
}

type reductionJSON struct {
	Name       string          `json:"name,omitempty"`
	Refused    string          `json:"refused,omitempty"`
	Left       []unreducedJSON `json:"left,omitempty"`
	Properties []string        `json:"properties,omitempty"`
	Distinct   uint64          `json:"distinct,omitempty"`
	Beyond     uint64          `json:"beyond,omitempty"`
	Complete   bool            `json:"complete"`
	Alone      bool            `json:"alone"`
}

type unreducedJSON struct {
	Properties []string `json:"properties"`
	Why        string   `json:"why"`
}

func (d *Reduction) toJSON() *reductionJSON {
	if d == nil {
		return nil
	}
	out := &reductionJSON{Refused: d.Refused, Properties: d.Properties, Distinct: d.Distinct, Beyond: d.Beyond, Complete: d.Complete, Alone: d.Alone}
	for _, u := range d.Left {
		out.Left = append(out.Left, unreducedJSON(u))
	}
	if d.Refused == "" {
		out.Name = strings.Join(d.Made.Names(), ",")
	}
	return out
}
