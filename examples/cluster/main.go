// Cluster runs an algorithm of the catalogue, or Raft, as processes on this
// machine, each an operating-system process of its own:
//
//	go run ./examples/cluster -for 5s raft/figure-2
//	go run ./examples/cluster -dir /tmp/cluster -tick 100ms bully/coulouris
//
// It says what each process believes, until it is interrupted or the time is over.
// Meanwhile they can be killed, paused and started again by their process ids; with
// -dir their stable storage and their event logs are in that directory, and
// bullyproof validate says whether the model allows what happened.
//
// With -id it is one process of the cluster, as for instance on a machine of its
// own:
//
//	go run ./examples/cluster -id 2 -addresses a:7000,b:7000,c:7000 \
//	        -key-file key -dir /var/lib/cluster raft/figure-2
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"bullyproof/algorithms"
	"bullyproof/examples/raft"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(0)
		}
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// options are what flags and arguments say.
type options struct {
	algorithm, setting string
	n, id              int
	network, listen    string
	addresses          string
	keyFile, dir       string
	tick, silence      time.Duration
	length             time.Duration
	start              string
	supervised         bool
}

func run(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	o, err := parse(args, log)
	if err != nil {
		return err
	}
	if o.length > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.length)
		defer stop()
	}
	if o.id == 0 {
		return launch(ctx, o, out, log)
	}
	return runNode(ctx, o, in, out, log)
}

func parse(args []string, log io.Writer) (*options, error) {
	var o options
	f := flag.NewFlagSet("cluster", flag.ContinueOnError)
	f.SetOutput(log)
	f.Usage = func() {
		fmt.Fprintln(log, "usage: cluster [flags] ALGORITHM[/VARIANT]\n\nflags:")
		f.PrintDefaults()
	}
	f.StringVar(&o.setting, "setting", "", "words of a setting, beside those that the algorithm needs")
	f.IntVar(&o.n, "n", 5, "number of processes")
	f.IntVar(&o.id, "id", 0, "run this one process of the cluster; 0: run all, each as a process of its own")
	f.StringVar(&o.network, "network", "tcp", "tcp or udp")
	f.StringVar(&o.addresses, "addresses", "", "host:port of each process, by id; none: ports of this machine that are free")
	f.StringVar(&o.listen, "listen", "", "where to listen, if not at the process's address")
	f.StringVar(&o.keyFile, "key-file", "", "file with the key that all share; none: a key for this run")
	f.StringVar(&o.dir, "dir", "", "directory of stable storage and event logs; none: one for this run")
	f.DurationVar(&o.tick, "tick", 50*time.Millisecond, "length of a tick of the model")
	f.DurationVar(&o.silence, "silence", time.Second, "silence after which the failure detector reports a process")
	f.DurationVar(&o.length, "for", 0, "end after this time; 0: when interrupted")
	f.StringVar(&o.start, "start", "", "who begins an election at first: ids as in 1,3, or all; none: nobody")
	f.BoolVar(&o.supervised, "supervised", false, "end with the standard input, as processes do that a cluster has started")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() != 1 {
		f.Usage()
		return nil, fmt.Errorf("%d arguments: want an algorithm, as in raft/figure-2", f.NArg())
	}
	o.algorithm = f.Arg(0)
	if o.id < 0 || o.id > o.n {
		return nil, fmt.Errorf("-id %d: the processes are 1 to %d", o.id, o.n)
	}
	if _, err := o.starters(); err != nil {
		return nil, err
	}
	return &o, nil
}

// starters returns who begins an election at first.
func (o *options) starters() (model.Set, error) {
	switch o.start {
	case "":
		return 0, nil
	case "all":
		return model.Upto(model.ID(o.n)), nil
	}
	var s model.Set
	for word := range strings.SplitSeq(o.start, ",") {
		var id model.ID
		if _, err := fmt.Sscan(word, &id); err != nil || id == 0 || int(id) > o.n {
			return 0, fmt.Errorf("-start %s: want all, or some of 1 to %d, as in 1,3", o.start, o.n)
		}
		s = s.With(id)
	}
	return s, nil
}

// system returns the system of which a process is to run.
func (o *options) system() (*model.System, error) {
	name, variant, _ := strings.Cut(o.algorithm, "/")
	all := append([]*ledger.Algorithm{raft.Algorithm}, algorithms.All...)
	a, err := ledger.Find(all, name)
	if err != nil {
		return nil, err
	}
	if m, err := a.Mutant(variant); err == nil {
		return o.in(m.Setting, m.In)
	}
	v, err := a.Variant(variant)
	if err != nil {
		return nil, err
	}
	return o.in(v.Setting, v.In)
}

// in makes a system in the setting of its source, but for what differs where
// processes boot at moments of their own, no delay is bounded, and the flags say
// so.
func (o *options) in(s setting.Setting, in func(setting.Setting) (*model.System, error)) (*model.System, error) {
	for _, words := range []string{"start=cold:interleaved timing=async", fmt.Sprintf("n=%d", o.n), o.setting} {
		var err error
		if s, err = s.With(words); err != nil {
			return nil, err
		}
	}
	return in(s)
}
