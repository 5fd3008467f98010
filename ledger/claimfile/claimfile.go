// Package claimfile reads the claims of an algorithm from a text that whoever has
// the paper can read and edit without knowing Go: what the paper says, where, what
// it comes to, and the settings that decide it; and the stories of the runs that
// refute claims. docs/claims.md teaches the format.
//
// Values that a text cannot say well it takes from Go by name: see Names.
package claimfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile/internal/formula"
	"bullyproof/model"
)

// Names are what a file may take from Go, each under a name of the file. Values
// are of these types:
//
//	int                                      a variable, in capitals
//	func() int, up to three ints as arguments  a function in formulas
//	string                                   a text, in braces
//	func() string, up to three ints          what "printed" or "computed" is
//	func(*model.View) bool                   where costs are "counted from", and "until" when runs go
//	Blind                                    "until" when runs go
//	func(int) func(*model.View) bool         the same, with an argument
//	[]ledger.Evidence                        evidence: "from Go: NAME"
//	[]ledger.Claim                           claims: "from Go: NAME"
type Names map[string]any

// A Blind is an end of runs that asks about no process by its id (chance.Options.Blind).
type Blind func(*model.View) bool

// An Error says what is wrong in a file, and where.
type Error struct {
	// File is the name that Read was given; Line and Column begin at 1, and Column
	// counts bytes.
	File         string
	Line, Column int
	// Text says what is wrong and what would be right.
	Text string
}

// Error returns the place and the text: "claims.txt:12:9: ...".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// Bounds on what a file may ask for.
const (
	mostErrors   = 20 // that are told
	mostKept     = 1_000
	mostText     = 1 << 20 // bytes
	mostEvidence = 2_000   // pieces, of one claim, scope or line
	mostValues   = 1_000   // of one variable
	mostWords    = 50      // of one setting
	mostSteps    = 100_000 // words of settings, of all
)

// Read returns the claims and the stories that a text lists. The file is its name in
// errors, and in the field At of claims and evidence, and claims are Larger. A
// definition of the text or a name that is not used is also an error. An error lists
// all that is wrong, line by line, each an *Error; there are no claims then.
func Read(file, text string, names Names) (*ledger.Text, error) {
	r := newReader(file, names)
	r.checkNames()
	r.read(text)
	if !questionsAlone { // which use few names
		r.unused()
	}
	if len(r.errs) > 0 {
		return nil, r.errors()
	}
	asks := sync.OnceValue(func() map[string][]ledger.Evidence { return larger(file, text, names) })
	for i := range r.claims {
		if c := &r.claims[i]; c.Larger == nil {
			c.Larger = func() []ledger.Evidence { return asks()[c.Name] }
		}
	}
	return &ledger.Text{Claims: r.claims, Stories: r.stories, Questions: r.questions, Sentences: r.sentences, Checklists: r.checklists}, nil
}

// larger returns what a text asks, by claims, where each setting has one process
// more: the last value of N and the number in n=3 are greater by one, and what
// follows from N follows. Questions that cannot be asked so are left out: sums,
// values from Go, a cost that does not depend on N, and settings that would be
// invalid.
func larger(file, text string, names Names) map[string][]ledger.Evidence {
	r := newReader(file, names)
	r.larger = true
	r.read(text)
	asks := make(map[string][]ledger.Evidence, len(r.claims))
	for i := range r.claims {
		asks[r.claims[i].Name] = r.claims[i].Evidence
	}
	return asks
}

// read reads a text.
func (r *reader) read(text string) {
	for _, l := range r.outline(text) {
		r.top(l)
	}
	if r.reading != "" {
		r.claims = ledger.ReadAs(r.reading, r.claims)
	}
}

func newReader(file string, names Names) *reader {
	return &reader{
		file: file, given: names, used: make(map[string]bool), functions: functionsOf(names),
		settings: make(map[string]string), items: make(map[*passage][][]*passage),
		scopes: make(map[string]*definition), texts: make(map[string]*definition), sources: make(map[string]*definition),
	}
}

// In returns what the file claims.txt of a package lists, as an Algorithm has it Written:
// the text is read when it is first asked for, with more evidence by each of the functions,
// in their order, then in each admissible reading (ledger.InReadings) and by delays
// (ledger.ByDelays). Names and errors are those of Read.
func In(files fs.FS, names Names, more ...func([]ledger.Claim) []ledger.Claim) func() (*ledger.Text, error) {
	return sync.OnceValues(func() (*ledger.Text, error) {
		const name = "claims.txt"
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		t, err := Read(name, string(text), names)
		if err != nil || questionsAlone {
			return t, err
		}
		for _, f := range more {
			t.Claims = f(t.Claims)
		}
		t.Claims = ledger.ByDelays(ledger.InReadings(t.Questions, t.Claims))
		return t, nil
	})
}

// A reader reads one file.
type reader struct {
	file   string
	larger bool // with one process more, leaving out what that makes wrong
	given  Names
	used   map[string]bool // of given
	scopes map[string]*definition
	texts  map[string]*definition
	// sources are the publications that claims may name.
	sources    map[string]*definition
	reading    string
	claims     []ledger.Claim
	stories    []ledger.Story
	questions  []ledger.Question
	sentences  []ledger.Sentence
	checklists []ledger.Checklist
	errs       []*Error
	steps      int // words of settings so far

	functions map[string]formula.Function // that Go gives
	settings  map[string]string           // in full, by their words
	items     map[*passage][][]*passage   // what was cut already
}

// A definition is something that has a name in the file.
type definition struct {
	at   place
	used bool
	text string
	// looks are the lines of a scope. They are expanded where it is used: variables
	// have their values only there.
	looks []look
}

func (r *reader) failf(at place, format string, args ...any) {
	if len(r.errs) == mostKept {
		return
	}
	r.errs = append(r.errs, &Error{r.file, at.line, at.column, fmt.Sprintf(format, args...)})
}

// errors returns all errors as one, in their order in the file.
func (r *reader) errors() error {
	slices.SortStableFunc(r.errs, func(a, b *Error) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Text, b.Text))
	})
	r.errs = slices.CompactFunc(r.errs, func(a, b *Error) bool { return *a == *b })
	list := make([]error, 0, len(r.errs))
	for _, e := range r.errs {
		if len(list) == mostErrors {
			list = append(list, fmt.Errorf("%s: and %d more", r.file, len(r.errs)-mostErrors))
			break
		}
		list = append(list, e)
	}
	return errors.Join(list...)
}

// checkNames reports what Go gives that is of no known type.
func (r *reader) checkNames() {
	for name, v := range r.given {
		switch v.(type) {
		case int:
			if name != strings.ToUpper(name) {
				r.failf(place{1, 1}, "Go gives the number %q: want a name in capitals", name)
			}
		case func() int, func(int) int, func(int, int) int, func(int, int, int) int, string,
			func() string, func(int) string, func(int, int) string, func(int, int, int) string,
			func(*model.View) bool, func(int) func(*model.View) bool, Blind, []ledger.Evidence, []ledger.Claim:
			if err := naming.Valid(name); err != nil {
				r.failf(place{1, 1}, "Go gives %v", err)
			}
		default:
			r.failf(place{1, 1}, "Go gives %q as a %T: want one of the types that claimfile.Names lists", name, v)
		}
	}
}

// unused reports what has a name and is not named.
func (r *reader) unused() {
	if len(r.errs) > 0 {
		return // what is wrong may name it
	}
	for kind, all := range map[string]map[string]*definition{"scope": r.scopes, "text": r.texts, "source": r.sources} {
		for name, d := range all {
			if !d.used {
				r.failf(d.at, "%s %q is defined, and used nowhere below: want it gone", kind, name)
			}
		}
	}
	for name := range r.given {
		if !r.used[name] {
			r.failf(place{1, 1}, "Go gives %q, and the file does not name it: want it gone from Go", name)
		}
	}
}

// topWords are the words with which a line without indentation begins.
var topWords = []string{"reading", "source", "text", "scope", "question", "said", "checklist", "claim", "story", "from Go:"}

// top reads a line without indentation, and what is below it.
func (r *reader) top(l *line) {
	p := l.passage()
	word, rest := p.cut()
	if word.text == "from" {
		if list, ok := fromGo[[]ledger.Claim](r, p, "a list of claims"); ok {
			r.claims = append(r.claims, list...)
		}
		return
	}
	switch word.text {
	case "claim":
		r.claim(l)
		return
	case "story":
		r.story(l)
		return
	case "scope":
		r.scope(l)
		return
	case "question":
		r.question(l)
		return
	case "said":
		r.said(l)
		return
	case "checklist":
		r.checklist(l)
		return
	case "reading", "source", "text":
	default:
		r.failf(word.start(), "unknown word %q: %s", nearest.Clip(word.text), nearest.Hint(word.text, topWords))
		return
	}
	name, text := rest.cut()
	if word.text == "reading" {
		if r.reading != "" || len(r.claims) > 0 {
			r.failf(word.start(), "the reading of the file is to be named once, before the first claim")
		}
		if r.reading = name.text; name.text == "" || text.text != "" {
			r.failf(rest.start(), "want the name of one reading: \"reading literal\"")
		}
		return
	}
	if text.text == "" {
		r.failf(word.start(), "want a name and a text: \"%s NAME ...\"", word.text)
		return
	}
	all := r.texts
	if word.text == "source" {
		all = r.sources
	}
	r.define(all, word.text, name, &definition{text: r.fill(text, nil)})
}

// define gives something a name.
func (r *reader) define(all map[string]*definition, kind string, name *passage, d *definition) {
	d.at = name.start()
	if err := naming.Valid(name.text); err != nil {
		r.failf(d.at, "%v", err)
		return
	}
	if old := all[name.text]; old != nil {
		r.failf(d.at, "%s %q is defined twice: it was in line %d", kind, name.text, old.at.line)
		return
	}
	if slices.Contains(keywords, name.text) {
		r.failf(d.at, "%q is a word of the format: want another name", name.text)
		return
	}
	all[name.text] = d
}

// find returns what has a name and is defined above, and reports it if nothing is.
func (r *reader) find(all map[string]*definition, kind string, name *passage) *definition {
	line := name.start().line
	if d := all[name.text]; d != nil && d.at.line < line {
		d.used = true
		return d
	}
	known := make([]string, 0, len(all))
	for n, d := range all {
		if d.at.line < line {
			known = append(known, n)
		}
	}
	slices.Sort(known)
	r.failf(name.start(), "unknown %s %q: %s (it has to be defined above)", kind, nearest.Clip(name.text), nearest.Hint(name.text, known))
	return nil
}

// publication returns the source that has a name.
func (r *reader) publication(name *passage) string {
	if d := r.find(r.sources, "source", name); d != nil {
		return d.text
	}
	return ""
}

// fromGo returns what Go gives under the name in "from Go: NAME".
func fromGo[T any](r *reader, p *passage, what string) (zero T, ok bool) {
	name := p.after("from Go:")
	if name == nil {
		r.failf(p.start(), "want \"from Go: NAME\", the name of %s that Go gives", what)
		return zero, false
	}
	return give[T](r, name, what)
}

// give returns what Go gives under a name.
func give[T any](r *reader, name *passage, what string) (zero T, ok bool) {
	v, known := r.given[name.text]
	if !known {
		all := slices.Sorted(maps.Keys(r.given))
		r.failf(name.start(), "Go gives nothing under the name %q: %s", nearest.Clip(name.text), nearest.Hint(name.text, all))
		return zero, false
	}
	r.used[name.text] = true
	t, ok := v.(T)
	if !ok {
		r.failf(name.start(), "Go gives %q as a %T: want %s", name.text, v, what)
	}
	return t, ok
}
