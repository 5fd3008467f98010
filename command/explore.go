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

// exploreFlags are the flags of explore except for those of the setting.
type exploreFlags struct {
	trace  string
	port   number
	noOpen bool
}

func (a *app) exploreCommand() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore [ALGO[/VARIANT]|NAME|FILE]",
		Short: "walk through the runs of an algorithm in the browser",
		Long: "Explore serves pages on which you step through runs: see everything that can happen next, choose a step,\n" +
			"go back, choose another. Each state shows which process believes which coordinator, and which properties\n" +
			"hold. You can follow a recorded counterexample, by its name, or a trace file step by step, and leave it at\n" +
			"any point.\n\n" +
			"The address of a page is a link to exactly that run. The pages are served on 127.0.0.1, to this machine\n" +
			"only, until Ctrl-C.",
		Example:           a.examples("explore ALGO", "explore ALGO/VARIANT -n 5 --port 8080", "explore RUN"),
		Args:              wantArgs(0, 1, "at most one "+a.subjects()+", or a run: NAME or FILE"),
		ValidArgsFunction: a.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.explore(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addSettingFlags(flags)
	flags.StringVar(&f.trace, "trace", "", "follow a run: `NAME` of a recorded counterexample, or a trace file")
	flags.Var(&f.port, "port", "port of 127.0.0.1 to serve on; 0 is a free one")
	flags.BoolVar(&f.noOpen, "no-open", false, "do not open the browser")
	return cmd
}

// explore serves the explorer until the command is interrupted.
func (a *app) explore(cmd *cobra.Command, args []string, f *exploreFlags) error {
	if f.port > 65535 {
		return fmt.Errorf("flag --port is %d: want a port, 0 to 65535", uint64(f.port))
	}
	var given []web.Recording
	start, err := a.startPage(cmd, args, f, &given)
	if err != nil {
		return err
	}
	recorded, err := a.recordings()
	if err != nil {
		return err
	}
	server, err := web.New(web.Options{Algorithms: a.known(), Recordings: append(given, recorded...)})
	if err != nil {
		return err
	}
	listener, err := web.Listen(int(f.port))
	if err != nil {
		return fmt.Errorf("cannot serve: %w", err)
	}
	url := "http://" + listener.Addr().String()
	a.serving.Store(true)
	a.searching.Store(true) // an interrupt ends the server, and it the command
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(a.memory()))
	fmt.Fprintf(a.out, "Explorer: %s%s\nCtrl-C ends it.\n", url, start)
	if !f.noOpen {
		if err := openBrowser(cmd.Context(), url+start); err != nil {
			a.complain("the browser does not open (%s): open the address yourself", oneLine(err.Error()))
		}
	}
	return server.Serve(cmd.Context(), listener)
}

// memory returns what the explorer is to take, in bytes, which the collector of
// garbage heeds where it can: a few times what it keeps.
func (a *app) memory() int64 {
	if os.Getenv("GOMEMLIMIT") != "" {
		return -1 // as it is
	}
	return 3 * web.DefaultCache
}

// startPage returns the address of the page to begin with. A trace file is added to
// those that are given.
func (a *app) startPage(cmd *cobra.Command, args []string, f *exploreFlags, given *[]web.Recording) (string, error) {
	if f.trace != "" {
		return a.startTrace(cmd, args, f.trace, given)
	}
	if len(args) == 0 {
		if changed := changedSetting(cmd); changed != "" {
			return "", fmt.Errorf("explore: flag --%s without an algorithm: want %s", changed, a.subjects())
		}
		return "/", nil
	}
	s, err := a.findSubject(args[0])
	if err != nil {
		if _, notTrace := a.open(args[0]); notTrace == nil || isFile(args[0]) {
			return a.startTrace(cmd, nil, args[0], given)
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
func (a *app) startTrace(cmd *cobra.Command, args []string, name string, given *[]web.Recording) (string, error) {
	t, err := a.open(name)
	if err != nil {
		return "", err
	}
	if changed := changedSetting(cmd); changed != "" {
		return "", fmt.Errorf("explore: flag --%s: a trace has a setting of its own, %s", changed, t.Setting)
	}
	if err := t.Setting.Exhaustive(); err != nil {
		return "", fmt.Errorf("%s: the explorer shows all that can happen: %w", nearest.Path(name), err)
	}
	if _, err := trace.Replay(t, a.lookup); err != nil {
		return "", a.notReplayed(name, t, err)
	}
	s, err := a.findSubject(strings.TrimSuffix(t.Algorithm+"/"+t.Variant, "/"))
	if err != nil {
		return "", err
	}
	if len(args) > 0 {
		of, err := a.findSubject(args[0])
		if err != nil {
			return "", err
		}
		if of.name() != s.name() {
			return "", fmt.Errorf("%s is a run of %s, not of %s", nearest.Path(name), s.name(), of.name())
		}
	}
	known := strings.TrimSuffix(filepath.Base(name), ".json")
	if recordedTrace, err := a.Recorded.Open(known); err != nil || !same(recordedTrace, t) {
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
