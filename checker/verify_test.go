package checker_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// A standIn is a test that may fail without harm.
type standIn struct {
	testing.TB // nil: whatever is not below is not to be called
	name       string
	deadline   time.Time
	strict     bool // no gaps are allowed
	failed     bool
	errors     []string
	logs       []string
	after      []func()
}

func (s *standIn) Helper()                      {}
func (s *standIn) Failed() bool                 { return s.failed }
func (s *standIn) Skipped() bool                { return false }
func (s *standIn) Cleanup(f func())             { s.after = append(s.after, f) }
func (s *standIn) Name() string                 { return s.name }
func (s *standIn) Context() context.Context     { return context.Background() }
func (s *standIn) Deadline() (time.Time, bool)  { return s.deadline, !s.deadline.IsZero() }
func (s *standIn) Log(a ...any)                 { s.logs = append(s.logs, fmt.Sprint(a...)) }
func (s *standIn) Logf(format string, a ...any) { s.logs = append(s.logs, fmt.Sprintf(format, a...)) }

func (s *standIn) Errorf(format string, a ...any) {
	s.failed = true
	s.errors = append(s.errors, fmt.Sprintf(format, a...))
}

func (s *standIn) FailNow() {
	s.failed = true
	runtime.Goexit()
}

func (s *standIn) Fatalf(format string, a ...any) {
	s.Errorf(format, a...)
	s.FailNow()
}

// over ends the test.
func (s *standIn) over() {
	for _, f := range slices.Backward(s.after) {
		f()
	}
	s.after = nil
}

func (s *standIn) said() string { return strings.Join(append(s.errors, s.logs...), "\n") }

// A subject is what is verified.
type subject struct {
	of      *upstart.Protocol
	setting setting.Setting
}

// verify runs Verify in a stand-in for a test.
func verify(s *standIn, what subject, opts ...checker.Option) *standIn {
	return verifyOf(s, what.of, what.setting.String(), opts...)
}

func verifyOf[P any, M model.Message](s *standIn, p model.Protocol[P, M], setting string, opts ...checker.Option) *standIn {
	if s.name == "" {
		s.name = "TestUpstart/of 3"
	}
	if !s.strict {
		opts = append([]checker.Option{checker.AllowGaps("*")}, opts...)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		checker.Verify(s, p, setting, opts...)
	}()
	<-done
	return s
}

// onStderr returns what is written to the error stream meanwhile.
func onStderr(t *testing.T, do func()) string {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	stderr := os.Stderr
	os.Stderr = file
	do()
	os.Stderr = stderr
	require.NoError(t, file.Close())
	data, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	return string(data)
}

// TestAllowIncompleteByName: only what is named may be undecided, if enough was seen, and
// the test says so on the error stream.
func TestAllowIncompleteByName(t *testing.T) {
	limited := checker.With(func(o *checker.Options) { o.MaxStates = 10 })
	asked := checker.Asking(checker.Validity, checker.Termination)
	setting := upstart.Settled(3).String()
	run := func(opts ...checker.Option) (s *standIn, said string) {
		said = onStderr(t, func() {
			s = verifyOf(&standIn{}, &upstart.Protocol{Patient: true}, setting, append(opts, limited, asked)...)
		})
		return s, said
	}
	s, said := run(checker.AllowIncomplete())
	assert.False(t, s.Failed(), s.said())
	assert.Regexp(t, `^TestUpstart/of 3 passes incomplete: the search ended at the limit of 10 states \(checker\.AllowIncomplete\)\n$`, said)
	s, _ = run(checker.AllowIncomplete("validity"))
	assert.True(t, s.Failed(), "termination is undecided, too")
	s, _ = run(checker.AllowIncomplete("validity", "termination"), checker.AtLeast(10, 1))
	assert.False(t, s.Failed(), s.said())
	s, said = run(checker.AllowIncomplete(), checker.AtLeast(1_000_000, 0))
	assert.True(t, s.Failed())
	assert.Contains(t, s.said(), "checker.AtLeast wants 1,000,000 states and 0 steps")
	assert.Empty(t, said)
	s, _ = run(checker.AllowIncomplete(), checker.AtLeast(0, 1000))
	assert.True(t, s.Failed())
	s, _ = run(checker.AllowIncomplete("uniqueness"))
	assert.Contains(t, s.said(), `property "uniqueness" may be undecided (checker.AllowIncomplete), but is not among those that are checked`)
}

// TestFailFast ends a search at the first violation.
func TestFailFast(t *testing.T) {
	s := upstart.Settled(3)
	s.Crashes, s.Restarts = 2, 2
	sys := upstart.System(&upstart.Protocol{}, s)
	all := check(t, sys, checker.Options{Exhaustive: true})
	require.Equal(t, checker.Violated, all.Findings[0].Verdict)
	r := check(t, sys, checker.Options{FailFast: true})
	assert.Equal(t, explore.FirstHit, r.Reason)
	assert.Less(t, r.Distinct, all.Distinct)
	assert.Equal(t, checker.Violated, r.Verdict())
	first := 1000
	for _, f := range all.Findings {
		if f.Trace != nil {
			first = min(first, len(f.Trace.Steps))
		}
	}
	violated := 0
	for _, f := range r.Findings {
		switch f.Verdict {
		case checker.Violated:
			violated++
			assert.Len(t, f.Trace.Steps, first)
		default:
			assert.Equal(t, checker.Incomplete, f.Verdict, f.Property.Name)
		}
	}
	assert.Positive(t, violated)
	assert.Contains(t, r.Why, "the search ended at the first violation (FailFast, --fail-fast)")
	holds := check(t, sys, checker.Options{FailFast: true, Properties: []*checker.Property{checker.Validity, checker.Termination}})
	assert.Equal(t, checker.Holds, holds.Verdict(), "nothing ends it where nothing is violated")
}

// TestVerifyFailsFast: the option has the search end at the first violation, and what that
// leaves open is said.
func TestVerifyFailsFast(t *testing.T) {
	const ended = "the search ended at the first violation (FailFast, --fail-fast)"
	asked := only(checker.Uniqueness, checker.Validity)
	t.Chdir(t.TempDir())
	assert.NotContains(t, verify(&standIn{}, bad(), asked).said(), ended)
	t.Chdir(t.TempDir()) // where nothing is kept
	assert.Contains(t, verify(&standIn{}, bad(), asked, checker.FailFast()).said(), ended)
}

// keptFor returns the stand-in's file for the counterexample to a property.
func keptFor(t *testing.T, property string) string {
	t.Helper()
	files, err := filepath.Glob("testdata/counterexamples/TestUpstart__of-3-" + property + "-????????.json")
	require.NoError(t, err)
	require.Len(t, files, 1)
	return filepath.ToSlash(files[0])
}

// A recoded upstart is one whose code changes from one run of a test to the next,
// and nothing that can be seen of its type and fields.
type recoded struct {
	upstart.Protocol
	suspect func(p *upstart.State, net *model.Net[upstart.Message], who model.ID)
}

func (r *recoded) Suspect(p *upstart.State, net *model.Net[upstart.Message], who model.ID) {
	r.suspect(p, net, who)
}

func verifyRecoded(s *standIn, u *upstart.Protocol, opts ...checker.Option) *standIn {
	return verifyOf(s, &recoded{suspect: u.Suspect}, upstart.Settled(3).String(), opts...)
}

func only(p ...*checker.Property) checker.Option { return checker.Asking(p...) }

func mostStates(n uint64) checker.Option {
	return checker.With(func(o *checker.Options) { o.MaxStates = n })
}

// good protocols satisfy uniqueness in goodSetting, upstarts do not.
func good() subject { return subject{&upstart.Protocol{}, oneDetects()} }
func bad() subject  { return subject{&upstart.Protocol{}, upstart.Settled(3)} }

func oneDetects() setting.Setting {
	s := upstart.Settled(3)
	s.Detectors = model.SetOf(2)
	return s
}

func TestVerifyPasses(t *testing.T) {
	t.Chdir(t.TempDir())
	s := verify(&standIn{}, subject{&upstart.Protocol{}, upstart.Settled(2)})
	assert.False(t, s.failed, s.said())
	assert.Contains(t, s.said(), `rule "a claim: follow" never ran`)
	assert.NoDirExists(t, "testdata")
}

// A gambler is a process that claims to be the coordinator when a coin says so.
type gambler struct{ upstart.Protocol }

func (g *gambler) Start(p *upstart.State, net *model.Net[upstart.Message]) {
	if net.Choose(2) == 1 {
		g.Claim(p, net)
	}
}

// The counterexample that is kept says what processes chose before it begins, so
// that the next run finds its initial state among those with the same setting.
func TestVerifyKeepsChoices(t *testing.T) {
	t.Chdir(t.TempDir())
	s := verifyOf(&standIn{}, &gambler{}, "n=2", only(checker.Uniqueness))
	require.True(t, s.failed)
	kept := keptFor(t, "uniqueness")
	tr, err := trace.Load(filepath.FromSlash(kept))
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1}, tr.Choices)
	s = verifyOf(&standIn{}, &gambler{}, "n=2", only(checker.Uniqueness))
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], "still so: replayed from "+kept+", without a search")
}

func TestVerifyFails(t *testing.T) {
	t.Chdir(t.TempDir())
	s := verify(&standIn{}, bad(), only(checker.Uniqueness, checker.Validity, checker.Agreement))
	require.True(t, s.failed)
	require.Len(t, s.errors, 2)
	kept := keptFor(t, "uniqueness")
	for _, want := range []string{
		"TestUpstart/of 3: uniqueness is violated in 3 steps\n",
		"setting: n=3 start=settled channels=unordered timing=sync:1 crashes=1\n",
		"uniqueness breaks in step 3: P1 and P2 both believe themselves coordinator.\n",
		"kept as " + kept + ": the next run begins with it\n",
		"\nand 1 property more:\n  agreement: violated in 5 steps: P1 follows P2; P2 follows P1\n",
		"\nshow it again:     go test -run '^TestUpstart$/^of 3$' .\n",
		"\nwrite its page:    go test -run '^TestUpstart$/^of 3$' . -args -bullyproof.pages=DIR\n",
		"\nopen it:           name it as a catalogue has it (checker.Named)",
	} {
		assert.Contains(t, s.errors[0], want)
	}
	assert.NotContains(t, s.errors[0], "agreement breaks", "one diagram is enough")
	assert.Equal(t, "agreement: violated in 5 steps: P1 follows P2; P2 follows P1 (kept as "+keptFor(t, "agreement")+": the next run begins with it)", s.errors[1])
	tr, err := trace.Load(filepath.FromSlash(kept))
	require.NoError(t, err)
	assert.Equal(t, "uniqueness", tr.Property)
	assert.Len(t, tr.Steps, 3)

	// The next run begins with it, and searches nothing: a search of no time
	// would be incomplete.
	soon := checker.With(func(o *checker.Options) { o.MaxTime = 1 })
	s = verify(&standIn{}, bad(), only(checker.Validity), only(checker.Uniqueness), soon, checker.Named("upstart", "rude"))
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], "uniqueness breaks in step 3: P1 and P2 both believe themselves coordinator.\n")
	assert.Contains(t, s.errors[0], "still so: replayed from "+kept+", without a search")
	assert.Contains(t, s.errors[0], "\nopen it:           bullyproof explore --trace "+kept+"  (or your own program of command.Main)")

	// The package that "new" writes has a program of its own.
	require.NoError(t, os.MkdirAll(filepath.Join("cmd", "upstart"), 0o777))
	s = verify(&standIn{}, bad(), only(checker.Uniqueness), soon, checker.Named("upstart", "rude"))
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0]+"\n", "\nopen it:           go run ./cmd/upstart explore --trace "+kept+"\n")
}

// Two calls of Verify in one test keep a file each.
func TestVerifyTwiceInOneTest(t *testing.T) {
	t.Chdir(t.TempDir())
	count := func() int {
		files, err := filepath.Glob("testdata/counterexamples/*.json")
		require.NoError(t, err)
		return len(files)
	}
	for range 2 {
		require.True(t, verify(&standIn{}, bad(), only(checker.Uniqueness)).failed)
		verify(&standIn{}, good(), only(checker.Uniqueness))
		assert.Equal(t, 1, count(), "another setting")
		verify(&standIn{}, subject{&upstart.Protocol{Modest: true}, upstart.Settled(3)}, only(checker.Uniqueness))
		assert.Equal(t, 1, count(), "another protocol")
	}
	require.True(t, verify(&standIn{}, subject{&upstart.Protocol{}, upstart.Settled(4)}, only(checker.Uniqueness)).failed)
	assert.Equal(t, 2, count())
}

// With the flag, a failing test writes pages.
func TestVerifyWritesPages(t *testing.T) {
	t.Chdir(t.TempDir())
	pages := flag.Lookup("bullyproof.pages")
	require.NotNil(t, pages)
	require.NoError(t, pages.Value.Set("pages"))
	defer func() { require.NoError(t, pages.Value.Set("")) }()
	s := verify(&standIn{}, bad(), only(checker.Uniqueness))
	name := strings.TrimSuffix(filepath.Base(keptFor(t, "uniqueness")), ".json") + ".html"
	assert.Contains(t, s.said(), "\npage of uniqueness:  file://")
	assert.Contains(t, s.said(), "/pages/"+name+"\n")
	page, err := os.ReadFile(filepath.Join("pages", name))
	require.NoError(t, err)
	assert.Contains(t, string(page), "P1 and P2 both believe themselves coordinator")
}

// Handlers that are not deterministic are named as such before the search, and
// those of a check, afterwards.
func TestVerifyProbes(t *testing.T) {
	t.Chdir(t.TempDir())
	s := verifyOf(&standIn{}, &mapOrder{}, upstart.Settled(3).String(), checker.AllowIncomplete())
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], "handlers have to be deterministic: map order, time, ")
	s = verifyOf(&standIn{}, &writesBelief{}, upstart.Settled(3).String())
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], "method Belief changes the state of the process")
	sys, err := model.New(&randomly{}, upstart.Settled(3))
	require.NoError(t, err)
	for range 20 {
		_, err = checker.Check(t.Context(), sys, checker.Options{})
		if err != nil {
			assert.ErrorContains(t, err, "the handlers are not deterministic")
			assert.NotContains(t, err.Error(), "fingerprints")
			assert.NotContains(t, err.Error(), "no path")
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	s := verifyOf(&standIn{}, &upstart.Protocol{}, "n=3 crashs=1")
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], `"crashs"`)
	s = verifyOf(&standIn{}, &upstart.Protocol{}, "n=40")
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], "2 to 16")
	for _, none := range [][]*checker.Property{{}, {checker.Misuse}} {
		s = verifyOf(&standIn{}, &upstart.Protocol{}, "n=3", checker.With(func(o *checker.Options) { o.Properties = none }), checker.AllowGaps("*"))
		assert.Equal(t, len(none) == 0, strings.Contains(strings.Join(s.errors, "\n"), "nothing to verify"), "%q", s.errors)
	}
}

// An undecided property fails the test, whether or not a violation was
// expected of it, and so does an occasion that never came up.
func TestVerifyIsNotGreenByAccident(t *testing.T) {
	graph := checker.With(func(o *checker.Options) {
		o.Properties, o.MaxGraphStates = []*checker.Property{checker.StableLeadership, checker.Uniqueness}, 3
	})
	gaps := checker.AllowGaps("*")
	for _, c := range []struct {
		about string
		sys   subject
		opts  []checker.Option
		want  []string // what failures say; empty: it passes
	}{
		{"undecided", good(), []checker.Option{graph, gaps},
			[]string{"undecided: stable-leadership: it takes the graph of all states, which is kept for at most 3 states (MaxGraphStates, --max-graph-states) (raise"}},
		{"undecided, and that is fine", good(), []checker.Option{graph, gaps, checker.AllowIncomplete()}, nil},
		{"undecided, and expected to fail", good(), []checker.Option{graph, gaps, checker.Expect(checker.StableLeadership)},
			[]string{"undecided: stable-leadership: "}},
		{"gaps", subject{&upstart.Protocol{}, upstart.Settled(2)}, nil, []string{
			"e2 is vacuous: there was never a process in an election: nothing was shown about it",
			`rule "a claim: follow" never ran: nothing was shown`, `rule "a lower claim: ignore" never ran`, "message CLAIM was sent and never received",
		}},
		{"gaps by name", subject{&upstart.Protocol{}, upstart.Settled(2)}, []checker.Option{checker.AllowGaps("e2", "a claim: follow"), checker.AllowGaps("CLAIM", "a lower claim: ignore")}, nil},
		{"a gap that is none", subject{&upstart.Protocol{}, upstart.Settled(2)}, []checker.Option{gaps, checker.AllowGaps("agreement")},
			[]string{`"agreement" is allowed as a gap (checker.AllowGaps), and is none: take it out`}},
		{"gaps of what was not seen", good(), []checker.Option{mostStates(2), checker.AllowIncomplete()}, nil},
		{"vacuous, and expected to fail", subject{&upstart.Protocol{}, upstart.Settled(2)}, []checker.Option{gaps, checker.Expect(checker.E2)},
			[]string{"e2 was expected to fail, but: vacuous"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := verify(&standIn{strict: true}, c.sys, c.opts...)
			assert.Equal(t, len(c.want) > 0, s.failed, s.said())
			require.Len(t, s.errors, len(c.want))
			for i, want := range c.want {
				assert.Contains(t, s.errors[i], want)
			}
		})
	}
}

func TestVerifyCountsWhatIsFixed(t *testing.T) {
	for name, c := range map[string]struct {
		opts []checker.Option
		logs []string
		gone bool
	}{
		"mended":  {nil, []string{"breaks uniqueness no more: ", " cannot happen here", "uniqueness holds now; removed "}, true},
		"perhaps": {[]checker.Option{mostStates(1), checker.AllowIncomplete()}, []string{"breaks uniqueness no more"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.True(t, verifyRecoded(&standIn{}, &upstart.Protocol{}, only(checker.Uniqueness)).failed)
			kept := keptFor(t, "uniqueness")
			s := verifyRecoded(&standIn{}, &upstart.Protocol{Modest: true}, append(c.opts, only(checker.Validity, checker.Uniqueness))...)
			for _, want := range c.logs {
				assert.Contains(t, s.said(), want)
			}
			if c.gone {
				assert.NoFileExists(t, kept)
			} else {
				assert.FileExists(t, kept)
			}
		})
	}
}

// A file that is of no use fails the test and stays.
func TestVerifyCannotRead(t *testing.T) {
	for name, damage := range map[string]func(data string) string{
		"truncated":      func(data string) string { return data[:len(data)/2] },
		"another schema": func(data string) string { return strings.Replace(data, `"schema": 1`, `"schema": 9`, 1) },
		"empty":          func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			verifyRecoded(&standIn{}, &upstart.Protocol{}, only(checker.Uniqueness))
			kept := keptFor(t, "uniqueness")
			data, err := os.ReadFile(kept)
			require.NoError(t, err)
			broken := damage(string(data))
			require.NotEqual(t, string(data), broken)
			require.NoError(t, os.WriteFile(kept, []byte(broken), 0o666))
			s := verifyRecoded(&standIn{}, &upstart.Protocol{Modest: true}, only(checker.Uniqueness))
			assert.True(t, s.failed)
			assert.Contains(t, s.said(), "the counterexample that is kept cannot be read: ")
			after, err := os.ReadFile(kept)
			require.NoError(t, err)
			assert.Equal(t, broken, string(after))
		})
	}
}

func TestVerifyWhereNothingCanBeKept(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("testdata", 0o777))
	if err := os.Symlink("nowhere", filepath.Join("testdata", "counterexamples")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	s := verify(&standIn{}, bad(), only(checker.Uniqueness))
	assert.True(t, s.failed)
	assert.Contains(t, s.said(), "uniqueness breaks in step 3")
	assert.Contains(t, s.said(), "not kept: ")
}

func TestVerifyKeepsMisuse(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []string{"kept as testdata/counterexamples/TestUpstart__of-3-misuse-", "still so: replayed"} {
		s := verifyRecoded(&standIn{}, &upstart.Protocol{Wild: true}, only(checker.Validity))
		assert.True(t, s.failed)
		assert.Contains(t, s.said(), "nobody is there")
		assert.Contains(t, s.said(), want)
	}
	s := verifyRecoded(&standIn{}, &upstart.Protocol{}, only(checker.Validity))
	assert.False(t, s.failed, s.said())
	assert.Contains(t, s.said(), "misuse holds now; removed")
}

func TestVerifyExpects(t *testing.T) {
	four := checker.Sometimes("four", "There are four processes.", func(v *model.View) bool { return v.N == 4 })
	three := checker.Sometimes("three", "There are three processes.", func(v *model.View) bool { return v.N == 3 })
	for _, c := range []struct {
		about string
		sys   subject
		opts  []checker.Option
		want  string // what a failure says; empty: it passes
	}{
		{"what is violated", bad(), []checker.Option{checker.Expect(checker.Uniqueness, checker.Agreement, checker.Extreme, checker.StableLeadership)}, ""},
		{"some of it", bad(), []checker.Option{checker.Expect(checker.Uniqueness, checker.Agreement)}, "extreme is violated in 3 steps"},
		{"what holds", good(), []checker.Option{only(checker.Uniqueness), checker.Expect(checker.Uniqueness)},
			"uniqueness was expected to fail, but: holds\nsetting: n=3 "},
		{"what is not asked", good(), []checker.Option{only(checker.Validity), checker.Expect(checker.Uniqueness)},
			`property "uniqueness" is expected to be violated, but not among those that are checked: validity`},
		{"a witness", good(), []checker.Option{only(three)}, ""},
		{"a witness that is not there", good(), []checker.Option{only(four)}, "four: no state or step of all "},
		{"no witness", good(), []checker.Option{only(four), checker.Expect(four)}, ""},
		{"no witness, where there is one", good(), []checker.Option{only(three), checker.Expect(three)}, "three was expected to fail, but: found in 0 steps"},
		{"misuse", subject{&upstart.Protocol{Wild: true}, upstart.Settled(3)}, []checker.Option{only(checker.Validity), checker.Expect(checker.Misuse)}, ""},
		{"misuse that is none", good(), []checker.Option{only(checker.Validity), checker.Expect(checker.Misuse)}, "misuse was expected"},
		{"bad options", good(), []checker.Option{only(nil)}, "a property is nil"},
		{"a limit", good(), []checker.Option{mostStates(1)}, "incomplete: the search ended at the limit of 1 state;"},
		{"a limit, and that is fine", good(), []checker.Option{mostStates(1), checker.AllowIncomplete()}, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := verify(&standIn{}, c.sys, c.opts...)
			if c.want == "" {
				assert.False(t, s.failed, s.said())
				assert.NoDirExists(t, "testdata")
				return
			}
			assert.True(t, s.failed)
			assert.Contains(t, strings.Join(s.errors, "\n"), c.want)
		})
	}
}

// A test that is about to be killed ends before.
func TestVerifyMindsTheDeadline(t *testing.T) {
	t.Chdir(t.TempDir())
	s := verify(&standIn{deadline: time.Now().Add(-time.Second)}, good(), only(checker.Uniqueness))
	assert.True(t, s.failed)
	assert.Contains(t, s.said(), "incomplete: the search ended at the limit of time")
	s = verify(&standIn{deadline: time.Now().Add(time.Hour)}, good(), only(checker.Uniqueness))
	assert.False(t, s.failed, s.said())
}

// Verify in a real test, of a variant with a name.
// A search has the time that the option gives it, or that of -bullyproof.within: a minute.
func TestVerifyWithinItsTime(t *testing.T) {
	const ended = "the search ended at the limit of time"
	assert.Equal(t, "1m0s", flag.Lookup("bullyproof.within").DefValue)
	s := verify(&standIn{}, good(), checker.Within(time.Nanosecond))
	assert.True(t, s.Failed())
	assert.Contains(t, s.said(), ended)
	assert.Contains(t, s.said(), "checker.Within")
	before := flag.Lookup("bullyproof.within").Value.String()
	t.Cleanup(func() { require.NoError(t, flag.Set("bullyproof.within", before)) })
	require.NoError(t, flag.Set("bullyproof.within", "1ns"))
	assert.Contains(t, verify(&standIn{}, good()).said(), ended)
	assert.False(t, verify(&standIn{}, good(), checker.Within(time.Minute)).Failed())
}

// A test tells that it has fewer states than in its last run, and fails if that is asked for.
func TestVerifyTrend(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, flag.Set("bullyproof.trend", "trend"))
	t.Cleanup(func() {
		require.NoError(t, flag.Set("bullyproof.trend", ""))
		require.NoError(t, flag.Set("bullyproof.drops", "tell"))
	})
	assert.ErrorContains(t, flag.Set("bullyproof.drops", "fails"), "it is tell or fail")
	run := func() *standIn { return verify(&standIn{}, good(), only(checker.Validity)) }
	require.False(t, run().Failed())
	files, err := filepath.Glob("trend/*")
	require.NoError(t, err)
	require.Len(t, files, 1)
	read := func() string {
		data, err := os.ReadFile(files[0])
		require.NoError(t, err)
		return string(data)
	}
	truth := read()
	assert.Regexp(t, `^holds in \d+ states\n$`, truth)
	again := run()
	assert.NotContains(t, again.said(), "last run")
	more := "holds in 999 states\n"
	write := func(text string) { require.NoError(t, os.WriteFile(files[0], []byte(text), 0o600)) }
	write(more)
	dropped := run()
	assert.False(t, dropped.Failed())
	assert.Contains(t, dropped.said(), "and had 999: did it lose what it was about?")
	assert.Equal(t, truth, read(), "it is told once")
	write(more)
	require.NoError(t, flag.Set("bullyproof.drops", "fail"))
	dropped = run()
	assert.True(t, dropped.Failed())
	assert.Contains(t, dropped.said(), "remove trend/")
	assert.Equal(t, more, read())
	write("violated in 999 states\n")
	assert.False(t, run().Failed(), "another verdict")
	write("nonsense")
	assert.Contains(t, run().said(), `want a verdict and a number, as "holds in 42 states"`)
}

func TestVerify(t *testing.T) {
	r := checker.Verify(t, &upstart.Protocol{}, "n=3 start=settled crashes=1",
		checker.Named("upstart", "rude"),
		checker.AllowGaps("e2", "a lower claim: ignore"),
		checker.Expect(checker.Uniqueness, checker.Agreement, checker.Extreme, checker.StableLeadership))
	assert.Equal(t, "upstart/rude", r.Subject())
	assert.NoDirExists(t, filepath.Join("testdata", "counterexamples"))
}
