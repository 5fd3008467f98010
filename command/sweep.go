//go:build !js

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/internal/nearest"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model/setting"
)

// A sweep is a word of the setting with a number that goes from one value to another.
type sweep struct {
	word, prefix string
	from, to     int
}

// mostChecks is how many checks a sweep makes.
const mostChecks = 256

var sweepText = regexp.MustCompile(`^([a-z-]+)=([^=\s]*?)([0-9]{1,4})\.\.([0-9]{1,4})$`)

// parseSweep reads a sweep: crashes=0..2, timing=sync:1..3.
func parseSweep(text string) (sweep, error) {
	m := sweepText.FindStringSubmatch(text)
	if m == nil {
		return sweep{}, fmt.Errorf("flag --sweep is %q: want a word of the setting with a range, like crashes=0..2 or timing=sync:1..3", nearest.Clip(text))
	}
	var keys []string
	for _, w := range settingFlags {
		keys = append(keys, w.Key)
	}
	if !slices.Contains(keys, m[1]) {
		near := nearest.Name(m[1], keys)
		if near != "" {
			near = ": did you mean " + near + "?"
		}
		return sweep{}, fmt.Errorf("flag --sweep is %q: no word of a setting is %s%s", nearest.Clip(text), nearest.Clip(m[1]), near)
	}
	s := sweep{word: m[1], prefix: m[2]}
	s.from, _ = strconv.Atoi(m[3]) // digits, by the pattern
	s.to, _ = strconv.Atoi(m[4])
	if s.to < s.from || s.to-s.from >= mostChecks {
		return sweep{}, fmt.Errorf("flag --sweep is %q: want a range from the lower to the higher number, of at most %d", nearest.Clip(text), mostChecks)
	}
	return s, nil
}

// at returns the word with one of the values.
func (s *sweep) at(value int) string { return s.word + "=" + s.prefix + strconv.Itoa(value) }

// A cell is the check of one setting of a sweep.
type cell struct {
	Words   []string `json:"words"`
	Setting string   `json:"setting,omitempty"`
	// Invalid says why there is no such setting, or no check of it.
	Invalid    string      `json:"invalid,omitempty"`
	Verdict    string      `json:"verdict,omitempty"`
	Why        string      `json:"why,omitempty"`
	States     uint64      `json:"states"`
	Properties []cellAbout `json:"properties,omitempty"`

	verdict checker.Verdict
}

// A cellAbout is the verdict on one property in a setting of a sweep.
type cellAbout struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Steps   *int   `json:"steps,omitempty"`
}

// property returns the verdict on a property; "" if it was not asked.
func (c *cell) property(name string) string {
	for _, p := range c.Properties {
		if p.Name == name {
			return p.Verdict
		}
	}
	return ""
}

// A border is where the verdict on a property turns, along the first sweep.
type border struct {
	Property string `json:"property"`
	// Second is the word of the second sweep; empty if there is none.
	Second string `json:"second,omitempty"`
	// At is the first word with another verdict than the one before.
	At   string `json:"at"`
	From string `json:"from"`
	To   string `json:"to"`
}

// A swept is what a sweep found.
type swept struct {
	Schema    int      `json:"schema"`
	Algorithm string   `json:"algorithm"`
	Variant   string   `json:"variant"`
	Sweeps    []string `json:"sweeps"`
	Cells     []*cell  `json:"cells"`
	Borders   []border `json:"borders"`
	// Left is how many checks were not made.
	Left int `json:"left"`

	first, second []string // words
}

// sweeping are the flags of check that a sweep takes, beside those of the setting.
var sweeping = []string{
	"setting", "sweep", "property", "always", "sometimes", "reduce", "workers", "max-states", "max-bytes", "max-time", "max-depth", "max-graph-states",
	"exact", "exhaustive", "fail-fast", "order", "quiet", "json", "color", "ascii", "width", "brief",
}

// runSweep checks a subject in each setting of a sweep.
func (c *checkCommand) runSweep(cmd context.Context, flags *pflag.FlagSet, s *subject) error {
	var wrong error
	flags.Visit(func(f *pflag.Flag) {
		of := slices.ContainsFunc(settingFlags, func(s setting.Word) bool { return s.Key == f.Name })
		if wrong == nil && !of && !slices.Contains(sweeping, f.Name) {
			wrong = fmt.Errorf("flag --%s is of one check: leave it out, or --sweep", f.Name)
		}
	})
	if wrong != nil {
		return wrong
	}
	in, err := settingOf(flags, s.setting)
	if err != nil {
		return err
	}
	found := &swept{Schema: jsonSchema, Algorithm: s.algorithm, Variant: s.variant, Sweeps: c.sweeps, Cells: []*cell{}, Borders: []border{}}
	if found.first, found.second, err = wordsOfSweeps(c.sweeps); err != nil {
		return err
	}
	all := len(found.first) * len(found.second)
	p := c.app.progress()
	c.app.searching.Store(true)
	for i := 0; i < all && cmd.Err() == nil; i++ {
		words := strings.Fields(found.first[i/len(found.second)] + " " + found.second[i%len(found.second)])
		p.head = fmt.Sprintf("%s (%d of %d): ", strings.Join(words, " "), i+1, all)
		one, err := c.sweepOne(cmd, s, in, words, p)
		if err != nil {
			return err
		}
		if cmd.Err() == nil || one.verdict == checker.Violated {
			found.Cells = append(found.Cells, one)
		}
	}
	found.Left = all - len(found.Cells)
	found.borders()
	return c.tellSwept(found)
}

// wordsOfSweeps returns the words of the sweeps of a call; of a second one that is not
// there an empty one.
func wordsOfSweeps(texts []string) (first, second []string, err error) {
	if len(texts) > 2 {
		return nil, nil, errors.New("flag --sweep is given more than twice: want one or two, for the rows and the columns of a table")
	}
	words := [2][]string{nil, {""}}
	var keys []string
	for i, text := range texts {
		s, err := parseSweep(text)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(keys, s.word) {
			return nil, nil, fmt.Errorf("flag --sweep is %q: %s is swept already", nearest.Clip(text), s.word)
		}
		keys, words[i] = append(keys, s.word), nil
		for value := s.from; value <= s.to; value++ {
			words[i] = append(words[i], s.at(value))
		}
	}
	if n := len(words[0]) * len(words[1]); n > mostChecks {
		return nil, nil, fmt.Errorf("flags --sweep: %d settings are too many: at most %d are right", n, mostChecks)
	}
	return words[0], words[1], nil
}

// sweepOne checks a subject in one setting of a sweep. An error is of the command line.
func (c *checkCommand) sweepOne(ctx context.Context, s *subject, in setting.Setting, words []string, p *progress) (*cell, error) {
	one := &cell{Words: words}
	var err error
	for _, w := range words {
		if in, err = in.With(w); err != nil {
			return nil, fmt.Errorf("flag --sweep: %w", err)
		}
	}
	if err := cmp.Or(in.Validate(), in.Exhaustive()); err != nil {
		one.Invalid = oneLine(err.Error())
		return one, nil
	}
	one.Setting = in.String()
	sys, err := s.build(in)
	if err != nil {
		one.Invalid = oneLine(err.Error())
		return one, nil
	}
	opt, err := c.options(s, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	opt.Progress, opt.ProgressEvery = c.report(c.app, p)
	r, err := checker.Check(ctx, sys, opt)
	p.end()
	if err == nil {
		err = c.undefined(r)
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", s.name(), strings.Join(words, " "), err)
	}
	one.verdict, one.Verdict, one.Why, one.States = r.Verdict(), r.Verdict().String(), r.Why, r.Distinct
	for i := range r.Findings {
		f := &r.Findings[i]
		about := cellAbout{Name: f.Property.Label(), Verdict: f.Verdict.String()}
		if f.Trace != nil {
			steps := len(f.Trace.Steps)
			about.Steps = &steps
		}
		one.Properties = append(one.Properties, about)
	}
	return one, nil
}

// at returns the cell of two words; nil if there is none.
func (s *swept) at(i, j int) *cell {
	if k := i*len(s.second) + j; k < len(s.Cells) {
		return s.Cells[k]
	}
	return nil
}

// properties returns the names of what was asked, in the order of asking.
func (s *swept) properties() (names []string) {
	for _, c := range s.Cells {
		for _, p := range c.Properties {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// borders finds where verdicts turn.
func (s *swept) borders() {
	for _, name := range s.properties() {
		for j, second := range s.second {
			before := ""
			for i, word := range s.first {
				c := s.at(i, j)
				if c == nil || c.property(name) == "" {
					continue
				}
				if now := c.property(name); before != "" && now != before {
					s.Borders = append(s.Borders, border{name, second, word, before, now})
				}
				before = c.property(name)
			}
		}
	}
}

// tellSwept writes what a sweep found.
func (c *checkCommand) tellSwept(s *swept) (err error) {
	if c.json {
		err = c.app.writeJSON(s, struct {
			Run runJSON `json:"run"`
		}{c.app.runJSON()})
	} else {
		_, err = io.WriteString(c.app.out, s.text(c.text(c.app).Width))
	}
	if err != nil {
		return err
	}
	code := statusFine
	for _, one := range s.Cells {
		switch {
		case one.Invalid != "":
		case one.verdict == checker.Violated:
			return exit(statusBad)
		case one.verdict == checker.Incomplete || one.verdict == checker.Vacuous:
			code = statusIncomplete
		}
	}
	if s.Left > 0 {
		code = statusIncomplete
	}
	return exit(code)
}

// text returns the tables of a sweep.
func (s *swept) text(width int) string {
	p := prose.Print(width, false)
	p.Line(0, fmt.Sprintf("%s/%s, %s:", s.Algorithm, s.Variant, quantity.Plural(len(s.Cells), "setting")), "")
	p.Gap()
	if len(s.second) == 1 && s.second[0] == "" {
		for _, c := range s.Cells {
			p.Hanging(2, fmt.Sprintf("%-*s  ", widest(s.first), c.Words[0]), c.line(), "")
		}
	} else {
		s.matrix(p)
	}
	p.Gap()
	for _, b := range s.Borders {
		where := b.At
		if b.Second != "" {
			where += ", with " + b.Second
		}
		p.Hanging(2, "", fmt.Sprintf("%s turns at %s: %s before, then %s.", b.Property, where, b.From, b.To), "")
	}
	if len(s.Borders) == 0 && s.Left == 0 {
		p.Line(2, "No verdict turns.", "")
	}
	if s.Left > 0 {
		p.Line(2, fmt.Sprintf("Interrupted: %s left.", quantity.Plural(s.Left, "setting")), "")
	}
	return p.String()
}

func widest(words []string) (n int) {
	for _, w := range words {
		n = max(n, len(w))
	}
	return n
}

// line says what was found in a setting.
func (c *cell) line() string {
	if c.Invalid != "" {
		return "no such setting: " + c.Invalid
	}
	of := make(map[string][]string)
	for _, p := range c.Properties {
		name := p.Name
		if p.Steps != nil {
			name += fmt.Sprintf(" in %s", quantity.Plural(*p.Steps, "step"))
		}
		of[p.Verdict] = append(of[p.Verdict], name)
	}
	text := c.Verdict + ", " + quantity.Plural(c.States, "state")
	for _, v := range []checker.Verdict{checker.Violated, checker.NotFound, checker.Found, checker.Vacuous, checker.Incomplete} {
		if names := of[v.String()]; len(names) > 0 && v.String() != c.Verdict {
			text += "; " + v.String() + ": " + strings.Join(names, ", ")
		} else if len(names) > 0 {
			text += ": " + strings.Join(names, ", ")
		}
	}
	if n := len(of[checker.Holds.String()]); n > 0 && c.verdict != checker.Holds {
		text += fmt.Sprintf("; %d hold", n)
	}
	return text
}

// matrix writes a table of verdicts, with a row for each word of the first sweep and a column
// for each of the second.
func (s *swept) matrix(p *prose.Printer) {
	column := max(widest(s.second), len("incomplete"))
	first := widest(s.first)
	row := fmt.Sprintf("  %-*s", first, "")
	for _, word := range s.second {
		row += fmt.Sprintf("  %-*s", column, word)
	}
	p.Text(strings.TrimRight(row, " ") + "\n")
	for i, word := range s.first {
		row := fmt.Sprintf("  %-*s", first, word)
		for j := range s.second {
			text := ""
			if c := s.at(i, j); c != nil {
				text = cmp.Or(c.Verdict, "invalid")
			}
			row += fmt.Sprintf("  %-*s", column, text)
		}
		p.Text(strings.TrimRight(row, " ") + "\n")
	}
	var reasons []string
	for _, c := range s.Cells {
		if c.Invalid != "" && !slices.Contains(reasons, c.Invalid) {
			reasons = append(reasons, c.Invalid)
			p.Hanging(2, "", "No such setting: "+c.Invalid, "")
		}
	}
}
