//go:build !js

package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/explore"
	"bullyproof/ledger"
)

// A claimsCommand is the command claims with its flags.
type claimsCommand struct {
	app      *app
	format   choice
	deep     bool
	recorded bool
	readings bool
	whole    bool
	evidence bool
	brief    bool
	larger   count
	maxTime  span
	workers  workers
	quiet    bool
	tint
}

func (c *claimsCommand) command() *cobra.Command {
	c.format = choice{"text", []string{"text", "markdown", "json"}}
	cmd := &cobra.Command{
		Use:   "claims [ALGO[/CLAIM]...]",
		Short: "judge what sources claim of algorithms: safety, liveness, messages, time",
		Long: "Claims judges what the sources claim of all algorithms, or of those named, and writes the ledger: +\n" +
			"confirmed in each admissible reading, - refuted in each by a run or a figure, ~ refuted beyond what the source\n" +
			"assumes, ? open (it depends on what the source leaves open) or undecided. Evidence that takes minutes is read\n" +
			"from the record unless --deep is given. With --recorded all is that took more than 1,000 states, and each claim\n" +
			"has one line. At the end it lists the records that are out of date because the code has changed; with\n" +
			"--recorded only the code of the algorithms' own packages is compared.\n\n" +
			"With --readings it decides claims in all readings of what their source does not say of events, where that is\n" +
			"written down: the tree of each claim, or of a claim by its name, as far as two readings in which it comes out\n" +
			"otherwise, or, with --whole, to its end.\n\n" +
			"With --larger the claims are asked of one process more than they are judged with, in the same settings\n" +
			"otherwise. What has no end within the limits is undecided there.\n\n" +
			"Exit status: 0 everything is as recorded, 1 it is not, 2 bad usage or input, 3 interrupted, or part of the\n" +
			"record is out of date.",
		Example:           c.app.examples("claims ALGO", "claims kabashi/one-in-the-end --readings", "claims --recorded --format markdown > ledger.md"),
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: c.completeAlgorithms,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&c.format, "format", "form of the ledger")
	flags.BoolVar(&c.evidence, "evidence", false, "list each piece of evidence (text; the other formats always do)")
	flags.BoolVar(&c.brief, "brief", false, "one line a claim (text); so it is with --recorded unless --evidence or --brief=false is given")
	flags.BoolVar(&c.deep, "deep", false, "also judge the deep scopes, which takes minutes")
	flags.BoolVar(&c.recorded, "recorded", false, "judge again only what takes up to 1,000 states: the rest is on record")
	flags.BoolVar(&c.readings, "readings", false, "decide claims in all readings of what the source does not say (text)")
	flags.BoolVar(&c.whole, "whole", false, "with --readings: decide every reading, and write the tree")
	flags.Var(&c.larger, "larger", "ask each claim at one process more instead, in searches of up to so many states")
	flags.Var(&c.maxTime, "max-time", "with --larger: end a search after this time, like 90s; 0 is no limit")
	flags.Var(&c.workers, "workers", "goroutines; 0 is one per processor")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "report no progress")
	c.tint.add(flags)
	return cmd
}

// completeAlgorithms offers the names of algorithms to a shell.
func (c *claimsCommand) completeAlgorithms(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
	for _, of := range c.app.Algorithms {
		names = append(names, of.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// algorithms returns the algorithms of names; all of them without names.
func (c *claimsCommand) algorithms(names []string) ([]*ledger.Algorithm, error) {
	if len(names) == 0 {
		return c.app.Algorithms, nil
	}
	list := make([]*ledger.Algorithm, len(names))
	for i, name := range names {
		var err error
		if of, claim, given := strings.Cut(name, "/"); given {
			return nil, fmt.Errorf("claims %s: want %s alone; with --readings it may be one claim, like %s/%s", name, of, of, claim)
		}
		if list[i], err = c.app.find(name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *claimsCommand) run(cmd *cobra.Command, names []string) error {
	if err := c.check(); err != nil {
		return err
	}
	if !cmd.Flags().Changed("brief") {
		c.brief = c.recorded && !c.evidence
	}
	if c.readings {
		return c.inReadings(cmd.Context(), names)
	}
	all, err := c.algorithms(names)
	if err != nil {
		return err
	}
	if c.recorded {
		return c.runRecorded(cmd.Context(), all)
	}
	p := c.app.progress()
	opt := ledger.JudgeOptions{
		Deep: c.deep, Workers: int(c.workers.number), Reduce: c.larger > 0, MaxTime: time.Duration(c.maxTime),
	}
	asked := all
	if c.larger > 0 {
		asked = make([]*ledger.Algorithm, len(all))
		for i := range all {
			asked[i] = all[i].Larger(uint64(c.larger))
		}
	}
	if !c.quiet {
		opt.Progress = func(what string, s explore.Progress) {
			p.head = what + ": "
			p.show(s)
		}
	}
	c.app.searching.Store(true)
	l, err := ledger.Judge(cmd.Context(), asked, opt)
	p.end()
	interrupted := cmd.Context().Err() != nil
	if err != nil && !interrupted {
		return err
	}
	if err := c.tell(l); err != nil {
		return err
	}
	if interrupted {
		c.app.complain("interrupted: %d of %d algorithms were judged", len(l.Entries), len(all))
		return exit(statusIncomplete)
	}
	if c.larger > 0 {
		return c.tellReach(cmd.Context(), l, all)
	}
	return c.compare(l)
}

// runRecorded writes the claims as they are on record.
func (c *claimsCommand) runRecorded(ctx context.Context, all []*ledger.Algorithm) error {
	l, err := ledger.Recorded(ctx, all)
	switch {
	case ctx.Err() != nil:
		c.app.complain("interrupted: nothing was written")
		return exit(statusIncomplete)
	case err != nil:
		return err
	}
	if err := c.tell(l); err != nil {
		return err
	}
	return c.tellStale(l)
}

// check reports flags that do not go together.
func (c *claimsCommand) check() error {
	switch {
	case c.recorded && c.deep:
		return fmt.Errorf("flags --recorded and --deep: want one of them")
	case c.larger > 0 && (c.recorded || c.deep):
		return fmt.Errorf("flag --larger: nothing is on record of one process more, nor deep: want neither --recorded nor --deep")
	case c.whole && !c.readings:
		return fmt.Errorf("flag --whole: want it with --readings")
	case c.readings && (c.recorded || c.deep || c.evidence || c.larger > 0 || c.format.value != "text"):
		return fmt.Errorf("flag --readings: want --whole and --workers beside it alone")
	case c.brief && (c.evidence || c.readings || c.format.value != "text"):
		return fmt.Errorf("flag --brief: want it without --evidence and --readings, and as text")
	case c.larger == 0 && c.maxTime > 0:
		return fmt.Errorf("flag --max-time: want it with --larger")
	}
	return nil
}

// tellReach says on the error output how far the claims of algorithms are decided
// at one process more, and which are decided otherwise than on record.
func (c *claimsCommand) tellReach(ctx context.Context, l *ledger.Ledger, all []*ledger.Algorithm) error {
	list, err := l.Reaches(ctx, all)
	if err != nil {
		return err
	}
	status := error(nil)
	for i := range list {
		c.app.complain("%s", list[i].String())
		for k := range list[i].Changes {
			c.app.complain("  %s", list[i].Changes[k].String())
			status = exit(statusBad)
		}
	}
	return status
}

// tell writes the ledger.
func (c *claimsCommand) tell(l *ledger.Ledger) error {
	switch c.format.value {
	case "json":
		return c.app.writeJSON(l, savedJSON{Run: c.app.runJSON()})
	case "markdown":
		return l.WriteMarkdown(c.app.out, c.app.Lessons, c.app.Publications, "")
	}
	return l.WriteText(c.app.out, ledger.TextOptions{
		Width: min(c.app.width, 100), Evidence: c.evidence, Brief: c.brief, Color: c.colored(c.app),
	})
}

// compare says where the ledger is not as it is on record, and what of it is on
// record and out of date.
func (c *claimsCommand) compare(l *ledger.Ledger) error {
	list, err := l.Differences()
	if err != nil {
		return err
	}
	stale := c.tellStale(l)
	if len(list) == 0 {
		return stale
	}
	c.app.complain("not as recorded:\n  %s", strings.Join(list, "\n  "))
	return exit(statusBad)
}

// tellStale says what of the ledger is on record and out of date.
func (c *claimsCommand) tellStale(l *ledger.Ledger) error {
	list := l.Stale()
	if len(list) == 0 {
		return nil
	}
	c.app.complain("%s\nclaims --deep judges all of it again, and the test of the claims with -update writes it down", strings.Join(list, "\n"))
	return exit(statusIncomplete)
}
