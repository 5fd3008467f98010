// Bullyproof is a model checker for leader-election algorithms: it explores
// every state that an algorithm can get into, says which properties hold and
// which break, and shows the shortest run to each that does.
//
//	bullyproof list
//	bullyproof check bully
//	bullyproof trace bully-duplicate-coordinator
//	bullyproof replay testdata/counterexamples/*.json
//
// Every command has --help. Exit status: check 0 all holds, 1 a property is
// violated, 3 incomplete or vacuous; replay 0 as recorded, 1 not; 2 bad usage or
// input.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(mainStatus()) }

// mainStatus runs the command and returns the exit status. The first interrupt
// ends a search, which then tells what it found; a second one ends the program.
func mainStatus() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return newApp(os.Stdin, os.Stdout, os.Stderr).run(ctx, os.Args[1:])
}
