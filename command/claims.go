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
	"bullyproof/ledger/silence"
)

// claimsFlags are the flags of claims.
type claimsFlags struct {
	format   choice
	deep     bool
	recorded bool
	readings bool
	whole    bool
	evidence bool
	larger   count
	maxTime  span
	workers  workers
	quiet    bool
}

func (a *app) claimsCommand() *cobra.Command {
	f := claimsFlags{format: choice{"text", []string{"text", "markdown", "json"}}}
	cmd := &cobra.Command{
		Use:   "claims [ALGO...]",
		Short: "judge what sources claim of algorithms: safety, liveness, messages, time",
		Long: "Claims judges what the sources claim of all algorithms, or of those named, and writes the ledger: +\n" +
			"confirmed in each admissible reading, - refuted in each by a run or a figure, ~ refuted beyond what the source\n" +
			"assumes, ? open (it depends on what the source leaves open) or undecided. Evidence that takes minutes is read from the record unless --deep is given; with --recorded\n" +
			"all is that took more than 1,000 states. At the end it lists the records that are out\n" +
			"of date because the code has changed; with --recorded only the code of the algorithms' own packages is compared.\n\n" +
			"With --readings it decides claims about properties in all readings of what their source does not say of events,\n" +
			"where that is written down: the tree of each claim, as far as two readings in which it comes out otherwise, or,\n" +
			"with --whole, to its end.\n\n" +
			"With --larger the claims are asked of one process more than they are judged with, in the same settings\n" +
			"otherwise. What has no end within the limits is undecided there.\n\n" +
			"Exit status: 0 everything is as recorded, 1 it is not, 2 bad usage or input, 3 interrupted, or part of the\n" +
			"record is out of date.",
		Example:           a.examples("claims ALGO", "claims --recorded --format markdown > ledger.md"),
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completeAlgorithms,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.claims(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&f.format, "format", "form of the ledger")
	flags.BoolVar(&f.evidence, "evidence", false, "list each piece of evidence (text; the other formats always do)")
	flags.BoolVar(&f.deep, "deep", false, "also judge the deep scopes, which takes minutes")
	flags.BoolVar(&f.recorded, "recorded", false, "judge again only what takes up to 1,000 states: the rest is on record")
	flags.BoolVar(&f.readings, "readings", false, "decide claims in all readings of what the source does not say (text)")
	flags.BoolVar(&f.whole, "whole", false, "with --readings: decide every reading, and write the tree")
	flags.Var(&f.larger, "larger", "ask each claim at one process more instead, in searches of up to so many states")
	flags.Var(&f.maxTime, "max-time", "with --larger: end a search after this time, like 90s; 0 is no limit")
	flags.Var(&f.workers, "workers", "goroutines; 0 is one per processor")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "report no progress")
	return cmd
}

// completeAlgorithms offers the names of algorithms to a shell.
func (a *app) completeAlgorithms(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
	for _, of := range a.Algorithms {
		names = append(names, of.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// findAll returns the algorithms of names; all of them without names.
func (a *app) findAll(names []string) ([]*ledger.Algorithm, error) {
	if len(names) == 0 {
		return a.Algorithms, nil
	}
	list := make([]*ledger.Algorithm, len(names))
	for i, name := range names {
		var err error
		if list[i], err = a.find(name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (a *app) claims(cmd *cobra.Command, names []string, f *claimsFlags) error {
	all, err := a.findAll(names)
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	switch {
	case f.recorded:
		return a.recordedClaims(cmd.Context(), all, f)
	case f.readings:
		return f.inReadings(cmd.Context(), a, all)
	}
	p := a.progress()
	opt := ledger.JudgeOptions{
		Deep: f.deep, Workers: int(f.workers.number), Reduce: f.larger > 0, MaxTime: time.Duration(f.maxTime),
	}
	asked := all
	if f.larger > 0 {
		asked = make([]*ledger.Algorithm, len(all))
		for i := range all {
			asked[i] = all[i].Larger(uint64(f.larger))
		}
	}
	if !f.quiet {
		opt.Progress = func(what string, s explore.Progress) {
			p.head = what + ": "
			p.show(s)
		}
	}
	a.searching.Store(true)
	l, err := ledger.Judge(cmd.Context(), asked, opt)
	p.end()
	interrupted := cmd.Context().Err() != nil
	if err != nil && !interrupted {
		return err
	}
	if err := a.tellClaims(l, f); err != nil {
		return err
	}
	if interrupted {
		a.complain("interrupted: %d of %d algorithms were judged", len(l.Entries), len(all))
		return exit(statusIncomplete)
	}
	if f.larger > 0 {
		return a.tellReach(cmd.Context(), l, all)
	}
	return a.compareClaims(l)
}

// recordedClaims writes the claims as they are on record.
func (a *app) recordedClaims(ctx context.Context, all []*ledger.Algorithm, f *claimsFlags) error {
	l, err := ledger.Recorded(ctx, all)
	switch {
	case ctx.Err() != nil:
		a.complain("interrupted: nothing was written")
		return exit(statusIncomplete)
	case err != nil:
		return err
	}
	if err := a.tellClaims(l, f); err != nil {
		return err
	}
	return a.tellStale(l)
}

// inReadings decides claims in all readings of what their sources do not say.
func (f *claimsFlags) inReadings(ctx context.Context, a *app, all []*ledger.Algorithm) error {
	opt := silence.Options{Whole: f.whole, MaxStates: mostInReadings, Workers: int(f.workers.number)}
	a.searching.Store(true)
	none := true
	for _, of := range all {
		if len(of.Silent) == 0 {
			continue
		}
		none = false
		fmt.Fprintf(a.out, "%s: %s\n", of.Name, of.Title)
		claims := of.Claims()
		for i := range claims {
			tree, err := of.Tree(ctx, &claims[i], opt)
			if ctx.Err() != nil {
				a.complain("interrupted: the claims above are decided")
				return exit(statusIncomplete)
			}
			if err == nil && tree != nil {
				err = of.WriteTree(a.out, tree, ledger.TextOptions{Width: min(a.width, 100), Evidence: f.whole})
			}
			if err != nil {
				return err
			}
		}
	}
	if none {
		return fmt.Errorf("flag --readings: nothing is written of what the sources of these algorithms do not say")
	}
	return nil
}

// mostInReadings ends each search of a tree.
const mostInReadings = 2_000_000

// check reports flags that do not go together.
func (f *claimsFlags) check() error {
	switch {
	case f.recorded && f.deep:
		return fmt.Errorf("flags --recorded and --deep: want one of them")
	case f.larger > 0 && (f.recorded || f.deep):
		return fmt.Errorf("flag --larger: nothing is on record of one process more, nor deep: want neither --recorded nor --deep")
	case f.whole && !f.readings:
		return fmt.Errorf("flag --whole: want it with --readings")
	case f.readings && (f.recorded || f.deep || f.evidence || f.larger > 0 || f.format.value != "text"):
		return fmt.Errorf("flag --readings: want --whole and --workers beside it alone")
	case f.larger == 0 && f.maxTime > 0:
		return fmt.Errorf("flag --max-time: want it with --larger")
	}
	return nil
}

// tellReach says on the error output how far the claims of algorithms are decided
// at one process more, and which are decided otherwise than on record.
func (a *app) tellReach(ctx context.Context, l *ledger.Ledger, all []*ledger.Algorithm) error {
	list, err := l.Reaches(ctx, all)
	if err != nil {
		return err
	}
	status := error(nil)
	for i := range list {
		a.complain("%s", list[i].String())
		for k := range list[i].Changes {
			a.complain("  %s", list[i].Changes[k].String())
			status = exit(statusBad)
		}
	}
	return status
}

// tellClaims writes the ledger.
func (a *app) tellClaims(l *ledger.Ledger, f *claimsFlags) error {
	switch f.format.value {
	case "json":
		return a.writeJSON(l, savedJSON{Run: a.runJSON()})
	case "markdown":
		return l.WriteMarkdown(a.out, a.Publications, "")
	}
	return l.WriteText(a.out, ledger.TextOptions{Width: min(a.width, 100), Evidence: f.evidence})
}

// compareClaims says where the ledger is not as it is on record, and what of it is on
// record and out of date.
func (a *app) compareClaims(l *ledger.Ledger) error {
	list, err := l.Differences()
	if err != nil {
		return err
	}
	stale := a.tellStale(l)
	if len(list) == 0 {
		return stale
	}
	a.complain("not as recorded:\n  %s", strings.Join(list, "\n  "))
	return exit(statusBad)
}

// tellStale says what of the ledger is on record and out of date.
func (a *app) tellStale(l *ledger.Ledger) error {
	list := l.Stale()
	if len(list) == 0 {
		return nil
	}
	a.complain("%s\nclaims --deep judges all of it again, and the test of the claims with -update writes it down", strings.Join(list, "\n"))
	return exit(statusIncomplete)
}
