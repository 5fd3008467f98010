package checker

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullyproof/internal/quantity"
)

// judged says of which setting it is judged what never came up: the second one, or
// the only one.
func (v *verification) judged() int { return min(2, len(v.settings)) }

// judge tells the subtests of the properties what was found, and fails them for
// what was not expected.
func (s *scope) judge(r *Report) {
	s.t.Helper()
	s.t.Logf("%s\nsetting: %s", r.Headline(), r.Setting)
	if text := r.periodicText(); text != "" {
		s.t.Logf("%s", text)
	}
	s.note(r)
	for i := range r.Findings {
		f := &r.Findings[i]
		sub(s.t, f.Property.Name, func(t testing.TB) {
			t.Helper()
			s.judgeFinding(t, r, f)
		})
	}
	if r.Finding(Misuse.Name) == nil {
		sub(s.t, Misuse.Name, func(t testing.TB) {
			t.Helper()
			s.judgeMisuse(t, r)
		})
	}
	sub(s.t, "coverage", func(t testing.TB) {
		t.Helper()
		s.judgeGaps(t, r)
	})
}

// note remembers what came up, for the settings that follow.
func (s *scope) note(r *Report) {
	for i := range r.Findings {
		f := &r.Findings[i]
		s.cameUp[f.Property.Name] = s.cameUp[f.Property.Name] || f.Verdict != Vacuous
		if f.Verdict == Violated || f.Verdict == NotFound {
			s.broken[f.Property.Name] = true
		}
	}
	gaps := make(map[string]bool)
	for _, g := range r.Gaps {
		gaps[g.Name] = true
	}
	for _, c := range slices.Concat(r.Coverage.Rules, r.Coverage.Sent) {
		s.cameUp[c.Name] = s.cameUp[c.Name] || !gaps[c.Name]
	}
}

// judgeFinding tells a test what was found about one property.
func (s *scope) judgeFinding(t testing.TB, r *Report, f *Finding) {
	t.Helper()
	expected := s.expected[f.Property.Name]
	switch f.Verdict {
	case Violated, NotFound:
		switch {
		case expected:
			t.Logf("%s, as expected", f.Line())
		case f.Verdict == Violated:
			s.violated(t, r, f)
		default:
			t.Errorf("%s: %s: no state or step of all %d states is a witness: %s\nsetting: %s",
				r.Subject(), f.Property.Name, r.Distinct, f.Property.Doc, r.Setting)
		}
	case Incomplete:
		s.undecided(t, r, f)
	default:
		if f.Verdict != Vacuous {
			s.fixed(t, f)
		}
		if expected && s.number == s.judged() && !s.broken[f.Property.Name] {
			t.Errorf("%s: %s was expected to fail, but: %s\nsetting: %s", r.Subject(), f.Property.Name, f.Line(), r.Setting)
		}
		if f.Verdict == Vacuous && r.Complete() {
			s.gap(t, r, f.Property.Name, f.Property.Name+" is "+f.Line())
		}
	}
}

// judgeMisuse tells a test that no handler did what the world cannot carry out, or
// that this is not known.
func (s *scope) judgeMisuse(t testing.TB, r *Report) {
	t.Helper()
	f := &Finding{Property: Misuse, Verdict: Holds}
	switch {
	case r.Complete():
		s.fixed(t, f)
		if s.expected[Misuse.Name] && s.number == s.judged() && !s.broken[Misuse.Name] {
			t.Errorf("%s: misuse was expected, but no handler does anything that the world cannot carry out", r.Subject())
		}
	case r.Why != "":
		f.Verdict, f.Why, f.unseen = Incomplete, r.Why, true
		s.undecided(t, r, f)
	default:
		s.skip(t, "the search ended when all else was decided")
	}
}

// skip marks a subtest as one that shows nothing.
func (s *scope) skip(t testing.TB, why string) {
	t.Helper()
	if t == s.t {
		t.Logf("%s", why) // not the whole test
		return
	}
	t.Skip(why)
}

// undecided fails a test for a property that could not be decided. The advice
// is given once for each reason.
func (s *scope) undecided(t testing.TB, r *Report, f *Finding) {
	t.Helper()
	misuse := f.Property == Misuse && len(s.incomplete) > 0 // which is always asked
	if misuse || slices.Contains(s.incomplete, everything) || slices.Contains(s.incomplete, f.Property.Name) {
		if r.Why != "" && (r.Distinct < s.leastStates || max(r.CompleteDepth, 0) < s.leastSteps) {
			s.tooLittle(t, r)
			return
		}
		s.admit(r)
		s.skip(t, f.Property.Name+" is undecided: "+f.Why)
		return
	}
	why := f.Why
	if r.Why != "" {
		why = r.Why
	}
	if s.told[why] {
		if t != s.t {
			t.Errorf("%s is undecided, for the same reason", f.Property.Name)
		}
		return
	}
	s.told[why] = true
	if r.Why != "" {
		t.Errorf("%s: incomplete: %s; %s, but that is no verdict (%s, or accept it with checker.AllowIncomplete)\nsetting: %s",
			r.Subject(), r.Why, r.known(), r.Remedy(), r.Setting)
		return
	}
	var names []string
	for i := range r.Findings {
		if g := &r.Findings[i]; g.Verdict == Incomplete && g.Why == why {
			names = append(names, g.Property.Name)
		}
	}
	remedy := r.Remedy()
	if remedy == "" {
		remedy = "ask for less"
	}
	t.Errorf("%s: undecided: %s: %s (%s, or accept it with checker.AllowIncomplete)\nsetting: %s",
		r.Subject(), strings.Join(names, ", "), why, remedy, r.Setting)
}

// tooLittle fails a test that may be incomplete and has seen too little, once.
func (s *scope) tooLittle(t testing.TB, r *Report) {
	t.Helper()
	if s.told[r.Why] {
		return
	}
	s.told[r.Why] = true
	t.Errorf("%s: incomplete: %s after %s, with every run of up to %s: checker.AtLeast wants %s and %s\nsetting: %s",
		r.Subject(), r.Why, quantity.Plural(r.Distinct, "state"), quantity.Plural(max(r.CompleteDepth, 0), "step"),
		quantity.Plural(s.leastStates, "state"), quantity.Plural(s.leastSteps, "step"), r.Setting)
}

// admit says, once, that a test passes incomplete.
func (s *scope) admit(r *Report) {
	if s.admitted {
		return
	}
	s.admitted = true
	fmt.Fprintf(os.Stderr, "%s passes incomplete: %s (checker.AllowIncomplete)\n", s.name, r.undecided())
}

// gap fails a test for what never came up, in this setting and in those before it,
// unless that is allowed.
func (s *scope) gap(t testing.TB, r *Report, name, text string) {
	t.Helper()
	allowed := slices.Contains(s.gaps, "*") || slices.Contains(s.gaps, name)
	if allowed || s.number != s.judged() || s.cameUp[name] {
		t.Logf("%s: %s", r.Subject(), text)
		return
	}
	t.Errorf("%s: %s: nothing was shown about it (widen the setting, ask something else, or accept it with checker.AllowGaps(%q))\nsetting: %s",
		r.Subject(), text, name, r.Setting)
}

// judgeGaps fails a test for rules and messages that never came up, where all
// states were seen, and for gaps that are allowed and none.
func (s *scope) judgeGaps(t testing.TB, r *Report) {
	t.Helper()
	if !r.Complete() {
		s.skip(t, "not every state was seen")
		return
	}
	for _, g := range r.Gaps {
		if g.Kind == "rule" || g.Kind == "message" {
			s.gap(t, r, g.Name, g.String())
			continue
		}
		t.Logf("%s: %s", r.Subject(), g)
	}
	if s.number != s.judged() {
		return
	}
	missing := make(map[string]bool)
	for i := range r.Findings {
		missing[r.Findings[i].Property.Name] = r.Findings[i].Verdict == Vacuous
	}
	for _, g := range r.Gaps {
		missing[g.Name] = missing[g.Name] || g.Kind == "rule" || g.Kind == "message"
	}
	for _, name := range s.gaps {
		if name != "*" && (!missing[name] || s.cameUp[name]) {
			t.Errorf("%s: %q is allowed as a gap (checker.AllowGaps), and is none: take it out\nsetting: %s", r.Subject(), name, r.Setting)
		}
	}
}

// commandOf returns the command that runs a test alone.
func commandOf(t testing.TB) string {
	parts := strings.Split(t.Name(), "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return fmt.Sprintf("go test -run '%s' .", strings.Join(parts, "/"))
}
