package play

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
	"bullyproof/model"
)

// A Sentence is one of a source, and a run that shows it.
type Sentence struct {
	file    string
	line    int
	says    string
	place   string              // where it stands, if that is told
	variant string              // the reading that it is shown of: "" is the first variant
	setting string              //
	run     []string            // see Play.Do
	rule    string              // one that the last action of the run applies; any if it is empty
	sends   string              // all that the last action of the run sends: see Play.Sent
	then    map[model.ID]string // what processes are in the end: see Play.Of
	cannot  string              // an action that is not enabled in the end, whether or not too early: see Play.Do
}

// Rules checks that an algorithm does what its sources say, by a file that has their
// sentences, each with a run that shows it:
//
//	scope  down     n=4 start=coordinator-down
//	run    halting  P2 suspects P4; tick; P2 times out (T)
//	of     literal
//	in     down
//
//	shows  It "sends COORDINATOR to all others".
//	  place  rule 2
//	  run    halting; P2->P1 halted
//	  rule   nobody answers: announce oneself
//	  sends  P2->P1 COORDINATOR, P2->P3 COORDINATOR
//	  then   P2 names P2; P3 names nobody, in an election
//
// The last action of the run sends just this, and in the end processes are what then
// says. With a line "cannot P2 times out (T)" that action is not enabled in the end and
// not "too early". scope and run give names to settings and to beginnings of runs. of
// and in, the reading and the setting, hold for all sentences below them, or for the one
// that they are indented under. Without a reading it is the first, and it may be a
// mutant, where a sentence tells of a program's fault. A line that is indented further
// belongs to the one above it, and one that begins with # is a remark.
//
// A file may also have points of the algorithm's code that make no difference (see
// Equals):
//
//	equal  Protocol.Suspect never p.Mode != Idle
//	  why  The world asks nobody who is in an election.
func Rules(t *testing.T, a *ledger.Algorithm, file string) {
	t.Helper()
	sentences, err := Sentences(file)
	require.NoError(t, err)
	for _, s := range sentences {
		t.Run(s.Name(), func(t *testing.T) { s.Show(t, a) })
	}
}

// Sentences returns those of a file, which Rules checks.
func Sentences(file string) ([]Sentence, error) {
	r, err := readFile(file)
	if err != nil {
		return nil, err
	}
	for i := range r.list {
		r.list[i].file = file
	}
	return r.list, nil
}

func readFile(file string) (*rulesReader, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := readRules(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// Name returns the place of a sentence, or what it says of which reading.
func (s *Sentence) Name() string {
	return cmp.Or(s.place, strings.TrimPrefix(s.variant+": "+s.says, ": "))
}

// Scope returns the reading and the setting that a sentence is shown in.
func (s *Sentence) Scope() (variant, setting string) { return s.variant, s.setting }

// Show checks that an algorithm does what a sentence says.
func (s *Sentence) Show(t testing.TB, a *ledger.Algorithm) {
	t.Helper()
	at := fmt.Sprintf("%s:%d: %s", s.file, s.line, s.says)
	p := Start(t, System(t, a, s.variant, s.setting))
	p.Do(s.run...)
	assert.Equal(t, s.sends, p.Sent(), at)
	if s.rule != "" {
		assert.Contains(t, p.Rules(), s.rule, at)
	}
	for id, want := range s.then {
		assert.Equal(t, want, p.Of(id), "%s: process %v", at, id)
	}
	for _, action := range p.Enabled() {
		assert.NotEqual(t, s.cannot, strings.Replace(action, " too early", "", 1), at)
	}
}

// A rulesReader reads a file of sentences.
type rulesReader struct {
	scopes map[string]string
	runs   map[string][]string
	below  Sentence // what holds for the sentences below
	list   []Sentence
	equals []Equal
}

// An Equal is a point of an algorithm's code, as package mutate has them, where a branch
// can be forced or dropped, and the algorithm does all that its sources say of it as
// before.
type Equal struct {
	Line int
	// Point is its name, and Why says why nothing that is asked can come out otherwise.
	Point, Why string
}

// Equals returns the points that a file of sentences says are equal. Several that are
// equal for one reason stand one below the other, with the reason below the last one.
func Equals(file string) ([]Equal, error) {
	r, err := readFile(file)
	if err != nil {
		return nil, err
	}
	if n := len(r.equals); n > 0 && r.equals[n-1].Why == "" {
		return nil, fmt.Errorf("%s: line %d: equal %q: want a line below it that says why", file, r.equals[n-1].Line, r.equals[n-1].Point)
	}
	return r.equals, nil
}

func readRules(text string) (*rulesReader, error) {
	r := &rulesReader{scopes: make(map[string]string), runs: make(map[string][]string)}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		number, line := i+1, lines[i]
		if line = strings.TrimRight(line, " "); line == "" || line[0] == '#' {
			continue
		}
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "   ") {
			i++
			line += " " + strings.TrimSpace(lines[i])
		}
		content := strings.TrimLeft(line, " ")
		word, rest, _ := strings.Cut(content, " ")
		rest = strings.TrimSpace(rest)
		var err error
		switch {
		case content == line:
			err = r.top(number, word, rest)
		case word == "why":
			err = r.because(rest)
		case len(r.list) > 0:
			err = r.part(&r.list[len(r.list)-1], word, rest)
		default:
			err = fmt.Errorf("%q is indented, and stands under no sentence", word)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return r, nil
}

// top reads a line that is not indented.
func (r *rulesReader) top(number int, word, rest string) error {
	switch name, what, _ := strings.Cut(rest, " "); word {
	case "scope":
		r.scopes[name] = strings.TrimSpace(what)
	case "run":
		r.runs[name] = r.actions(strings.TrimSpace(what))
	case "of", "in":
		return r.part(&r.below, word, rest)
	case "shows":
		s := r.below
		s.line, s.says = number, rest
		r.list = append(r.list, s)
	case "equal":
		r.equals = append(r.equals, Equal{Line: number, Point: rest})
	default:
		return fmt.Errorf("%q: want scope, run, of, in, shows or equal", word)
	}
	return nil
}

// because reads why the points above are equal.
func (r *rulesReader) because(why string) error {
	n := len(r.equals)
	if n == 0 || r.equals[n-1].Why != "" || why == "" {
		return fmt.Errorf("why %q: want it below a line that says what is equal", why)
	}
	for i := n - 1; i >= 0 && r.equals[i].Why == ""; i-- {
		r.equals[i].Why = why
	}
	return nil
}

// part reads a line on a sentence.
func (r *rulesReader) part(s *Sentence, word, rest string) error {
	switch word {
	case "place":
		s.place = rest
	case "of":
		s.variant = rest
	case "in":
		s.setting = cmp.Or(r.scopes[rest], rest)
	case "run":
		s.run = r.actions(rest)
	case "rule":
		s.rule = rest
	case "sends":
		s.sends = rest
	case "cannot":
		if strings.Contains(rest, " too early") {
			return fmt.Errorf("cannot %q: want it without \"too early\": an action is left out at whatever time", rest)
		}
		s.cannot = rest
	case "then":
		s.then = make(map[model.ID]string)
		for _, state := range strings.Split(rest, "; ") {
			name, is, _ := strings.Cut(state, " ")
			n, err := strconv.Atoi(strings.TrimPrefix(name, "P"))
			if err != nil || model.ID(n).Name() != name {
				return fmt.Errorf("then %q: want a process and what it is: P2 names nobody", state)
			}
			s.then[model.ID(n)] = is
		}
	default:
		return fmt.Errorf("%q: want place, of, in, run, rule, sends, cannot or then", word)
	}
	return nil
}

// actions returns those of a run, which may begin with a run that has a name.
func (r *rulesReader) actions(text string) (list []string) {
	for _, action := range strings.Split(text, "; ") {
		if run, ok := r.runs[action]; ok {
			list = append(list, run...)
		} else {
			list = append(list, action)
		}
	}
	return list
}
