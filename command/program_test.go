package command

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullyproof/internal/test/thorough"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// A line of its own that calls the command, in a document, in help or on a page.
	calledLine = regexp.MustCompile(`(?m)^(?:.*<code>|\$ |  +)?(?:go run \./cmd/)?bullyproof ([a-z]+(?: .*)?)$`)
	// A call with arguments in the middle of a text.
	calledInText = regexp.MustCompile("`bullyproof ([a-z]+ [^`]+)`")
	// A word of a command line, and what ends the line.
	calledWord = regexp.MustCompile(`'([^']*)'|"([^"]*)"|([^\s'"]+)`)
)

// calls returns the command lines that a text shows, in words.
func calls(text string) (list [][]string) {
	text = regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, "")
	for _, m := range slices.Concat(calledLine.FindAllStringSubmatch(text, -1), calledInText.FindAllStringSubmatch(text, -1)) {
		var words []string
		for _, word := range calledWord.FindAllStringSubmatch(regexp.MustCompile(`\s(?:>[^=]|[#|]).*|</code>.*`).ReplaceAllString(m[1], ""), -1) {
			words = append(words, word[1]+word[2]+word[3])
		}
		list = append(list, words)
	}
	return list
}

// Each command line that help, a document or a page shows is one that runs: its
// flags are flags, and what it names is there.
func TestShownCallsRun(t *testing.T) {
	thorough.Only(t)
	texts := map[string]string{}
	root := newApp(ours, strings.NewReader(""), new(strings.Builder), new(strings.Builder)).root()
	for _, c := range root.Commands() {
		_, help := runApp(t.Context(), &watched{}, c.Name(), "--help")
		_, texts[c.Name()+" --help"], _ = strings.Cut(help, "\nExamples:\n")
	}
	_, help := runApp(t.Context(), &watched{}, "--help")
	_, texts["--help"], _ = strings.Cut(help, "\nExamples:\n")
	documents, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	pages, err := filepath.Glob("../site/internal/maker/assets/*.html")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, name := range slices.Concat([]string{"../README.md"}, documents, pages) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[filepath.Base(name)] = string(text)
	}
	cluster, err := os.ReadFile("../docs/cluster.ndjson")
	require.NoError(t, err)
	run, err := os.ReadFile("../counterexamples/bully-answer-overtaken.json")
	require.NoError(t, err)
	files := map[string]string{ // those that examples speak of
		"cluster.ndjson": string(cluster), "docs/cluster.ndjson": string(cluster), "node1.ndjson": string(cluster), "node2.ndjson": "",
		"run/events-1.ndjson": string(cluster), "counterexamples/run.json": string(run),
		"testdata/counterexamples/TestElection-uniqueness.json": string(run),
		"history.json": `{"spec":"register","operations":[{"client":1,"op":"write","value":3,"call":10,"return":25}]}`,
	}
	logs, err := filepath.Glob("../runtime/logformat/testdata/etcd-*.log")
	require.NoError(t, err)
	for _, name := range logs {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files[filepath.Base(name)] = string(text)
	}
	met := 0
	for name, text := range texts {
		for _, words := range calls(text) {
			if words[0] == "completion" || strings.Contains(strings.Join(words, " "), "{{") {
				continue // cobra's own, and a template, whose pages have their own test
			}
			met++
			t.Run(name+": "+strings.Join(words, " "), func(t *testing.T) { runShown(t, files, words) })
		}
	}
	assert.Greater(t, met, 60)
}

// runShown runs a command line where the files are that it may speak of. It is
// interrupted before it begins to search.
func runShown(t *testing.T, files map[string]string, words []string) {
	if words[0] == "cluster" || slices.Contains(words, "--resume") { // need other machines, and a search before
		a := newApp(ours, strings.NewReader(""), new(strings.Builder), new(strings.Builder))
		cmd, args, err := a.root().Find(words)
		require.NoError(t, err)
		require.NoError(t, cmd.ParseFlags(args))
		require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()))
		if len(cmd.Flags().Args()) > 0 {
			_, err = a.findSubject(cmd.Flags().Args()[0])
			require.NoError(t, err)
		}
		return
	}
	library, err := filepath.Abs("..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	var args []string
	for _, word := range words {
		if found, _ := filepath.Glob(word); len(found) > 0 {
			args = append(args, found...)
			continue
		}
		args = append(args, word)
	}
	switch words[0] {
	case "explore":
		args = append(args, "--no-open", "--port", "0")
	case "new": // whoever calls it is in a clone; a program built with -trimpath knows none
		args = append(args, "--library", library)
	}
	over, end := context.WithCancel(t.Context())
	end()
	var errors watched
	a := newApp(ours, strings.NewReader(""), new(strings.Builder), &errors)
	a.name = "bullyproof"
	status := a.run(over, args)
	assert.NotEqual(t, statusUsage, status, errors.b.String())
}
