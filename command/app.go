//go:build !js

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"bullyproof/internal/nearest"
	"bullyproof/ledger"
)

// Exit statuses.
const (
	statusFine       = 0
	statusBad        = 1 // a property is violated, a trace is not as recorded
	statusUsage      = 2 // bad usage or input
	statusIncomplete = 3 // nothing wrong was found, and not everything was seen or came up
)

// An app is the command with the streams that it talks to.
type app struct {
	Tool
	stdin    io.Reader
	out, err io.Writer
	// name is the program's, and program what to type to call it again, for
	// commands that it suggests.
	name, program string
	// args are the arguments that it was called with.
	args []string
	// searching is set while an interrupt ends a search, which then tells what
	// it found, and not the program.
	searching atomic.Bool
	// serving is set where it ends at once, without a word.
	serving atomic.Bool
	// terminal tells that out, and live that err, is a terminal.
	terminal, live bool
	// width is how many columns out has, and columns how many err has now.
	width   int
	columns func() int
	// patience is how long a search runs before it reports progress, and then
	// every so often on a terminal and every slow otherwise.
	patience, often, slow time.Duration
}

func newApp(t Tool, stdin io.Reader, out, err io.Writer) *app {
	a := &app{
		Tool:  t,
		stdin: stdin, out: out, err: err, width: 80,
		patience: time.Second, often: 200 * time.Millisecond, slow: 5 * time.Second,
	}
	if a.name, a.program = called(); t.Name != "" {
		a.name, a.program = t.Name, t.Name
	}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		a.terminal = true
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			a.width = w
		}
	}
	if f, ok := err.(*os.File); ok {
		a.live = term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
		a.columns = func() int {
			columns, _, _ := term.GetSize(int(f.Fd())) // 0 if it has none
			return columns
		}
	}
	return a
}

// A status is an error that has been told already: the exit status.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exit returns an exit status as an error, nil for the good one.
func exit(code int) error {
	if code == statusFine {
		return nil
	}
	return status(code)
}

// run executes a command line and returns the exit status. A fault of the
// command line or of a file is told in one line on the error stream.
func (a *app) run(ctx context.Context, args []string) int {
	if err := ledger.Usable(a.known()); err != nil {
		a.complain("the catalogue cannot be used: %s", err)
		return statusUsage
	}
	out := &output{Writer: a.out}
	a.out, a.args = out, args
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetErr(a.err)
	code := a.ended(root.ExecuteContext(ctx))
	if out.err != nil { // whatever was found, nobody got it
		a.complain("the output cannot be written: %s", oneLine(out.err.Error()))
		return statusUsage
	}
	return code
}

// ended tells with what error a command ended, and returns the exit status.
func (a *app) ended(err error) int {
	var told status
	switch {
	case err == nil:
		return statusFine
	case errors.As(err, &told):
		return int(told)
	case a.out.(*output).err != nil:
		return statusUsage
	}
	message := oneLine(strings.TrimPrefix(err.Error(), "setting: "))
	a.complain("%s", message)
	if at := caret(err); at != "" {
		fmt.Fprintf(a.err, "  %s\n", strings.ReplaceAll(at, "\n", "\n  "))
	}
	if asksForJSON(a.args) {
		// Where that cannot be written either, it has been said nevertheless.
		_ = a.writeJSON(errorJSON{jsonSchema, faultJSON{statusUsage, message}, a.runJSON()}, struct{}{})
	}
	return statusUsage
}

// complain tells on the error stream what is wrong, behind the program's name.
func (a *app) complain(format string, args ...any) {
	fmt.Fprintf(a.err, a.name+": "+format+"\n", args...)
}

// A subcommand is a command of the app, a type with its flags and with what only it does.
type subcommand interface {
	// command describes it to cobra. It is called once.
	command() *cobra.Command
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   a.name,
		Short: "a model checker for leader-election algorithms",
		Long: "Bullyproof is a model checker for leader elections. It explores every state that an algorithm can reach. It says\n" +
			"which properties hold and which are violated, and shows a shortest run for each violation.",
		Example:       a.examples("list", "check ALGO", "trace RUN"),
		Version:       thisVersion().String(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(root, args[0])
		}
		return cmd.Help()
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetHelpFunc(a.help)
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = named
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "tell about a command", Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, args[0])
			}
			return about.Help()
		},
	})
	add := func(group string, commands ...subcommand) {
		root.AddGroup(&cobra.Group{ID: group, Title: group})
		for _, s := range commands {
			c := s.command()
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("Look", &listCommand{app: a}, &checkCommand{app: a}, &simulateCommand{app: a}, &exploreCommand{app: a}, &traceCommand{app: a}, &replayCommand{app: a})
	add("Judge", &claimsCommand{app: a}, &compareCommand{app: a}, &messagesCommand{app: a}, &chanceCommand{app: a}, &historiesCommand{app: a}, &proveCommand{app: a})
	add("Run", &validateCommand{app: a}, &monitorCommand{app: a}, &clusterCommand{app: a})
	add("Make", append(a.engineCommands(), &newCommand{app: a}, &siteCommand{app: a}, &overlayCommand{a}, &versionCommand{a})...)
	root.AddCommand(jsonHelp(), expressionsHelp(), (&workerCommand{a}).command())
	root.SetOut(a.out) // which the scripts of completion write to from now on
	addCompletion(root, "Make")
	return root
}

// named refuses flags that have been given an empty text: a script has an empty variable
// there. The words of a setting say themselves what they are to be.
func named(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if _, word := f.Value.(*word); !empty || word && f.Name != "setting" {
			return
		}
		kind, _ := pflag.UnquoteUsage(f)
		switch kind {
		case "FILE", "file", "DIR", "directory":
			kind = "a name"
		}
		if f.Name == "setting" {
			kind = "words like n=3 crashes=1"
		}
		err = fmt.Errorf("flag --%s is empty: want %s", f.Name, kind)
	})
	return err
}

// addCompletion adds cobra's command for the completion of words to a group, in our
// words.
func addCompletion(root *cobra.Command, group string) {
	root.SetCompletionCommandGroupID(group)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "write the script by which a shell completes commands and names"
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return c.Help()
		}
		for _, shell := range c.Commands() {
			shell.Short = "write the script for " + shell.Name()
		}
	}
}

// unknownCommand is the error for a command that does not exist.
func unknownCommand(root *cobra.Command, got string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := nearest.Name(got, names); near != "" {
		return fmt.Errorf("unknown command %q: did you mean %s?", got, near)
	}
	return fmt.Errorf("unknown command %q: want one of %s", got, strings.Join(names, ", "))
}

// flagError says of a flag that does not exist which one was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return fmt.Errorf("%s%w", in(cmd), err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	got := missing.GetSpecifiedName()
	if near := nearest.Name(got, names); near != "" {
		return fmt.Errorf("%sunknown flag %s: did you mean --%s?", in(cmd), dashed(got), near)
	}
	return fmt.Errorf("%sunknown flag %s: %s --help lists them", in(cmd), dashed(got), cmd.CommandPath())
}

// in returns what stands before an error of a command; of the program itself,
// whose name stands before every error, that is nothing.
func in(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return cmd.Name() + ": "
}

// dashed returns the name of a flag as it is given.
func dashed(name string) string {
	if len([]rune(name)) == 1 {
		return "-" + nearest.Clip(name)
	}
	return "--" + nearest.Clip(name)
}

// wantArgs returns a check of the number of arguments that says what is
// missing.
func wantArgs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s: want %s", cmd.Name(), what)
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%s: unexpected argument %q: want %s", cmd.Name(), args[most], what)
		}
		return nil
	}
}

// Run runs the command on arguments, those behind the name of the program, and
// returns the exit status. A context that is done ends a search. A catalogue that
// ledger.Usable refuses is bad input.
func (t Tool) Run(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	return newApp(t.titled(), in, out, err).run(ctx, args)
}

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
		if !a.serving.Load() {
			if a.live {
				fmt.Fprintln(a.err) // behind the line of progress
			}
			a.complain("interrupted: writing what was found; press Ctrl-C again to stop at once")
		}
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
