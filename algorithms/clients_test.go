package algorithms_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/river"
	"bullyproof/algorithms/zen"
	"bullyproof/checker/linear"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// A subject is a row of docs/clients.md.
type subject struct {
	name string
	v    *ledger.Variant
	in   setting.Setting
	most uint64 // states of a search
}

// subjects are the rows: the first reading of each algorithm, where one process
// crashes and comes back, and some in settings of their own.
func subjects(t *testing.T) (catalogue, examples []subject) {
	for _, a := range algorithms.All {
		v := &a.Variants[0]
		s := v.Setting
		s.N, s.Crashes, s.Restarts = 3, 1, 1
		catalogue = append(catalogue, subject{a.Name + "/" + v.Name, v, s, 2_000_000})
	}
	own := func(a *ledger.Algorithm, variant, text string, most uint64) {
		v, err := a.Variant(variant)
		require.NoError(t, err)
		s := v.Setting
		if text != "" {
			s = setting.Must(text)
		}
		examples = append(examples, subject{a.Name + "/" + v.Name, v, s, most})
	}
	own(river.Algorithm, "stops-first", connections+"losses=1", 1_000_000)
	own(river.Algorithm, "stops-first", connections+"pauses=1 pausers=1,2", 1_000_000)
	own(raft.Algorithm, "", "", 300_000)
	own(zen.Algorithm, "", "", 300_000)
	return catalogue, examples
}

// connections are clients of a store, whose requests end with their process.
const connections = "n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost "

// row asks all questions of a subject.
func (s *subject) row(t *testing.T) linear.Row {
	sys, err := s.v.In(s.in)
	require.NoError(t, err)
	summary, err := linear.Summarize(context.Background(), sys, linear.Options{MaxStates: s.most})
	require.NoError(t, err)
	name := "`" + s.name + "`"
	if s.in.Crashes > 0 && slices.ContainsFunc(summary, func(a linear.Answer) bool { return strings.Contains(a.Report.Why, "no network can carry out") }) {
		reliable := *s
		reliable.in.Crashes, reliable.in.Restarts = 0, 0
		row := reliable.row(t)
		row.Name = name + ", where nothing crashes"
		return row
	}
	return linear.Row{Name: name, Setting: s.in.String(), Summary: summary}
}

const clientsFile = "../docs/clients.md"

// The statements of docs/clients.md on algorithms are right: of those that are
// quickly asked, and with -deep of all.
func TestClients(t *testing.T) {
	catalogue, examples := subjects(t)
	if *play.Deep || *play.Update {
		document(t, catalogue, examples)
		return
	}
	quick := []string{"electioncommission/told", "heaptree/paper", "lelann/tel", "fceabr/one-by-one", "peterson/wakes"}
	text, err := os.ReadFile(filepath.FromSlash(clientsFile))
	require.NoError(t, err)
	for _, s := range catalogue {
		if slices.Contains(quick, s.name) {
			row := s.row(t)
			assert.Contains(t, string(text), row.Markdown(), "run the test with -update")
		}
	}
}

// document writes the whole file, or compares it.
func document(t *testing.T, catalogue, examples []subject) {
	var b bytes.Buffer
	b.WriteString(clientsIntroduction)
	for i, part := range [][]subject{catalogue, examples} {
		var rows []linear.Row
		for _, s := range part {
			row := s.row(t)
			if i == 1 {
				row.Name += " in `" + row.Setting + "`"
			}
			rows = append(rows, row)
		}
		if i == 1 {
			b.WriteString("\n## In settings of their own\n\n")
		}
		require.NoError(t, linear.WriteMarkdown(&b, rows))
		b.WriteString(open(rows))
	}
	name := filepath.FromSlash(clientsFile)
	if *play.Update {
		require.NoError(t, os.WriteFile(name, b.Bytes(), 0o666))
		return
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String(), "run the test with -update")
}

// open says why questions are open.
func open(rows []linear.Row) string {
	whose := map[string][]string{}
	var whys []string
	for _, r := range rows {
		for _, a := range r.Summary {
			if why, _, _ := strings.Cut(a.Report.Why, ";"); a.Report.Verdict == linear.Undecided {
				if whose[why] == nil {
					whys = append(whys, why)
				}
				if !slices.Contains(whose[why], r.Name) {
					whose[why] = append(whose[why], r.Name)
				}
			}
		}
	}
	var b strings.Builder
	for _, why := range whys {
		fmt.Fprintf(&b, "\n? %s: %s.\n", strings.Join(whose[why], ", "), why)
	}
	return b.String()
}

const clientsIntroduction = `# What clients can expect

An election serves clients. Here clients ask who leads, take a lock, and write and read a register through a process that believes itself coordinator. porcupine decides the histories of all runs of a small scope: three processes, of which one crashes and comes back, and otherwise the assumptions of the algorithm's source. (If an algorithm's rules do not say what a crash does to it, no process crashes.) *Yes*: every history is linearizable. *No (k)*: the shortest run with a history that is not linearizable has k steps, the clients' steps included. *?*: the search was not complete, and found nothing. *-*: no client was ever answered, or the protocol has no epochs. ` + "`bullyproof histories bully`" + ` asks the same of one algorithm, and with --spec it draws the run.

- **at once**: a process that is asked names the one process that leads at that instant. After a crash none can: that needs a lease, and clocks.
- **once settled**: the same, in settled states. Algorithms with a *yes* here and a *no* before are eventually consistent.
- **in order**: a client that was told of a new coordinator is not told of an old one later, unless that was elected again. An announcement that reaches one process before another is enough to break this.
- **claims in order**: the same, where only processes that believe themselves coordinator answer.
- **register**: a coordinator reads the store when it takes over, and answers from that copy. *No (k)* says after how many steps a deposed coordinator does harm without fencing: two serve at once, or the new one does not notice a write of the old one.
- **register, fenced**: each new coordinator gets a higher token from the store, which refuses writes with a lower one. Reads from an old copy remain. (With --fence all the store serves these, too, and the election no longer matters.)
- **lock**, **lock, fenced**: the coordinator gives the lock to a client by a write to the store. Fenced, it is one lock whatever the election does.
- **lock, by epochs**: the tokens are the protocol's own epochs. This needs at most one leader in each epoch.

The [ledger](ledger.md) has the claims of the literature. No source claims what stands here; it follows for clients that rely on the answers.

`
