//go:build !js

package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/checker/linear"
	"bullyproof/explore"
	"bullyproof/internal/nearest"
	"bullyproof/ledger/compare"
	"bullyproof/model/setting"
)

// A compareCommand is the command compare with its flags.
type compareCommand struct {
	app *app
	look
	limits
	faults   []string
	n        sizes
	maxGraph count
	brief    bool
	format   choice
	json     bool
	dir      string
}

// sizes is a flag that takes numbers of processes: 3, 3..5 or 3,5.
type sizes struct{ list []int }

func (f *sizes) String() string {
	texts := make([]string, len(f.list))
	for i, n := range f.list {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

func (f *sizes) Type() string { return "N|N..N" }

func (f *sizes) Set(s string) error {
	wrong := fmt.Errorf("want a number of processes from 2 to %d, or a range of them like 3..5", setting.MaxExhaustive)
	low, high, ranged := strings.Cut(s, "..")
	if !ranged {
		high = low
	}
	from, err := strconv.ParseUint(low, 10, 8)
	to, err2 := strconv.ParseUint(high, 10, 8)
	if err != nil || err2 != nil || from < 2 || to < from || int(to) > setting.MaxExhaustive {
		return wrong
	}
	f.list = nil
	for n := int(from); n <= int(to); n++ {
		f.list = append(f.list, n)
	}
	return nil
}

// usualStates ends a search of compare where nothing else is said: a comparison
// is many searches.
const usualStates = 500_000

func (c *compareCommand) command() *cobra.Command {
	c.n = sizes{[]int{3}}
	cmd := &cobra.Command{
		Use:   "compare ALGO[/VARIANT]...",
		Short: "set algorithms side by side: what each keeps and breaks, costs and assumes",
		Long: "Compare checks several algorithms in the same settings and writes tables: which properties each algorithm\n" +
			"keeps under each fault, its messages, time and states, and which of its assumptions it needs, which are\n" +
			"removed one at a time. It also shows a shortest pair of runs in which the same events happen to two\n" +
			"algorithms and they elect different coordinators.\n\n" +
			"Faults are words of a setting. Separate several with semicolons, or repeat --faults. Each algorithm keeps\n" +
			"its own topology, order of messages and timing. Limits apply to each search; where one is reached the cell\n" +
			"is incomplete. The others are compared with the first algorithm named.\n\n" +
			"Exit status: 0 the others keep what the first one keeps, 1 one breaks it, 3 incomplete, 2 bad usage or\n" +
			"input.",
		Example: c.app.examples("compare ALGO ALGO2", "compare ALGO ALGO2 --faults 'crashes=1 restarts=1; losses=1' -n 3..4",
			"compare ALGO ALGO2 -o compared"),
		Args:              wantArgs(1, compare.MostSubjects, "one "+c.app.subjects()+" or more"),
		ValidArgsFunction: c.app.completeAllSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	c.add(flags)
	return cmd
}

// add declares the flags of compare.
func (c *compareCommand) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&c.faults, "faults", nil, "what the world does, like `'crashes=1 restarts=1; losses=1'`; none is the world without faults. Usually one of each kind")
	flags.VarP(&c.n, "n", "n", "numbers of processes: 3, or 3..5")
	c.limits.add(flags)
	c.maxStates = usualStates

	flags.Var(&c.maxGraph, "max-graph-states", "keep the graph, on which liveness is judged, of at most this many states; 0 is as many as half of the memory takes")
	flags.BoolVar(&c.brief, "brief", false, "draw no runs")
	c.format = choice{"text", []string{"text", "markdown", "html", "json"}}
	flags.Var(&c.format, "format", "form of the output")
	flags.BoolVar(&c.json, "json", false, "the same as --format json, which help json describes")
	flags.StringVarP(&c.dir, "output", "o", "", "also write the page, Markdown, JSON and each run into `DIR`, replacing files of these names")
	c.look.add(flags)
}

// run compares subjects.
func (c *compareCommand) run(cmd *cobra.Command, names []string) error {
	subjects, err := c.subjects(names)
	if err != nil {
		return err
	}
	if err := canMake("output", c.dir); err != nil {
		return err
	}
	opt := compare.Options{N: c.n.list}
	if cmd.Flags().Changed("faults") {
		if opt.Faults, err = compare.ParseFaults(c.faults...); err != nil {
			return err
		}
	}
	opt.Check = checker.Options{
		Workers: int(c.workers.number), Exact: c.exact,
		MaxStates: uint64(c.maxStates), MaxGraphStates: uint64(c.maxGraph), MaxBytes: int64(c.maxBytes), MaxTime: time.Duration(c.maxTime),
	}
	p := c.app.progress()
	show, every := c.report(c.app, p)
	opt.Check.ProgressEvery = every
	if show != nil {
		opt.Progress = overall(show, p, every)
	}
	asked := linear.Options{
		Workers: opt.Check.Workers, MaxStates: opt.Check.MaxStates, MaxBytes: opt.Check.MaxBytes, MaxTime: opt.Check.MaxTime, ProgressEvery: every,
	}
	if opt.Progress != nil {
		asked.Progress = func(s explore.Progress) { opt.Progress("clients", s) }
	}
	opt.Also = compare.Clients(asked)
	c.app.searching.Store(true)
	made, err := compare.Run(cmd.Context(), subjects, opt)
	p.end()
	if err != nil {
		return err
	}
	if err := c.tell(made); err != nil {
		return err
	}
	switch {
	case len(made.Breaks()) > 0:
		return exit(statusBad)
	case made.Undecided():
		return exit(statusIncomplete)
	}
	return nil
}

// overall returns what tells of many searches: how long all have taken, and what
// the present one is about, no more often than every so long. It is called by one
// search at a time.
func overall(show func(explore.Progress), p *progress, every time.Duration) func(string, explore.Progress) {
	begun, last := time.Now(), time.Time{}
	return func(what string, s explore.Progress) {
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		p.head, s.Elapsed = what+": ", time.Since(begun)
		show(s)
	}
}

// subjects returns the subjects of names.
func (c *compareCommand) subjects(names []string) ([]compare.Subject, error) {
	var list []compare.Subject
	for _, name := range names {
		found, err := c.app.findSubject(name)
		if err != nil {
			return nil, err
		}
		s, err := compare.SubjectOf(found.of, found.variant)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if list[i].Name() == s.Name() {
				return nil, fmt.Errorf("compare: %s is named twice", nearest.Clip(s.Name()))
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// tell writes a comparison.
func (c *compareCommand) tell(made *compare.Comparison) error {
	var page string
	var failed error
	if c.dir != "" {
		page, failed = made.WriteDir(c.dir)
	}
	if err := c.write(made, page); err != nil {
		return err
	}
	if failed != nil {
		c.app.complain("cannot write: %s", oneLine(failed.Error()))
		return exit(statusUsage)
	}
	return nil
}

// write writes a comparison as its flags ask, and says where its page
// is.
func (c *compareCommand) write(made *compare.Comparison, page string) error {
	switch {
	case c.json || c.format.value == "json":
		return c.app.writeJSON(made, struct {
			Run runJSON `json:"run"`
		}{c.app.runJSON()})
	case c.format.value == "markdown":
		return made.WriteMarkdown(c.app.out)
	case c.format.value == "html":
		return made.WritePage(c.app.out)
	}
	if err := made.WriteText(c.app.out, c.text(c.app), c.brief); err != nil {
		return err
	}
	if page != "" {
		fmt.Fprintf(c.app.out, "\nWrote %s, and the runs that it links to\n", page)
	}
	return nil
}
