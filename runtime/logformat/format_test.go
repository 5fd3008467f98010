package logformat_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/logformat"
)

// small is a description that is right.
const small = `
# A store of our own.
format  store
lines   store 1 to 3
time    ^(?P<time>\S+)
layout  2006-01-02T15:04:05Z07:00
complete leader term
event   leads      (?P<process>\w+) leads term (?P<term>[0-9]+)
event   candidate  (?P<process>\w+) asks for term (?P<term>[0-9]+)
event   follower   (?P<process>\w+) follows(?: (?P<leader>\w+))?$
event   lost       (?P<process>\w+) is lost
event   up         (?P<process>\w+) starts
event   up         ^\S+ begins
event   down       (?P<process>\w+) stops
`

func TestParse(t *testing.T) {
	f, err := logformat.Parse("store.txt", []byte(small))
	require.NoError(t, err)
	assert.Equal(t, "store", f.Name)
	assert.Equal(t, "store 1 to 3", f.Lines)
	assert.Equal(t, eventlog.Parts{Leader: true, Epoch: true}, f.Complete)
}

func TestParseRefuses(t *testing.T) {
	const head, foot = "format x\ntime (?P<time>.*)\nlayout 2006-01-02 15:04:05\n", "event up up\n"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", `f: a description lacks the line "format NAME"`},
		{"no time", "format x\n" + foot, `f: a description lacks the line "time REGULAR-EXPRESSION"`},
		{"no layout", "format x\ntime (?P<time>.)\n" + foot, "f: the time of line 2 has no layout"},
		{"two times, one layout", "format x\ntime (?P<time>.)\ntime (?P<time>.)\n", "f:3: the time of line 2 has no layout"},
		{"no event", head, `f: a description lacks the line "event KIND REGULAR-EXPRESSION"`},
		{"word", head + "evnt up up", `f:4: unknown word "evnt": did you mean event?`},
		{"nothing said", head + "event", "f:4: event says nothing: want a kind and a regular expression"},
		{"kind", head + "event follow x", `f:4: unknown kind of event "follow": did you mean follower?`},
		{"no expression", head + "event up", "f:4: an event up has no regular expression"},
		{"expression", head + "event up (", "f:4: the regular expression: error parsing regexp: missing closing )"},
		{"group", head + "event up (?P<proces>.)", `f:4: unknown group "proces": did you mean process?`},
		{"leader of a leader", head + "event leads (?P<leader>.)", "f:4: only an event follower has the group (?P<leader>...): this is leads"},
		{"time without a group", "format x\ntime .*\n", "f:2: the regular expression has no group (?P<time>...)"},
		{"layout of no date", "format x\ntime (?P<time>.)\nlayout 15:04:05\n", `f:3: the layout "15:04:05" gives no date and time of day`},
		{"layout of a constant", "format x\ntime (?P<time>.)\nlayout yyyy-mm-dd\n", `f:3: the layout "yyyy-mm-dd" gives no date`},
		{"layout first", "layout 2006\n", "f:1: a layout stands below its time, one below each"},
		{"part", head + "complete epoch", `f:4: unknown part "epoch": want leader, term or candidate`},
		{"twice", head + "format y", `f:4: there is a second line "format"`},
		{"group of none", head + "group g\n" + foot, `f: the group is "g", and no event has the group (?P<group>...)`},
		{"unprintable", head + "event up \x1b[31m", "f:4: the line holds what cannot be printed"},
		{"no UTF-8", head + "event up \xff", "f:4: the line is not UTF-8"},
		{"long", strings.Repeat("#\n", logformat.MaxText), "f: a description of 131072 bytes: at most 65536"},
		{"many", head + strings.Repeat(foot, logformat.MaxEntries+1), "f:68: more than 64 events"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := logformat.Parse("f", []byte(c.text))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestShipped(t *testing.T) {
	assert.Equal(t, []string{"etcd", "hashicorp-raft", "nats"}, logformat.Shipped())
	for _, name := range logformat.Shipped() {
		f, ok := logformat.Named(name)
		require.True(t, ok)
		assert.Equal(t, name, f.Name)
		assert.NotEmpty(t, f.Lines)
	}
	_, ok := logformat.Named("../formats/etcd")
	assert.False(t, ok)
}

// A description is read or refused, and nothing panics.
func FuzzParse(f *testing.F) {
	f.Add(small)
	for _, name := range logformat.Shipped() {
		text, err := os.ReadFile("formats/" + name + ".txt")
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := logformat.Parse("f", []byte(text))
		if err != nil {
			assert.True(t, strings.HasPrefix(err.Error(), "f:"), "%v names the description", err)
			return
		}
		r, err := logformat.New(got, "")
		require.NoError(t, err)
		_, _ = r.Reader(strings.NewReader(text+"\n"), "log").Next() // any line will do
	})
}
