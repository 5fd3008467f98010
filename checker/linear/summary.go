package linear

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bullyproof/model"
	"bullyproof/trace"
)

// A Question is a workload with a name for people.
type Question struct {
	// Name is a word for tables: "in order".
	Name string
	// Doc says what it means that all histories are linearizable.
	Doc string
	// Work is what clients do.
	Work Workload
}

// Questions returns what is asked of every algorithm: who leads, in four ways, and
// the register and the lock, without and with a fence.
func Questions() []Question {
	return []Question{
		{"at once", "A process that is asked names the one process that leads at that instant.", Workload{Spec: Instant}},
		{"once settled", "In a settled state, a process that is asked names the one process that leads.", Workload{Spec: Instant, Settled: true}},
		{"in order", "A client that has learned of a new coordinator does not hear of an old one later, unless that was elected again.", Workload{Spec: Leader}},
		{"claims in order", "The same, where only processes that believe themselves coordinator answer.", Workload{Spec: Leader, Claims: true}},
		{"register", "A register that coordinators serve from a copy of the store behaves like one register.", Workload{Spec: Register}},
		{"register, fenced", "The same, where the store refuses writes with old tokens, and a coordinator reads from its copy.", Workload{Spec: Register, Fence: FenceWrites}},
		{"lock", "A lock that coordinators grant is held by one client at a time.", Workload{Spec: Lock}},
		{"lock, fenced", "The same, where the store refuses old tokens.", Workload{Spec: Lock, Fence: FenceWrites}},
		{"lock, by epochs", "The same, where tokens are the protocol's own epochs.", Workload{Spec: Lock, Fence: FenceWrites, Epochs: true}},
	}
}

// An Answer is what is known about a question.
type Answer struct {
	Question Question
	Report   *Report
}

// String returns the answer in brief: "yes", "no (8)" with the number of steps of
// the run, "?" for undecided, "-" for vacuous.
func (a Answer) String() string {
	switch a.Report.Verdict {
	case Linearizable:
		return "yes"
	case NotLinearizable:
		return fmt.Sprintf("no (%d)", a.Report.Run.Steps)
	case Vacuous:
		return "-"
	}
	return "?"
}

// A Summary is what clients can expect of an algorithm in a setting.
type Summary []Answer

// Summarize asks questions of a system, one search after the other, each within
// the options; without any it asks Questions. Of Options.MaxTime each question has an
// equal part of what is left when it is asked.
func Summarize(ctx context.Context, sys *model.System, opt Options, questions ...Question) (Summary, error) {
	if len(questions) == 0 {
		questions = Questions()
	}
	var s Summary
	begin, whole := time.Now(), opt.MaxTime
	for i, q := range questions {
		if whole > 0 {
			opt.MaxTime = max(1, (whole-time.Since(begin))/time.Duration(len(questions)-i))
		}
		r, err := Check(ctx, sys, q.Work, opt)
		if err != nil {
			return s, err
		}
		s = append(s, Answer{q, r})
	}
	return s, nil
}

// String returns the summary in a line: "at once no (2), once settled yes".
func (s Summary) String() string {
	var parts []string
	for _, a := range s {
		parts = append(parts, a.Question.Name+" "+a.String())
	}
	return strings.Join(parts, ", ")
}

// Verdict returns the worst verdict of the summary: one that is not linearizable,
// else one that is not known, else one that is vacuous.
func (s Summary) Verdict() Verdict {
	worst := Linearizable
	rank := map[Verdict]int{Linearizable: 0, Vacuous: 1, Undecided: 2, NotLinearizable: 3}
	for _, a := range s {
		if v := a.Report.Verdict; rank[v] > rank[worst] {
			worst = v
		}
	}
	return worst
}

// Layout returns the run of the system laid out as a diagram, with its clients. It tells
// that their history is not linearizable, which its last step shows.
func (r *Run) Layout(h trace.Header) (*trace.Layout, error) {
	of, err := trace.Lay(r.Of.Record(h), r.Of)
	if err != nil {
		return nil, err
	}
	l := of.WithClients(r.Clients, r.Exchanges)
	l.Kind, l.Property, l.Breaks = trace.Violation, "linearizability", len(l.Rows)-1
	l.Demand = r.History.Spec.Doc
	l.Verdict = "The history of the clients is not linearizable"
	return l, nil
}

// reportJSON is a report in JSON.
type reportJSON struct {
	Name       string           `json:"name,omitempty"`
	Workload   string           `json:"workload"`
	Spec       string           `json:"spec"`
	Doc        string           `json:"doc"`
	Claims     bool             `json:"claims,omitempty"`
	Settled    bool             `json:"settled,omitempty"`
	Clients    int              `json:"clients"`
	Operations int              `json:"operations"`
	Fence      string           `json:"fence,omitempty"`
	Tokens     string           `json:"tokens,omitempty"`
	Setting    string           `json:"setting"`
	Verdict    string           `json:"verdict"`
	Why        string           `json:"why,omitempty"`
	States     uint64           `json:"states"`
	Walks      uint64           `json:"walks,omitempty"`
	Histories  int              `json:"histories"`
	Steps      int              `json:"steps,omitempty"`
	Notes      []trace.Exchange `json:"notes,omitempty"`
	History    *History         `json:"history,omitempty"`
	Trace      traceJSON        `json:"trace,omitempty"`
}

type traceJSON = json.RawMessage

// JSON returns the report as JSON. The header is that of the run's trace.
func (r *Report) JSON(h trace.Header) (json.RawMessage, error) {
	w := r.Workload
	j := reportJSON{
		Workload: w.String(), Spec: w.Spec.Name, Doc: w.Spec.Doc, Claims: w.Claims, Settled: w.Settled, Clients: w.Clients, Operations: w.Operations,
		Setting: r.Setting.String(), Verdict: r.Verdict.String(), Why: r.Why, States: r.States, Walks: r.Walks, Histories: r.Histories,
	}
	if w.store() {
		j.Fence = w.Fence.String()
		if w.Fence != NoFence {
			j.Tokens = "store"
			if w.Epochs {
				j.Tokens = "epoch"
			}
		}
	}
	if r.Run != nil {
		data, err := r.Run.Trace(h).Encode()
		if err != nil {
			return nil, err
		}
		j.Steps, j.Notes, j.History, j.Trace = r.Run.Steps, r.Run.Exchanges, r.Run.History, data
	}
	return json.Marshal(j)
}
