package ledger

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
	"bullyproof/model/setting"
)

// A Lecture is a lesson with work for a class: one run and one idea. A class predicts what
// comes next, answers questions by stepping through the run, finds a rule that mends it, and
// repairs the code.
type Lecture struct {
	// Its Lesson is about a claim with a recorded run, or its Claim is empty.
	Lesson
	// Incident names the incident of which it has the run, where it is about no claim.
	Incident string
	// Idea is what to remember, in a sentence.
	Idea string
	// Predictions are asked before the run is shown, in the order of the run.
	Predictions []Prediction
	// Tasks are the questions, in the order of the run.
	Tasks []Task
	// Hunt looks for a rule that mends it, among those that can be switched.
	Hunt Hunt
	// Exercise is what to repair.
	Exercise Exercise
	// Minutes is how long each part takes a class.
	Minutes Minutes
}

// A Prediction hides what comes after a step of the run, and asks about a later one.
type Prediction struct {
	// Ask is the question. Step From is the last that is shown, and the answers are about the
	// state after step To.
	Ask      string
	From, To int
	// Choices are two to four, of which one is right.
	Choices []Choice
}

// A Choice is an answer to a prediction.
type Choice struct {
	// Says is the answer in words, and Is an expression that is true in exactly the states in
	// which it is right.
	Says, Is string
	// Why is what to say of it.
	Why string
}

// A Task is a question about a run.
type Task struct {
	// Ask is the question, and Answer what the run shows in a step.
	Ask, Answer string
	Step        int
	// Mistake is a usual wrong answer, and what to say to it; may be empty.
	Mistake string
}

// Minutes are the times of the parts of a lecture.
type Minutes struct{ Predict, Watch, Questions, Hunt, Repair int }

// All is how long all of it takes.
func (m Minutes) All() int { return m.Brief() + m.Repair }

// Brief is how long it takes without code.
func (m Minutes) Brief() int { return m.Predict + m.Watch + m.Questions + m.Hunt }

// An Exercise is to repair what a run shows, in a copy of the algorithm.
type Exercise struct {
	// Text says what is to be written.
	Text string
	// Embeds is the type of the protocol to begin with, and Broken its value, as the package
	// of the algorithm names them: "*Protocol" and "CoulourisNoRetry".
	Embeds, Broken string
	// Setting is where the properties Asked decide whether it is repaired; nil stands for the
	// standard ones.
	Setting setting.Setting
	Asks    []*checker.Property
	// From is the variant or mutant that Broken is, and Solution one that keeps the properties.
	From, Solution string
	// Code is a test of the package of the algorithm that passes: Test, with a repair written.
	Code string
}

// Asked returns the properties that decide whether it is repaired.
func (e *Exercise) Asked() []*checker.Property {
	if e.Asks != nil {
		return e.Asks
	}
	return checker.InSetting(checker.Standard(), e.Setting)
}

// Test returns the file of a test, in a package of that name: the beginnings of a repair, and
// what says whether it is right.
func (e *Exercise) Test(name string) string {
	asking := ""
	if e.Asks != nil {
		for _, p := range e.Asks {
			asking += "\n\t\t\t" + identifier(p) + ","
		}
		asking = "\n\t\tchecker.Asking(" + asking + "\n\t\t),"
	}
	return fmt.Sprintf(`// repair_test.go
package %s

import (
	"testing"

	"bullyproof/checker"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yours struct{ %s }

func TestRepair(t *testing.T) {
	checker.Verify(t, yours{%s}, %q,%s
		checker.AllowGaps("*"))
}
`, name, e.Embeds, e.Broken, e.Setting, asking)
}

// packageClause matches the one of a file, and suffixed the names that tell several solutions in a
// package from each other.
var (
	packageClause = regexp.MustCompile(`(?m)^package \w+$`)
	suffixed      = regexp.MustCompile(`\b(yours|TestRepair)[A-Z]\w*\b`)
)

// Solved returns Code in a package of that name, with the names of Test.
func (e *Exercise) Solved(name string) string {
	return "// repair_test.go\n" + suffixed.ReplaceAllString(packageClause.ReplaceAllString(e.Code, "package "+name), "$1")
}

// identifier returns what Go calls a property, in the package of the algorithm: "re-election" is
// checker.ReElection, and "could-win" of Raft is couldWin.
func identifier(p *checker.Property) string {
	var b strings.Builder
	for word := range strings.SplitSeq(p.Name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if slices.Contains(checker.Standard(), p) || p == checker.OneLeaderPerEpoch {
		return "checker." + b.String()
	}
	return p.Name[:1] + b.String()[1:]
}

// About returns the algorithm that a lecture is about, and the claim or the incident, of a
// catalogue.
func (l *Lecture) About(all []*Algorithm, in *Incidents) (*Algorithm, *Claim, *Incident, error) {
	if l.Claim != "" {
		a, c, err := l.Of(all)
		if err == nil && c.Story == "" {
			err = fmt.Errorf("lecture %q: the claim %s has no recorded run", l.Title, l.Claim)
		}
		return a, c, nil, err
	}
	var names []string
	for i := range in.List {
		c := &in.List[i]
		if c.Name == l.Incident && c.Absent == "" {
			a, err := Find(all, c.Algorithm)
			return a, nil, c, err
		}
		names = append(names, c.Name)
	}
	return nil, nil, nil, fmt.Errorf("lecture %q: %w", l.Title, nearest.Unknown("incident with a run", l.Incident, names))
}

// ValidateLectures returns an error unless every lecture is complete, about a claim or an
// incident with a recorded run, and its exercises are about variants that there are.
func ValidateLectures(all []*Algorithm, in *Incidents, lectures []Lecture) error {
	var errs []error
	for i := range lectures {
		l := &lectures[i]
		a, _, _, err := l.About(all, in)
		for _, variant := range []string{l.Exercise.From, l.Exercise.Solution} {
			if err == nil {
				_, err = a.system(variant, l.Exercise.Setting)
			}
		}
		if err == nil {
			_, _, err = l.Hunt.At(a, l.Hunt.Given)
		}
		errs = append(errs, err, naming.Filled("Title of a lecture", l.Title), naming.Filled("Text of a lecture", l.Text),
			naming.Filled("Idea of a lecture", l.Idea), naming.Filled("Text of an exercise", l.Exercise.Text),
			naming.Filled("Code of an exercise", l.Exercise.Code), naming.Filled("Text of a hunt", l.Hunt.Text))
		for _, p := range l.Predictions {
			errs = append(errs, naming.Filled("Ask of a prediction", p.Ask))
			if len(p.Choices) < 2 || len(p.Choices) > 4 || p.To <= p.From {
				errs = append(errs, fmt.Errorf("lecture %q: the prediction %q has %d choices, after step %d about step %d: want two to four, about a later step",
					l.Title, p.Ask, len(p.Choices), p.From, p.To))
			}
		}
		for _, t := range l.Tasks {
			errs = append(errs, naming.Filled("Ask of a task", t.Ask), naming.Filled("Answer of a task", t.Answer))
		}
	}
	return errors.Join(errs...)
}
