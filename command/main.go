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
//	site                            pages about all that, for readers without Go
//	validate, monitor               logs of running systems: is there a run that shows them; what goes wrong as they come
//	new                             the beginnings of an algorithm of one's own
//
// Every command has --help. Exit status: check 0 all holds, 1 a property is
// violated, 3 incomplete or vacuous, as a hunt is that breaks nothing; histories the same; compare 0 the others keep
// what the first one keeps, 1 one does not, 3 incomplete; claims and replay 0 as
// recorded, 1 not; simulate 0 all walks made and nothing broken, 1 broken, 3 ended
// early; validate and monitor 0 accepted, 1 refused or broken, 3 incomplete or
// vacuous; site 0 written, 3 interrupted; 2 bad usage or input.
package command

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

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
	// Recorded are runs that trace, replay and explore know by name. May be empty.
	Recorded trace.Collection
	// Omitted are systems that the catalogue's sources describe and it does not
	// have: list --omitted says why. May be empty.
	Omitted []ledger.Omission
}

// Main runs the command of algorithms on the arguments of the program, and ends
// the program with its exit status.
func Main(algorithms ...*ledger.Algorithm) { Tool{Algorithms: algorithms}.Main() }

// Main runs the command on the arguments of the program, and ends the program
// with its exit status. The first Ctrl-C or SIGTERM ends a search, which then
// tells what it found, and a second one the program; where nothing is searched
// the first one ends the program, with the status that a shell gives to that (130
// or 143).
func (t Tool) Main() { os.Exit(t.status()) }

// Run runs the command on arguments, those behind the name of the program, and
// returns the exit status. A context that is done ends a search. A catalogue that
// ledger.Usable refuses is bad input.
func (t Tool) Run(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	return newApp(t.titled(), in, out, err).run(ctx, args)
}

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

func (t Tool) status() int { return newApp(t, os.Stdin, os.Stdout, os.Stderr).heed(os.Args[1:]) }

// heed runs a command line and heeds signals meanwhile.
func (a *app) heed(args []string) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		if !a.searching.Load() {
			os.Exit(bySignal(s))
		}
		signal.Stop(signals) // a second one does what signals do
		cancel()
	}()
	return a.run(ctx, args)
}

// bySignal returns the exit status of a program that a signal ended.
func bySignal(s os.Signal) int {
	if s == syscall.SIGTERM {
		return 128 + int(syscall.SIGTERM)
	}
	return 128 + int(syscall.SIGINT)
}
