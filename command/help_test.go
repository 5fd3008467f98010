package command

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every help fits 80 columns, and says of no flag twice what it takes.
func TestHelpFits(t *testing.T) {
	var all func(c *cobra.Command) [][]string
	all = func(c *cobra.Command) [][]string {
		list := [][]string{strings.Fields(c.CommandPath())[1:]}
		for _, sub := range c.Commands() {
			list = append(list, all(sub)...)
		}
		return list
	}
	root := newApp(ours, strings.NewReader(""), new(strings.Builder), new(strings.Builder)).root()
	commands := all(root)
	require.Greater(t, len(commands), 7)
	for _, words := range commands {
		status, out := runApp(context.Background(), &watched{}, append(words, "--help")...)
		require.Equal(t, statusFine, status, words)
		require.NotEmpty(t, out, words)
		for line := range strings.Lines(out) {
			line = strings.TrimRight(line, "\n")
			if !strings.HasPrefix(line, "\t") { // commands for a shell, in cobra's own help
				assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, "%s: %s", words, line)
			}
			assert.NotRegexp(t, `\(TEXT\)|\(K\)|\(IDS\)`, line)
			assert.Equal(t, strings.TrimRight(line, " "), line)
		}
	}
}

// A flag that takes a long list of words has its text on lines of its own.
func TestHelpOfFlags(t *testing.T) {
	_, out := runApp(context.Background(), &watched{}, "check", "--help")
	assert.Contains(t, out, "\n  -n, --n N             number of processes, 2 to 16\n")
	assert.Contains(t, out, "\n      --timing ")
	assert.Contains(t, out, "\n      --order bfs|dfs   breadth first, with shortest runs, or depth first, with\n"+strings.Repeat(" ", flagColumn)+"less memory (bfs unless given)\n")
}
