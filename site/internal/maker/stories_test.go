package maker_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/command"
	"bullyproof/counterexamples/incidents"
)

// Each lecture is a page with its idea, predictions, three questions and exercises, and leads to
// the next one. Before its predictions it says nothing of the end, which is folded. Each finding is a page with the claim, the run, the repair, and what to cite.
func TestStories(t *testing.T) {
	s := usual(t)
	lecture := string(s.Files["lectures/bully-waits-for-ever.html"])
	for _, want := range []string{
		"<h1>A wait without end</h1>", "If you wait for a message", `id="moves"`, `<nav class="sequence" aria-label="Lecture 1 of 3">`,
		`rel="next" href="../lectures/bully-each-follows-the-other.html"`, `<a href="../runs/bully-waits-for-ever.html#step-4">Step 4</a>`,
		"bullyproof new mine --like bully", "checker.Verify(t, yours{CoulourisNoRetry}", "3 processes; at first all agree on a coordinator",
		`&lt;iframe src="runs/bully-waits-for-ever.html?embed"`,
	} {
		assert.True(t, strings.Contains(lecture, want), want)
	}
	assert.Equal(t, 4, strings.Count(lecture, "<summary>Answer</summary>"), "of three questions and the hunt")
	shown, folded, ok := strings.Cut(lecture, `<details class="ending"`)
	require.True(t, ok)
	assert.Contains(t, folded, "P1 is in an election.</p>", "the verdict")
	shown, folded, ok = strings.Cut(shown, "<details class=")
	require.True(t, ok)
	assert.NotContains(t, shown, "P2 crashes", "the end of the run")
	assert.Contains(t, folded, `<summary>P1 waits until somebody announces a coordinator.</summary><p><strong>Right: so it is in step 4.</strong>`)
	assert.Contains(t, folded, `<summary>P1 crashes.</summary><p><strong>Not in this run, but another run from here has it in step 5.</strong>`)
	assert.Contains(t, folded, `<summary>P3 comes back.</summary><p><strong>No run from here has it in step 5.</strong>`)
	assert.Contains(t, lecture, "<code>e2</code> is kept by waits, waits-t and waits-more. It breaks with waits-on and is-done.")
	assert.Contains(t, lecture, "func (y yours) Receive(", "a solution")
	sheet := string(s.Files["lectures/bully-waits-for-ever-sheet.html"])
	for _, want := range []string{"<h1>Teacher&#39;s sheet: A wait without end</h1>", `<tr><th scope="row">All</th><td>57</td>`, "A usual mistake:", "Right: so it is in step 4.", "func (y yours) Receive("} {
		assert.True(t, strings.Contains(sheet, want), want)
	}
	assert.Contains(t, string(s.Files["lectures.html"]), `<a href="lectures/changroberts-left-behind.html">A participant left behind</a>`)

	finding := string(s.Files["findings/bully-duplicate-coordinator.html"])
	for _, want := range []string{
		"<h1>Two coordinators at one instant</h1>", "Can a Bully have two coordinators?", "announce themselves as the coordinator concurrently",
		`href="../algorithms/bully.html#claim-two-announce"`, `href="../algorithms/bully.html#reading-repaired"`,
		`Finding 1 of 5`, "claim bully/two-announce",
	} {
		assert.True(t, strings.Contains(finding, want), want)
	}
	assert.Contains(t, s.Files, "findings/bully-equation-1.html", "a finding without a run")
	assert.Contains(t, lecture, `<a href="../algorithms/bully.html#reading-coulouris">coulouris</a>: `, "the repair that its claim names")
	assert.NotContains(t, string(s.Files["findings/bully-equation-1.html"]), "<script")
}

// Where the address of the site is known, a finding has a picture for previews.
func TestPictures(t *testing.T) {
	opt := some(t)
	opt.Address = "https://example.org/elections/"
	s := made(t, opt)
	assert.Contains(t, string(s.Files["findings/bully-duplicate-coordinator.html"]),
		`<meta property="og:image" content="https://example.org/elections/pictures/bully-duplicate-coordinator.png">`)
	shown, err := png.Decode(bytes.NewReader(s.Files["pictures/bully-duplicate-coordinator.png"]))
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 1200, 630), shown.Bounds())
	crowns := 0
	for x := range 1200 {
		if shown.At(x, 360) == (color.RGBA{0xf0, 0xc0, 0, 0xff}) && shown.At(x-1, 360) != shown.At(x, 360) {
			crowns++
		}
	}
	assert.Equal(t, 2, crowns, "two processes lead")
	for name := range usual(t).Files {
		assert.NotContains(t, name, ".png")
	}
	if dir := os.Getenv("BULLYPROOF_SCREENSHOTS"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "picture.png"), s.Files["pictures/bully-duplicate-coordinator.png"], 0o666))
	}
}

// The test of an exercise fails in a copy of the algorithm, by the property of the
// lecture's run, and passes with the solution.
func TestExercises(t *testing.T) {
	library, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	for i := range algorithms.Lectures {
		l := &algorithms.Lectures[i]
		a, _, _, err := l.About(algorithms.All, &incidents.Catalogue)
		require.NoError(t, err)
		if !*deep && a.Name+"-"+l.Exercise.From != "bully-coulouris-noretry" { // one compiles for a while
			continue
		}
		t.Run(a.Name+"-"+l.Exercise.From, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var said bytes.Buffer
			require.Zero(t, command.Tool{}.Run(t.Context(), []string{"new", "mine", "--like", a.Name, "--library", library}, nil, io.Discard, &said), &said)
			dir, err := filepath.Abs("mine")
			require.NoError(t, err)
			file := filepath.Join(dir, "repair_test.go")
			run := func(text string) (string, error) {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-run", "TestRepair", ".")
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "NO_COLOR=1")
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			out, err := run(l.Exercise.Test("mine"))
			assert.Error(t, err)
			assert.Contains(t, out, "VIOLATED", out)
			out, err = run(l.Exercise.Solved("mine"))
			assert.NoError(t, err, out)
		})
	}
}
