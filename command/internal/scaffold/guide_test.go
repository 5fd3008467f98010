package scaffold_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/command"
)

var fenced = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// A shellWord is a word of a command, or a quoted text.
var shellWord = regexp.MustCompile(`'[^']*'|\S+`)

// The guide does what it says: its commands are run one after the other in the
// module that its first one makes, with the files that it shows.
func TestGuide(t *testing.T) {
	if !*deep {
		t.Skip("with -deep")
	}
	root := library(t)
	guide, err := os.ReadFile(filepath.Join(root, "docs", "your-algorithm.md"))
	require.NoError(t, err)
	g := &guided{t: t, root: root, dir: t.TempDir()}
	for _, block := range fenced.FindAllStringSubmatch(string(guide), -1) {
		switch language, text := block[1], block[2]; language {
		case "go":
			g.code(text)
		case "text":
			for _, session := range strings.Split(text, "$ ")[1:] {
				line, want, _ := strings.Cut(session, "\n")
				g.prints(line, want)
			}
		default:
			assert.Fail(t, "a block of a kind that no test reads", language)
		}
	}
	assert.Equal(t, 11, g.ran, "commands that were run")
	assert.Equal(t, 5, g.wrote, "files that were written")
}

// A block of code in the guide is a file, by its first line, or a part of the protocol that the
// starter has. Without -deep too.
func TestGuideQuotesTheStarter(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join(library(t), "docs", "your-algorithm.md"))
	require.NoError(t, err)
	protocol, err := os.ReadFile(filepath.Join("starter", "starter.go"))
	require.NoError(t, err)
	quoted := 0
	for _, block := range fenced.FindAllStringSubmatch(string(guide), -1) {
		if file, _ := fileOf(block[2]); block[1] == "go" && file == "" {
			assert.Contains(t, string(protocol), block[2])
			quoted++
		}
	}
	assert.Positive(t, quoted)
}

// fileOf returns the file that a block of code is by its first line, and what is in it; "" of
// a part of a file.
func fileOf(block string) (name, text string) {
	first, rest, ok := strings.Cut(block, "\n")
	if !ok || !strings.HasSuffix(first, ".go") {
		return "", block
	}
	return strings.TrimPrefix(first, "// "), rest
}

// A guided test is in a directory, in which it does what the guide says.
type guided struct {
	t          *testing.T
	root, dir  string
	ran, wrote int
}

// code writes a file, or finds a part of one.
func (g *guided) code(text string) {
	g.t.Helper()
	if name, text := fileOf(text); name != "" {
		name = filepath.Join(g.dir, filepath.FromSlash(name))
		require.NoError(g.t, os.WriteFile(name, []byte(text), 0o600))
		g.wrote++
		return
	}
	data, err := os.ReadFile(filepath.Join(g.dir, "cheaper.go"))
	require.NoError(g.t, err)
	assert.Contains(g.t, string(data), text)
}

// prints runs a command, whose output has each of the pieces between lines of
// dots, in that order.
func (g *guided) prints(line, want string) {
	g.t.Helper()
	g.ran++
	var args []string
	for _, word := range shellWord.FindAllString(line, -1) {
		args = append(args, strings.Trim(word, "'"))
	}
	out := g.run(args)
	if strings.HasPrefix(line, "go run ./cmd/bullyproof") {
		g.dir = filepath.Join(g.dir, "cheaper")
	}
	for _, piece := range strings.Split(want, "...") {
		_, rest, ok := strings.Cut(out, strings.TrimSuffix(piece, "\n"))
		assert.True(g.t, ok, "%s: want %q in\n%s", line, piece, out)
		out = rest
	}
}

// run returns what a command prints. Ours runs here, and the rest of them by the
// go command.
func (g *guided) run(args []string) string {
	var out bytes.Buffer
	if len(args) > 2 && args[2] == "./cmd/bullyproof" {
		g.t.Chdir(g.dir)
		status := command.Tool{Name: "bullyproof"}.Run(g.t.Context(), append(args[3:], "--library", g.root), nil, &out, &out)
		assert.Zero(g.t, status, out.String())
		return out.String()
	}
	cmd := exec.CommandContext(g.t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = g.dir, offline()
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); cmd.ProcessState == nil {
		require.NoError(g.t, err)
	}
	return out.String()
}
