package checker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bullyproof/model"
	"bullyproof/trace"
)

// A VerifyOption changes what Verify does.
type VerifyOption func(*verification)

// With gives the options of the check: names, properties, limits.
func With(opt Options) VerifyOption { return func(v *verification) { v.opt = opt } }

// Expect says that properties are violated (or, of witnesses, that there is
// none), so that a test can say what is wrong with an algorithm. The test fails
// if one of them holds.
func Expect(properties ...*Property) VerifyOption {
	return func(v *verification) {
		for _, p := range properties {
			v.expected[p.Name] = true
		}
	}
}

// AllowIncomplete lets a test pass although something is undecided, be it that the
// search ended before it had seen every state or that a property took more than
// its limits allow, as long as nothing wrong was found until then.
func AllowIncomplete() VerifyOption { return func(v *verification) { v.allowIncomplete = true } }

// AllowGaps lets a test pass although these never came up: properties that are
// vacuous, rules that never ran, messages that were never sent or never received,
// by their names. "*" allows whatever there is. Any other name that is no gap
// fails the test, so that none outlives its reason.
func AllowGaps(names ...string) VerifyOption {
	return func(v *verification) { v.gaps = append(v.gaps, names...) }
}

// Verify checks a system in a go test and returns the report. The test fails
// if a property is violated, with the trace drawn and the command that shows it
// again; if a witness was not found; if anything is undecided, that which is
// expected to be violated included (AllowIncomplete); and where nothing was
// shown: if a property is vacuous, a rule never ran, or a message was never sent
// or never received (AllowGaps). It respects the deadline of the test: a search that would go beyond it
// ends before, incomplete.
//
// A counterexample is kept under the test's directory, in
// testdata/counterexamples/TEST-PROPERTY.json, and the next run begins with
// it. If it still breaks the property, the test fails at once, without a
// search. If it does not (the code has changed, or the test's setting), the
// search decides; when that shows that the property holds, the file has served
// its purpose and is removed. A file that cannot be read fails the test and is
// left alone. Nothing is kept for properties that are expected to be violated.
func Verify(t testing.TB, sys *model.System, opts ...VerifyOption) *Report {
	t.Helper()
	v := &verification{t: t, sys: sys, expected: make(map[string]bool)}
	for _, o := range opts {
		o(v)
	}
	if v.opt.Algorithm == "" {
		v.opt.Algorithm = t.Name()
	}
	props, err := v.opt.properties(sys.Setting())
	if err == nil {
		err = v.known(props)
	}
	if err != nil {
		t.Fatalf("checker: %v", err)
	}
	if v.replayKept(append(props, Misuse)) {
		t.FailNow()
	}
	ctx, cancel := v.context()
	defer cancel()
	report, err := Check(ctx, sys, v.opt)
	if err != nil {
		t.Fatalf("checker: %v", err)
	}
	v.judge(report)
	return report
}

// A verification is one call of Verify.
type verification struct {
	t               testing.TB
	sys             *model.System
	opt             Options
	expected        map[string]bool
	allowIncomplete bool
	gaps            []string
}

// known checks that what is expected to be violated is among what is asked.
func (v *verification) known(props []*Property) error {
	asked := map[string]bool{Misuse.Name: true}
	names := []string{}
	for _, p := range props {
		asked[p.Name] = true
		names = append(names, p.Name)
	}
	for name := range v.expected {
		if !asked[name] {
			return fmt.Errorf("property %q is expected to be violated, but not among those that are checked: %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// context returns a context that ends some time before the test's deadline: a
// tenth of what is left, to draw traces and to let other tests report.
func (v *verification) context() (context.Context, context.CancelFunc) {
	ctx := v.t.Context()
	if d, ok := v.t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := d.Deadline(); ok {
			left := time.Until(deadline)
			return context.WithTimeout(ctx, left-left/10)
		}
	}
	return context.WithCancel(ctx)
}

// judge fails the test for what it did not expect.
func (v *verification) judge(r *Report) {
	v.t.Helper()
	for i := range r.Findings {
		f := &r.Findings[i]
		expected := v.expected[f.Property.Name]
		switch f.Verdict {
		case Violated:
			if !expected {
				v.violated(f)
			}
		case NotFound:
			if !expected {
				v.t.Errorf("%s: %s: no state or step of all %d states is a witness: %s\nsetting: %s",
					r.Subject(), f.Property.Name, r.Distinct, f.Property.Doc, r.Setting)
			}
		case Holds, Found, Vacuous:
			if f.Verdict != Vacuous {
				v.fixed(f)
			}
			if expected {
				v.t.Errorf("%s: %s was expected to fail, but: %s\nsetting: %s",
					r.Subject(), f.Property.Name, f.Line(), r.Setting)
			}
		}
	}
	if r.Finding(Misuse.Name) == nil && r.Complete() {
		v.fixed(&Finding{Property: Misuse, Verdict: Holds})
		if v.expected[Misuse.Name] {
			v.t.Errorf("%s: misuse was expected, but no handler does anything that the world cannot carry out", r.Subject())
		}
	}
	v.judgeUndecided(r)
	v.judgeGaps(r)
}

// judgeUndecided fails the test for what could not be decided.
func (v *verification) judgeUndecided(r *Report) {
	v.t.Helper()
	if v.allowIncomplete {
		return
	}
	if r.Why != "" {
		v.t.Errorf("%s: incomplete: %s; nothing wrong was found in the %d states before that, but that is no verdict (%s, or accept it with checker.AllowIncomplete)\nsetting: %s",
			r.Subject(), r.Why, r.Distinct, r.remedy(), r.Setting)
		return
	}
	names := make(map[string][]string) // of undecided properties, by the reason
	var whys []string
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Verdict == Incomplete {
			if names[f.Why] == nil {
				whys = append(whys, f.Why)
			}
			names[f.Why] = append(names[f.Why], f.Property.Name)
		}
	}
	for _, why := range whys {
		v.t.Errorf("%s: undecided: %s: %s (raise that limit, ask for less, or accept it with checker.AllowIncomplete)\nsetting: %s",
			r.Subject(), strings.Join(names[why], ", "), why, r.Setting)
	}
}

// judgeGaps fails the test for what never came up, where all states were seen.
func (v *verification) judgeGaps(r *Report) {
	v.t.Helper()
	if !r.Complete() {
		return
	}
	missing := make(map[string]bool)
	any := slices.Contains(v.gaps, "*")
	gap := func(name, text string) {
		missing[name] = true
		if any || slices.Contains(v.gaps, name) {
			v.t.Logf("%s: %s", r.Subject(), text)
			return
		}
		v.t.Errorf("%s: %s: nothing was shown about it (widen the setting, ask something else, or accept it with checker.AllowGaps(%q))\nsetting: %s",
			r.Subject(), text, name, r.Setting)
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Verdict == Vacuous {
			gap(f.Property.Name, f.Property.Name+" is "+f.Line())
		}
	}
	for _, g := range r.Gaps {
		if g.Kind == "rule" || g.Kind == "message" {
			gap(g.Name, g.String())
			continue
		}
		v.t.Logf("%s: %s", r.Subject(), g)
	}
	for _, name := range v.gaps {
		if name != "*" && !missing[name] {
			v.t.Errorf("%s: %q is allowed as a gap (checker.AllowGaps), and is none: take it out\nsetting: %s", r.Subject(), name, r.Setting)
		}
	}
}

// violated fails the test with the trace of a finding, which it keeps.
func (v *verification) violated(f *Finding) {
	v.t.Helper()
	name := v.file(f.Property)
	kept := "kept as " + filepath.ToSlash(name) + ": the next run begins with it"
	if err := keep(f.Trace, name); err != nil {
		kept = fmt.Sprintf("not kept: %v", err)
	}
	v.t.Errorf("%s\n%s\nshow it again: %s", v.drawn(f), kept, v.command())
}

// drawn returns the diagram of a finding.
func (v *verification) drawn(f *Finding) string {
	var b strings.Builder
	if err := f.WriteText(&b, trace.TextOptions{}); err != nil {
		return fmt.Sprintf("%s %s, and the trace cannot be drawn: %v", f.Property.Name, f.Line(), err)
	}
	return strings.TrimRight(b.String(), "\n")
}

// command returns the command that runs this test alone.
func (v *verification) command() string {
	parts := strings.Split(v.t.Name(), "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return "go test -run '" + strings.Join(parts, "/") + "' ."
}

func keep(t *trace.Trace, name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return t.WriteFile(name)
}

// file returns the name of the file for the counterexample of a property.
func (v *verification) file(p *Property) string {
	test := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ReplaceAll(v.t.Name(), "/", "__"))
	return filepath.Join("testdata", "counterexamples", test+"-"+p.Name+".json")
}

// replayKept replays the counterexamples that are kept, and fails the test with
// each that still breaks its property. It reports whether there was one.
func (v *verification) replayKept(props []*Property) (failed bool) {
	v.t.Helper()
	for _, p := range props {
		if v.expected[p.Name] {
			continue
		}
		name := v.file(p)
		t, err := trace.Load(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			v.t.Errorf("checker: the counterexample that is kept cannot be read: %v (remove it to check without it)", err)
			failed = true
			continue
		}
		f, err := v.again(p, t)
		if err != nil {
			v.t.Logf("%s breaks %s no more: %v", filepath.ToSlash(name), p.Name, err)
			continue
		}
		v.t.Errorf("%s\nstill so: replayed from %s, without a search", v.drawn(f), filepath.ToSlash(name))
		failed = true
	}
	return failed
}

// again executes the steps of a counterexample in the system under test. The
// error says why they break the property no more. What the steps do besides
// may have changed since they were recorded.
func (v *verification) again(p *Property, t *trace.Trace) (*Finding, error) {
	if p.Kind.witness() {
		return nil, errors.New("it is a witness by now")
	}
	if t.Property != p.Name {
		return nil, fmt.Errorf("the file is about property %q", t.Property)
	}
	if !t.Setting.Equal(v.sys.Setting()) {
		return nil, fmt.Errorf("it was found in another setting, %q", t.Setting)
	}
	initial, err := v.initial(t)
	if err != nil {
		return nil, err
	}
	run := trace.Begin(v.sys, initial)
	for i := range t.Steps {
		if err := run.Do(t.Steps[i].Action); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if !broken(p, run, t.Lasso) {
		return nil, errors.New("its steps are possible and do it no harm")
	}
	f := &Finding{Property: p, Verdict: Violated, Run: run, Shortest: true}
	f.Trace = run.Record(t.Header)
	f.Trace.Lasso = t.Lasso
	f.Explanation = explain(f)
	return f, nil
}

// initial returns the initial state in which a trace begins.
func (v *verification) initial(t *trace.Trace) (state []byte, err error) {
	v.sys.Initial(func(s []byte) bool {
		if origin, choices := v.sys.Narrow(s); origin.Equal(t.Origin) && slices.Equal(choices, t.Choices) {
			state = append([]byte(nil), s...)
		}
		return state == nil
	})
	if state == nil {
		return nil, fmt.Errorf("no initial state is %q", t.Origin)
	}
	return state, nil
}

// broken reports whether the last step of a run, or the state where it ends,
// breaks a property; of one about whole runs, whether the run does that goes on
// with the step of number lasso (0: with none).
func broken(p *Property, run *trace.Run, lasso int) bool {
	last := len(run.Steps)
	if misused := last > 0 && run.Steps[last-1].Misuse != ""; misused || p == Misuse {
		return misused && p == Misuse
	}
	watch := p.Watch()
	if watch.Run != nil {
		closed := lasso == 0 || bytes.Equal(run.States[lasso-1], run.States[last])
		return closed && watch.Run(run.System, run.States, run.Steps, lasso-1) == nil
	}
	end := run.System.View(run.States[last])
	if watch.State != nil {
		return watch.State(end)
	}
	if last == 0 {
		return false
	}
	from := run.System.View(run.States[last-1])
	from.Settled, end.Settled = false, false // as searches have it
	from.Quiet, end.Quiet = false, false
	return watch.Step(from, end)
}

// fixed removes the counterexample of a property that holds.
func (v *verification) fixed(f *Finding) {
	name := v.file(f.Property)
	switch err := os.Remove(name); {
	case err == nil:
		v.t.Logf("%s: %s %s now; removed %s", v.opt.Algorithm, f.Property.Name, f.Line(), filepath.ToSlash(name))
	case !errors.Is(err, fs.ErrNotExist):
		v.t.Logf("%s: %s %s now, but its counterexample stays: %v", v.opt.Algorithm, f.Property.Name, f.Line(), err)
	}
}
