package checker

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bullyproof/model"
)

// An Option changes what Verify asks, how far it goes, and what it takes for an
// answer. Options add up.
type Option func(*verification)

// Asking has these properties asked instead of StandardIn the setting. Given
// twice it asks all.
func Asking(properties ...*Property) Option {
	return func(v *verification) { v.opt.Properties = append(v.opt.Properties, properties...) }
}

// With changes the options of the check: limits, workers, the order of the
// search.
//
//	checker.With(func(o *checker.Options) { o.MaxGraphStates = 20_000_000 })
func With(change func(*Options)) Option { return func(v *verification) { change(&v.opt) } }

// Named says as which algorithm and variant a catalogue has the protocol, so that
// a program made with command.Main opens the counterexamples that Verify keeps.
// The variant may be empty. Without it they bear the name of the test.
func Named(algorithm, variant string) Option {
	return func(v *verification) { v.opt.Algorithm, v.opt.Variant, v.named = algorithm, variant, true }
}

// Expect says that properties are violated (or, of witnesses, that there is
// none), so that a test can say what is wrong with an algorithm. The test fails
// unless each of them is.
func Expect(properties ...*Property) Option {
	return func(v *verification) {
		for _, p := range properties {
			v.expected[p.Name] = true
		}
	}
}

// AllowIncomplete lets a test pass although something is undecided, be it that the
// search ended before it had seen every state or that a property took more than
// its limits allow, as long as nothing wrong was found until then.
func AllowIncomplete() Option { return func(v *verification) { v.allowIncomplete = true } }

// AllowGaps lets a test pass although these never came up: properties that are
// vacuous, rules that never ran, messages that were never sent or never received,
// by their names. "*" allows whatever there is. Any other name that is no gap
// fails the test, so that none outlives its reason.
func AllowGaps(names ...string) Option {
	return func(v *verification) { v.gaps = append(v.gaps, names...) }
}

// Verify checks a protocol in a go test and returns the report. The setting is a
// text as model.ParseSetting reads it: "n=3 start=settled crashes=1".
//
// It begins with the handlers, in the manner of TestProtocol: one that is not
// deterministic, or a method that is not what it has to be, ends the test with an
// error that names it. Then it searches. The test fails
//   - if a property is violated: with the diagram of the first one, a line for
//     each other one, and the commands that show them again;
//   - if a witness was not found;
//   - if something is undecided, be it a single property or one that is expected to
//     be violated (AllowIncomplete);
//   - where nothing was shown: if a property is vacuous, a rule never ran, or a
//     message was never sent or never received (AllowGaps).
//
// It respects the deadline of the test: a search that would go beyond it ends
// before, incomplete.
//
// A counterexample is kept under the test's directory, in
// testdata/counterexamples/TEST-PROPERTY-HASH.json, where HASH is of the setting
// and of the protocol's type and fields, and the next run begins with it. If it
// still breaks the property, the test fails at once, without a search. If it does
// not, since the code has changed, the search decides; when that shows that the
// property holds, the file has served its purpose and is removed. A file that
// cannot be read fails the test and is left alone. Nothing is kept for properties
// that are expected to be violated.
//
// With -bullyproof.pages=DIR the test also writes each counterexample as a page of
// HTML.
func Verify[P any, M model.Message](t testing.TB, p model.Protocol[P, M], setting string, opts ...Option) *Report {
	t.Helper()
	v := &verification{t: t, expected: make(map[string]bool)}
	for _, o := range opts {
		o(v)
	}
	if v.opt.Algorithm == "" {
		v.opt.Algorithm = t.Name()
	}
	s, err := model.ParseSetting(setting)
	if err == nil {
		err = s.Exhaustive()
	}
	if err == nil {
		v.sys, err = model.New(p, s)
	}
	if err != nil {
		t.Fatalf("checker: %v", err)
	}
	v.hash = hashOf(p, v.sys.Setting())
	return v.run(func() error { return probeProtocol(p, v.sys, briefly) })
}

// A verification is one call of Verify.
type verification struct {
	t               testing.TB
	sys             *model.System
	hash            string // of protocol and setting
	opt             Options
	named           bool
	expected        map[string]bool
	allowIncomplete bool
	gaps            []string
}

// run replays what is kept, probes the handlers, searches and judges.
func (v *verification) run(probe func() error) *Report {
	v.t.Helper()
	props, err := v.opt.properties(v.sys.Setting())
	if err == nil {
		err = v.known(props)
	}
	if err == nil {
		v.sys, err = Remembered(v.sys, props...)
	}
	if err != nil {
		v.t.Fatalf("checker: %v", err)
	}
	if v.replayKept(append(props, Misuse)) {
		v.t.FailNow()
	}
	if err := probe(); err != nil {
		v.t.Fatalf("checker: %s: %v\nsetting: %s", v.opt.Algorithm, err, v.sys.Setting())
	}
	ctx, cancel := v.context()
	defer cancel()
	report, err := Check(ctx, v.sys, v.opt)
	if err != nil {
		v.t.Fatalf("checker: %v", err)
	}
	v.judge(report)
	return report
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
	v.t.Logf("%s\nsetting: %s", r.Headline(), r.Setting)
	var violated []*Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		expected := v.expected[f.Property.Name]
		switch f.Verdict {
		case Violated:
			if !expected {
				violated = append(violated, f)
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
	v.violated(violated)
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
		v.t.Errorf("%s: incomplete: %s; %s, but that is no verdict (%s, or accept it with checker.AllowIncomplete)\nsetting: %s",
			r.Subject(), r.Why, r.known(), r.Remedy(), r.Setting)
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
		remedy := r.Remedy()
		if remedy == "" {
			remedy = "ask for less"
		}
		v.t.Errorf("%s: undecided: %s: %s (%s, or accept it with checker.AllowIncomplete)\nsetting: %s",
			r.Subject(), strings.Join(names[why], ", "), why, remedy, r.Setting)
	}
}

// judgeGaps fails the test for what never came up, where all states were seen.
func (v *verification) judgeGaps(r *Report) {
	v.t.Helper()
	if !r.Complete() {
		return
	}
	missing := make(map[string]bool)
	all := slices.Contains(v.gaps, "*")
	gap := func(name, text string) {
		missing[name] = true
		if all || slices.Contains(v.gaps, name) {
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

// command returns the command that runs this test alone.
func (v *verification) command() string {
	parts := strings.Split(v.t.Name(), "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return "go test -run '" + strings.Join(parts, "/") + "' ."
}
