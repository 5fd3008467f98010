package ledger_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
)

// large takes a search of some thousand states, crashed one of a few.
const large = "n=3 start=settled timing=sync:2 crashes=2 restarts=1"

const ownCode = "// Package own says nothing.\npackage own\n\nfunc f() (int, string) { return 1, \"one\" }\n"

// files are what a package embeds.
func files(namesAndTexts ...string) fstest.MapFS {
	all := make(fstest.MapFS)
	for i := 0; i < len(namesAndTexts); i += 2 {
		all[namesAndTexts[i]] = &fstest.MapFile{Data: []byte(namesAndTexts[i+1])}
	}
	return all
}

// recorded returns an algorithm with code, whose claim on a small and a large search is on
// record.
func recorded(t *testing.T) *ledger.Algorithm {
	t.Helper()
	a := claimed(ledger.Claim{Name: "it", Idle: []string{"timeout", "two participants at once"}, Evidence: []ledger.Evidence{
		ledger.Keeps("live-coordinator", crashed).InDeep(), ledger.Keeps("live-coordinator", large).InDeep(),
		ledger.Keeps("validity", large),
	}})
	a.Recode(files("own.go", ownCode))
	keep(t, a, judge(t, a, ledger.JudgeOptions{Deep: true}))
	return a
}

// onRecord returns the judgements as they are on record.
func onRecord(t *testing.T, a *ledger.Algorithm) []ledger.Judgement {
	t.Helper()
	l, err := ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	require.NoError(t, err)
	return l.Entries[0].Judgements
}

// keep puts judgements on record.
func keep(t *testing.T, a *ledger.Algorithm, found []ledger.Judgement) {
	t.Helper()
	a.Keep(a.Lock(found))
}

// An answer that took more than 1,000 states has a fingerprint: of the tokens of the
// package's code, and of what its systems do.
func TestFingerprints(t *testing.T) {
	was := recorded(t)
	print := func(a *ledger.Algorithm) (code, behaviour string) {
		x := judge(t, a, ledger.JudgeOptions{Deep: true})[0].Exhibits
		require.Greater(t, x[1].States, uint64(1_000))
		assert.Equal(t, x[1].Fingerprint, x[2].Fingerprint, "of one system")
		assert.Empty(t, x[0].Fingerprint, "of so few states nothing is believed")
		code, behaviour, _ = strings.Cut(x[1].Fingerprint, "-")
		return code, behaviour
	}
	code, behaviour := print(was)
	assert.Regexp(t, "^[0-9a-f]{12}$", code)
	assert.Regexp(t, "^[0-9a-f]{12}$", behaviour)
	for about, tt := range map[string]struct {
		spoil               func(a *ledger.Algorithm)
		sameCode, behaviour bool
	}{
		"nothing": {func(*ledger.Algorithm) {}, true, true},
		"comments and form": {func(a *ledger.Algorithm) {
			a.Recode(files("own.go", "package own\nfunc f() (int,string) {\n// One.\nreturn 1,\"one\"}"))
		}, true, true},
		"texts": {func(a *ledger.Algorithm) { a.Recode(files("own.go", strings.ReplaceAll(ownCode, `"one"`, `"1"`))) }, true, true},
		"names of files and of the package": {func(a *ledger.Algorithm) {
			a.Recode(files("other.go", strings.ReplaceAll(ownCode, "package own", "package other")))
		}, true, true},
		"a test":            {func(a *ledger.Algorithm) { a.Recode(files("own.go", ownCode, "own_test.go", ownCode)) }, true, true},
		"a number":          {func(a *ledger.Algorithm) { a.Recode(files("own.go", strings.ReplaceAll(ownCode, "1", "2"))) }, false, true},
		"a name in Go":      {func(a *ledger.Algorithm) { a.Recode(files("own.go", strings.ReplaceAll(ownCode, " f(", " g("))) }, false, true},
		"one more file":     {func(a *ledger.Algorithm) { a.Recode(files("own.go", ownCode, "more.go", ownCode)) }, false, true},
		"what a rule does":  {func(a *ledger.Algorithm) { a.Variants[0].New = newOf(&upstart.Protocol{}) }, true, false},
		"an optional timer": {func(a *ledger.Algorithm) { a.Variants[0].New = newOf(&upstart.Protocol{Polite: true, Patient: true}) }, true, false},
	} {
		t.Run(about, func(t *testing.T) {
			a := *was
			a.Variants = append([]ledger.Variant(nil), was.Variants...)
			tt.spoil(&a)
			c, b := print(&a)
			assert.Equal(t, tt.sameCode, c == code, "code")
			assert.Equal(t, tt.behaviour, b == behaviour, "behaviour")
		})
	}
}

func TestCodeThatIsNone(t *testing.T) {
	for about, tt := range map[string]struct {
		code fstest.MapFS
		want string
	}{
		"no Go file": {files("own_test.go", ownCode), "upstart: field Files: there is no Go file"},
		"no Go":      {files("own.go", "package own\nvar a = '"), "upstart: field Files: own.go:2:9: rune literal not terminated"},
	} {
		a := recorded(t)
		a.Recode(tt.code)
		_, err := ledger.Judgements(t.Context(), a, ledger.JudgeOptions{})
		assert.EqualError(t, err, tt.want, about)
		_, err = ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
		assert.EqualError(t, err, tt.want, about)
	}
}

// A listener is a test that may fail without harm.
type listener struct {
	testing.TB
	errors, logs []string
}

func (l *listener) Helper()                      {}
func (l *listener) Name() string                 { return "TestClaims/upstart" }
func (l *listener) Context() context.Context     { return context.Background() }
func (l *listener) Logf(format string, a ...any) { l.logs = append(l.logs, fmt.Sprintf(format, a...)) }
func (l *listener) Errorf(format string, a ...any) {
	l.errors = append(l.errors, fmt.Sprintf(format, a...))
}

func (l *listener) Fatalf(format string, a ...any) {
	l.Errorf(format, a...)
	runtime.Goexit()
}

// verify returns what VerifyClaims says.
func verify(a *ledger.Algorithm, opt ledger.ClaimOptions) *listener {
	l, done := new(listener), make(chan struct{})
	go func() {
		defer close(done)
		ledger.VerifyClaims(l, a, opt)
	}()
	<-done
	return l
}

// A record that says something else is believed where nobody looks, as long as it is of
// this code. Of other code it is judged again, or the test fails and says how to.
func TestVerifyClaimsBelieves(t *testing.T) {
	other := files("own.go", strings.ReplaceAll(ownCode, "1", "2"))
	for about, tt := range map[string]struct {
		spoil  func(a *ledger.Algorithm, x []ledger.Exhibit)
		opt    ledger.ClaimOptions
		errors []string
		logs   string
	}{
		"all is well":                        {func(*ledger.Algorithm, []ledger.Exhibit) {}, ledger.ClaimOptions{}, nil, ""},
		"all is well, deep":                  {func(*ledger.Algorithm, []ledger.Exhibit) {}, ledger.ClaimOptions{Deep: true}, nil, ""},
		"believed":                           {func(_ *ledger.Algorithm, x []ledger.Exhibit) { x[1].Found = "holds, they say" }, ledger.ClaimOptions{}, nil, ""},
		"not believed in a deep one":         {func(_ *ledger.Algorithm, x []ledger.Exhibit) { x[1].Found = "holds, they say" }, ledger.ClaimOptions{Deep: true}, []string{"-     yes live-coordinator: holds, they say"}, ""},
		"a small one, which is on no record": {func(_ *ledger.Algorithm, x []ledger.Exhibit) { x[0].Found = "holds, they say" }, ledger.ClaimOptions{}, nil, ""},
		"of other code": {func(a *ledger.Algorithm, x []ledger.Exhibit) { a.Recode(other); x[1].Found = "holds, they say" }, ledger.ClaimOptions{}, []string{"-     yes live-coordinator: holds, they say"},
			"upstart: 2 pieces of evidence judged again, since the record is out of date"},
		"of other code, and the same": {func(a *ledger.Algorithm, _ []ledger.Exhibit) { a.Recode(other) }, ledger.ClaimOptions{}, nil,
			"upstart: 2 pieces of evidence judged again, since the record is out of date"},
		"of other code, deep": {func(a *ledger.Algorithm, _ []ledger.Exhibit) { a.Recode(other) }, ledger.ClaimOptions{Deep: true}, []string{"- code "}, ""},
		"of another system": {func(a *ledger.Algorithm, _ []ledger.Exhibit) {
			a.Variants[0].New = newOf(&upstart.Protocol{Polite: true, Patient: true})
		}, ledger.ClaimOptions{}, []string{"claims.lock, is not what they come to"}, "upstart: 2 pieces of evidence judged again"},
		"of other code, and too large": {func(a *ledger.Algorithm, x []ledger.Exhibit) { a.Recode(other); x[1].States = 200_001 }, ledger.ClaimOptions{}, []string{
			"upstart: the record of 1 piece of evidence is out of date: the package's code is not what it was (it)\n" +
				"To judge that again and write it down: go test ./ledger -run TestClaims/upstart -short -update -deep",
		}, "upstart: 1 piece of evidence judged again"},
		"too large and not deep": {func(a *ledger.Algorithm, x []ledger.Exhibit) { a.Recode(other); x[2].States = 200_001 }, ledger.ClaimOptions{}, []string{
			"go test ./ledger -run TestClaims/upstart -short -update",
		}, "upstart: 1 piece of evidence judged again"},
		"of no code, and too large": {func(a *ledger.Algorithm, x []ledger.Exhibit) { a.Recode(files()); x[1].States = 200_001 }, ledger.ClaimOptions{}, []string{
			"is out of date: nothing says what its code is (field Files: embed *.go) (it)",
		}, ""},
		"of before fingerprints, and too large": {func(_ *ledger.Algorithm, x []ledger.Exhibit) { x[1].Fingerprint, x[1].States = "", 200_001 }, ledger.ClaimOptions{}, []string{
			"is out of date: it does not say of which code it is (it)",
		}, ""},
	} {
		t.Run(about, func(t *testing.T) {
			a := recorded(t)
			on := onRecord(t, a)
			tt.spoil(a, on[0].Exhibits)
			keep(t, a, on)
			l := verify(a, tt.opt)
			require.Len(t, l.errors, len(tt.errors), "%q", l.errors)
			for i, want := range tt.errors {
				assert.Contains(t, l.errors[i], want)
			}
			assert.Contains(t, strings.Join(l.logs, "\n"), tt.logs)
		})
	}
}

// An update that is not deep leaves what is large and deep as it is, and of which code
// that is, and fails; a deep one writes that it is of this code.
func TestUpdateOfOtherCode(t *testing.T) {
	a, dir := recorded(t), t.TempDir()
	on := onRecord(t, a)
	x := on[0].Exhibits
	old := x[1].Fingerprint
	x[1].States = 200_001
	keep(t, a, on)
	a.Recode(files("own.go", strings.ReplaceAll(ownCode, "1", "2")))

	update := func(deep bool) (*listener, []ledger.Exhibit) {
		l := verify(a, ledger.ClaimOptions{Update: true, Deep: deep, Dir: dir})
		record, err := os.ReadFile(filepath.Join(dir, "claims.lock"))
		require.NoError(t, err)
		a.Keep(record)
		return l, onRecord(t, a)[0].Exhibits
	}
	l, x := update(false)
	require.Len(t, l.errors, 1)
	assert.Contains(t, l.errors[0], "the record of 1 piece of evidence is out of date")
	assert.Equal(t, old, x[1].Fingerprint)
	assert.NotEqual(t, old, x[2].Fingerprint)

	l, x = update(true)
	assert.Empty(t, l.errors)
	assert.Equal(t, x[2].Fingerprint, x[1].Fingerprint)
	assert.Less(t, x[1].States, uint64(200_000), "it was judged again")
	assert.Empty(t, verify(a, ledger.ClaimOptions{Deep: true}).errors)
}

// Notices tells a mutant that does nothing else.
func TestNotices(t *testing.T) {
	a := recorded(t)
	assert.NoError(t, a.Notices(&a.Mutants[0]))
	same := a.Mutants[0]
	same.New = a.Variants[0].New
	assert.EqualError(t, a.Notices(&same), "mutant rude is not told from polite by the samples of 3 settings")
}
