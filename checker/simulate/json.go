package simulate

import (
	"encoding/json"

	"bullyproof/checker"
)

// The forms of a report and its parts as JSON.
type (
	reportJSON struct {
		Schema    int    `json:"schema"`
		Algorithm string `json:"algorithm"`
		Variant   string `json:"variant,omitempty"`
		Setting   string `json:"setting"`
		Seed      uint64 `json:"seed"`
		First     uint64 `json:"first"`
		MaxSteps  int    `json:"max_steps"`
		Depth     int    `json:"depth"`
		walksJSON
		Bounded   []string      `json:"bounded,omitempty"`
		Stopped   string        `json:"stopped,omitempty"`
		Seconds   float64       `json:"seconds"`
		Findings  []findingJSON `json:"findings"`
		Unbroken  []string      `json:"unbroken"`
		Unjudged  []string      `json:"unjudged"`
		Elections electionsJSON `json:"elections"`
	}
	walksJSON struct {
		Walks     uint64 `json:"walks"`
		Steps     uint64 `json:"steps"`
		Longest   int    `json:"longest"`
		Distinct  uint64 `json:"distinct_estimate"`
		Unsettled uint64 `json:"unsettled"`
		Stuck     uint64 `json:"stuck"`
	}
	findingJSON struct {
		Property    string          `json:"property"`
		Verdict     string          `json:"verdict"`
		Explanation string          `json:"explanation,omitempty"`
		Strategy    string          `json:"strategy,omitempty"`
		Walk        uint64          `json:"walk"`
		WalkSteps   int             `json:"walk_steps"`
		Times       uint64          `json:"times"`
		Steps       int             `json:"steps"`
		Trace       json.RawMessage `json:"trace"`
	}
	electionsJSON struct {
		Count      int         `json:"count"`
		Unfinished uint64      `json:"unfinished"`
		Messages   *sampleJSON `json:"messages,omitempty"`
		Operations *sampleJSON `json:"operations,omitempty"`
		Steps      *sampleJSON `json:"steps,omitempty"`
		Ticks      *sampleJSON `json:"ticks,omitempty"`
		Kinds      []kindJSON  `json:"kinds,omitempty"`
	}
	kindJSON struct {
		Kind     string      `json:"kind"`
		Messages *sampleJSON `json:"messages"`
	}
	sampleJSON struct {
		Mean      float64 `json:"mean"`
		Deviation float64 `json:"deviation"`
		Least     int     `json:"least"`
		Median    float64 `json:"median"`
		P90       float64 `json:"p90"`
		P99       float64 `json:"p99"`
		Most      int     `json:"most"`
		Histogram []Bin   `json:"histogram"`
	}
)

// MarshalJSON returns the report with its traces.
func (r *Report) MarshalJSON() ([]byte, error) {
	out := reportJSON{
		Schema: 1, Algorithm: r.Algorithm, Variant: r.Variant, Setting: r.Setting.String(),
		Seed: r.Seed, First: r.First, MaxSteps: r.MaxSteps, Depth: r.Depth,
		walksJSON: walksJSON{Walks: r.Walks, Steps: r.Steps, Longest: r.Longest, Distinct: r.Distinct, Unsettled: r.Unsettled, Stuck: r.Stuck},
		Bounded:   r.Bounded, Stopped: r.Stopped, Seconds: r.Duration.Seconds(),
		Unbroken: names(r.Unbroken), Unjudged: names(r.Unjudged),
	}
	var err error
	if out.Findings, err = findingsJSON(r.Findings); err != nil {
		return nil, err
	}
	e := &r.Elections
	out.Elections = electionsJSON{
		Count: e.Steps.Len(), Unfinished: e.Unfinished, Messages: e.Messages.toJSON(), Operations: e.Operations.toJSON(),
		Steps: e.Steps.toJSON(), Ticks: e.Ticks.toJSON(),
	}
	if e.Steps.Len() > 0 {
		for i := range e.Kinds {
			out.Elections.Kinds = append(out.Elections.Kinds, kindJSON{e.Kinds[i].Kind, e.Kinds[i].toJSON()})
		}
	}
	return json.Marshal(out)
}

func findingsJSON(findings []*Finding) ([]findingJSON, error) {
	list := []findingJSON{}
	for _, f := range findings {
		data, err := f.Trace.Encode()
		if err != nil {
			return nil, err
		}
		list = append(list, findingJSON{
			Property: f.Property.Name, Verdict: f.Verdict.String(), Explanation: f.Explanation, Strategy: f.Strategy, Walk: f.Walk,
			WalkSteps: f.Length, Times: f.Times, Steps: len(f.Trace.Steps), Trace: data,
		})
	}
	return list, nil
}

func names(props []*checker.Property) []string {
	list := []string{}
	for _, p := range props {
		list = append(list, p.Name)
	}
	return list
}

func (s *Sample) toJSON() *sampleJSON {
	if s.Len() == 0 {
		return nil
	}
	mean, deviation := s.Mean()
	return &sampleJSON{
		Mean: mean, Deviation: deviation, Least: s.Min(), Median: s.Quantile(0.5), P90: s.Quantile(0.9), P99: s.Quantile(0.99),
		Most: s.Max(), Histogram: s.Histogram(histogramBins),
	}
}
