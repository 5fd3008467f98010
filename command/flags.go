//go:build !js

package command

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/nearest"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A number is a flag that takes a whole number of 0 or more.
type number uint64

func (n *number) String() string { return strconv.FormatUint(uint64(*n), 10) }
func (n *number) Type() string   { return "number" }

func (n *number) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return errors.New("want a whole number from 0 to 2147483647")
	}
	*n = number(v)
	return nil
}

// A columns is a flag that takes the width of what is drawn.
type columns struct{ number }

// mostColumns is as wide as anything is drawn.
const mostColumns = 10_000

func (n *columns) Set(s string) error {
	if err := n.number.Set(s); err != nil || n.number > mostColumns {
		return fmt.Errorf("want a number from 1 to %d, or 0 for the width of the terminal", mostColumns)
	}
	return nil
}

// A workers is a flag that takes a number of goroutines.
type workers struct{ number }

// mostWorkers is as many as a search takes.
const mostWorkers = 1024

func (n *workers) Set(s string) error {
	if err := n.number.Set(s); err != nil || n.number > mostWorkers {
		return fmt.Errorf("want a number from 1 to %d, or 0 for one per processor", mostWorkers)
	}
	return nil
}

// A count is a flag that takes a number which may be large: 1000000 or 1M.
type count uint64

func (n *count) String() string { return strconv.FormatUint(uint64(*n), 10) }
func (n *count) Type() string   { return "number" }

func (n *count) Set(s string) error {
	digits, factor := s, uint64(1)
	if i := strings.IndexAny(s, "kMG"); i == len(s)-1 && i > 0 {
		digits = s[:i]
		factor = map[byte]uint64{'k': 1e3, 'M': 1e6, 'G': 1e9}[s[i]]
	}
	v, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return errors.New("want a number like 500000 or 20M")
	}
	*n = count(v * factor)
	return nil
}

// A size is a flag that takes a number of bytes: 500MiB.
type size int64

func (n *size) String() string { return quantity.Bytes(int64(*n)) }
func (n *size) Type() string   { return "size" }

func (n *size) Set(s string) error {
	v, err := quantity.ParseBytes(s)
	*n = size(v)
	return err
}

// A span is a flag that takes a duration: 90s.
type span time.Duration

func (d *span) String() string { return time.Duration(*d).String() }
func (d *span) Type() string   { return "duration" }

func (d *span) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return errors.New("want a duration like 30s, 5m or 2h")
	}
	*d = span(v)
	return nil
}

// A choice is a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }

func (c *choice) Set(s string) error {
	for _, w := range c.words {
		if s == w {
			c.value = s
			return nil
		}
	}
	if near := nearest.Name(s, c.words); near != "" {
		return fmt.Errorf("did you mean %s?", near)
	}
	last := len(c.words) - 1
	return fmt.Errorf("want %s or %s", strings.Join(c.words[:last], ", "), c.words[last])
}

// reductions is a flag that takes large, auto, none, or names of reductions.
type reductions struct {
	model.Reductions
	beyond uint64 // states after which they are made; 0: always
}

// whereLarge is the name of all reductions where the states are many.
const whereLarge = "large"

// largeReductions are all reductions where the states are many.
var largeReductions = reductions{checker.ReduceAuto, checker.DefaultReduceBeyond}

func (r *reductions) Type() string { return whereLarge + "|auto|none|NAMES" }

func (r *reductions) String() string {
	if r.beyond > 0 {
		return whereLarge
	}
	return r.Reductions.String()
}

func (r *reductions) Set(s string) (err error) {
	if s == whereLarge {
		*r = largeReductions
		return nil
	}
	r.beyond = 0
	r.Reductions, err = model.ParseReductions(s)
	return err
}

// Orders of a search by their names.
var orders = map[string]explore.Order{"bfs": explore.BreadthFirst, "dfs": explore.DepthFirst}

// settingFlags are the words of a setting, each of which is a flag as well.
var settingFlags = setting.Words()

// addSettingFlags adds the flags of a setting, each a text that model reads.
func addSettingFlags(flags *pflag.FlagSet) {
	flags.Var(&word{kind: "TEXT"}, "setting", "the whole setting, as reports print it; the flags below change it")
	for _, f := range settingFlags {
		short := ""
		if f.Key == "n" {
			short = "n"
		}
		flags.VarP(&word{kind: f.Values}, f.Key, short, f.Doc)
	}
}

// A word is a flag that takes a text of a kind.
type word struct{ value, kind string }

func (w *word) String() string { return w.value }
func (w *word) Type() string   { return w.kind }

func (w *word) Set(s string) error {
	w.value = s
	return nil
}

// settingOf returns a setting as changed by the flags that were given, in which a
// search can see every state.
func settingOf(flags *pflag.FlagSet, s setting.Setting) (setting.Setting, error) {
	s, err := walkSettingOf(flags, s)
	if err != nil {
		return s, err
	}
	return s, s.Exhaustive()
}

// walkSettingOf is settingOf for walks, which take more processes.
func walkSettingOf(flags *pflag.FlagSet, s setting.Setting) (setting.Setting, error) {
	var err error
	if f := flags.Lookup("setting"); f.Changed {
		if s, err = setting.Parse(f.Value.String()); err != nil {
			return s, err
		}
	}
	for _, f := range settingFlags {
		if !flags.Changed(f.Key) {
			continue
		}
		value := flags.Lookup(f.Key).Value.String()
		switch {
		case value == "":
			return s, fmt.Errorf("-%s is empty: want %s", dashes(f.Key), wanted(f.Key, f.Values))
		case strings.ContainsAny(value, " \t\n"):
			return s, fmt.Errorf("-%s is %q: want %s", dashes(f.Key), nearest.Clip(value), wanted(f.Key, f.Values))
		}
		if s, err = s.With(f.Key + "=" + value); err != nil {
			return s, err
		}
	}
	return s, s.Validate()
}

// dashes returns the name of a flag behind its first dash.
func dashes(key string) string {
	if len(key) == 1 {
		return key
	}
	return "-" + key
}

// wanted says what the value of a flag of the setting is to be.
func wanted(key, placeholder string) string {
	switch {
	case key == "n":
		return fmt.Sprintf("a whole number from 2 to %d", setting.MaxExhaustive)
	case placeholder == "K":
		return "a whole number"
	}
	return placeholder
}

// A tint says whether a text is in colour: a flag that several commands have.
type tint struct{ color choice }

func (t *tint) add(flags *pflag.FlagSet) {
	t.color = choice{"auto", []string{"auto", "always", "never"}}
	flags.Var(&t.color, "color", "colours: on a terminal unless NO_COLOR is set, always or never")
}

// colored tells whether what an app writes is in colour.
func (t *tint) colored(a *app) bool {
	if t.color.value == "auto" {
		return a.terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return t.color.value == "always"
}

// A look is how things are drawn: flags that several commands have.
type look struct {
	tint
	ascii bool
	width columns
}

func (l *look) add(flags *pflag.FlagSet) {
	l.tint.add(flags)
	flags.BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only")
	flags.Var(&l.width, "width", "columns to draw in; 0 is the width of the terminal, or 80")
}

// text returns the options of a text, for the stream that it is for.
func (l *look) text(a *app) render.TextOptions {
	opt := render.TextOptions{Width: int(l.width.number), ASCII: l.ascii, Color: l.colored(a)}
	if opt.Width == 0 {
		opt.Width = min(a.width, 120)
	}
	return opt
}

// draws draws a run under a title.
func (l *look) draws(a *app, title string, t *trace.Trace, run *trace.Run) error {
	layout, err := trace.Lay(t, run)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "\n%s\n\n", title)
	return render.Text(a.out, layout, l.text(a))
}

// lastSteps is the title of the end of a log.
const lastSteps = "The last steps before it:"

// limits are the flags of every search: how far it goes, by how many workers,
// and whether it tells how far it is.
type limits struct {
	workers   workers
	maxStates count
	maxBytes  size
	maxTime   span
	exact     bool
	quiet     bool
}

// add declares the flags.
func (l *limits) add(flags *pflag.FlagSet) {
	l.addBounds(flags)
	flags.BoolVar(&l.exact, "exact", false, "compare whole states, not fingerprints: no collisions, but several times the memory")
	l.addQuiet(flags)
}

// addBounds declares those that say how far a search goes, and by how many workers.
func (l *limits) addBounds(flags *pflag.FlagSet) {
	flags.Var(&l.workers, "workers", "goroutines; 0 is one per processor")
	flags.Var(&l.maxStates, "max-states", "end with the level of states with which there are this many, incomplete; 0 is no limit")
	flags.Var(&l.maxBytes, "max-bytes", "end when this much memory is in use, like 2GiB, incomplete; 0 is what the machine has left")
	flags.Var(&l.maxTime, "max-time", "end after this time, like 90s, incomplete; 0 is no limit")
}

func (l *limits) addQuiet(flags *pflag.FlagSet) {
	flags.BoolVarP(&l.quiet, "quiet", "q", false, "report no progress")
}

// report returns where a search reports how far it is, and how often.
func (l *limits) report(a *app, p *progress) (show func(explore.Progress), every time.Duration) {
	switch {
	case l.quiet:
		return nil, 0
	case a.live:
		return p.show, a.often
	}
	return p.show, a.slow
}
