//go:build !js

package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bullyproof/internal/nearest"
	"bullyproof/internal/overlay"
)

// An overlayCommand is the command overlay.
type overlayCommand struct{ app *app }

func (c *overlayCommand) command() *cobra.Command {
	return &cobra.Command{
		Use: "overlay DIR", Short: "let a search take every select, order and draw of a program",
		Long: "Overlay writes a few files of Go's standard library anew, into the directory DIR, for tests of programs with\n" +
			"goroutines (package checker/shipped/bubble). Built with them, the goroutines of a process run one at a time, and\n" +
			"the search chooses which ready case a select takes, and, where the test asks for that, which goroutine is next\n" +
			"and what is drawn at random. The command prints how to run such tests. docs/your-code.md is the guide.\n\n" +
			"The files are those of the Go in the working directory. A release that was never tried is refused. The first\n" +
			"build takes a minute or more, since everything is compiled anew; it leaves other builds as they are.\n\n" +
			"Exit status: 0 the files are written, 2 bad usage or input, 3 interrupted.",
		Example: c.app.examples("overlay turns"),
		Args:    wantArgs(1, 1, "one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			if dir == "" {
				return errors.New("overlay: DIR is empty: want a directory")
			}
			g, err := overlay.Installed(cmd.Context())
			if cmd.Context().Err() != nil {
				c.app.complain("interrupted: nothing was written")
				return exit(statusIncomplete)
			}
			if err != nil {
				return fmt.Errorf("overlay: %w", err)
			}
			file, err := overlay.Write(g, dir)
			if err != nil {
				return fmt.Errorf("overlay: DIR is %q: %w", nearest.Clip(dir), err)
			}
			_, err = fmt.Fprintf(c.app.out, "Wrote the overlay for %s. Run tests with it:\ngo test -overlay=%s -tags=%s ./...\n", g.Version, nearest.Path(file), overlay.Tag)
			return err
		},
	}
}
