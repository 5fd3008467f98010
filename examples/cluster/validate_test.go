package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
)

// logs returns the event logs of a cluster whose processes have ended.
func (c *machines) logs() []string {
	for id := range c.running {
		c.stop(id)
	}
	names, err := filepath.Glob(filepath.Join(c.dir, "events-*.ndjson"))
	require.NoError(c.t, err)
	require.Len(c.t, names, c.n)
	return names
}

// A source is an algorithm's own setting, and the algorithm in any.
type source struct {
	of setting.Setting
	in func(setting.Setting) (*model.System, error)
}

func variant(t *testing.T, a *ledger.Algorithm, name string) source {
	v, err := a.Variant(name)
	require.NoError(t, err)
	return source{v.Setting, v.In}
}

// validated says whether a model allows what logs tell.
func validated(t *testing.T, of source, names []string) *validate.Result {
	t.Helper()
	log := validate.NewLog()
	for _, name := range names {
		f, err := os.Open(name)
		require.NoError(t, err)
		require.NoError(t, log.Read(eventlog.NewReader(f, filepath.Base(name))))
		require.NoError(t, f.Close())
	}
	// No process that elects learns of a failure here.
	s, err := log.Setting(of.of, "reports=idle")
	require.NoError(t, err)
	sys, err := of.in(s)
	require.NoError(t, err)
	r, err := validate.Run(context.Background(), sys, log, validate.Options{})
	require.NoError(t, err)
	t.Logf("%d lines in %q: %v", r.Lines, s, r.Verdict)
	return r
}

// accepted demands that a model allows what logs tell.
func accepted(t *testing.T, of source, names []string) {
	t.Helper()
	r := validated(t, of, names)
	if !assert.Equal(t, validate.Accepted, r.Verdict, r.Why) {
		for _, refusal := range r.Refusals {
			t.Log(refusal.String())
		}
	}
}

// forge changes the last line in which a process of a log receives something and
// follows somebody: it is to believe in another one. It returns the line's place.
func forge(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i] == "" {
			continue
		}
		e, err := eventlog.Decode([]byte(lines[i]))
		require.NoError(t, err)
		if e.Kind != eventlog.Receive || *e.Belief.Elected == model.None {
			continue
		}
		*e.Belief.Elected = *e.Belief.Elected%5 + 1
		forged, err := e.Encode()
		require.NoError(t, err)
		lines[i] = string(forged)
		require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "")), 0o666))
		return fmt.Sprintf("%s:%d", filepath.Base(name), i+1)
	}
	require.Fail(t, "no line to forge", name)
	return ""
}

// One rule is broken in the code that runs, and in no model: a server's vote is
// not on its disk. Its log shows that when it is back.
func TestValidationFindsWhatOnlyTheRunningCodeDoes(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3, "-tick", "40ms", "raft/forgets-vote")
	for id := 1; id <= 3; id++ {
		c.run(id)
	}
	voted := func(e *eventlog.Event) bool {
		for _, f := range e.State {
			if f.Name == "VotedFor" {
				return f.Value != model.None.String()
			}
		}
		return false
	}
	// Somebody has voted and is killed, and had no time to hear of another term.
	var voter model.ID
	for last := false; !last; {
		c.await("a vote", func(e *eventlog.Event) bool { voter = e.Process; return voted(e) })
		c.kill(int(voter))
		c.run(int(voter))
		last = true
		c.await("its return", func(e *eventlog.Event) bool {
			if e.Process == voter && e.Kind.Handled() && e.Kind != eventlog.Boot {
				last = voted(e)
			}
			return e.Process == voter && e.Kind == eventlog.Boot && e.Why == model.Restart
		})
	}
	// The model has no bound on terms: there were as many as there was time for.
	of := variant(t, raft.Algorithm, "any-delays")
	of.in = ledger.SystemOf[raft.P, raft.M](&raft.Raft{})
	r := validated(t, of, c.logs())
	require.Equal(t, validate.Refused, r.Verdict, r.Why)
	require.NotEmpty(t, r.Refusals)
	refusal := r.Refusals[0]
	t.Log(refusal.String())
	assert.Contains(t, refusal.Text, "restart")
	assert.Contains(t, refusal.Place, fmt.Sprintf("events-%v.ndjson:", voter))
}
