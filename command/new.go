//go:build !js

package command

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"bullyproof/command/internal/scaffold"
)

// A newCommand is the command new with its flags.
type newCommand struct {
	app *app
	opt scaffold.Options
}

func (c *newCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "begin an algorithm of your own",
		Long: "New makes a directory NAME with a Go package: a protocol, its entry for the catalogue with the claims of\n" +
			"its source, its test, and its command. All of it compiles and passes, and you change it from there.\n\n" +
			"With --roles it is a store and its clients, and a test of a fault and its repair (checker.Repairs), without\n" +
			"an entry for a catalogue and a command: for a system in which not all processes are alike.\n\n" +
			"What the source claims stands in claims.txt, a text (docs/claims.md); it may be written in Go as well.\n\n" +
			"Within a module the package belongs to that module. Elsewhere, and in the clone of this module, it is a\n" +
			"module of its own. A replace directive in its go.mod names the directory of this module, since no server\n" +
			"has it. docs/your-algorithm.md continues from there.",
		Example: c.app.examples("new cheaper", "new cheaper --like bully", "new lock --roles", "new cheaper --module example.org/cheaper"),
		Args:    wantArgs(1, 1, "one NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			c.opt.Name = args[0]
			return c.run()
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&c.opt.Like, "like", "", "begin with a copy of this `algorithm` or example of the library")
	cmd.Flags().BoolVar(&c.opt.Roles, "roles", false, "begin with a store and its clients (package model/roles)")
	cmd.Flags().StringVar(&c.opt.Module, "module", "", "make it a module of its own, with this `path`")
	cmd.Flags().StringVar(&c.opt.Library, "library", "", "the `directory` of this module's clone, if it is not found")
	return cmd
}

// run writes an algorithm, and says what to do next.
func (c *newCommand) run() error {
	r, err := scaffold.New(c.opt)
	if err != nil {
		return err
	}
	dir := r.Dir
	if here, err := os.Getwd(); err == nil {
		if near, err := filepath.Rel(here, dir); err == nil {
			dir = near
		}
	}
	fmt.Fprintf(c.app.out, "Made %s, package %s:\n\n", dir, r.Import)
	for _, f := range r.Files {
		fmt.Fprintf(c.app.out, "  %s\n", f)
	}
	if len(r.GoMod) > 0 {
		fmt.Fprintln(c.app.out)
	}
	for _, line := range r.GoMod {
		fmt.Fprintln(c.app.out, line)
	}
	fmt.Fprintf(c.app.out, "\nNow:\n\n  cd %s\n  go test .\n", dir)
	if !c.opt.Roles {
		fmt.Fprintf(c.app.out, "  go run ./cmd/%s check %[1]s\n  go run ./cmd/%[1]s explore %[1]s\n", c.opt.Name)
	}
	return nil
}
