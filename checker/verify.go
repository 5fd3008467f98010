package checker

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullyproof/checker/conform"
	"bullyproof/checker/internal/kept"
	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/plain"
)

// An Option changes what Verify asks, how far it goes, and what it takes for an
// answer. Options add up.
type Option func(*verification)

// Asking has these properties asked instead of the standard ones (InSetting). Given
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

// AllowIncomplete lets a test pass although properties are undecided, whether because
// the search ended before it had seen every state or because a property took more than its
// limits allow, as long as nothing wrong was found until then. Without names it is about
// all properties. A test that passes so says it on the error stream, which go test shows
// without -v where it is run in one directory. (A bound that the protocol or the setting
// declares needs no permission: Report.Bound.)
func AllowIncomplete(names ...string) Option {
	return func(v *verification) {
		if len(names) == 0 {
			names = []string{everything}
		}
		v.incomplete = append(v.incomplete, names...)
	}
}

// everything is what stands for all names.
const everything = "*"

// AtLeast is for tests that may pass although the search was incomplete: it has to have
// seen so many states, and every run of up to so many steps. Without it a test may pass
// that has seen next to nothing.
func AtLeast(states uint64, steps int) Option {
	return func(v *verification) { v.leastStates, v.leastSteps = states, steps }
}

// Within has the search of each setting end after a time, incomplete, in place of a minute, or
// of what -bullyproof.within says.
func Within(limit time.Duration) Option { return func(v *verification) { v.limit = limit } }

// FailFast ends the search where a property is violated (Options.FailFast).
func FailFast() Option { return With(func(o *Options) { o.FailFast = true }) }

// AllowGaps lets a test pass although these never came up: properties that are
// vacuous, rules that never ran, messages that were never sent or never received,
// by their names. "*" allows whatever there is. Any other name that is no gap
// fails the test, so that none outlives its reason.
func AllowGaps(names ...string) Option {
	return func(v *verification) { v.gaps = append(v.gaps, names...) }
}

// Scopes adds settings to the one of Verify, from small to large. How many of them
// are checked, from the first on, is for -bullyproof.scope to say:
//
//	small     the first, which is that of Verify; what go test -short checks
//	default   the first two
//	large     all
//	K         the first K, from 1
//
// Each is a subtest, "n=4_crashes=1", with the properties below it. The first that
// fails is the last: the smallest run is there.
//
// The first two settings together judge vacuous properties and those that are
// expected to be violated. A rule that runs in the second one is no gap; a third
// does not hide a gap of the first two.
func Scopes(settings ...string) Option {
	return func(v *verification) { v.settings = append(v.settings, settings...) }
}

// Verify checks a protocol in a go test and returns the report: with Scopes, that
// of the last setting that it checked. The setting is a text as setting.Parse
// reads it: "n=3 start=settled crashes=1".
//
// It begins with the handlers, in the manner of TestProtocol: one that is not
// deterministic, or a method that is not what it has to be, ends the test with an
// error that names it. Then it searches, once for all properties, and tells every few
// seconds how far it is: with go test -v in the log, and otherwise on the error stream, which
// go test shows where it is run in one directory. Each property is a subtest of its
// name, and so is "coverage"; go test -run 'TestMine/uniqueness' tells of one alone.
// (A test that is no *testing.T has no subtests, and is itself told of everything.) The
// test fails
//   - if a property is violated: with the diagram of the first one, a line for
//     each other one, and the commands that show them again;
//   - if a witness was not found;
//   - if something is undecided, even a single property or one that is expected to
//     be violated (AllowIncomplete);
//   - where nothing was shown: if a property is vacuous, a rule never ran, or a
//     message was never sent or never received (AllowGaps).
//
// A search ends after a minute, incomplete, unless Within or -bullyproof.within give it another
// time, and before the deadline of the test. It also ends where something grows without end, and
// the test says what (Report.Growth).
//
// A counterexample is kept under the test's directory, in
// testdata/counterexamples/TEST-PROPERTY-HASH.json, where HASH is of the setting
// and of the protocol's type and fields, and the next run begins with it, whatever
// -bullyproof.scope says of its setting. If it still breaks the property, the test
// fails at once, without a search. If it does
// not, since the code has changed, the search decides; when that shows that the
// property holds, the file has served its purpose and is removed. A file that
// cannot be read fails the test and is left alone. Nothing is kept for properties
// that are expected to be violated.
//
// The next run follows the actions, whatever messages, timers and fields are called by then, and
// records the run again if anything differs. A file of a test that is not in the directory any
// more, by its name, fails the test: nobody would ever look at it. A test that passes tells of
// files of its own that none of its checks looked at, since their protocol or setting is gone, on
// the error stream.
//
// With -bullyproof.pages=DIR the test also writes each counterexample as a page of
// HTML. With -bullyproof.trend=DIR it tells where it has the verdict of its last run in fewer
// states, and with -bullyproof.drops=fail it fails then.
func Verify[P any, M model.Message](t testing.TB, p model.Protocol[P, M], setting string, opts ...Option) *Report {
	t.Helper()
	v := newVerification(t, []string{setting}, opts)
	most, err := scopes()
	var all []*scope
	for i, text := range v.settings {
		var s *scope
		if err == nil {
			s, err = newScope(v, p, text)
		}
		if err != nil {
			t.Fatalf("checker: %v", err)
		}
		s.number = i + 1
		all = append(all, s)
	}
	return v.run(all, min(most, len(all)))
}

func newVerification(t testing.TB, settings []string, opts []Option) *verification {
	v := &verification{t: t, name: t.Name(), expected: make(map[string]bool), cameUp: make(map[string]bool), broken: make(map[string]bool), settings: settings}
	for _, o := range opts {
		o(v)
	}
	if v.opt.Algorithm == "" {
		v.opt.Algorithm = t.Name()
	}
	return v
}

// A verification is one call of Verify, or half of one of Repairs.
type verification struct {
	t           testing.TB
	name        string   // of the test
	settings    []string // in order of size
	opt         Options
	named       bool
	expected    map[string]bool
	incomplete  []string // that may be
	leastStates uint64
	leastSteps  int
	limit       time.Duration // of each search; 0 is that of the flag
	admitted    bool          // it was said that the test passes incomplete
	gaps        []string
	cameUp      map[string]bool // in a setting that was checked: what is no gap
	broken      map[string]bool // there: properties
}

// A scope is a setting in which a protocol is verified.
type scope struct {
	*verification
	t      testing.TB // the subtest of the setting; where there is one setting only, the test
	number int        // from 1
	text   string     // the setting, as it was given
	sys    *model.System
	hash   string // of protocol and setting
	props  []*Property
	probe  func() error
	drawn  bool            // a diagram was
	told   map[string]bool // reasons for being undecided
}

// newScope returns the system of a protocol in a setting, with what is asked there.
func newScope[P any, M model.Message](v *verification, p model.Protocol[P, M], setting string) (*scope, error) {
	sys, err := model.NewFrom(p, setting)
	if err != nil {
		return nil, err
	}
	s := &scope{verification: v, t: v.t, text: setting, hash: kept.Hash(p, sys.Setting()), told: make(map[string]bool)}
	s.probe = func() error { return conform.Protocol(p, sys, conform.Briefly()) }
	if s.props, err = v.opt.asked(sys); err != nil {
		return nil, err
	}
	if len(s.props) == 0 && !slices.Contains(v.opt.Properties, Misuse) {
		return nil, errors.New("no property is asked: there is nothing to verify")
	}
	if err = v.known(s.props); err != nil {
		return nil, err
	}
	s.sys, err = Remembered(sys, s.props...)
	return s, err
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
	for _, name := range v.incomplete {
		if !asked[name] && name != everything {
			return fmt.Errorf("property %q may be undecided (checker.AllowIncomplete), but is not among those that are checked: %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// run replays what is kept, and then checks the protocol in the first so many
// settings.
func (v *verification) run(all []*scope, most int) *Report {
	v.t.Helper()
	v.tellStrays(all...)
	failed := false
	for _, s := range all {
		failed = s.replayKept() || failed
	}
	if failed {
		v.t.FailNow()
	}
	var r *Report
	for _, s := range all[:most] {
		if len(all) == 1 {
			return s.verify()
		}
		ran, ok := sub(v.t, s.text, func(t testing.TB) {
			t.Helper()
			s.t = t
			r = s.verify()
		})
		if ran && !ok {
			break
		}
	}
	if r == nil && v.t.Failed() {
		v.t.FailNow() // no caller has a use for the report
	} else if r == nil {
		v.t.Skip("-run picks none of the settings that -bullyproof.scope has checked")
	}
	if most < len(all) && !v.t.Failed() {
		v.t.Logf("checked %d of %d settings (-bullyproof.scope=large checks all)", most, len(all))
	}
	return r
}

// sub runs a part of a test as a subtest, where the test can have any, and as the
// test itself elsewhere. It reports whether the part ran, since -run may leave it
// out, and whether it passed; of a test without subtests, whether all did so far.
func sub(t testing.TB, name string, f func(t testing.TB)) (ran, ok bool) {
	t.Helper()
	if parent, can := t.(interface {
		Run(name string, f func(t *testing.T)) bool
	}); can {
		ok = parent.Run(name, func(t *testing.T) {
			t.Helper()
			ran = true
			f(t)
		})
		return ran, ok
	}
	f(t)
	return true, !t.Failed()
}

// verify probes the handlers, searches and judges.
func (s *scope) verify() *Report {
	s.t.Helper()
	if err := s.probe(); err != nil {
		s.t.Fatalf("checker: %s: %v\nsetting: %s", s.opt.Algorithm, err, s.sys.Setting())
	}
	ctx, cancel := s.context()
	defer cancel()
	report, err := Check(ctx, s.sys, s.telling())
	if err != nil {
		s.t.Fatalf("checker: %v", err)
	}
	s.judge(report)
	s.trend(report)
	return report
}

// context returns a context that ends when the search may take no longer, and some time before
// the test's deadline: a tenth of what is left, to draw traces and to let other tests report.
func (s *scope) context() (context.Context, context.CancelFunc) {
	limit := cmp.Or(s.limit, s.opt.MaxTime, *withinFlag)
	if d, ok := s.t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := d.Deadline(); ok {
			left := time.Until(deadline)
			limit = min(limit, left-left/10)
		}
	}
	return context.WithTimeout(s.t.Context(), limit)
}

// tellEvery is how often a test tells how far its search is.
const tellEvery = 5 * time.Second

// telling returns the options of the check. The search tells how far it is, in the log with
// go test -v, which shows it at once, and else on the error stream, unless With says to whom.
func (s *scope) telling() Options {
	opt := s.opt
	if opt.Progress != nil {
		return opt
	}
	tell := s.t.Logf
	if !testing.Verbose() {
		tell = func(format string, args ...any) { fmt.Fprintf(os.Stderr, s.name+": "+format+"\n", args...) }
	}
	opt.ProgressEvery = cmp.Or(opt.ProgressEvery, tellEvery)
	var told time.Duration
	opt.Progress = func(p explore.Progress) {
		if p.Elapsed < told {
			told = 0 // another search
		}
		if p.Elapsed-told < opt.ProgressEvery {
			return // a phase may say that it begins
		}
		told = p.Elapsed
		found := ""
		if p.Found != "" {
			found = "; " + p.Found
		}
		if p.Growing != "" {
			found += "; " + p.Growing
		}
		tell("%s: %s: %s distinct states of %s, depth %d, %s states/s, %s%s",
			p.Elapsed.Round(time.Second), p.Phase, quantity.Short(float64(p.Distinct)), quantity.Short(float64(p.Generated)),
			p.Depth, quantity.Short(p.Rate), quantity.Bytes(p.Bytes), found)
	}
	return opt
}

// The flags of tests. In a program that is no test they have their zero values.
var (
	// pages is where Verify writes pages.
	pages = testFlag("bullyproof.pages", "write each counterexample that a checker.Verify finds as a page of HTML into this `directory`")
	// withinFlag is how long a search may take.
	withinFlag = testTime("bullyproof.within", "end the search of each checker.Verify after this `time`, unless it has a checker.Within")
	// trendFlag is where Verify keeps how many states there were, and dropsFail whether a test with
	// fewer fails.
	trendFlag = testFlag("bullyproof.trend", "keep in this `directory` how many states each checker.Verify found, and tell where they are fewer than in its last run, with the same verdict")
	dropsFail = testChoice("bullyproof.drops", "with -bullyproof.trend, `fail` has a test fail that has fewer states than in its last run, and tell, the default, has it say so", "tell", "fail")
	// scopeFlag is how many settings Verify checks.
	scopeFlag = testFlag("bullyproof.scope", "check so many settings of each checker.Verify with checker.Scopes: small (the first), default (two), large (all) or a `number`; with -short it is small")
)

func testFlag(name, usage string) *string {
	if !testing.Testing() {
		return new(string)
	}
	return flag.String(name, "", usage)
}

// testChoice is a flag of two words, of which the first is the default. It says whether the other
// is given.
func testChoice(name, usage, usual, other string) *bool {
	given := new(bool)
	if testing.Testing() {
		flag.Func(name, usage, func(word string) error {
			if word != usual && word != other {
				return fmt.Errorf("it is %s or %s", usual, other)
			}
			*given = word == other
			return nil
		})
	}
	return given
}

// testTime is testFlag of a time, a minute where it is not given.
func testTime(name, usage string) *time.Duration {
	if !testing.Testing() {
		return new(time.Duration)
	}
	return flag.Duration(name, time.Minute, usage)
}

// scopes returns how many settings of each test are checked at most.
func scopes() (int, error) {
	switch word := *scopeFlag; word {
	case "":
		if testing.Short() {
			return 1, nil
		}
		return 2, nil
	case "small":
		return 1, nil
	case "default":
		return 2, nil
	case "large":
		return math.MaxInt, nil
	default:
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return 0, fmt.Errorf("flag -bullyproof.scope is %q: want small, default, large, or a number of settings from 1", word)
		}
		return n, nil
	}
}

// TestSystem checks that a system does what searches rely on, in the manner of
// testing/fstest: it expands some thousand states several times over, by
// several expanders, in different orders and by two goroutines at once, and
// returns an error, which names the action and the state, unless the same state
// always has the same transitions, no handler is misused, and where the protocol says
// that ids decide nothing (model.Optional) states in which two processes change places have
// the same transitions except for that. Handlers whose outcome depends on the order of a map, on
// time, or on something that the protocol value remembers fail it. Run with the race detector it
// also finds handlers that share memory.
//
// It is no proof: see TestProtocol, which also looks into handlers, and Check.
func TestSystem(sys *model.System) error { return conform.System(sys, conform.Thoroughly()) }

// TestProtocol checks in a go test that a protocol is one that the world can run
// as written. It does what TestSystem does in a setting, given as text
// ("n=3 crashes=1"), and watches the methods of p while they run: Belief, Watches and Beyond change nothing and answer the same twice, Kind
// stays within Names, different messages have different texts, Stable
// keeps what it has kept, and what handlers leave in a process's state and send
// is what comes back when the state is decoded (a Set or a ByID that goes beyond
// process N does not). Of the first states it has both worlds explore some: the one
// that searches use, and the plain one (package plain). The test fails with the name
// of the method and the state.
//
// Verify does so in brief before it searches; TestProtocol looks at more states,
// and at settings too large to search.
func TestProtocol[P any, M model.Message](t testing.TB, p model.Protocol[P, M], setting string) {
	t.Helper()
	sys, err := model.NewFrom(p, setting)
	if err == nil {
		err = conform.Protocol(p, sys, conform.Thoroughly())
	}
	if err == nil {
		_, err = plain.Compare(plain.Of(p), sys.Setting(), plainly)
	}
	if err != nil {
		t.Errorf("checker: %T: %v\nsetting: %s", p, err, setting)
	}
}

// plainly is how many states TestProtocol compares with the plain world.
const plainly = 150
