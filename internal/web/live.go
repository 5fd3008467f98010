package web

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Limits of checks that go on while pages ask how far they are.
const (
	// glance is how long a page waits for the end before it says how far the check is.
	glance = 400 * time.Millisecond
	// abandoned is how long a check goes on of which no page asks any more.
	abandoned = 10 * time.Second
	// mostSearching is how many search at once, and mostLive how many there are, with those
	// that wait and the last that have ended.
	mostSearching, mostLive = 2, 8
)

// Parameters of a check that goes on: its number, whether it is to end, and the property that it
// broke to whose run the link leads.
const (
	verbLive = "live"
	verbStop = "stop"
	verbRun  = "run"
)

// A liveCheck is a check that goes on.
type liveCheck struct {
	number  int
	address string // of the check, without a number
	sub     *subject
	in      setting.Setting
	sys     *model.System
	opt     checker.Options

	end   context.CancelFunc
	left  *time.Timer   // ends it where no page asks any more
	ended chan struct{} // closed once report and err are there

	mu     sync.Mutex
	now    explore.Progress
	broken map[string]int // the steps to each property that is broken so far

	report *checker.Report
	err    error
}

// A liveChecks keeps the checks that go on, and some that have ended.
type liveChecks struct {
	turns turns
	mu    sync.Mutex
	last  int
	list  []*liveCheck
}

// begin starts a check.
func (l *liveChecks) begin(c *liveCheck) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == mostLive {
		over := slices.IndexFunc(l.list, (*liveCheck).over)
		if over < 0 {
			return fmt.Errorf("%d checks go on, as many as there may be: stop one, or wait until one has ended", mostLive)
		}
		l.list = slices.Delete(l.list, over, over+1)
	}
	l.last++
	c.number, c.broken, c.ended = l.last, make(map[string]int), make(chan struct{})
	var ctx context.Context
	ctx, c.end = context.WithCancel(context.Background()) // which pages share
	c.left = time.AfterFunc(abandoned, c.end)
	c.opt.Progress, c.opt.ProgressEvery = c.hear, glance/2
	l.list = append(l.list, c)
	go func() {
		defer close(c.ended)
		defer c.left.Stop()
		defer c.end()
		if !l.turns.take(ctx) {
			c.err = errors.New("the check ended before its turn came")
			return
		}
		defer l.turns.leave()
		defer func() {
			if p := recover(); p != nil {
				c.err = fmt.Errorf("the explorer cannot check this: %v", p)
			}
		}()
		c.report, c.err = checker.Check(ctx, c.sys, c.opt)
	}()
	return nil
}

// find returns the check of a number, and nil where there is none of that address.
func (l *liveChecks) find(number, address string) *liveCheck {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.list {
		if strconv.Itoa(c.number) == number && c.address == address {
			return c
		}
	}
	return nil
}

func (c *liveCheck) over() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// hear keeps how far the search is.
func (c *liveCheck) hear(now explore.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
	maps.Copy(c.broken, now.Broken)
}

// wait waits for the end, until a page is to say how far the check is.
func (c *liveCheck) wait(ctx context.Context, atMost time.Duration) {
	if c.left.Stop() {
		c.left.Reset(abandoned + atMost)
	}
	endsWithin(ctx, c.ended, atMost)
}

// endsWithin waits for an end, and reports whether it has come in some time.
func endsWithin(ctx context.Context, ended <-chan struct{}, atMost time.Duration) bool {
	select {
	case <-ended:
		return true
	case <-ctx.Done():
	case <-time.After(atMost):
	}
	return false
}

// run returns a shortest run that breaks a property, which the check found before. It searches
// for nothing else.
func (c *liveCheck) run(ctx context.Context, name string) (to string, err error) {
	c.mu.Lock()
	_, found := c.broken[name]
	c.mu.Unlock()
	if !found {
		return "", fmt.Errorf("%s=%q: the check has found no run that breaks it", verbRun, name)
	}
	opt := c.opt
	opt.Progress = nil
	opt.Properties = slices.DeleteFunc(slices.Clone(opt.Properties), func(p *checker.Property) bool { return p.Name != name })
	report, err := checker.Check(ctx, c.sys, opt)
	if err != nil {
		return "", err
	}
	for i := range report.Findings {
		if row := newCheckRow(c.sub, &report.Findings[i]); row.Name == name && row.Link != "" {
			return row.Link, nil
		}
	}
	return "", fmt.Errorf("%s=%q: no run that breaks it was found", verbRun, name)
}

// A liveForm is what a page asks again, and what ends the check.
type liveForm struct {
	Again, Action, Setting, Ask string
	Number                      int
}

// page returns the page of a check, which may go on.
func (c *liveCheck) page() (*checkPage, error) {
	if c.over() {
		if c.err != nil {
			return nil, c.err
		}
		return newCheckPage(c.sub, c.in, c.report)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := newCheckFrame(c.sub, c.in)
	p.Headline = "The check goes on. Nothing is broken so far."
	if n := len(c.broken); n > 0 {
		p.Headline = "The check goes on. " + quantity.Plural(n, "property") + " violated so far."
		p.Verdict = checker.Violated.String()
	}
	p.Counted = "It waits for other checks to end."
	if c.now.Elapsed > 0 {
		p.Counted = fmt.Sprintf("%s so far, up to %s, %s a second, for %s.", quantity.Plural(c.now.Distinct, "state"),
			quantity.Plural(c.now.Depth, "step"), quantity.Plural(uint64(max(0, c.now.Rate)), "state"), quantity.Duration(c.now.Elapsed))
	}
	form := &liveForm{Again: c.address + "&" + verbLive + "=" + strconv.Itoa(c.number), Number: c.number, Setting: c.in.String(), Ask: c.sub.asks()}
	form.Action, _, _ = strings.Cut(c.address, "?")
	p.Live, p.Again = form, form.Again
	for _, of := range c.opt.Properties {
		row := checkRow{Name: of.Name, Doc: of.Doc, Verdict: "searching"}
		if steps, broken := c.broken[of.Name]; broken {
			row.Verdict, row.Steps = checker.Violated.String(), quantity.Plural(steps, "step")
			row.Link = form.Again + "&" + url.Values{verbRun: {of.Name}}.Encode()
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}
