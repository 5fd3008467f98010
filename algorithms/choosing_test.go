package algorithms_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/advisorylock"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/chubby"
	"bullyproof/algorithms/consul"
	"bullyproof/algorithms/effatparvar"
	"bullyproof/algorithms/elasticsearch"
	"bullyproof/algorithms/etcdelection"
	"bullyproof/algorithms/fceabr"
	"bullyproof/algorithms/fle"
	"bullyproof/algorithms/invitation"
	"bullyproof/algorithms/k8slease"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/leaderlatch"
	"bullyproof/algorithms/mongodb"
	"bullyproof/algorithms/omnipaxos"
	"bullyproof/algorithms/pekko"
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/redlock"
	"bullyproof/algorithms/river"
	"bullyproof/algorithms/sentinel"
	"bullyproof/algorithms/swim"
	"bullyproof/algorithms/vault"
	"bullyproof/algorithms/viewstamped"
	"bullyproof/algorithms/vrrp"
	"bullyproof/algorithms/zen"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/ledger/compare"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A kind is a kind of election that somebody may choose: a row of
// docs/choosing-an-election.md.
type kind struct {
	of      *ledger.Algorithm
	variant string
	words   string // those of its setting that differ from the variant's
	what    string // it is, in a few words
	quick   bool   // asked without -deep, too
	// again is a property of its own in place of one-leader-again, if it has one.
	again string
	// bounded is the system in place of the variant's where epochs have no end.
	bounded func(setting.Setting) (*model.System, error)
}

// kinds are the rows.
var kinds = []kind{
	{raft.Algorithm, "figure-2", "timing=lockstep capacity=2", "terms and votes of a majority", true, "", ledger.SystemOf[raft.P, raft.M](&raft.Raft{Heartbeats: true, Terms: 2})},
	{raft.Algorithm, "prevote-checkquorum", "capacity=2", "the same, with pre-votes and a check of the quorum", false, "", ledger.SystemOf[raft.P, raft.M](&raft.Raft{Heartbeats: true, PreVote: true, CheckQuorum: true, Terms: 2})},
	{k8slease.Algorithm, "defaults", "", "a lease in a store that is up", false, "", nil},
	{sentinel.Algorithm, "shipped", "", "epochs and votes of a majority that is known; if another master fails over, two of one epoch", false, "one-configuration", nil},
	{zen.Algorithm, "majority", "", "the lowest id that a majority answers", false, "", nil},
	{elasticsearch.Algorithm, "fixed", "", "terms, and one join of each node in a term", false, "", nil},
	{fle.Algorithm, "", "", "the best vote that a majority has", false, "", nil},
	{river.Algorithm, "shipped", "", "a row with a time to live in a database that is up", false, "", nil},
	{leaderlatch.Algorithm, "", "", "a session with a store that is up", false, "", nil},
	{chubby.Algorithm, "", "", "a session and a lock in a cell that is up", false, "", nil},
	{etcdelection.Algorithm, "", "", "a key under a lease in a store that is up", false, "", nil},
	{consul.Algorithm, "", "", "a session and a lock with a delay in a store that is up", false, "", nil},
	{advisorylock.Algorithm, "", "", "a lock of a database session, which is asked about", false, "one-in-the-end", nil},
	{vault.Algorithm, "", "", "an item that expires by the clocks of those who want it", false, "", nil},
	{redlock.Algorithm, "", "", "a key with a time to live in a majority of stores", false, "", nil},
	{omnipaxos.Algorithm, "", "capacity=2", "the highest ballot of a server that a majority answers", false, "steady", nil},
	{vrrp.Algorithm, "", "capacity=2", "the highest priority that is heard", false, "one-active", nil},
	{pekko.Algorithm, "", "", "the oldest member that is not downed", false, "", nil},
	{viewstamped.Algorithm, "timely", "", "the view of a majority", false, "", ledger.SystemOf[viewstamped.P, viewstamped.M](&viewstamped.VR{Views: 2, Heartbeats: true, Requests: true})},
	{mongodb.Algorithm, "pv1", "", "terms and votes of a majority, after a dry run", false, "", nil},
	{swim.Algorithm, "rejoins", "", "the oldest member that is not faulty, by SWIM", false, "", nil},
	{swim.Algorithm, "bully", "", "the Bully, among the members that are not faulty, by SWIM", false, "", nil},
	{bully.Algorithm, "", "", "the highest id that answers", false, "", nil},
	{invitation.Algorithm, "", "", "groups that merge", false, "", nil},
	{kabashi.Algorithm, "", "", "the Bully, with fewer messages", false, "", nil},
	{effatparvar.Algorithm, "", "", "the Bully, with fewer messages", false, "", nil},
	{fceabr.Algorithm, "", "", "a queue of those who may lead next", true, "", nil},
}

// A world is a column: what happens to an election.
type world struct {
	name, words string
	// premise is what an election needs that breaks here, and means says what happens.
	premise, means string
}

// worlds are the columns. In each a process may crash, or the election begins with the
// coordinator down.
var worlds = []world{
	{"a crash", "crashes=1", "somebody else is up", "One process crashes."},
	{"a restart", "crashes=1 restarts=1", "a disk, or a way to know old messages", "It comes back, with what its disk kept."},
	{"a loss", "crashes=1 losses=1", "reliable channels", "One message is lost."},
	{"a cut", "cuts=1 heals=owed", "no partition", "The network divides in two, and heals eventually."},
	{"a late process", "pauses=1", "no pauses", "One process does nothing for any time, and goes on: a collection of garbage, a machine that sleeps."},
	{"clocks apart", "crashes=1 drift=20", "clocks at one rate", "One process crashes, and clocks run up to a fifth too fast or too slow."},
	{"a clock set", "skew=20 clocks=0,0,0 clock-steps=1", "clocks that agree", "One clock is set forward by up to twenty ticks."},
	{"late messages", "crashes=1 timing=async:1", "bounded delays", "One process crashes, and one timer expires before the answer that it waits for."},
	{"a wrong report", "suspicions=1", "a perfect detector", "The failure detector reports a process that is up."},
	{"a newcomer", "joins=1", "fixed members", "A process joins that was not there."},
}

// A choice is what a kind of election does in a world.
type choice struct {
	setting setting.Setting
	why     string // it cannot be asked
	asked   []*checker.Property
	report  *checker.Report
	// plain is an election without epochs.
	plain bool
}

// asked are the questions: what clients may rely on at any time, and what they get back
// after a fault.
var asked = []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, checker.OneLeaderAgain.Under(checker.StrongFairness)}

// mostStates is how many states a search has at most.
const mostStates = 1_500_000

// in asks a kind in a world.
func (k *kind) in(t *testing.T, w world) choice {
	t.Helper()
	s, err := compare.SubjectOf(k.of, k.variant)
	require.NoError(t, err)
	s.Setting, err = s.Setting.With(k.words)
	require.NoError(t, err)
	in, err := s.Under(compare.Fault{Name: w.name, Words: w.words}, 3)
	if err != nil {
		text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "setting: "), " (want ")
		return choice{why: text}
	}
	if strings.Contains(w.words, "suspicions") && in.Detector == setting.DetectorOff {
		return choice{setting: in, why: "it asks no detector"}
	}
	if k.bounded != nil {
		s.In = k.bounded
	}
	sys, err := s.In(in)
	if err != nil {
		return choice{why: err.Error()}
	}
	if in.Skew > 0 && !sys.Dated() {
		return choice{setting: in, why: "it reads no clock"}
	}
	list := slices.Clone(asked)
	for _, p := range k.of.Properties {
		if p.Name == k.again {
			list[2] = p
		}
	}
	r, err := checker.Check(t.Context(), sys, checker.Options{
		Algorithm: s.Algorithm, Variant: s.Variant, Properties: list, MaxStates: mostStates, MaxGraphStates: 2 * mostStates,
		Reduce: checker.ReduceAuto, ReduceBeyond: checker.DefaultReduceBeyond,
	})
	require.NoError(t, err)
	return choice{setting: in, asked: list, report: r}
}

// text returns the words of a cell.
func (c *choice) text() string {
	if c.report == nil {
		return "-"
	}
	safe := "one leader"
	one, epoch, again := c.report.Finding(c.asked[0].Name), c.report.Finding(c.asked[1].Name), c.report.Finding(c.asked[2].Name)
	switch {
	case one.Verdict == checker.Incomplete:
		safe = "?"
	case one.Verdict == checker.Violated && epoch.Verdict == checker.Holds:
		safe = "one per epoch"
	case one.Verdict == checker.Violated && epoch.Verdict == checker.Incomplete && !c.plain:
		safe = fmt.Sprintf("**two leaders** (%d), epochs ?", len(one.Trace.Steps))
	case one.Verdict == checker.Violated && epoch.Verdict == checker.Violated:
		safe = fmt.Sprintf("**two of one epoch** (%d)", len(epoch.Trace.Steps))
	case one.Verdict == checker.Violated:
		safe = fmt.Sprintf("**two leaders** (%d)", len(one.Trace.Steps))
	}
	switch again.Verdict {
	case checker.Violated:
		return safe + ", **not one again**"
	case checker.Holds:
		return safe
	}
	return safe + ", later ?"
}

// withoutEpochs reports whether all states were searched, and nobody led in an epoch.
func (c *choice) withoutEpochs() bool {
	return c.report != nil && c.report.Complete() && c.report.Finding(checker.OneLeaderPerEpoch.Name).Verdict == checker.Vacuous
}

// evidence writes the question and its outcome, with the runs.
func (c *choice) evidence(b *bytes.Buffer, w world) {
	fmt.Fprintf(b, "## %s\n\n%s ", upper(w.name), w.means)
	if c.report == nil {
		fmt.Fprintf(b, "Not asked: %s.\n\n", c.why)
		return
	}
	name := c.report.Subject()
	if c.report.Complete() {
		fmt.Fprintf(b, "All states were searched: %d.", c.report.Distinct)
		if c.report.Bound != "" {
			fmt.Fprintf(b, " The bound: %s.", c.report.Bound)
		}
		b.WriteString("\n\n")
	} else {
		fmt.Fprintf(b, "%d states were searched, which are not all.\n\n", c.report.Distinct)
	}
	fmt.Fprintf(b, "    bullyproof check %s --setting '%s' --property %s,%s,%s\n\n", name, c.setting, c.asked[0].Name, c.asked[1].Name, c.asked[2].Name)
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		if f.Property == checker.Misuse {
			continue
		}
		line := f.Line()
		if c.plain && f.Property == checker.OneLeaderPerEpoch {
			line = "is not asked of an election without epochs"
		}
		fmt.Fprintf(b, "- `%s` %s\n", f.Property.Name, line)
	}
	b.WriteString("\n")
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		if f.Trace == nil || i > 0 && f.Property == checker.OneLeaderPerEpoch {
			continue
		}
		b.WriteString("```text\n")
		if err := f.WriteText(b, render.TextOptions{}); err != nil {
			b.WriteString(err.Error())
		}
		b.WriteString("```\n\n")
	}
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// costs returns messages and ticks of an election, best and worst.
func (k *kind) costs(t *testing.T) string {
	s, err := compare.SubjectOf(k.of, k.variant)
	require.NoError(t, err)
	in, err := s.Under(compare.Fault{}, 3)
	if err != nil {
		return "- | -"
	}
	r, err := cost.OfElection(t.Context(), s.In, cost.Setting(in), nil, cost.Options{MaxStates: mostStates, Until: func(v *model.View) bool {
		return v.Participants.Empty() && v.Leaders.Len() == 1
	}})
	if err != nil || r.Why != "" {
		return "- | -"
	}
	total := r.Cost(cost.Measure{})
	if total != nil && total.Worst == 0 { // somebody leads from the first
		return "- | -"
	}
	of := func(c *cost.Cost) string {
		if c == nil || c.Best < 0 {
			return "-"
		}
		if c.Unbounded || c.Worst < 0 {
			return fmt.Sprintf("%d, no bound", c.Best)
		}
		if c.Worst == c.Best {
			return fmt.Sprint(c.Best)
		}
		return fmt.Sprintf("%d to %d", c.Best, c.Worst)
	}
	ticks := "-"
	if r.Lockstep != nil {
		ticks = of(r.Lockstep.Cost(cost.Measure{Unit: cost.Ticks}))
	}
	return of(total) + " | " + ticks
}

// file is the page with the evidence of a kind.
func (k *kind) file() string { return "choosing/" + k.name() + ".md" }

func (k *kind) name() string { return k.of.Name + "-" + k.of.Variants[k.index()].Name }

func (k *kind) index() int {
	return max(0, slices.IndexFunc(k.of.Variants, func(v ledger.Variant) bool { return v.Name == k.variant }))
}

// row returns the row of a kind, and its page of evidence.
func (k *kind) row(t *testing.T) (row string, page []byte) {
	v := &k.of.Variants[k.index()]
	var r strings.Builder
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: %s\n\n%s\n\n", k.of.Title, v.Name, "The rows of [choosing an election](../choosing-an-election.md) come from these searches among three processes. The test of the catalogue makes them again.")
	fmt.Fprintf(&r, "| `%s/%s` |", k.of.Name, v.Name)
	plain := false
	for _, w := range worlds {
		c := k.in(t, w)
		plain = plain || c.withoutEpochs()
		c.plain = plain
		c.evidence(&b, w)
		fmt.Fprintf(&r, " [%s](%s#%s) |", c.text(), k.file(), strings.ReplaceAll(w.name, " ", "-"))
	}
	return r.String(), b.Bytes()
}

const choosingFile = "../docs/choosing-an-election.md"

// The statements of docs/choosing-an-election.md are right: of those that are quickly
// asked, and with -deep of all.
func TestChoosing(t *testing.T) {
	whole := *play.Deep || *play.Update
	text, err := os.ReadFile(filepath.FromSlash(choosingFile))
	if !whole {
		require.NoError(t, err)
	}
	var rows, costs []string
	for i := range kinds {
		k := &kinds[i]
		if !whole && !k.quick {
			continue
		}
		row, page := k.row(t)
		rows = append(rows, row)
		name := filepath.Join("..", "docs", filepath.FromSlash(k.file()))
		if *play.Update {
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
			require.NoError(t, os.WriteFile(name, page, 0o666))
		}
		was, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, string(was), string(page), "run the test with -update")
		line := fmt.Sprintf("| `%s/%s` | %s | %s |", k.of.Name, k.of.Variants[k.index()].Name, k.what, k.costs(t))
		costs = append(costs, line)
		if !whole {
			assert.Contains(t, string(text), row, "run the test with -update")
			assert.Contains(t, string(text), line, "run the test with -update")
		}
	}
	if whole {
		goldenGuide(t, rows, costs)
	}
}

// goldenGuide writes the guide, or compares it.
func goldenGuide(t *testing.T, rows, costs []string) {
	var b strings.Builder
	b.WriteString(choosingIntroduction)
	b.WriteString("| |")
	for _, w := range worlds {
		b.WriteString(" " + w.name + " |")
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(worlds)) + "|\n" + strings.Join(rows, "\n") + "\n\n")
	for _, w := range worlds {
		fmt.Fprintf(&b, "- **%s** takes away *%s*. %s\n", w.name, w.premise, w.means)
	}
	b.WriteString(choosingCosts + strings.Join(costs, "\n") + "\n")
	name := filepath.FromSlash(choosingFile)
	if *play.Update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o666))
	}
	was, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(was), b.String(), "run the test with -update")
}

// A guide says nothing of the epochs of an election that has none, even if a search is not
// complete.
func TestChoosingWithoutEpochs(t *testing.T) {
	k := &kind{of: zen.Algorithm, variant: "majority"}
	whole := k.in(t, worlds[0])
	assert.True(t, whole.withoutEpochs())
	c := choice{asked: whole.asked, plain: true, report: &checker.Report{Findings: []checker.Finding{
		{Property: whole.asked[0], Verdict: checker.Violated, Trace: &trace.Trace{Steps: make([]trace.Step, 7)}},
		{Property: whole.asked[1], Verdict: checker.Incomplete},
		{Property: whole.asked[2], Verdict: checker.Incomplete},
	}}}
	assert.Equal(t, "**two leaders** (7), later ?", c.text())
	c.plain = false
	assert.Equal(t, "**two leaders** (7), epochs ?, later ?", c.text())
}
