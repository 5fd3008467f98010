package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// head begins each record.
const head = `# What the claims come to, and the searches of more than 1,000 states that decide it.
# The test of the claims compares this with what it finds, and writes it with -update.
`

// A record has each outcome, what ran where a large search decides, and the large searches.
func TestLock(t *testing.T) {
	a := claimed(
		ledger.Claim{Name: "small", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed), ledger.Adds("1+1", 2, 1+1)}},
		ledger.Claim{Name: "large", Evidence: []ledger.Evidence{ledger.Keeps("validity", large), ledger.Keeps("uniqueness", large).Beside("it decides nothing")}},
		ledger.Claim{Name: "other", Evidence: []ledger.Evidence{ledger.Keeps("validity", large), ledger.Keeps("validity", large).Of("patient").InDeep()}},
	)
	a.Recode(files("own.go", ownCode))
	found := judge(t, a, ledger.JudgeOptions{})
	keep(t, a, found)
	record := string(a.Record())
	assert.Regexp(t, "^"+head+`code [0-9a-f]{12}

claim small confirmed
claim large confirmed
claim other confirmed

ran crash, .*, tick
  in large, other
  idle timeout never expired
  idle two participants at once never

setting n=3 start=settled .* timing=sync:2 crashes=2 restarts=1
  search states=\d+ depth=\d+ print=[0-9a-f]{12}
    no uniqueness: violated in \d+ steps: .*
    yes validity: holds
  search variant=patient
    undecided validity: not looked at yet
$`, record)
	again, err := ledger.Relock(a.Record())
	require.NoError(t, err)
	assert.Equal(t, record, string(again))
	for i, j := range onRecord(t, a) {
		assert.Equal(t, found[i].Readings, j.Readings, j.Claim)
		assert.Equal(t, found[i].Ran, j.Ran, j.Claim)
		assert.Equal(t, found[i].Idle, j.Idle, j.Claim)
	}
}

// The records of the catalogue are as the program would write them.
func TestLocksAreCanonical(t *testing.T) {
	for name, record := range locks(t) {
		again, err := ledger.Relock(record)
		require.NoError(t, err, name)
		assert.Equal(t, string(record), string(again), name)
	}
}

// locks returns the records of the catalogue.
func locks(t testing.TB) map[string][]byte {
	names, err := filepath.Glob(filepath.Join("..", "algorithms", "*", "claims.lock"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	all := make(map[string][]byte)
	for _, name := range names {
		all[name], err = os.ReadFile(name)
		require.NoError(t, err)
	}
	return all
}

// A large search that is on no record fails the test of the claims, and so does another
// outcome; a small one needs no record.
func TestVerifyClaimsComparesRecord(t *testing.T) {
	for about, tt := range map[string]struct {
		spoil func(a *ledger.Algorithm)
		want  string
	}{
		"another outcome": {func(a *ledger.Algorithm) {
			a.Keep([]byte(strings.Replace(string(a.Record()), "claim it confirmed", "claim it undecided", 1)))
		}, "- claim it undecided\n+ claim it confirmed"},
		"one more small search": {func(a *ledger.Algorithm) {
			a.Claims()[0].Evidence = append(a.Claims()[0].Evidence, ledger.Keeps("validity", crashed))
		}, ""},
		"one more large search": {func(a *ledger.Algorithm) {
			a.Claims()[0].Evidence = append(a.Claims()[0].Evidence, ledger.Keeps("agreement", large))
		}, "it is undecided, and field Note does not say why"},
		"one more large search that decides nothing": {func(a *ledger.Algorithm) {
			a.Claims()[0].Evidence = append(a.Claims()[0].Evidence, ledger.Keeps("agreement", large).Beside("nothing"))
		}, "+   search"},
		"one search less": {func(a *ledger.Algorithm) { a.Claims()[0].Evidence = a.Claims()[0].Evidence[:1] }, "- code "},
		"no record":       {func(a *ledger.Algorithm) { a.Keep(nil) }, "the record of its claims, claims.lock, is not what they come to"},
		"no such record":  {func(a *ledger.Algorithm) { a.Keep([]byte("clam it")) }, `line 1: "clam": want a line that begins with code, claim, `},
	} {
		t.Run(about, func(t *testing.T) {
			a := recorded(t)
			tt.spoil(a)
			errors := strings.Join(verify(a, ledger.ClaimOptions{}).errors, "\n")
			if tt.want == "" {
				assert.Empty(t, errors)
				return
			}
			assert.Contains(t, errors, tt.want)
		})
	}
}

// A reader of the record learns of a large search that is not there, and of claims.
func TestRecordedBelongs(t *testing.T) {
	a := recorded(t)
	a.Claims()[0].Evidence = append(a.Claims()[0].Evidence, ledger.Keeps("agreement", large))
	_, err := ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	assert.EqualError(t, err, "upstart: the record does not belong to the claims: its test writes it with -update")
	a = recorded(t)
	a.Claims()[0].Evidence = append(a.Claims()[0].Evidence, ledger.Keeps("agreement", crashed))
	_, err = ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	assert.NoError(t, err)
}

// Errors name the line, and say what would be right.
func TestLockErrors(t *testing.T) {
	const begun = "code c\nclaim it confirmed\nsetting n=3\n"
	for _, tt := range []struct{ record, want string }{
		{"code", `line 1: code "": want one fingerprint, before the searches`},
		{"code a-b", `line 1: code "a-b": want one fingerprint`},
		{"code a\ncode b", "line 2: code"},
		{"claim it", `line 1: claim "it": outcome "": want one of undecided, confirmed, `},
		{"claim it good", `line 1: claim "it": outcome "good": want one of`},
		{"claim it, confirmed", `line 1: claim "it, confirmed": want a name and an outcome`},
		{"claim it open\nclaim it open", `line 2: claim "it": want it once`},
		{"in it", "line 1: in: want it below a line of what ran"},
		{"ran tick\n  in it", `line 2: in "it": want a claim that stands above, once`},
		{begun + "ran\nin it\nran\nin it", `line 7: in "it": want a claim that stands above, once`},
		{begun + "ran tick\nidle crash never", "line 5: idle: want it to name"},
		{"setting", "line 1: setting: want the words of a setting"},
		{"search states=2000", "line 1: search: want it below a setting"},
		{begun + "search states=1000", "line 4: states=1000: want more than 1,000, of less nothing is on record"},
		{begun + "search depth=2", "line 4: states=0: want more than 1,000"},
		{begun + "search states=many", "line 4: states=many: want a number above 0"},
		{begun + "search states=2000 states=2000", `line 4: "states=2000": want each word once`},
		{begun + "search steps=3", `line 4: "steps": want variant, within, states, depth or print`},
		{begun + "search variant= states=2000", "line 4: variant: want its name, or no such word"},
		{begun + "search states=2000 print=a-b-c", "line 4: print=a-b-c: want a fingerprint"},
		{"setting n=3\nsearch states=2000 print=b", "line 2: print=b: want a fingerprint, and the code that it is of at the top"},
		{begun + "yes agreement: holds", `line 4: "agreement: holds": want it below the line of a search`},
		{begun + "search states=2000\nyes agreement", `line 5: "agreement": want what is asked, a colon and what was found`},
		{begun + "search\nyes agreement: holds", `line 5: "agreement: holds": want a number of states, or "not looked at yet"`},
		{begun + "search states=2000\nyes agreement: holds\nno agreement: breaks", `line 6: "agreement": want it once of a variant in a setting`},
		{begun + "tree other readings=2", `line 4: tree "other": want a claim that stands above, once under each answer`},
		{begun + "tree it readings=2\ntree it readings=2", `line 5: tree "it": want a claim that stands above, once under each answer`},
		{begun + "tree it", "line 4: tree it: want a number of readings, and no more that hold or fail"},
		{begun + "tree it readings=2 holds=1 fails=2", "line 4: tree it: want a number of readings"},
		{begun + "tree it readings=0", "line 4: readings=0: want a number above 0"},
		{begun + "tree it readings=2 readings=2", `line 4: "readings=2": want each word once`},
		{begun + "tree it states=2", `line 4: "states": want readings, holds, fails, steps or print`},
		{begun + "tree it readings=2 print=a-b-c", "line 4: print=a-b-c: want a fingerprint"},
		{begun + "at n=3", "line 4: at: want it below the line of a tree"},
		{begun + "tree it readings=2\nturns q a b", "line 5: turns: want a question and two answers"},
		{begun + "tree it readings=2 holds=1 fails=1\nturns q a", "line 5: turns: want a question and two answers"},
	} {
		_, err := ledger.Relock([]byte(tt.record))
		assert.ErrorContains(t, err, tt.want)
	}
}

// A record that was read can be written and read again.
func FuzzLock(f *testing.F) {
	for _, record := range locks(f) {
		if len(record) < 5_000 {
			f.Add(string(record))
		}
	}
	f.Add("code c\nclaim a open\nclaim b refuted within\nran tick, crash\n in a, b\n idle rule 1 never ran\nsetting n=3\nsearch variant=v within=9 states=2000 depth=3 print=x-y\nmoot p: q: r\n")
	f.Add("code c\nclaim a open\ntree a readings=4 holds=1 fails=2 steps=3 print=d\n at n=3\n turns q x y\n where p=z\n whichever b c\n alone d e ?f\ntree a readings=4 if two notice\n")
	f.Fuzz(func(t *testing.T, record string) {
		once, err := ledger.Relock([]byte(record))
		if err != nil {
			assert.Regexp(t, `^line \d+: `, err.Error())
			return
		}
		twice, err := ledger.Relock(once)
		require.NoError(t, err, "%s", once)
		assert.Equal(t, string(once), string(twice))
	})
}
