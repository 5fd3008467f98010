//go:build !js

package command

import (
	"flag"

	"github.com/spf13/cobra"

	"bullyproof/runtime/cluster"
)

// A clusterCommand is the command cluster with its flags.
type clusterCommand struct {
	app *app
	opt cluster.Options
}

func (c *clusterCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster ALGO[/VARIANT]",
		Short: "run an algorithm as processes of this machine, over a network",
		Long: "Cluster runs the handlers that were checked: each process of the algorithm is a process of this machine,\n" +
			"with real timers, and with stable storage that is on the disk before a message leaves. It says what each\n" +
			"believes, until Ctrl-C or for a while. Meanwhile you can kill processes, pause them and start them again.\n\n" +
			"Each process writes an event log into the directory, and validate says whether the model allows what the\n" +
			"logs show. The setting is that of the variant, with start=cold:interleaved and timing=async.\n\n" +
			"With --id it runs one process alone, on a machine of its own, say. That needs --addresses, --key-file and\n" +
			"--dir.\n\n" +
			"Exit status: 0 it ended when it was to end, 1 a process could not go on, 2 bad usage or input.",
		Example: c.app.examples("cluster ALGO --start all --for 5s --dir run", "validate ALGO run/events-*.ndjson",
			"cluster ALGO --id 2 -n 3 --addresses a:7000,b:7000,c:7000 --key-file key --dir run"),
		Args:              wantArgs(1, 1, "one "+c.app.subjects()),
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	flags := flag.NewFlagSet(cmd.Name(), flag.ContinueOnError)
	c.opt.AddFlags(flags)
	cmd.Flags().SortFlags = false
	cmd.Flags().AddGoFlagSet(flags)
	return cmd
}

// run runs the processes of one subject.
func (c *clusterCommand) run(cmd *cobra.Command, name string) error {
	s, err := c.app.findSubject(name)
	if err != nil {
		return err
	}
	run, err := c.opt.Prepare(cluster.Subject{Name: s.name(), Setting: s.setting, In: s.build},
		cluster.Program{Again: []string{cmd.Name()}, In: c.app.stdin, Out: c.app.out, Err: c.app.err})
	if err != nil {
		return err
	}
	c.app.serving.Store(true)
	c.app.searching.Store(true) // an interrupt ends the processes, and they the command
	if err := run(cmd.Context()); err != nil {
		c.app.complain("%s", oneLine(err.Error()))
		return exit(statusBad)
	}
	return nil
}
