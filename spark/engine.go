package spark

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/command"
	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/spark/remote"
)

// An Engine is the engine of Spark for the command of a catalogue:
//
//	command.Tool{Algorithms: mine, Engines: []command.Engine{new(spark.Engine)}}.Main()
//
// check then takes --engine spark, and spark-setup installs Spark. The zero value is
// ready; it serves one command.
type Engine struct {
	master string
	conf   []string
	small  int
}

var _ command.Engine = (*Engine)(nil)

// Name is what --engine takes (command.Engine).
func (e *Engine) Name() string { return "spark" }

// Flags declares the flags of Spark (command.Engine).
func (e *Engine) Flags(flags *pflag.FlagSet) {
	flags.StringVar(&e.master, "master", "", "with --engine spark: the `MASTER` that spark-submit takes: local[2] (the default: local[*]), spark://HOST:PORT, yarn, k8s://URL")
	flags.StringArrayVar(&e.conf, "spark-conf", nil, "with --engine spark: a setting of Spark, `KEY=VALUE`; may be repeated")
	flags.IntVar(&e.small, "small-level", cluster.DefaultSmall, "with --engine spark: search levels of at most this many states here, without a job")
}

// Given reports whether a flag of Spark was given (command.Engine).
func (e *Engine) Given() bool {
	return e.master != "" || len(e.conf) > 0 || e.small != cluster.DefaultSmall
}

// Check refuses options that a search on Spark does not take (command.Engine).
func (e *Engine) Check(opt *checker.Options) error {
	switch {
	case opt.Disk.Every != 0:
		return errors.New("flag --checkpoint-every: a search on Spark has a checkpoint at every level")
	case e.small < 0:
		return fmt.Errorf("flag --small-level is %d: want 0 or more", e.small)
	}
	return nil
}

// Begin finds Spark, which starts with the first task (command.Engine).
func (e *Engine) Begin(_ context.Context, c command.EngineCheck) (checker.Engine, func() error, error) {
	s := &searches{master: cmp.Or(e.master, "local[*]"), small: e.small, subject: c.Subject}
	if c.Explain {
		return s, func() error { return nil }, nil
	}
	if remote.IsURI(c.Dir) {
		if _, err := remote.Open(c.Dir); err != nil { // which is refused whether or not there is Spark
			return nil, nil, err
		}
	}
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	s.cluster, err = New(Options{Master: s.master, Conf: e.conf, Program: program, Name: c.Name, Say: c.Say})
	if err != nil {
		return nil, nil, err
	}
	return s, s.cluster.Close, nil
}

// Open opens a directory of the file system, an object store or HDFS (command.Engine).
func (e *Engine) Open(name string) (cluster.Directory, error) { return remote.Open(name) }

// Commands are spark-setup (command.Engine).
func (e *Engine) Commands() []command.EngineCommand {
	return []command.EngineCommand{{
		Name:  "spark-setup",
		Short: "install Apache Spark, in a virtual environment of Python, for check --engine spark",
		Long: "Spark-setup installs Spark " + Version + " into a virtual environment of Python in your cache directory, where check\n" +
			fmt.Sprintf("--engine spark finds it. It needs Python 3.9 or later and Java %d or 21, and takes about 0.5 GB. Where\n", Java) +
			"SPARK_HOME is set or spark-submit is in PATH, check takes that Spark.",
		Run: func(ctx context.Context, log io.Writer) (string, error) {
			home, err := Setup(ctx, log)
			return fmt.Sprintf("Spark %s is in %s", Version, home), err
		},
	}}
}

// searches are the searches of one check, on Spark.
type searches struct {
	cluster *Cluster
	master  string
	small   int
	subject command.EngineSubject
}

// Open opens the directory of a search (checker.Engine).
func (s *searches) Open(name string) (cluster.Directory, error) { return remote.Open(name) }

// Where says where searches are made (checker.Engine).
func (s *searches) Where() string { return "on Spark (" + s.master + ")" }

// Search makes a search (checker.Engine).
func (s *searches) Search(ctx context.Context, sys explore.System, opt explore.Options, on cluster.Options, description []byte) (*explore.Result, error) {
	subject, err := s.subject.With(description)
	if err != nil {
		return nil, err
	}
	s.cluster.About(subject)
	on.Scheduler = s.cluster
	if on.Small = s.small; on.Small == 0 {
		on.Small = -1
	}
	return cluster.Search(ctx, sys, opt, on)
}
