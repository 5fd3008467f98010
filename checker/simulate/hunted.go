package simulate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/quantity"
	"bullyproof/trace/render"
)

// Subject returns the name of what was hunted: "bully/coulouris".
func (r *HuntReport) Subject() string { return subject(r.Algorithm, r.Variant) }

// Headline says the outcome of the hunt in a line.
func (r *HuntReport) Headline() string {
	broken := 0
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			broken++
		}
	}
	if broken > 0 {
		of := len(r.Findings) + len(r.Unbroken) + len(r.Unjudged)
		return fmt.Sprintf("VIOLATED in this setting: %s, %d of %d properties.", r.Subject(), broken, of)
	}
	return fmt.Sprintf("INCOMPLETE: %s, nothing wrong on these schedules. Other schedules may still break a property.", r.Subject())
}

// WriteText writes the report for people, without the runs.
func (r *HuntReport) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nsetting: %s\n%s\n\n", r.Headline(), r.Setting, r.covered())
	writeVerdicts(&b, "schedule", r.Schedules, r.Findings, r.Unbroken, r.Unjudged)
	for _, why := range r.Bounded {
		fmt.Fprintf(&b, "Left out: %s\n", why)
	}
	r.writeStrategies(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// covered says what was covered.
func (r *HuntReport) covered() string {
	text := fmt.Sprintf("hunted: %s of up to %s, %s of at most %s in all, about %s, seed %d", quantity.Plural(r.Schedules, "schedule"),
		quantity.Plural(r.MaxSteps, "step"), quantity.Count(r.Steps), quantity.Plural(r.Budget, "step"), quantity.Plural(r.Distinct, "distinct state"), r.Seed)
	if r.Stopped != "" {
		text += "; ended early: " + r.Stopped
	}
	return text
}

func (r *HuntReport) writeStrategies(b *strings.Builder) {
	fmt.Fprintf(b, "\n%-10s %10s %11s %6s\n", "strategy", "schedules", "steps", "broke")
	for i := range r.Strategies {
		s := &r.Strategies[i]
		fmt.Fprintf(b, "%-10s %10s %11s %6d  %s\n", s.Name, quantity.Count(s.Schedules), quantity.Count(s.Steps), s.Broke, s.describe())
	}
}

// describe says what a strategy does, and what is complete of it.
func (s *Strategy) describe() string {
	switch {
	case !s.Deviates || s.Complete < 0:
		return s.Text
	case s.Complete == 0:
		return s.Text + ": all without any"
	}
	return fmt.Sprintf("%s: all with up to %d", s.Text, s.Complete)
}

// WriteTraces draws the run of each finding as a space-time diagram.
func (r *HuntReport) WriteTraces(w io.Writer, opt render.TextOptions) error {
	return writeTraces(w, r.Findings, opt)
}

// Checked returns the report as that of a search that saw some states and no more:
// what was not broken is undecided.
func (r *HuntReport) Checked() *checker.Report {
	c := checker.Sampled(r.Algorithm, r.Variant, r.Setting, r.Distinct, r.Duration)
	for _, f := range r.Findings {
		c.Findings = append(c.Findings, f.Finding)
	}
	for _, p := range r.Unbroken {
		c.Findings = append(c.Findings, p.Undecided(c.Why))
	}
	for _, p := range r.Unjudged {
		c.Findings = append(c.Findings, p.Undecided("it is about whole runs, which no hunt sees"))
	}
	return c
}

// The forms of a report and its parts as JSON.
type (
	huntJSON struct {
		Schema     int            `json:"schema"`
		Algorithm  string         `json:"algorithm"`
		Variant    string         `json:"variant,omitempty"`
		Setting    string         `json:"setting"`
		Verdict    string         `json:"verdict"`
		Seed       uint64         `json:"seed"`
		Budget     uint64         `json:"budget"`
		MaxSteps   int            `json:"max_steps"`
		Schedules  uint64         `json:"schedules"`
		Steps      uint64         `json:"steps"`
		Longest    int            `json:"longest"`
		Distinct   uint64         `json:"distinct_estimate"`
		Bounded    []string       `json:"bounded,omitempty"`
		Stopped    string         `json:"stopped,omitempty"`
		Seconds    float64        `json:"seconds"`
		Strategies []strategyJSON `json:"strategies"`
		Findings   []findingJSON  `json:"findings"`
		Unbroken   []string       `json:"unbroken"`
		Unjudged   []string       `json:"unjudged"`
	}
	strategyJSON struct {
		Name      string `json:"name"`
		Text      string `json:"text"`
		Schedules uint64 `json:"schedules"`
		Steps     uint64 `json:"steps"`
		Broke     int    `json:"broke"`
		Complete  *int   `json:"complete,omitempty"`
	}
)

// Verdict is Violated if something was broken, and Incomplete otherwise.
func (r *HuntReport) Verdict() checker.Verdict {
	if r.Violated() {
		return checker.Violated
	}
	return checker.Incomplete
}

// MarshalJSON returns the report with its traces.
func (r *HuntReport) MarshalJSON() ([]byte, error) {
	out := huntJSON{
		Schema: 1, Algorithm: r.Algorithm, Variant: r.Variant, Setting: r.Setting.String(), Verdict: r.Verdict().String(),
		Seed: r.Seed, Budget: r.Budget, MaxSteps: r.MaxSteps, Schedules: r.Schedules, Steps: r.Steps, Longest: r.Longest,
		Distinct: r.Distinct, Bounded: r.Bounded, Stopped: r.Stopped, Seconds: r.Duration.Seconds(),
		Unbroken: names(r.Unbroken), Unjudged: names(r.Unjudged),
	}
	for i := range r.Strategies {
		s := &r.Strategies[i]
		j := strategyJSON{Name: s.Name, Text: s.Text, Schedules: s.Schedules, Steps: s.Steps, Broke: s.Broke}
		if s.Deviates {
			j.Complete = &s.Complete
		}
		out.Strategies = append(out.Strategies, j)
	}
	var err error
	if out.Findings, err = findingsJSON(r.Findings); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}
