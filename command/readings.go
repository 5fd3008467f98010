//go:build !js

package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bullyproof/explore"
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
)

// A readingOf is an algorithm with the claims on it that are to be decided in all readings.
type readingOf struct {
	of     *ledger.Algorithm
	claims []*ledger.Claim
}

// readingsOf returns what names stand for, an algorithm or one claim on it each; without names
// all that have written down what their sources do not say of events.
func (c *claimsCommand) readingsOf(names []string) (list []readingOf, err error) {
	if len(names) == 0 {
		for _, of := range c.app.Algorithms {
			if len(of.Silent) > 0 {
				names = append(names, of.Name)
			}
		}
	}
	for _, name := range names {
		name, claim, given := strings.Cut(name, "/")
		of, err := c.app.find(name)
		if err != nil {
			return nil, err
		}
		r := readingOf{of: of}
		for i := range of.Claims() {
			r.claims = append(r.claims, &of.Claims()[i])
		}
		if given {
			one, err := of.Claim(claim)
			if err != nil {
				return nil, err
			}
			r.claims = []*ledger.Claim{one}
		}
		for _, claim := range r.claims {
			if _, err := of.Silences(claim.Source); !errors.Is(err, ledger.ErrNotSilent) {
				list = append(list, r)
				break
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("flag --readings: of %s nothing is written of what the source does not say of events", strings.Join(names, ", "))
	}
	return list, nil
}

// inReadings decides claims in all readings of what their sources do not say.
func (c *claimsCommand) inReadings(ctx context.Context, names []string) error {
	list, err := c.readingsOf(names)
	if err != nil {
		return err
	}
	c.app.searching.Store(true)
	for _, r := range list {
		fmt.Fprintf(c.app.out, "%s: %s\n", r.of.Name, r.of.Title)
		for _, claim := range r.claims {
			if err := c.decide(ctx, r.of, claim); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide writes what becomes of a claim in all readings.
func (c *claimsCommand) decide(ctx context.Context, of *ledger.Algorithm, claim *ledger.Claim) error {
	opt := silence.Options{Whole: c.whole, MaxStates: ledger.TreeStates, Workers: int(c.workers.number)}
	p := c.app.progress()
	if !c.quiet {
		p.head = of.Name + "/" + claim.Name + ": "
		opt.Progress = func(s explore.Progress) { p.show(s) }
	}
	trees, err := of.Trees(ctx, claim, opt)
	p.end()
	if ctx.Err() != nil {
		c.app.complain("interrupted: the claims above are decided")
		return exit(statusIncomplete)
	}
	if err != nil {
		return err
	}
	for i := range trees {
		if err := of.WriteTree(c.app.out, &trees[i], ledger.TextOptions{Width: min(c.app.width, 100), Evidence: c.whole}); err != nil {
			return err
		}
	}
	return nil
}
