package checker

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bullyproof/checker/internal/kept"
	"bullyproof/trace"
)

// base returns the name of the files about a property, without ending.
func (s *scope) base(p *Property) string { return kept.Base(s.name, p.Name, s.hash) }

// file returns the name of the file for the counterexample of a property.
func (s *scope) file(p *Property) string { return filepath.Join(kept.Dir, s.base(p)+".json") }

// replayKept replays the counterexamples that are kept, and fails the test with
// those that still break their properties. It reports whether there was one.
func (s *scope) replayKept() (failed bool) {
	s.t.Helper()
	var still []*Finding
	for _, p := range append(slices.Clone(s.props), Misuse) {
		if s.expected[p.Name] {
			continue
		}
		name := s.file(p)
		t, err := trace.Load(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			s.t.Errorf("checker: the counterexample that is kept cannot be read: %v (remove it to check without it)", err)
			failed = true
			continue
		}
		f, err := s.again(p, t)
		if err != nil {
			s.t.Logf("%s breaks %s no more: %v", filepath.ToSlash(name), p.Name, err)
			continue
		}
		still = append(still, f)
	}
	if len(still) == 0 {
		return failed
	}
	if len(s.settings) == 1 {
		return s.stillSo(s.t, still) || failed
	}
	some := false
	sub(s.t, s.text, func(t testing.TB) {
		t.Helper()
		some = s.stillSo(t, still)
	})
	return some || failed
}

// stillSo fails the subtests of what is kept and still so, and reports whether one
// of them ran.
func (s *scope) stillSo(t testing.TB, still []*Finding) (some bool) {
	t.Helper()
	for i, f := range still {
		ran, _ := sub(t, f.Property.Name, func(t testing.TB) {
			t.Helper()
			s.fail(t, f, still[i+1:], "still so: replayed from "+filepath.ToSlash(s.file(f.Property))+", without a search")
		})
		some = some || ran
	}
	return some
}

// again executes the steps of a counterexample in the system under test. The
// error says why they break the property no more. Other effects of the steps
// may have changed since they were recorded.
func (s *scope) again(p *Property, t *trace.Trace) (*Finding, error) {
	if p.kind.witness() {
		return nil, errors.New("it is a witness by now")
	}
	if t.Property != p.Name {
		return nil, fmt.Errorf("the file is about property %q", t.Property)
	}
	if !t.Setting.Equal(s.sys.Setting()) {
		return nil, fmt.Errorf("it was found in another setting, %q", t.Setting)
	}
	initial := trace.Origin(t, s.sys)
	if initial == nil {
		return nil, fmt.Errorf("no initial state is %q", t.Origin)
	}
	run := trace.Begin(s.sys, initial)
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
	if watch.State != nil {
		return watch.State(run.System.View(run.States[last]))
	}
	return last > 0 && watch.HitsStep(run.System, run.States[last-1], &run.Steps[last-1])
}

// fixed removes the counterexample of a property that holds.
func (s *scope) fixed(t testing.TB, f *Finding) {
	t.Helper()
	name := s.file(f.Property)
	switch err := os.Remove(name); {
	case err == nil:
		t.Logf("%s: %s %s now; removed %s", s.opt.Algorithm, f.Property.Name, f.Line(), filepath.ToSlash(name))
	case !errors.Is(err, fs.ErrNotExist):
		t.Logf("%s: %s %s now, but its counterexample stays: %v", s.opt.Algorithm, f.Property.Name, f.Line(), err)
	}
}
