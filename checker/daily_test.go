package checker_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// daily is set in the process that goTest starts: TestDaily runs there alone.
const daily = "BULLYPROOF_TEST_DAILY"

// TestDaily is what the tests below run with go test's own flags: a real test, that
// may fail.
func TestDaily(t *testing.T) {
	var protocol upstart.Protocol
	switch os.Getenv(daily) {
	case "bad":
	case "mended":
		protocol.Modest = true
	default:
		t.Skip("for goTest")
	}
	r := checker.Verify(t, &recoded{suspect: protocol.Suspect}, "n=2 start=settled crashes=1",
		checker.Scopes("n=3 start=settled crashes=1", "n=4 start=settled crashes=1"),
		checker.Asking(checker.Uniqueness, checker.Agreement, checker.Validity), checker.AllowGaps("*"))
	t.Logf("reported: n=%d", r.Setting.N)
}

// goTest runs TestDaily by itself, in the directory of the test that calls it, and
// returns what it says.
func goTest(t *testing.T, protocol string, flags ...string) (said string, passed bool) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, append([]string{"-test.v"}, flags...)...)
	cmd.Env = append(os.Environ(), daily+"="+protocol)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

const (
	threeOf = "TestDaily/n=3_start=settled_crashes=1"
	allOf   = "-test.run=^TestDaily$"
)

func TestVerifyHasSubtests(t *testing.T) {
	t.Chdir(t.TempDir())
	said, passed := goTest(t, "bad", allOf, "-bullyproof.scope=large")
	require.False(t, passed)
	for _, want := range []string{
		"--- PASS: TestDaily/n=2_start=settled_crashes=1/uniqueness ", "--- PASS: TestDaily/n=2_start=settled_crashes=1/coverage ",
		"--- FAIL: " + threeOf + "/uniqueness ", "--- FAIL: " + threeOf + "/agreement ", "--- PASS: " + threeOf + "/validity ", "--- PASS: " + threeOf + "/misuse ",
		"uniqueness breaks in step 3", "show it again:     go test -run '^TestDaily$/^n=3_start=settled_crashes=1$/^uniqueness$' .\n",
		"draw it:  go test -run '^TestDaily$/^n=3_start=settled_crashes=1$/^agreement$' .\n", "daily_test.go:", "reported: n=3",
	} {
		assert.Contains(t, said, want)
	}
	assert.NotContains(t, said, "n=4_", "the first setting that fails is the last")
	assert.Equal(t, 1, strings.Count(said, "follows P3  █"), "one diagram")

	// Kept runs come first, whatever is asked of the scope; the one that is
	// picked is drawn.
	said, passed = goTest(t, "bad", allOf, "-test.short")
	require.False(t, passed)
	assert.Contains(t, said, "still so: replayed from testdata/counterexamples/TestDaily-uniqueness-")
	assert.NotContains(t, said, "n=2_")
	said, passed = goTest(t, "bad", "-test.run="+threeOf+"/agreement")
	require.False(t, passed)
	assert.NotContains(t, said, "uniqueness")
	assert.Contains(t, said, "agreement breaks in step 5")
	files, err := filepath.Glob("testdata/counterexamples/*.json")
	require.NoError(t, err)
	assert.Len(t, files, 2)

	// It goes when the code is right.
	said, passed = goTest(t, "mended", allOf, "-bullyproof.scope=large")
	require.True(t, passed, said)
	assert.Contains(t, said, " breaks uniqueness no more: ")
	assert.Contains(t, said, "agreement holds now; removed testdata/counterexamples/TestDaily-agreement-")
	assert.Contains(t, said, "--- PASS: TestDaily/n=4_start=settled_crashes=1/validity ")
	assert.Contains(t, said, "reported: n=4")
}

func TestScopes(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  []string
	}{
		{nil, []string{"reported: n=3", "checked 2 of 3 settings (-bullyproof.scope=large checks all)"}},
		{[]string{"-test.short"}, []string{"reported: n=2", "checked 1 of 3 settings"}},
		{[]string{"-test.short", "-bullyproof.scope=3"}, []string{"reported: n=4"}},
		{[]string{"-bullyproof.scope=small"}, []string{"reported: n=2"}},
		{[]string{"-bullyproof.scope=default"}, []string{"reported: n=3"}},
		{[]string{"-bullyproof.scope=99"}, []string{"reported: n=4"}},
		{[]string{"-test.run=" + threeOf}, []string{"reported: n=3"}},
		{[]string{"-test.run=TestDaily/n=7"}, []string{"-run picks none of the settings", "--- SKIP: TestDaily "}},
	} {
		t.Run(strings.Join(c.flags, " "), func(t *testing.T) {
			t.Chdir(t.TempDir())
			said, passed := goTest(t, "mended", append([]string{allOf}, c.flags...)...)
			assert.True(t, passed, said)
			for _, want := range c.want {
				assert.Contains(t, said, want)
			}
		})
	}
}

func TestScopesRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	s := verify(&standIn{}, good(), checker.Scopes("n=3 crashs=1"))
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], `"crashs"`)
	scope := flag.Lookup("bullyproof.scope")
	require.NotNil(t, scope)
	for _, bad := range []string{"0", "-1", "big", "1.5"} {
		require.NoError(t, scope.Value.Set(bad))
		s = verify(&standIn{}, good())
		require.NoError(t, scope.Value.Set(""))
		require.Len(t, s.errors, 1)
		assert.Contains(t, s.errors[0], fmt.Sprintf("flag -bullyproof.scope is %q: want small, default, large, or a number", bad))
	}
}

// An occasion that is missing in the first setting may come up in the second one;
// a violation of the first need not be one of the second.
func TestScopesJudgeTogether(t *testing.T) {
	two, three := upstart.Settled(2).String(), upstart.Settled(3).String()
	for _, c := range []struct {
		about    string
		settings []string
		scope    string
		opts     []checker.Option
		want     []string
	}{
		{"a gap of the small one", []string{two, three}, "", []checker.Option{checker.AllowGaps("e2", "a lower claim: ignore")}, nil},
		{"a gap of both", []string{two, three}, "", []checker.Option{checker.AllowGaps("e2")}, []string{`rule "a lower claim: ignore" never ran: nothing was shown`}},
		{"not judged by the first alone", []string{two, three}, "small", nil, nil},
		{"not mended by the third", []string{two, two + " losses=1", three}, "large", []checker.Option{checker.AllowGaps("e2", "a lower claim: ignore", "CLAIM")},
			[]string{`rule "a claim: follow" never ran: nothing was shown`}},
		{"a gap of the small one only, allowed", []string{two, three}, "", []checker.Option{checker.AllowGaps("e2", "a lower claim: ignore", "CLAIM")},
			[]string{`"CLAIM" is allowed as a gap (checker.AllowGaps), and is none: take it out`}},
		{"expected of the larger one", []string{two, three}, "", []checker.Option{only(checker.Uniqueness), checker.Expect(checker.Uniqueness), checker.AllowGaps("*")}, nil},
		{"expected of the smaller one", []string{three, two}, "", []checker.Option{only(checker.Uniqueness), checker.Expect(checker.Uniqueness), checker.AllowGaps("*")}, nil},
		{"expected of neither", []string{two, two + " losses=1"}, "", []checker.Option{only(checker.Uniqueness), checker.Expect(checker.Uniqueness), checker.AllowGaps("*")},
			[]string{"uniqueness was expected to fail, but: holds"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Chdir(t.TempDir())
			scope := flag.Lookup("bullyproof.scope")
			require.NoError(t, scope.Value.Set(c.scope))
			defer func() { require.NoError(t, scope.Value.Set("")) }()
			opts := append(c.opts, checker.Scopes(c.settings[1:]...))
			if c.scope == "" {
				require.NoError(t, scope.Value.Set("default")) // with -short, too
			}
			protocol := &upstart.Protocol{}
			if c.opts == nil || len(c.opts) == 1 {
				opts = append(opts, only(checker.Validity, checker.E2))
			}
			s := verifyOf(&standIn{strict: true}, protocol, c.settings[0], opts...)
			require.Len(t, s.errors, len(c.want), s.said())
			for i, want := range c.want {
				assert.Contains(t, s.errors[i], want)
			}
		})
	}
}

// With -v the search says how far it is, while it runs.
func TestVerifyTellsHowFarItIs(t *testing.T) {
	verbose := flag.Lookup("test.v")
	before := verbose.Value.String()
	require.NoError(t, verbose.Value.Set("true"))
	defer func() { require.NoError(t, verbose.Value.Set(before)) }()
	t.Chdir(t.TempDir())
	told := make(chan struct{})
	waits := checker.Always("waits", "The search goes on when it has said something.", func(*model.View) bool {
		<-told
		return true
	})
	l := &listener{standIn: standIn{name: "TestMine"}, told: told}
	checker.Verify(l, &upstart.Protocol{}, upstart.Settled(2).String(), only(waits), checker.AllowGaps("*"),
		checker.With(func(o *checker.Options) { o.ProgressEvery = time.Millisecond }))
	assert.Regexp(t, `^0s: (initial states|search): \d+ distinct states of \d+, depth 0, .*/s, `, l.first)

	// A caller that asks for it gets it.
	mine := make(chan struct{})
	var once sync.Once
	waits = checker.Always("waits", "The search goes on when it has said something.", func(*model.View) bool {
		<-mine
		return true
	})
	s := verify(&standIn{}, subject{&upstart.Protocol{}, upstart.Settled(2)}, only(waits), checker.With(func(o *checker.Options) {
		o.ProgressEvery = time.Millisecond
		o.Progress = func(explore.Progress) { once.Do(func() { close(mine) }) }
	}))
	assert.NotContains(t, s.said(), "distinct states of")
}

// A listener is a stand-in that tells when it has been told something.
type listener struct {
	standIn
	told  chan struct{}
	first string
}

func (l *listener) Logf(format string, a ...any) {
	if l.first == "" {
		l.first = fmt.Sprintf(format, a...)
		close(l.told)
	}
}
