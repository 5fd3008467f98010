package checker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bullyproof/checker/internal/kept"
	"bullyproof/model"
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

// again executes the actions of a counterexample in the system under test. The
// error says why they break the property no more. A run that differs from the record is
// recorded again, so that other programs can open the file.
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
	watch := model.Watch{}
	if p != Misuse {
		watch = p.Watch()
	}
	redone, err := trace.RedoIn(t, s.sys, watch)
	if err == nil {
		err = redone.Why
	}
	if err != nil {
		return nil, err
	}
	f := &Finding{Property: p, Verdict: Violated, Run: redone.Run, Trace: redone.Trace, Shortest: true}
	f.Explanation = explain(f)
	if len(redone.Differences) == 0 && len(f.Trace.Steps) == len(t.Steps) {
		return f, nil
	}
	if err := kept.Keep(f.Trace, s.file(p)); err != nil {
		s.t.Logf("%s stays as it was recorded: %v", filepath.ToSlash(s.file(p)), err)
	}
	return f, nil
}

// tellStrays fails the test for counterexamples of tests that are gone or have another name. When
// the test is over and has passed, it tells of those that were kept by it and that none of these
// scopes looks at: another check of the test may, if it did not run this time.
func (v *verification) tellStrays(scopes ...*scope) {
	v.t.Helper()
	for _, name := range kept.OfNoTest(v.name) {
		v.t.Errorf("checker: %s is of a test that is not here: remove it, or give it the name of the test that it is of now", filepath.ToSlash(name))
	}
	used := make(map[string]bool)
	for _, s := range scopes {
		for _, p := range append(slices.Clone(s.props), Misuse) {
			used[s.file(p)] = !s.expected[p.Name]
		}
	}
	v.t.Cleanup(func() {
		if v.t.Failed() || v.t.Skipped() {
			return
		}
		for _, f := range kept.Of(v.name) {
			if !used[f.Name] {
				text := fmt.Sprintf("%s is of no check of this test that ran: remove it if none asks for %s in its setting, %s", filepath.ToSlash(f.Name), f.Property, f.Setting)
				v.t.Log(text)
				fmt.Fprintf(os.Stderr, "%s: %s\n", v.name, text)
			}
		}
	})
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
