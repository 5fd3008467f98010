//go:build !js

package command

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
)

// A fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// If output cannot be written, a command says so, and the status is that of bad input.
// Tried are the help of each command, and its other outputs without a long search.
func TestEveryCommandTellsThatNobodyGetsItsOutput(t *testing.T) {
	lines := []string{
		"list", "check bully --property uniqueness --max-states 100", "check bully --brief --max-states 100", "check bully --json --max-states 100", "replay bully-duplicate-coordinator",
		"replay --json bully-duplicate-coordinator", "simulate bully --walks 2", "messages bully -n 2 --max-states 100", "claims bully --recorded", "compare bully --max-states 10",
		"new --help", "completion bash", "completion zsh", "completion fish", "completion powershell", "json", "help json", "help check", "--version",
		"explore bully --no-open --port 0", "check bullly --json",
	}
	for _, format := range []string{"text", "steps", "svg", "html", "mermaid", "itf", "shiviz", "json"} {
		lines = append(lines, "trace bully-duplicate-coordinator --format "+format)
	}
	var help func(path string, cmd *cobra.Command)
	help = func(path string, cmd *cobra.Command) {
		lines = append(lines, strings.TrimSpace(path+" --help"))
		for _, sub := range cmd.Commands() {
			help(strings.TrimSpace(path+" "+sub.Name()), sub)
		}
	}
	help("", newApp(ours.titled(), nil, new(bytes.Buffer), new(bytes.Buffer)).root())
	for _, line := range lines {
		var said bytes.Buffer
		a := newApp(ours.titled(), nil, fullDisk{}, &said)
		ctx, cancel := context.WithCancel(t.Context())
		if strings.HasPrefix(line, "explore bully --no") {
			cancel() // it ends at once
		}
		assert.Equal(t, statusUsage, a.run(ctx, strings.Fields(line)), line)
		cancel()
		assert.Contains(t, said.String(), "no space left on device", line)
	}
	t.Logf("%d command lines", len(lines))
}
