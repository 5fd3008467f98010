package ledger

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
)

// A CheckItem is something that is asked of each source, since sources leave it open: what
// is no event, and what no machine finds.
type CheckItem struct {
	// Name is the word of the checklist, and Asks the question in words.
	Name, Asks string
}

// CheckItems are asked of each source.
var CheckItems = []CheckItem{
	{"counts", "What is counted? Does N, or a majority, include the failed process, is mail to a dead one a message, and how many notice?"},
	{"recipients", "Who is asked, and who is told? Are the dead among them?"},
	{"names", "Whom does a process name during an election?"},
	{"durations", "How long is a wait that is not given in numbers?"},
	{"world", "What may the world do? Which faults are there, how many and when, and what becomes of messages?"},
}

// CheckItemNames returns the words of a checklist.
func CheckItemNames() []string {
	names := make([]string, len(CheckItems))
	for i := range CheckItems {
		names[i] = CheckItems[i].Name
	}
	return names
}

// A CheckKind says what answers an item of a checklist.
type CheckKind string

// The kinds, each by the word of a checklist.
const (
	CheckedBySentence CheckKind = "says"     // a sentence of the source
	CheckedByProgram  CheckKind = "does"     // a function of a source that is a program
	CheckedByQuestion CheckKind = "question" // it is open: questions of the source
	CheckedByWorld    CheckKind = "unsaid"   // it is open: claims that are judged under each answer about the world
	NotToCheck        CheckKind = "none"     // it does not arise
)

// CheckKinds are the kinds of answers, in the order in which they are told.
var CheckKinds = []CheckKind{CheckedBySentence, CheckedByProgram, CheckedByQuestion, CheckedByWorld, NotToCheck}

// A Checked is what answers items of a checklist.
type Checked struct {
	// Items are names of CheckItems.
	Items []string
	Kind  CheckKind
	// Place says where a sentence stands, or which function of a program it is.
	Place string
	// Text is the sentence, what the function does, or why an item does not arise.
	Text string
	// Names are those of the questions, or of the claims with an Unsaid.
	Names []string
	// At says where it is written, as Claim.At does.
	At string
}

// A Checklist says of sources what answers each of CheckItems.
type Checklist struct {
	// Sources name publications, as Claim.Source does.
	Sources []string
	Checked []Checked
	// At says where it is written, as Claim.At does.
	At string
}

// of returns what answers an item.
func (l *Checklist) of(item string) (list []Checked) {
	for i := range l.Checked {
		if slices.Contains(l.Checked[i].Items, item) {
			list = append(list, l.Checked[i])
		}
	}
	return list
}

// ToCheck is what may be written for an item, in an error.
const ToCheck = `says PLACE: "...", does FUNCTION: ..., question NAME, unsaid CLAIM, or none and why it does not arise`

// Unchecked returns what the checklists lack: for each source with claims or questions an error
// for each item that nothing answers.
func (a *Algorithm) Unchecked() (errs []error) {
	t, _ := a.written()
	var sources []string
	for i := range t.Claims {
		sources = append(sources, t.Claims[i].Source)
	}
	for i := range t.Questions {
		sources = append(sources, t.Questions[i].Source)
	}
	slices.Sort(sources)
	for _, source := range slices.Compact(sources) {
		k := slices.IndexFunc(t.Checklists, func(l Checklist) bool { return slices.Contains(l.Sources, source) })
		if k < 0 {
			errs = append(errs, fmt.Errorf("no checklist is of %s: want one with %s", a.called(source), strings.Join(CheckItemNames(), ", ")))
			continue
		}
		l := &t.Checklists[k]
		for _, item := range CheckItems {
			if len(l.of(item.Name)) == 0 {
				errs = append(errs, at(l.At, fmt.Errorf("the checklist of %s has no %q (%s): want %q with %s",
					a.called(source), item.Name, item.Asks, item.Name, ToCheck)))
			}
		}
	}
	return errs
}

// called is a source in an error.
func (a *Algorithm) called(source string) string {
	if source == Own {
		return "the algorithm's own source"
	}
	return fmt.Sprintf("source %q", source)
}

// checks reports whether its sources need a checklist: whether there is a text of their claims.
func (a *Algorithm) checks() bool {
	if a.Files == nil {
		return false
	}
	_, err := fs.Stat(a.Files, "claims.txt")
	return err == nil
}

// validateChecklists returns what is wrong with the checklists that there are.
func (a *Algorithm) validateChecklists() (errs []error) {
	t, _ := a.written()
	var sources []string
	for i := range t.Checklists {
		l := &t.Checklists[i]
		sources = append(sources, l.Sources...)
		for k := range l.Checked {
			c := &l.Checked[k]
			if err := a.validChecked(l, c); err != nil {
				errs = append(errs, fmt.Errorf("checklist: %w", at(c.At, err)))
			}
		}
	}
	for _, source := range naming.Repeated(sources) {
		errs = append(errs, fmt.Errorf("checklist: there are two of %s", a.called(source)))
	}
	return errs
}

// validChecked returns what is wrong with an answer.
func (a *Algorithm) validChecked(l *Checklist, c *Checked) error {
	for _, item := range c.Items {
		if !slices.Contains(CheckItemNames(), item) {
			return fmt.Errorf("unknown item %q: %s", nearest.Clip(item), nearest.Hint(item, CheckItemNames()))
		}
	}
	switch c.Kind {
	case CheckedBySentence, CheckedByProgram:
		if c.Place == "" || c.Text == "" {
			return fmt.Errorf("%q needs a place and a text", c.Kind)
		}
		if c.Kind == CheckedBySentence && strings.Count(c.Text, `"`) < 2 {
			return fmt.Errorf("%q quotes no sentence: want the words of the source in quotation marks", c.Kind)
		}
	case CheckedByQuestion, CheckedByWorld:
		return a.validOpen(l, c)
	case NotToCheck:
		return naming.Filled("Text", c.Text)
	default:
		return fmt.Errorf("unknown kind %q: want %s", c.Kind, ToCheck)
	}
	return nil
}

// validOpen checks that what answers an item is there, of a source of the checklist.
func (a *Algorithm) validOpen(l *Checklist, c *Checked) error {
	t, _ := a.written()
	if len(c.Names) == 0 {
		return fmt.Errorf("%q names nothing", c.Kind)
	}
	for _, name := range c.Names {
		var source string
		if c.Kind == CheckedByQuestion {
			at := slices.IndexFunc(t.Questions, func(q Question) bool { return q.Name == name })
			if at < 0 {
				return fmt.Errorf("there is no question %q", nearest.Clip(name))
			}
			source = t.Questions[at].Source
		} else {
			of, err := a.Claim(name)
			if err != nil {
				return err
			}
			if of.Unsaid == "" {
				return fmt.Errorf("claim %q leaves nothing unsaid", name)
			}
			source = of.Source
		}
		if !slices.Contains(l.Sources, source) {
			return fmt.Errorf("%s %q is of %s, and the checklist is not", c.Kind, name, a.called(source))
		}
	}
	return nil
}

// words returns what answers an item in words.
func (c *Checked) words() string {
	switch c.Kind {
	case CheckedBySentence, CheckedByProgram:
		return c.Place + ": " + c.Text
	case CheckedByQuestion:
		return "Open (" + strings.Join(c.Names, ", ") + ")."
	case CheckedByWorld:
		return "Open, and judged under each answer: " + strings.Join(c.Names, ", ") + "."
	}
	return c.Text
}
