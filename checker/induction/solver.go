package induction

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A Solver is a program that decides SMT-LIB texts.
type Solver struct {
	Name, Path, Version string
	args                []string // of each use
	showing, refuting   []string // where an answer of sat has its values; where unsat is what counts
}

// solvers are those that are known, the preferred one first.
var solvers = []Solver{
	{Name: "z3", args: []string{"-in", "-smt2", "-t:20000"}},
	{Name: "cvc5", args: []string{"--lang=smt2", "--incremental", "--tlimit-per=20000"}, showing: []string{"--finite-model-find"}, refuting: []string{"--enum-inst"}},
}

// SolverNames returns the names of those that are known, the preferred one first.
func SolverNames() (names []string) {
	for _, s := range solvers {
		names = append(names, s.Name)
	}
	return names
}

// Solvers returns the solvers that are installed, the preferred one first.
func Solvers(ctx context.Context) (list []Solver) {
	for _, s := range solvers {
		path, err := exec.LookPath(s.Name)
		if err != nil {
			continue
		}
		s.Path = path
		if out, err := exec.CommandContext(ctx, path, "--version").Output(); err == nil {
			s.Version = version(string(out))
		}
		list = append(list, s)
	}
	return list
}

// version returns the first word of a text that begins with a digit and has a dot.
func version(text string) string {
	for _, word := range strings.Fields(text) {
		if word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
			return word
		}
	}
	return "of unknown version"
}

// A session is a solver that runs, and answers.
type session struct {
	Solver
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start starts the solver, with these arguments besides. It ends when ctx does.
func (s Solver) start(ctx context.Context, more []string) (*session, error) {
	cmd := exec.CommandContext(ctx, s.Path, append(slices.Clone(s.args), more...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &session{Solver: s, cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

func (s *session) say(text string) {
	io.WriteString(s.in, text) //nolint:errcheck // the answer that does not come says it
}

// An answer is what a solver says of a text.
type answer string

const (
	sat     answer = "sat"
	unsat   answer = "unsat"
	unknown answer = "unknown"
)

// ask asks whether what was said can be true.
func (s *session) ask() (answer, error) {
	s.say("(check-sat)\n")
	line, err := s.line()
	if err != nil {
		return unknown, err
	}
	switch a := answer(line); a {
	case sat, unsat, unknown:
		return a, nil
	}
	return unknown, fmt.Errorf("%s says %q", s.Name, line)
}

func (s *session) line() (string, error) {
	line, err := s.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s ended: %w", s.Name, err)
	}
	return strings.TrimSpace(line), nil
}

// errNoValue says that a solver has no value of a formula: it is about all things.
var errNoValue = errors.New("neither true nor false")

// value asks whether a formula is true where the last answer was sat.
func (s *session) value(formula string) (bool, error) {
	s.say("(get-value (" + formula + "))\n")
	text, err := s.line()
	for err == nil && strings.Count(text, "(") > strings.Count(text, ")") { // it goes on in the next line
		var more string
		more, err = s.line()
		text += " " + more
	}
	if err != nil {
		return false, err
	}
	value := strings.TrimRight(text, ") ")
	yes := strings.HasSuffix(value, " true")
	if !yes && !strings.HasSuffix(value, " false") {
		return false, fmt.Errorf("%w: %s says %q of %s", errNoValue, s.Name, text, formula)
	}
	return yes, nil
}

func (s *session) end() {
	s.in.Close() //nolint:errcheck // it is asked nothing more
	s.cmd.Wait() //nolint:errcheck
}

// reasons reads the numbers of the names reason!K of a list.
func (s *session) reasons() (list []int, err error) {
	text := ""
	for {
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		if text += " " + line; strings.Contains(line, ")") {
			break
		}
	}
	for _, name := range strings.Fields(strings.Trim(text, "() ")) {
		number, ok := strings.CutPrefix(name, "reason!")
		k, err := strconv.Atoi(number)
		if !ok || err != nil {
			return nil, fmt.Errorf("%s says %q; want reason!K", s.Name, text)
		}
		list = append(list, k)
	}
	return list, nil
}
