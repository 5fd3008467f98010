package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// The requests about an expression.
const (
	verbExpression = "expr" // go until it is true
	verbKeep       = "keep" // watch it instead
	verbDrop       = "drop" // no longer watch the one with this number
)

// Limits of the search for a state in which an expression is true.
const (
	untilStates = 1_000_000
	untilTime   = 30 * time.Second
	untilBytes  = 1 << 30 // that the process takes
)

// A horizon bounds such a search: it ends with the first level with which so many states have
// been found, and after so long.
type horizon struct {
	states uint64
	time   time.Duration
}

// errNoExpressions says where expressions are.
var errNoExpressions = errors.New("expressions take the command explore: the explorer in a page has none")

// A typed expression is what somebody put into the field that leads nowhere, and why.
type typed struct {
	Text  string
	Note  string // nothing is wrong with it
	Error string
	Caret string // the expression with a mark below the place of the error; may be empty
}

// asks reports whether a request is about the expression in the field.
func asks(r *Request) bool {
	if len(r.Query) > maxQuery {
		return false
	}
	query, err := url.ParseQuery(r.Query)
	return err == nil && query.Has(verbExpression)
}

// ask leads to the nearest state in which an expression is true, or to this one with the
// expression among the watches. If that cannot be, the page of the link says why. The search
// has no turn of those of pages, which it would keep for long.
func (s *Server) ask(a *Answer, r *Request) {
	var v *visit
	var keep bool
	s.turns.inTurn(func(a *Answer, r *Request) {
		at, query, ok := s.visit(a, r, verbExpression, verbKeep)
		switch {
		case !ok:
		case !expressions:
			s.fail(a, statusBadRequest, errNoExpressions)
		case at.root == nil:
			s.starts(a, at, query, (*link).url)
		default:
			v, keep = at, query.Has(verbKeep)
			v.typed.Text = strings.TrimSpace(query.Get(verbExpression))
		}
	})(a, r)
	if v == nil {
		return
	}
	var to *link
	var err error
	if keep {
		to, err = v.watching(v.typed.Text)
	} else {
		to, v.typed.Note, err = s.until(r.ctx, v, v.typed.Text)
	}
	switch {
	case err != nil:
		v.typed.refuse(err)
	case to != nil:
		a.lead(to.url())
		return
	}
	s.turns.inTurn(func(a *Answer, _ *Request) { s.show(a, v) })(a, r)
}

// complaint returns an error as a sentence, which may end with a question.
func complaint(err error) string {
	return strings.ReplaceAll(sentenceCase(err.Error()), "?.", "?")
}

// refuse says what is wrong with the expression.
func (t *typed) refuse(err error) {
	t.Error = complaint(err)
	var placed interface{ Caret() string }
	if errors.As(err, &placed) {
		t.Caret = placed.Caret()
	}
}

// status returns the status of a page with the expression in its field.
func (t *typed) status() int {
	if t.Error != "" {
		return statusBadRequest
	}
	return statusOK
}

// until returns the link to the nearest state in which an expression is true, by a shortest
// way from the moment that is shown; where there is none, what was seen.
func (s *Server) until(ctx context.Context, v *visit, text string) (to *link, note string, err error) {
	is, err := condition(v.sys, text)
	switch {
	case err != nil:
		return nil, "", err
	case v.now.over():
		return nil, "The run cannot go on from here.", nil
	}
	switch now, err := is(v.sys.View(v.now.state)); {
	case err != nil:
		return nil, "", fmt.Errorf("it has no value in this state: %w", err)
	case now:
		return nil, "It is true in this state.", nil
	}
	if !s.checks.take(ctx) {
		return nil, "", ctx.Err()
	}
	defer s.checks.leave()
	run, note, err := s.horizon.find(ctx, v.now, is)
	if run == nil || err != nil {
		return nil, note, err
	}
	if _, err := is(v.sys.View(run.States[len(run.States)-1])); err != nil {
		return nil, "", fmt.Errorf("it has no value in a state that %s from here: %w", lead(len(run.Steps)), err)
	}
	to = v.link
	for i := range run.Steps {
		to = to.taking(run.Steps[i].Action)
	}
	if more, err := to.watching(text); err == nil {
		to = more
	}
	return to, "", to.fits()
}

// lead says that so many steps lead somewhere.
func lead(steps int) string {
	if steps == 1 {
		return "a step leads to"
	}
	return fmt.Sprintf("%d steps lead to", steps)
}

// find returns a shortest run from a moment to a state in which a condition is true or has no
// value; nil if there is none or it is too far, and then what was seen.
func (h horizon) find(ctx context.Context, m *moment, is func(*model.View) (bool, error)) (*trace.Run, string, error) {
	from := onward{m.sys.Watched(model.Watch{State: func(v *model.View) bool {
		now, err := is(v)
		return now || err != nil
	}}), m.state}
	result, err := explore.Search(ctx, from, explore.Options{
		Targets: from.Targets(), StopWhenAll: []int{0}, MaxStates: h.states, MaxTime: h.time, MaxBytes: untilBytes,
	})
	if err != nil {
		return nil, "", err
	}
	if _, hit := result.Hit(0); !hit {
		return nil, h.missed(from, result), nil
	}
	path, err := result.Path(0)
	if err != nil {
		return nil, "", err
	}
	run, err := trace.Follow(m.sys, path)
	return run, "", err
}

// An onward is a system that begins with one state.
type onward struct {
	*model.Watched
	state []byte
}

// Initial yields the state (explore.System).
func (o onward) Initial(yield func([]byte) bool) { yield(o.state) }

// missed says what a search has seen that found nothing.
func (h horizon) missed(of onward, r *explore.Result) string {
	seen := quantity.Plural(r.Distinct, "state")
	bound := strings.Join(model.CutReasons(of, r.Cuts), "; ")
	switch {
	case r.Complete() && bound == "":
		return "None: it is false in all " + seen + " that can be reached from here."
	case r.Complete() || r.Reason == explore.CutBySystem:
		return "None within the bounds: it is false in " + seen + ". Left out: " + bound + "."
	}
	why := map[explore.Reason]string{
		explore.StateLimit: "the search ends there", explore.TimeLimit: quantity.Duration(h.time) + " were over",
		explore.ByteLimit: "memory was full", explore.MachineLimit: "memory was full",
	}[r.Reason]
	if why == "" {
		why = r.Reason.String()
	}
	return fmt.Sprintf("Not found within %s: all up to %s from here were seen, and %s.", seen, quantity.Plural(max(0, r.CompleteDepth), "step"), why)
}
