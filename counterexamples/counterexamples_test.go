package counterexamples_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/counterexamples"
	"bullyproof/model"
	"bullyproof/trace"
)

var update = flag.Bool("update", false, "search for the counterexamples and write their files")

// A finding is a counterexample that is to be recorded.
type finding struct {
	name                         string
	algorithm, variant, property string
	setting                      string
	title, story                 string
}

// findings are what the package records, one for each name.
var findings = []finding{
	{
		name:      "bully-answer-overtaken",
		algorithm: "bully", variant: "coulouris-keeps-waiting", property: "e2-strong",
		setting: "n=2 initiators=1 timing=sync:1",
		title:   "an election that is won at once, again and again",
		story: "Nobody fails, and every message arrives in time. But the announcement overtakes the answer, and a process " +
			"that goes on waiting when it is told of a coordinator takes the late answer for the beginning of another wait. " +
			"It ends with T' and a new election, which goes the same way. Even strong fairness does not help: everything " +
			"happens that may. Channels that keep the order of messages do.",
	},
	{
		name:      "bully-asked-again",
		algorithm: "bully", variant: "wikipedia-again", property: "re-election",
		setting: "n=4 start=settled timing=sync:1 crashes=1",
		title:   "asked too often to win",
		story: "4 has failed, and 3 would win as soon as nobody had answered it for T. But it begins a new election whenever it is " +
			"asked, as rule 4 says, and asks nobody to stop. 1 asks it each time that T' is over, and 2, which 1 asks as well, " +
			"half-way between: T never expires. One failure, all delays within the bound, and no coordinator ever. (Since once in " +
			"each round T and a question are due at the same instant, strong fairness ends it.)",
	},
	{
		name:      "bully-duplicate-coordinator",
		algorithm: "bully", variant: "coulouris", property: "uniqueness",
		setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		title:   "two coordinators at one instant",
		story: "The coordinator crashes, and is back just as the process that noticed gives up waiting for its answer. " +
			"Both announce themselves.",
	},
	{
		name:      "bully-lasting-disagreement",
		algorithm: "bully", variant: "coulouris", property: "agreement",
		setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		title:   "a disagreement that nothing ends",
		story: "Two announcements are on their way to 1 at the same time, and 1 follows whichever comes last. It comes from 2, " +
			"which by then follows 3. Since 2 is up, no failure detector ever gives 1 a reason to think again.",
	},
	{
		name:      "bully-never-told",
		algorithm: "bully", variant: "tanenbaum", property: "e2",
		setting: "n=3 start=settled timing=sync:1 crashes=2",
		title:   "an election that nobody is left to finish",
		story: "1 is answered, and its job is done. The one who answered crashes before it can announce itself. From then on " +
			"1 knows of no coordinator, so that no failure detector watches one for it.",
	},
	{
		name:      "bully-retries-for-ever",
		algorithm: "bully", variant: "coulouris", property: "e2",
		setting: "n=3 start=coordinator-down timing=async:0",
		title:   "two timers, and always the wrong one",
		story: "3 is down, and 2 waits for an answer that does not come: it would win as soon as its timer T expired. But where " +
			"timers have no length, 1's timer T' may expire first, every time. Each time 1 asks 2 again, 2 answers, and while these " +
			"messages are on their way T does not expire. T is not passed over without interruption, so weak fairness allows " +
			"it; strong fairness does not, and synchrony does not.",
	},
	{
		name:      "bully-waits-for-ever",
		algorithm: "bully", variant: "coulouris-noretry", property: "e2",
		setting: "n=3 start=settled timing=sync:1 crashes=2",
		title:   "a wait without end",
		story: "1 is answered and waits for an announcement. The one who answered crashes before it can make one. On the slides " +
			"nothing ends that wait; the book has the timer T' for it.",
	},
	{
		name:      "changroberts-left-behind",
		algorithm: "changroberts", variant: "coulouris", property: "e2",
		setting: "n=4 topology=ring initiators=all:lazy timing=async:0",
		title:   "a participant left behind",
		story: "The coordinator is elected and everybody is told. An old election message, which the elected message overtook on " +
			"its way to 1, makes 1 a participant once more, and is then taken out of the ring by 3. Nothing ever tells 1 that " +
			"this election is over, and as a participant it begins no other. Channels that keep the order of messages prevent " +
			"it; the slides do not ask for them.",
	},
}

// search returns the shortest trace of a finding.
func search(t *testing.T, algorithm, variant, property string, s model.Setting) *trace.Trace {
	t.Helper()
	sys, _, err := algorithms.Lookup(algorithm, variant, property, s)
	require.NoError(t, err)
	p, err := checker.Lookup(property)
	require.NoError(t, err)
	report, err := checker.Check(context.Background(), sys, checker.Options{
		Algorithm: algorithm, Variant: variant, Properties: []*checker.Property{p}, Exact: true,
	})
	require.NoError(t, err)
	for _, f := range report.Findings {
		if f.Property == p {
			require.True(t, f.Shortest || p.Watch().Run != nil)
			require.NotNil(t, f.Trace, "%s holds", property)
			return f.Trace
		}
	}
	require.Fail(t, "the report lacks "+property)
	return nil
}

func diagram(t *testing.T, tr *trace.Trace) string {
	t.Helper()
	run, err := trace.Replay(tr, algorithms.Lookup)
	require.NoError(t, err)
	l, err := trace.Lay(tr, run)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, l.WriteText(&b, trace.TextOptions{}))
	return b.String()
}

func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("writes the files, with -update")
	}
	for _, f := range findings {
		s, err := model.ParseSetting(f.setting)
		require.NoError(t, err)
		tr := search(t, f.algorithm, f.variant, f.property, s)
		tr.Title, tr.Story = f.title, f.story
		require.NoError(t, tr.WriteFile(f.name+".json"))
		require.NoError(t, os.WriteFile(f.name+".txt", []byte(diagram(t, tr)), 0o666))
	}
	t.Log("written: run the tests again, since what they test is embedded")
}

// Every recorded counterexample does what it says, is drawn as it is, and is
// as short as any.
func TestRecorded(t *testing.T) {
	if *update {
		t.Skip("what is embedded is not what was just written")
	}
	for _, name := range counterexamples.Names() {
		t.Run(name, func(t *testing.T) {
			tr, err := counterexamples.Open(name)
			require.NoError(t, err)
			shown, err := counterexamples.Diagram(name)
			require.NoError(t, err)
			assert.Equal(t, diagram(t, tr), shown, "run the test with -update")
			data, err := tr.Encode()
			require.NoError(t, err)
			onDisk, err := os.ReadFile(name + ".json")
			require.NoError(t, err)
			assert.Equal(t, string(onDisk), string(data), "the file is as Encode writes it")
			shortest := search(t, tr.Algorithm, tr.Variant, tr.Property, tr.Setting)
			assert.Len(t, tr.Steps, len(shortest.Steps), "there is a shorter one")
		})
	}
}

func TestEveryFindingIsRecorded(t *testing.T) {
	var names []string
	for _, f := range findings {
		names = append(names, f.name)
	}
	assert.Equal(t, names, counterexamples.Names())
	for _, f := range findings {
		tr, err := counterexamples.Open(f.name + ".json")
		require.NoError(t, err)
		assert.Equal(t, f.title, tr.Title, "run the test with -update")
		assert.Equal(t, f.story, tr.Story, "run the test with -update")
		assert.Equal(t, f.property, tr.Property)
	}
}

func TestOpenSuggests(t *testing.T) {
	_, err := counterexamples.Open("bully-duplicate-cordinator")
	assert.EqualError(t, err, `unknown counterexample "bully-duplicate-cordinator": did you mean bully-duplicate-coordinator?`)
	_, err = counterexamples.Diagram("raft")
	assert.EqualError(t, err, `unknown counterexample "raft": want bully-answer-overtaken, bully-asked-again, bully-duplicate-coordinator, bully-lasting-disagreement, `+
		`bully-never-told, bully-retries-for-ever, bully-waits-for-ever or changroberts-left-behind`)
	_, err = counterexamples.Open(strings.Repeat("x", 1000))
	assert.Less(t, len(err.Error()), 400)
	for _, name := range []string{"", ".", "..", "../trace/doc.go", "README.md", "*"} {
		_, err := counterexamples.Open(name)
		assert.ErrorContains(t, err, "unknown counterexample")
	}
}
