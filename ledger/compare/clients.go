package compare

import (
	"context"
	"fmt"
	"strconv"

	"bullyproof/checker"
	"bullyproof/checker/linear"
	"bullyproof/trace"
)

// mostClientStates ends a search of clients, of which there are many.
const mostClientStates = 200_000

// Clients returns the questions of package linear: what clients can expect of an
// algorithm under a crash and a restart. Options are those of each search; it
// ends at 200,000 states if not before.
func Clients(opt linear.Options) []Also {
	if opt.MaxStates == 0 || opt.MaxStates > mostClientStates {
		opt.MaxStates = mostClientStates
	}
	var list []Also
	for _, q := range linear.Questions() {
		list = append(list, Also{
			Name: q.Name, Doc: q.Doc,
			Ask: func(ctx context.Context, s *Subject, n int) (Reply, error) { return clients(ctx, s, n, &q, opt) },
		})
	}
	return list
}

// clients asks one question of one subject.
func clients(ctx context.Context, s *Subject, n int, q *linear.Question, opt linear.Options) (Reply, error) {
	in, err := s.Under(Fault{Words: "crashes=1 restarts=1"}, n)
	if err != nil {
		return Reply{}, err
	}
	sys, err := s.In(in)
	if err != nil {
		return Reply{}, err
	}
	report, err := linear.Check(ctx, sys, q.Work, opt)
	if err != nil {
		return Reply{}, fmt.Errorf("%s, clients, %s: %w", s.Name(), q.Name, err)
	}
	reply := Reply{Why: report.Why}
	switch report.Verdict {
	case linear.Linearizable:
		reply.Text, reply.Verdict = "holds", checker.Holds
	case linear.NotLinearizable:
		reply.Text, reply.Verdict = "broken", checker.Violated
	case linear.Vacuous:
		reply.Text, reply.Verdict = "vacuous", checker.Vacuous
	default:
		reply.Text, reply.Verdict = "incomplete", checker.Incomplete
	}
	if run := report.Run; run != nil {
		reply.Text += " " + strconv.Itoa(run.Steps)
		h := trace.Header{Algorithm: s.Algorithm, Variant: s.Variant}
		layout, err := run.Layout(h)
		if err != nil {
			return reply, err
		}
		reply.Shown = &Shown{Trace: run.Trace(h), Run: run.Of, layout: layout}
	}
	return reply, nil
}
