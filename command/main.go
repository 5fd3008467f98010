// Package command is the command line of a catalogue of algorithms: ours, or
// anybody's.
//
//	func main() { command.Main(mine.Algorithm) }
//
// is a program with
//
//	list, check, messages, claims   what there is, whether it is right, what it costs, what its sources say of that
//	compare                         several side by side: what each keeps, breaks, costs and assumes
//	histories                       what clients can expect of it: are their histories linearizable
//	simulate                        walks at random, where there are too many runs to see all
//	trace, replay, explore          runs: drawn, executed again, walked through in the browser
//	cluster                         the algorithm itself, as processes of this machine
//	site                            pages about all that, for readers without Go, where the program has a Publisher
//	validate, monitor               logs of running systems: is there a run that shows them; what goes wrong as they come
//	new                             the beginnings of an algorithm of one's own
//
// Every command has --help. Exit status: check 0 all holds, 1 a property is
// violated, 3 incomplete or vacuous, as a hunt is that breaks nothing; histories the same; compare 0 the others keep
// what the first one keeps, 1 one does not, 3 incomplete; claims and replay 0 as
// recorded, 1 not; simulate 0 all walks made and nothing broken, 1 broken, 3 ended
// early; validate and monitor 0 accepted, 1 refused or broken, 3 incomplete or
// vacuous; cluster 0 ended as it was to, 1 a process could not go on; site 0
// written, 3 interrupted; 2 bad usage or input.
package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/trace"
)

// A Tool is the command of a catalogue.
type Tool struct {
	// Name is what the program is called; empty stands for what it was called by.
	Name string
	// Algorithms are the catalogue, in the order of list.
	Algorithms []*ledger.Algorithm
	// Examples are algorithms that are known by name as those are, without being
	// part of the catalogue: list has them apart, and claims does not judge them
	// unless they are named. May be empty.
	Examples []*ledger.Algorithm
	// Lessons are what the front page of a site tells. May be empty: it tells then
	// what the recorded runs show.
	Lessons []ledger.Lesson
	// Lectures are what a site has for a class. May be empty.
	Lectures []ledger.Lecture
	// Publications are works to which the pages of a site link where a source names
	// them. May be empty.
	Publications []ledger.Publication
	// Recorded are runs that trace, replay and explore know by name. May be empty.
	Recorded trace.Collection
	// Incidents are faults of programs that people ran, of which a site tells; explore has
	// their runs. May be empty.
	Incidents ledger.Incidents
	// Omitted are systems that the catalogue's sources describe and it does not
	// have: list --omitted says why. May be empty.
	Omitted []ledger.Omission
	// Engines make the searches of check on other machines. May be empty.
	Engines []Engine
	// Site makes the pages of site. May be nil: site says then which command has one.
	Site Publisher
}

// Main runs the command of algorithms on the arguments of the program, and ends
// the program with its exit status.
func Main(algorithms ...*ledger.Algorithm) { Tool{Algorithms: algorithms}.Main() }

// Main runs the command on the arguments of the program, and ends the program
// with its exit status. The first Ctrl-C or SIGTERM, which is answered at once, ends a
// search, which then tells what it found, and a second one the program; where nothing is searched
// the first one ends the program, with the status that a shell gives to that (130
// or 143).
func (t Tool) Main() { os.Exit(t.status()) }

// titled returns the tool with a title for each algorithm: its name, where it has
// none.
func (t Tool) titled() Tool {
	t.Algorithms, t.Examples = titled(t.Algorithms), titled(t.Examples)
	return t
}

func titled(list []*ledger.Algorithm) []*ledger.Algorithm {
	list = slices.Clone(list)
	for i, a := range list {
		if a != nil && a.Title == "" {
			named := *a
			named.Title = a.Name
			list[i] = &named
		}
	}
	return list
}

// known returns all algorithms that are known by name.
func (t *Tool) known() []*ledger.Algorithm { return slices.Concat(t.Algorithms, t.Examples) }

// runs are the recorded runs and those of the incidents, which have names of one kind.
func (t *Tool) runs() trace.Collection { return trace.Joined(t.Recorded, t.Incidents.Runs) }

// incident returns the incident whose run a trace is, nil if it is of none.
func (t *Tool) incident(name string, run *trace.Trace) *ledger.Incident {
	name = strings.TrimSuffix(filepath.Base(name), ".json")
	at := slices.IndexFunc(t.Incidents.List, func(c ledger.Incident) bool { return c.Name == name && c.Absent == "" })
	if at < 0 {
		return nil
	}
	recorded, err := t.Incidents.Runs.Open(name)
	if err != nil || len(recorded.Steps) != len(run.Steps) || recorded.Algorithm != run.Algorithm || recorded.Variant != run.Variant {
		return nil
	}
	return &t.Incidents.List[at]
}

// recordings returns the runs that the explorer knows by name.
func (t *Tool) recordings() ([]web.Recording, error) {
	var list []web.Recording
	runs := t.runs()
	for _, name := range runs.Names() {
		run, err := runs.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, web.Recording{Name: name, Trace: run})
	}
	return list, nil
}

// An output notes the first error of writing to a stream, and writes no more
// after it: what is not written is no success, whoever wrote it.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(data []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(data)
	o.err = err
	return n, err
}

// mostTold is the length of a line that says what is wrong, in bytes.
const mostTold = 2000

// oneLine puts a text of several lines into one, in which nothing does anything
// to a terminal.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " ")
	var b strings.Builder
	for _, r := range s {
		if unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	s = b.String()
	if len(s) > mostTold {
		s = strings.ToValidUTF8(s[:mostTold], "") + "…"
	}
	return s
}
