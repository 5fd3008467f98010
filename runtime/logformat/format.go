package logformat

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bullyproof/internal/nearest"
	"bullyproof/internal/prose"
	"bullyproof/runtime/eventlog"
)

// Limits on a description.
const (
	// MaxText is its length, in bytes.
	MaxText = 64 << 10
	// MaxEntries is how many events it may have, and how many times.
	MaxEntries = 64
)

// A Format is a description of the lines of a log. It does not change, and any number of
// readers may use it at once.
type Format struct {
	// Name is what the format is called, Lines whose lines these are, with versions.
	Name, Lines string
	// Complete says of what each change has a line.
	Complete eventlog.Parts
	group    string // the group that is read unless somebody asks for another one
	grouped  bool   // lines tell their group
	times    []timing
	events   []expression
}

// A timing reads the time of a line.
type timing struct {
	match  *regexp.Regexp
	layout string
	line   int
}

// unix is the layout of seconds since 1970, with a fraction.
const unix = "unix"

// read reads a time.
func (x *timing) read(text string) (time.Time, error) {
	if x.layout != unix {
		at, err := time.Parse(x.layout, text)
		return dated(at), err
	}
	whole, part, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return time.Time{}, err
	}
	nanos, err := strconv.ParseUint((part + "000000000")[:9], 10, 32)
	return time.Unix(seconds, int64(nanos)), err
}

// dated gives a year to a time without one, as journals write it: all have the same.
func dated(at time.Time) time.Time {
	if at.Year() != 0 {
		return at
	}
	return at.AddDate(2000, 0, 0)
}

// An expression finds the lines of one kind.
type expression struct {
	kind  kind
	match *regexp.Regexp
	part  string // of each line that it matches
	line  int    // of the description
}

// kind is what a line tells.
type kind uint8

const (
	leads        kind = iota // the process leads
	candidate                // it is a candidate, and does not lead
	preCandidate             // it does not lead, and asks before it is a candidate, which not all models tell apart
	follower                 // it neither leads nor is a candidate; whom it follows may be told
	lost                     // it follows nobody
	up                       // it comes up
	down                     // it stops
)

var kindNames = []string{"leads", "candidate", "pre-candidate", "follower", "lost", "up", "down"}

func (k kind) String() string { return kindNames[k] }

// groupNames are the groups that an expression may have.
var groupNames = []string{"process", "term", "leader", "group"}

//go:embed formats/*.txt
var shipped embed.FS

// Shipped lists the names of the formats that are here.
func Shipped() []string {
	files, err := shipped.ReadDir("formats")
	if err != nil {
		panic("logformat: the descriptions are embedded: " + err.Error())
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	return names
}

// Named returns a format that is here; not ok if there is none of the name.
func Named(name string) (f *Format, ok bool) {
	if !slices.Contains(Shipped(), name) {
		return nil, false
	}
	text, err := shipped.ReadFile("formats/" + name + ".txt")
	if err == nil {
		f, err = Parse(name, text)
	}
	if err != nil {
		panic("logformat: a description that is here is right: " + err.Error())
	}
	return f, true
}

// Parse reads a description. Errors call it by a name, that of the file as a rule, and
// name the line.
func Parse(name string, text []byte) (*Format, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("%s: a description of %d bytes: at most %d", name, len(text), MaxText)
	}
	f := &Format{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, MaxText+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := f.add(n, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := f.whole(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// words are those with which a line of a description begins.
var words = []string{"format", "lines", "time", "layout", "complete", "group", "event"}

// add adds a line of a description.
func (f *Format) add(n int, line string) error {
	word, rest := cut(line)
	switch {
	case !utf8.ValidString(line):
		return errors.New("the line is not UTF-8")
	case strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && prose.Unprintable(r) }):
		return errors.New("the line holds what cannot be printed")
	case !slices.Contains(words, word):
		return nearest.Unknown("word", word, words)
	case rest == "":
		return fmt.Errorf("%s says nothing: want %s", word, wanted[word])
	}
	switch word {
	case "format":
		return once(&f.Name, word, rest)
	case "lines":
		return once(&f.Lines, word, rest)
	case "group":
		return once(&f.group, word, rest)
	case "time":
		return f.addTime(n, rest)
	case "layout":
		return f.addLayout(rest)
	case "complete":
		return f.addComplete(rest)
	}
	return f.addEvent(n, rest)
}

var wanted = map[string]string{
	"format": "a name", "lines": "whose lines these are", "group": "the name of a group",
	"time": "a regular expression with the group (?P<time>...)", "layout": "a layout of Go's package time, or unix",
	"complete": "leader, term or candidate, or several of them", "event": "a kind and a regular expression",
}

// cut cuts off the first word.
func cut(s string) (word, rest string) {
	i := strings.IndexFunc(s, unicode.IsSpace)
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}

func once(field *string, word, value string) error {
	if *field != "" {
		return fmt.Errorf("there is a second line %q", word)
	}
	*field = value
	return nil
}

func (f *Format) addTime(n int, text string) error {
	if k := len(f.times); k > 0 && f.times[k-1].layout == "" {
		return fmt.Errorf("the time of line %d has no layout: want one before the next time", f.times[k-1].line)
	}
	if len(f.times) == MaxEntries {
		return fmt.Errorf("more than %d times", MaxEntries)
	}
	re, err := compile(text, []string{"time"})
	if err != nil {
		return err
	}
	if re.SubexpIndex("time") < 0 {
		return errors.New("the regular expression has no group (?P<time>...)")
	}
	f.times = append(f.times, timing{match: re, line: n})
	return nil
}

func (f *Format) addLayout(text string) error {
	k := len(f.times) - 1
	if k < 0 || f.times[k].layout != "" {
		return errors.New("a layout stands below its time, one below each")
	}
	if text == unix {
		f.times[k].layout = text
		return nil
	}
	// A layout that reads nothing gives the same text for all times.
	some := time.Date(2031, 10, 29, 17, 48, 53, 0, time.UTC)
	back, err := time.Parse(text, some.Format(text))
	if err != nil || !back.Equal(some) && !back.Equal(some.AddDate(-some.Year(), 0, 0)) {
		return fmt.Errorf("the layout %q gives no date and time of day: want one like 2006-01-02T15:04:05Z07:00", nearest.Clip(text))
	}
	f.times[k].layout = text
	return nil
}

func (f *Format) addComplete(text string) error {
	for _, name := range strings.Fields(text) {
		part := map[string]*bool{"leader": &f.Complete.Leader, "term": &f.Complete.Epoch, "candidate": &f.Complete.Participant}[name]
		if part == nil {
			return nearest.Unknown("part", name, []string{"leader", "term", "candidate"})
		}
		*part = true
	}
	return nil
}

func (f *Format) addEvent(n int, text string) error {
	name, text := cut(text)
	i := slices.Index(kindNames, name)
	switch {
	case i < 0:
		return nearest.Unknown("kind of event", name, kindNames)
	case text == "":
		return fmt.Errorf("an event %s has no regular expression", name)
	case len(f.events) == MaxEntries:
		return fmt.Errorf("more than %d events", MaxEntries)
	}
	re, err := compile(text, groupNames)
	if err != nil {
		return err
	}
	k := kind(i)
	if re.SubexpIndex("leader") >= 0 && k != follower {
		return fmt.Errorf("only an event follower has the group (?P<leader>...): this is %s", k)
	}
	f.grouped = f.grouped || re.SubexpIndex("group") >= 0
	f.events = append(f.events, expression{k, re, literal(text), n})
	return nil
}

// compile compiles a regular expression whose named groups are among some.
func compile(text string, known []string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("the regular expression: %w", err)
	}
	var seen []string
	for _, name := range re.SubexpNames() {
		switch {
		case name == "":
		case !slices.Contains(known, name):
			return nil, nearest.Unknown("group", name, known)
		case slices.Contains(seen, name):
			return nil, fmt.Errorf("the group %q stands twice", name)
		}
		seen = append(seen, name)
	}
	return re, nil
}

// literal returns the longest text that each line has which an expression matches, as
// far as that is plain; few lines of a log have it, and only these are matched.
func literal(text string) (longest string) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return ""
	}
	var walk func(re *syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpLiteral:
			if s := string(re.Rune); re.Flags&syntax.FoldCase == 0 && len(s) > len(longest) {
				longest = s
			}
		case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
			for _, sub := range re.Sub {
				walk(sub)
			}
		}
	}
	walk(re)
	return longest
}

// whole checks what only the end of a description shows.
func (f *Format) whole() error {
	switch k := len(f.times) - 1; {
	case f.Name == "":
		return errors.New(`a description lacks the line "format NAME"`)
	case k < 0:
		return errors.New(`a description lacks the line "time REGULAR-EXPRESSION"`)
	case f.times[k].layout == "":
		return fmt.Errorf("the time of line %d has no layout", f.times[k].line)
	case len(f.events) == 0:
		return errors.New(`a description lacks the line "event KIND REGULAR-EXPRESSION"`)
	case f.group != "" && !f.grouped:
		return fmt.Errorf("the group is %q, and no event has the group (?P<group>...)", nearest.Clip(f.group))
	}
	return nil
}
