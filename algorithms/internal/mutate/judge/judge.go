// Package judge tells which mutants of an algorithm its evidence notices: the sentences
// of its rules.txt, its claims, and its mutants that are written by hand.
package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bullyproof/algorithms/internal/mutate"
	"bullyproof/algorithms/internal/mutate/point"
	"bullyproof/ledger"
	"bullyproof/model"
)

// A Class says what evidence makes of a mutant.
type Class string

// The classes. A mutant that is not caught survives.
const (
	Caught    Class = "caught"
	Unreached Class = "never reached"   // no run that was looked at comes by the point
	Same      Class = "never differs"   // each that does goes on as without it
	Unchanged Class = "changes nothing" // it goes on otherwise, and all that is found is as without it
	Figures   Class = "changes figures" // numbers of states, lengths of runs, or costs that no source states
	Fault     Class = "part of a fault" // only mutants come by it: it is no rule, and what matters is that they are caught
	Undecided Class = "undecided"       // a search did not end, or there was no time for it
)

// A Verdict is what evidence makes of a mutant.
type Verdict struct {
	Point mutate.Point `json:"point"`
	Class Class        `json:"class"`
	// By says which evidence notices it first, or whose figures change.
	By string `json:"by,omitempty"`
	// Asked is how much of the evidence comes by the point and goes on otherwise.
	Asked int `json:"asked"`
	// Argued says why it is equal, as rules.txt has it; "" if that is not argued.
	Argued string `json:"argued,omitempty"`
	// Shown is a run in which it goes on otherwise, if that was asked for.
	Shown string `json:"shown,omitempty"`
	// Took is in milliseconds.
	Took int64 `json:"took"`
}

// Options say how far to go.
type Options struct {
	// Show has each verdict on a mutant that survives, and that goes on otherwise, say by which run.
	Show bool
	// Rules is the file of the sentences.
	Rules string
	// Most is how many states a search may have had on record, and a mutant may have ten
	// times as many. Time is for all of the evidence on a mutant.
	Most uint64
	Time time.Duration
	// Of are the points to look at.
	Of []int
	// Begin is called with each point, before it is looked at.
	Begin func(mutate.Point)
	// Log is told how it goes.
	Log io.Writer
}

// A bench is an algorithm whose mutants are judged.
type bench struct {
	a     *ledger.Algorithm
	board *point.Board
	opt   Options
	cases []*trial
}

// A trial is a piece of evidence, and what comes out of the algorithm as it is.
type trial struct {
	name string
	in   func() (*model.System, error)
	run  func(context.Context) outcome
	// faulty says that the system is one of a mutant.
	faulty bool
	base   outcome
	took   time.Duration
	// asked is how often points were asked about, and differs the points at which it
	// goes on otherwise.
	asked   int64
	differs map[int]bool
}

// An outcome is what came out: answers that count, and figures that do not.
type outcome struct {
	answers []string
	open    []bool // which of the answers are none
	figures string
	failed  string
}

// Judge looks at the mutants of an algorithm at points, and yields a verdict on each.
func Judge(ctx context.Context, a *ledger.Algorithm, board *point.Board, points []mutate.Point, opt Options, yield func(Verdict) error) error {
	b := &bench{a: a, board: board, opt: opt}
	if err := b.collect(); err != nil {
		return err
	}
	reached, ruled := b.measure(ctx, points)
	for _, p := range points {
		if !slices.Contains(opt.Of, p.ID) {
			continue
		}
		if opt.Begin != nil {
			opt.Begin(p)
		}
		v := b.judge(ctx, p, reached[p.ID])
		if v.Class != Caught && reached[p.ID] && !ruled[p.ID] {
			v.Class = Fault
		}
		if err := yield(v); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// measure looks at all of the evidence on the algorithm as it is: what comes out, how
// long it takes, and by which points it comes, and which of them a system comes by that
// is of no mutant. A trial that fails, or finds nothing, is left out.
func (b *bench) measure(ctx context.Context, points []mutate.Point) (reached, ruled map[int]bool) {
	reached, ruled = make(map[int]bool), make(map[int]bool)
	var kept []*trial
	begun := time.Now()
	for _, c := range b.cases {
		b.board.Set(point.None, 0)
		start := time.Now()
		c.base = b.safely(ctx, c)
		c.took, c.asked = time.Since(start), b.board.Asked()
		c.differs = make(map[int]bool)
		for _, p := range points {
			r, d := b.board.Reached(p.ID)
			reached[p.ID] = reached[p.ID] || r
			ruled[p.ID] = ruled[p.ID] || r && !c.faulty
			if d {
				c.differs[p.ID] = true
			}
		}
		if c.base.failed != "" || len(c.base.answers) > 0 && !slices.Contains(c.base.open, false) {
			fmt.Fprintf(b.opt.Log, "%s: left out: %s: %s\n", b.a.Name, c.name, c.base.failed)
			continue
		}
		kept = append(kept, c)
	}
	slices.SortStableFunc(kept, func(x, y *trial) int { return int(x.took - y.took) })
	fmt.Fprintf(b.opt.Log, "%s: %d of %d pieces of evidence, %d points, %v\n", b.a.Name, len(kept), len(b.cases), len(points), time.Since(begun).Round(time.Millisecond))
	b.cases = kept
	return reached, ruled
}

// safely runs a trial. A trial that panics has failed.
func (b *bench) safely(ctx context.Context, c *trial) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = outcome{failed: "panic: " + firstLine(fmt.Sprint(r))}
		}
	}()
	return c.run(ctx)
}

// firstLine returns that of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// judge looks at one mutant.
func (b *bench) judge(ctx context.Context, p mutate.Point, reached bool) Verdict {
	start := time.Now()
	v := Verdict{Point: p, Class: Unreached}
	if reached {
		v.Class = Same
	}
	for _, c := range b.cases {
		if !c.differs[p.ID] {
			continue
		}
		if v.Asked++; v.Class == Same {
			v.Class = Unchanged
		}
		left := b.opt.Time - time.Since(start)
		if left <= 0 {
			v.Class, v.By = Undecided, "no time is left for "+c.name
			break
		}
		class, why := b.try(ctx, c, p, min(left, 30*c.took+2*time.Second))
		if class == Caught {
			v.Class, v.By = Caught, c.name+": "+why
			break
		}
		if class == Undecided || class == Figures && v.Class == Unchanged {
			v.Class, v.By = class, c.name+": "+why
		}
	}
	if b.opt.Show && v.Class != Caught {
		v.Shown = b.show(p)
	}
	v.Took = time.Since(start).Milliseconds()
	return v
}

// try looks at what comes out of one piece of evidence on a mutant.
func (b *bench) try(ctx context.Context, c *trial, p mutate.Point, most time.Duration) (Class, string) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	b.board.Set(p.ID, 40*c.asked+200_000)
	o := b.safely(ctx, c)
	b.board.Set(point.None, 0)
	switch {
	case ctx.Err() != nil:
		return Undecided, "no end in " + most.Round(time.Millisecond).String()
	case o.failed != "":
		return Caught, o.failed
	}
	class, why := Unchanged, ""
	for i := range c.base.answers {
		switch {
		case o.answers[i] == c.base.answers[i]:
		case o.open[i]:
			class, why = Undecided, o.answers[i]
		default:
			return Caught, o.answers[i] + ", not " + c.base.answers[i]
		}
	}
	if class == Unchanged && o.figures != c.base.figures {
		return Figures, o.figures + ", not " + c.base.figures
	}
	return class, why
}

// Main judges the algorithm of a program that was compiled with its points, as package
// mutate does: its order is read from in, and each verdict is written to out as JSON.
func Main(all []*ledger.Algorithm, board *point.Board, in io.Reader, out, log io.Writer) error {
	var order mutate.Order
	if err := json.NewDecoder(in).Decode(&order); err != nil {
		return err
	}
	a, err := ledger.Find(all, order.Algorithm)
	if err != nil {
		return err
	}
	board.New(order.Count)
	opt := Options{Rules: order.Rules, Most: order.Most, Time: order.Time, Of: order.Of, Show: order.Show, Log: log}
	enc := json.NewEncoder(out)
	opt.Begin = func(p mutate.Point) { _ = enc.Encode(mutate.Begun{Begins: &p.ID}) }
	return Judge(context.Background(), a, board, order.Points, opt, func(v Verdict) error { return enc.Encode(v) })
}
