//go:build !js

package command

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/internal/nearest"
	"bullyproof/internal/web"
	"bullyproof/trace"
)

// An exploreCommand is the command explore with its flags.
type exploreCommand struct {
	app    *app
	trace  string
	port   number
	noOpen bool
}

func (c *exploreCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explore [ALGO[/VARIANT]|NAME|FILE]",
		Short: "walk through the runs of an algorithm in the browser",
		Long: "Explore serves pages on which you step through runs: see everything that can happen next, choose a step,\n" +
			"go back, choose another. Each state shows which process believes which coordinator, and which properties\n" +
			"hold. You can follow a recorded counterexample, by its name, or a trace file step by step, and leave it at\n" +
			"any point. You can go to the nearest state in which an expression is true, and watch the values of\n" +
			"expressions (help expressions).\n\n" +
			"The address of a page is a link to exactly that run. The pages are served on 127.0.0.1, to this machine\n" +
			"only, until Ctrl-C.",
		Example:           c.app.examples("explore ALGO", "explore ALGO/VARIANT -n 5 --port 8080", "explore RUN"),
		Args:              wantArgs(0, 1, "at most one "+c.app.subjects()+", or a run: NAME or FILE"),
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addSettingFlags(flags)
	flags.StringVar(&c.trace, "trace", "", "follow a run: `NAME` of a recorded counterexample, or a trace file")
	flags.Var(&c.port, "port", "port of 127.0.0.1 to serve on; 0 is a free one")
	flags.BoolVar(&c.noOpen, "no-open", false, "do not open the browser")
	return cmd
}

// run serves the explorer until the command is interrupted.
func (c *exploreCommand) run(cmd *cobra.Command, args []string) error {
	if c.port > 65535 {
		return fmt.Errorf("flag --port is %d: want a port, 0 to 65535", uint64(c.port))
	}
	var given []web.Recording
	start, err := c.startPage(cmd, args, &given)
	if err != nil {
		return err
	}
	recorded, err := c.app.recordings()
	if err != nil {
		return err
	}
	server, err := web.New(web.Options{Algorithms: c.app.known(), Recordings: append(given, recorded...)})
	if err != nil {
		return err
	}
	listener, err := web.Listen(int(c.port))
	if err != nil {
		return fmt.Errorf("cannot serve: %w", err)
	}
	url := "http://" + listener.Addr().String()
	c.app.serving.Store(true)
	c.app.searching.Store(true) // an interrupt ends the server, and it the command
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory()))
	fmt.Fprintf(c.app.out, "Explorer: %s%s\nCtrl-C ends it.\n", url, start)
	if !c.noOpen {
		if err := openBrowser(cmd.Context(), url+start); err != nil {
			c.app.complain("the browser does not open (%s): open the address yourself", oneLine(err.Error()))
		}
	}
	return server.Serve(cmd.Context(), listener)
}

// memory returns what the explorer is to take, in bytes, which the collector of
// garbage heeds where it can: a few times what it keeps.
func memory() int64 {
	if os.Getenv("GOMEMLIMIT") != "" {
		return -1 // as it is
	}
	return 3 * web.DefaultCache
}

// startPage returns the address of the page to begin with. A trace file is added to
// those that are given.
func (c *exploreCommand) startPage(cmd *cobra.Command, args []string, given *[]web.Recording) (string, error) {
	if c.trace != "" {
		return c.startTrace(cmd, args, c.trace, given)
	}
	if len(args) == 0 {
		if changed := changedSetting(cmd); changed != "" {
			return "", fmt.Errorf("explore: flag --%s without an algorithm: want %s", changed, c.app.subjects())
		}
		return "/", nil
	}
	s, err := c.app.findSubject(args[0])
	if err != nil {
		if _, notTrace := c.app.open(args[0]); notTrace == nil || isFile(args[0]) {
			return c.startTrace(cmd, nil, args[0], given)
		}
		return "", err
	}
	setting, err := settingOf(cmd.Flags(), s.setting)
	if err != nil {
		return "", err
	}
	if _, err := s.build(setting); err != nil {
		return "", fmt.Errorf("%s: %w", s.name(), err)
	}
	return web.Start(s.algorithm, s.variant, setting), nil
}

// isFile reports whether a name can be that of a trace file alone.
func isFile(name string) bool {
	return strings.HasSuffix(name, ".json") || strings.Count(name, "/") > 1 || strings.ContainsRune(name, '\\')
}

// startTrace returns the address of the page that begins with a trace.
func (c *exploreCommand) startTrace(cmd *cobra.Command, args []string, name string, given *[]web.Recording) (string, error) {
	t, err := c.app.open(name)
	if err != nil {
		return "", err
	}
	if changed := changedSetting(cmd); changed != "" {
		return "", fmt.Errorf("explore: flag --%s: a trace has a setting of its own, %s", changed, t.Setting)
	}
	if err := t.Setting.Exhaustive(); err != nil {
		return "", fmt.Errorf("%s: the explorer shows all that can happen: %w", nearest.Path(name), err)
	}
	if _, err := trace.Replay(t, c.app.lookup); err != nil {
		return "", c.app.notReplayed(name, t, err)
	}
	s, err := c.app.findSubject(strings.TrimSuffix(t.Algorithm+"/"+t.Variant, "/"))
	if err != nil {
		return "", err
	}
	if len(args) > 0 {
		of, err := c.app.findSubject(args[0])
		if err != nil {
			return "", err
		}
		if of.name() != s.name() {
			return "", fmt.Errorf("%s is a run of %s, not of %s", nearest.Path(name), s.name(), of.name())
		}
	}
	known := strings.TrimSuffix(filepath.Base(name), ".json")
	if recordedTrace, err := c.app.runs().Open(known); err != nil || !same(recordedTrace, t) {
		known = filepath.Base(name) // a file has its suffix, a recorded run has none
		*given = append(*given, web.Recording{Name: known, Trace: t})
	}
	return web.Follow(s.algorithm, s.variant, web.Recording{Name: known, Trace: t}), nil
}

// same reports whether two traces make the same file.
func same(a, b *trace.Trace) bool {
	x, err := a.Encode()
	y, err2 := b.Encode()
	return err == nil && err2 == nil && string(x) == string(y)
}

// changedSetting returns the first flag of the setting that was given.
func changedSetting(cmd *cobra.Command) string {
	if cmd.Flags().Changed("setting") {
		return "setting"
	}
	for _, f := range settingFlags {
		if cmd.Flags().Changed(f.Key) {
			return f.Key
		}
	}
	return ""
}

// openBrowser opens an address in the browser of the user. It does not wait for
// it.
func openBrowser(ctx context.Context, url string) error {
	name, args := browserCommand(runtime.GOOS, url)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // what becomes of the browser is the user's
	return nil
}

// browserCommand returns the command that opens an address on an operating
// system.
func browserCommand(system, url string) (name string, args []string) {
	switch system {
	case "darwin":
		return "open", []string{url}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	return "xdg-open", []string{url}
}
