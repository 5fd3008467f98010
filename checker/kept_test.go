package checker_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
)

// A file of a test that is gone fails the tests that are there, and names itself.
func TestVerifyTellsOfFilesOfNoTest(t *testing.T) {
	const gone = "testdata/counterexamples/TestGone__of-3-uniqueness-0123abcd.json"
	const written = "package mine\n\nimport \"testing\"\n\nfunc TestUpstart(t *testing.T) {}\n"
	for name, c := range map[string]struct {
		files map[string]string
		told  bool
	}{
		"gone":               {map[string]string{"mine_test.go": written, gone: ""}, true},
		"of a longer name":   {map[string]string{"mine_test.go": written + "func TestGoneToo(t *testing.T) {}\n", gone: ""}, true},
		"of a method":        {map[string]string{"mine_test.go": written + "type s int\n\nfunc (s) TestGone() {}\n", gone: ""}, true},
		"there":              {map[string]string{"mine_test.go": written + "func TestGone(t *testing.T) {}\n", gone: ""}, false},
		"for another system": {map[string]string{"mine_test.go": written, "their_test.go": "//go:build plan9\n\npackage mine_test\n\nfunc TestGone(t *testing.T) {}\n", gone: ""}, false},
		"who knows":          {map[string]string{"mine_test.go": written, "their_test.go": "package mine\n\nfunc TestG", gone: ""}, false},
		"no tests here":      {map[string]string{gone: ""}, false},
		"not of ours":        {map[string]string{"mine_test.go": written, "testdata/counterexamples/TestGone.json": ""}, false},
		"its own":            {map[string]string{"mine_test.go": "package mine\n\nfunc TestOther() {}\n", strings.Replace(gone, "Gone", "Upstart", 1): ""}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range c.files {
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
				require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
			}
			s := verify(&standIn{}, good(), only(checker.Uniqueness))
			assert.Equal(t, c.told, s.failed, s.said())
			if c.told {
				assert.Equal(t, []string{"checker: " + gone + " is of a test that is not here: remove it, or give it the name of the test that it is of now"}, s.errors)
			}
		})
	}
}

// A test that has passed tells of files of its own that none of its checks looks at.
func TestVerifyTellsOfFilesOfOldSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	require.True(t, verify(&standIn{}, bad(), only(checker.Uniqueness)).failed)
	file := keptFor(t, "uniqueness")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	another := strings.Replace(file, "of-3-", "of-3-and-more-", 1)
	require.NoError(t, os.WriteFile(another, data, 0o600))
	told := func(s *standIn) string {
		return onStderr(t, s.over)
	}
	for _, c := range []struct {
		name string
		s    *standIn
		told bool
	}{
		{"another setting", verify(&standIn{}, good(), only(checker.Uniqueness)), true},
		{"another test", verify(&standIn{name: "TestUpstart"}, good(), only(checker.Uniqueness)), false},
		{"one that fails", verify(&standIn{}, bad(), only(checker.Uniqueness)), false},
		{"what is expected is not kept", verify(&standIn{}, bad(), only(checker.Uniqueness), checker.Expect(checker.Uniqueness)), true},
	} {
		want := ""
		if c.told {
			want = "TestUpstart/of 3: " + file + " is of no check of this test that ran: remove it if none asks for uniqueness in its setting, " + upstart.Settled(3).String() + "\n"
		}
		assert.Equal(t, want, told(c.s), c.name)
	}
}

// A counterexample is followed by its actions, whatever messages and fields are called by now, and is
// recorded again.
func TestVerifyFollowsOldNames(t *testing.T) {
	t.Chdir(t.TempDir())
	require.True(t, verify(&standIn{}, bad(), only(checker.Uniqueness)).failed)
	file := keptFor(t, "uniqueness")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	old := strings.NewReplacer(`"message": "`, `"message": "old `, `"field": "state.`, `"field": "state.Old`).Replace(string(data))
	require.NotEqual(t, string(data), old)
	require.NoError(t, os.WriteFile(file, []byte(old), 0o600))
	s := verify(&standIn{}, bad(), only(checker.Uniqueness), checker.With(func(o *checker.Options) { o.MaxTime = 1 }))
	assert.Contains(t, s.said(), "still so: replayed from "+file+", without a search")
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(data), string(again))
}
