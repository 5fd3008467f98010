// Package cluster runs algorithms as processes of this machine, each an
// operating-system process of its own:
//
//	func main() { cluster.Main(mine.Algorithm) }
//
// is a program that says what each process believes, until it is interrupted or
// the time is over. Meanwhile they can be killed, paused and started again by
// their process ids; their stable storage and their event logs are in one
// directory, and package validate says whether the model allows what happened.
//
//	mycluster -for 5s -dir DIR mine/plain
//	mycluster -n 3 -start all -tick 100ms mine/plain
//
// With -id it is one process of the cluster, on a machine of its own, say:
//
//	mycluster -id 2 -addresses a:7000,b:7000,c:7000 -key-file key -dir /var/lib/mine mine/plain
//
// The command of a catalogue (package command) has the same as a subcommand.
package cluster

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Main runs what the arguments of the program say of algorithms, and ends the
// program: with status 0 when it was to end, 1 where a process could not go on,
// and 2 for bad usage or input. The first Ctrl-C or SIGTERM ends it.
func Main(algorithms ...*ledger.Algorithm) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := Program{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	status := p.status(ctx, os.Args[1:], algorithms)
	stop()
	os.Exit(status)
}

// A Program is what talks to its user, and is called again for each process.
type Program struct {
	// Again are the arguments with which it is called again, before the flags.
	Again []string
	// In, Out and Err are its streams: the end of In ends a process that another
	// one has started, what goes on is said on Out, and what goes wrong on Err.
	In       io.Reader
	Out, Err io.Writer
}

// status runs a command line and returns the exit status.
func (p *Program) status(ctx context.Context, args []string, all []*ledger.Algorithm) int {
	run, err := p.parse(args, all)
	status := 2
	if err == nil {
		err, status = run(ctx), 1
	}
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	default:
		fmt.Fprintf(p.Err, "%s: %v\n", filepath.Base(os.Args[0]), err)
		return status
	}
}

// parse reads a command line, and prepares what it says.
func (p *Program) parse(args []string, all []*ledger.Algorithm) (run func(context.Context) error, err error) {
	var o Options
	name := filepath.Base(os.Args[0])
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(p.Err)
	f.Usage = func() {
		fmt.Fprintf(p.Err, "usage: %s [flags] ALGO[/VARIANT]\n\nflags:\n", name)
		f.PrintDefaults()
	}
	o.AddFlags(f)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() != 1 {
		f.Usage()
		return nil, fmt.Errorf("%d arguments: want an algorithm, as in raft/figure-2", f.NArg())
	}
	s, err := find(all, f.Arg(0))
	if err != nil {
		return nil, err
	}
	return o.Prepare(s, *p)
}

// A Subject is an algorithm that is run.
type Subject struct {
	// Name is what it is called, as in raft/figure-2.
	Name string
	// Setting is that of its source, and In makes it in any.
	Setting setting.Setting
	In      func(setting.Setting) (*model.System, error)
}

// find returns the variant or the mutant of a name.
func find(all []*ledger.Algorithm, full string) (Subject, error) {
	name, variant, _ := strings.Cut(full, "/")
	a, err := ledger.Find(all, name)
	if err != nil {
		return Subject{}, err
	}
	if m, err := a.Mutant(variant); err == nil {
		return Subject{full, m.Setting, m.In}, nil
	}
	v, err := a.Variant(variant)
	if err != nil {
		return Subject{}, err
	}
	return Subject{full, v.Setting, v.In}, nil
}

// Options say how an algorithm is run. Flags fill them in.
type Options struct {
	setting         string
	n, id           int
	network, listen string
	addresses       string
	keyFile, dir    string
	tick, silence   time.Duration
	length          time.Duration
	start           string
	supervised      bool
}

// AddFlags declares the flags, which the options have when they are parsed.
func (o *Options) AddFlags(f *flag.FlagSet) {
	o.n = 5
	f.Var((*whole)(&o.n), "n", "`number` of processes")
	f.Var((*span)(&o.length), "for", "end after this time; 0: when interrupted")
	f.StringVar(&o.dir, "dir", "", "`directory` of stable storage and event logs; none: one for this run")
	f.StringVar(&o.start, "start", "", "who begins an election at first: `ids` as in 1,3, or all; none: nobody")
	o.tick, o.silence = 50*time.Millisecond, time.Second
	f.Var((*span)(&o.tick), "tick", "length of a tick of the model")
	f.Var((*span)(&o.silence), "silence", "silence after which the failure detector reports a process")
	f.StringVar(&o.network, "network", "tcp", "carry messages over `tcp|udp`")
	f.StringVar(&o.setting, "setting", "", "`words` of a setting, beside those that the algorithm needs")
	f.Var((*whole)(&o.id), "id", "run the process of this `id` alone; 0: run all, each as a process of its own")
	f.StringVar(&o.addresses, "addresses", "", "`host:port,...` of each process, by id; none: ports of this machine that are free")
	f.StringVar(&o.listen, "listen", "", "`host:port` where to listen, if not at the process's address")
	f.StringVar(&o.keyFile, "key-file", "", "`file` with the key that all share; none: a key for this directory")
	f.BoolVar(&o.supervised, "supervised", false, "end with the standard input, as processes do that a cluster has started")
}

// A span is a flag that takes a duration.
type span time.Duration

func (d *span) String() string { return time.Duration(*d).String() }

func (d *span) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v < 0 {
		return errors.New("want a duration like 50ms, 30s or 2h")
	}
	*d = span(v)
	return nil
}

// A whole is a flag that takes a number of 0 or more.
type whole int

func (n *whole) String() string { return strconv.Itoa(int(*n)) }

func (n *whole) Set(text string) error {
	v, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return errors.New("want a whole number from 0 to 65535")
	}
	*n = whole(v)
	return nil
}

// A job is an algorithm that is to run, and how.
type job struct {
	*Options
	Program
	of Subject
}

// Prepare returns what runs an algorithm until the context is done or the time is
// over. It fails if the options cannot be, and if files or addresses are not there
// to be used.
func (o *Options) Prepare(s Subject, p Program) (run func(context.Context) error, err error) {
	j := &job{o, p, s}
	if o.id < 0 || o.id > o.n {
		return nil, fmt.Errorf("id %d: the processes are 1 to %d", o.id, o.n)
	}
	starters, err := o.starters()
	if err != nil {
		return nil, err
	}
	sys, err := j.system()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if o.id == 0 {
		run, err = j.launcher(sys)
	} else {
		run, err = j.node(sys, starters.Has(model.ID(o.id)))
	}
	if err == nil && o.length > 0 {
		run = within(o.length, run)
	}
	return run, err
}

// within returns what ends after a while.
func within(d time.Duration, run func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		ctx, stop := context.WithTimeout(ctx, d)
		defer stop()
		return run(ctx)
	}
}

// starters returns who begins an election at first.
func (o *Options) starters() (model.Set, error) {
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
			return 0, fmt.Errorf("start %s: want all, or some of 1 to %d, as in 1,3", o.start, o.n)
		}
		s = s.With(id)
	}
	return s, nil
}

// system makes the system in the setting of its source, except for what differs
// where processes boot at moments of their own, no delay is bounded, and the flags
// say so.
func (j *job) system() (*model.System, error) {
	s := j.of.Setting
	for _, words := range []string{"start=cold:interleaved timing=async", fmt.Sprintf("n=%d", j.n), j.setting} {
		var err error
		if s, err = s.With(words); err != nil {
			return nil, err
		}
	}
	return j.of.In(s)
}
