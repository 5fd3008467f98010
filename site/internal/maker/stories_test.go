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
)

// Each lecture is a page with its idea, three questions and an exercise, and leads to the
// next one. Each finding is a page with the claim, the run, the repair, and what to cite.
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
	assert.Equal(t, 3, strings.Count(lecture, "<summary>Answer</summary>"))
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
		a, _, err := l.Of(algorithms.All)
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
			text := l.Exercise.Test("mine")
			file := filepath.Join(dir, "repair_test.go")
			run := func(text string) (string, error) {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-run", "TestRepair", ".")
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "NO_COLOR=1")
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			broken := "yours{" + l.Exercise.Broken + "}"
			require.Contains(t, text, broken)
			out, err := run(text)
			assert.Error(t, err)
			assert.Contains(t, out, "VIOLATED", out)
			out, err = run(strings.Replace(text, broken, l.Exercise.Solved, 1))
			assert.NoError(t, err, out)
		})
	}
}
