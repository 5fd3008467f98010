package maker

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model/setting"
)

// Every standard property has an example in the glossary, and every word of a
// setting is in it.
func TestGlossaryIsComplete(t *testing.T) {
	for _, p := range properties() {
		x := examples[p.Name]
		assert.NotEmpty(t, x.kept, p.Name)
		assert.NotEmpty(t, x.broken, p.Name)
	}
	assert.Len(t, examples, len(properties()), "an example of a property that there is not")
	for _, p := range checker.Heartbeat() {
		assert.Contains(t, examples, p.Name)
	}
	words := make(map[string]bool)
	for _, s := range (&maker{}).glossary() {
		for _, term := range s.Terms {
			assert.NotEmpty(t, term.Text, term.Word)
			assert.False(t, words[term.ID()], "%s is explained twice", term.ID())
			assert.NotRegexp(t, `there is (channels|delays|clocks|processes)\b`, term.Text)
			words[term.ID()] = true
		}
	}
	for _, w := range setting.Words() {
		assert.True(t, words[w.Key], w.Key)
	}
	for _, word := range []string{"tick", "timer", "variant", "vacuous", "incomplete", "mutant", "epoch", "failure-detector", "linearizable", "fencing-token"} {
		assert.True(t, words[word], word)
	}
}

func TestJudgingIsAPage(t *testing.T) {
	text, err := judging()
	require.NoError(t, err)
	assert.Contains(t, string(text), `<h2 id="the-outcomes">`)
	assert.Contains(t, string(text), `href="algorithms.html"`)
	assert.NotContains(t, string(text), "<h1")
	assert.NotContains(t, string(text), ".md")
}

func TestTick(t *testing.T) {
	for most, want := range map[int]int{1: 1, 5: 1, 6: 2, 10: 2, 11: 5, 25: 5, 26: 10, 50: 10, 51: 20, 5890: 2000} {
		assert.Equal(t, want, tick(most), most)
	}
}

// A plot says in words what it shows, a cost without a bound too, and leaves that
// out of its lines.
func TestPlot(t *testing.T) {
	p := costPlot{Title: "messages < N", Published: true, Points: []costPoint{{3, 4, 5}, {4, -1, 7}}}
	drawn := string(p.draw())
	assert.Contains(t, drawn, `aria-label="messages &lt; N. 3 processes: the source 5, found 4; 4 processes: the source 7, found no bound."`)
	assert.NotContains(t, drawn, `,-`)
	assert.Contains(t, string(drawBars([]bar{{"a & b", 2, 1.5}})), "a &amp; b: the source 2, found 1.5")
}

// put writes a small site of some files.
func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	s := &Site{Files: make(map[string][]byte)}
	for _, name := range names {
		s.Files[name] = []byte(name)
	}
	require.NoError(t, s.Write(t.Context(), dir))
}

// A site replaces the one that was there, and nothing else.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "site")
	put(t, dir, "index.html", "runs/old.html")
	put(t, dir, "index.html", "runs/new.html")
	assert.FileExists(t, filepath.Join(dir, "runs", "new.html"))
	assert.NoFileExists(t, filepath.Join(dir, "runs", "old.html"))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.html"), nil, 0o666))
	_, err := Usable(dir)
	assert.ErrorContains(t, err, "holds mine.html, which is no part of a site")
}

// An interrupted site is gone on with.
func TestWriteInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &Site{Files: map[string][]byte{"index.html": []byte("a"), "b.html": []byte("b")}}
	require.ErrorIs(t, s.Write(ctx, dir), context.Canceled)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.html"), []byte("half"), 0o666))
	require.NoError(t, s.Write(t.Context(), dir))
	data, err := os.ReadFile(filepath.Join(dir, "b.html"))
	require.NoError(t, err)
	assert.Equal(t, "b", string(data))
}

// A manifest that is not ours is refused, whatever it names.
func TestManifest(t *testing.T) {
	for _, c := range []struct {
		text any
		want string
	}{
		{"text", "does not say which files"},
		{map[string]any{"schema": 2}, "does not say which files"},
		{manifest{1, []string{"../../etc/passwd"}}, "outside of the directory"},
		{manifest{1, []string{"/etc/passwd"}}, "outside of the directory"},
	} {
		dir := t.TempDir()
		data, err := json.Marshal(c.text)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, manifestFile), data, 0o666))
		_, err = Usable(dir)
		assert.ErrorContains(t, err, c.want)
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	_, err := Usable(file)
	assert.ErrorContains(t, err, "is not a directory")
	_, err = Usable(filepath.Join(t.TempDir(), "new"))
	assert.NoError(t, err)
}

// A setting in a text is there in words as well, each word of it with a link; what only
// looks like one stays as it is.
func TestWorded(t *testing.T) {
	for text, want := range map[string]string{
		"broken in 3 steps (n=3 start=settled crashes=1); <and> 2 more": "broken in 3 steps (3 processes; at first all agree on a coordinator; " +
			"a message takes up to 1 tick; messages arrive in any order; a process may crash: " +
			`<code class="setting"><a href="../glossary.html#n">n=3</a> <a href="../glossary.html#start">start=settled</a> <a href="../glossary.html#crashes">crashes=1</a></code>); &lt;and&gt; 2 more`,
		"with n=3 and n=0 crashes=1, or n=3 and=more": "with n=3 and n=0 crashes=1, or n=3 and=more",
	} {
		assert.Equal(t, want, string(worded("../", text)))
	}
}
