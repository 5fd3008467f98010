//go:build !js

package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/internal/remote"
	"bullyproof/internal/spark"
	"bullyproof/setting"
)

// engineFlags say where a check is made that does not fit in memory.
type engineFlags struct {
	engine choice
	master string
	conf   []string
	small  number
}

// add declares the flags.
func (f *engineFlags) add(flags *pflag.FlagSet) {
	f.engine = choice{"local", []string{"local", "spark"}}
	flags.Var(&f.engine, "engine", "where a search goes on beyond memory: local, on this machine (--disk), or spark")
	flags.StringVar(&f.master, "master", "", "with --engine spark: the `MASTER` that spark-submit takes: local[2] (the default: local[*]), spark://HOST:PORT, yarn, k8s://URL")
	flags.StringArrayVar(&f.conf, "spark-conf", nil, "with --engine spark: a setting of Spark, `KEY=VALUE`; may be repeated")
	f.small = cluster.DefaultSmall
	flags.Var(&f.small, "small-level", "with --engine spark: search levels of at most this many states here, without a job")
}

// fit refuses flags that the engine does not take.
func (f *engineFlags) fit(opt *checker.Options) error {
	if f.engine.value != "spark" {
		if f.master != "" || len(f.conf) > 0 || f.small != cluster.DefaultSmall {
			return errors.New("flags --master, --spark-conf and --small-level need --engine spark")
		}
		if remote.IsURI(opt.Disk.Dir) {
			return fmt.Errorf("directory %q: a search on this machine (--engine local) has its files in a path of it; --engine spark takes s3://BUCKET/PREFIX and hdfs://HOST:PORT/PATH", opt.Disk.Dir)
		}
		return nil
	}
	switch {
	case opt.Disk.Dir == "":
		return errors.New("flag --engine is spark: want --disk DIR, a directory that all machines reach by this name")
	case opt.Disk.Every != 0:
		return errors.New("flag --checkpoint-every: a search on Spark has a checkpoint at every level")
	}
	return nil
}

// engineOf gives a check the engine that its flags ask for, until it is released. To
// explain a check nothing has to be there.
func (a *app) engineOf(f *engineFlags, s *subject, in setting.Setting, opt *checker.Options, explain bool) (release func(), err error) {
	release = func() {}
	if err := f.fit(opt); err != nil || f.engine.value != "spark" {
		return release, err
	}
	e := &sparkEngine{master: cmp.Or(f.master, "local[*]"), small: int(f.small), about: subjectJSON{s.algorithm, s.variant, in.String(), nil}}
	opt.Engine = e
	if explain {
		return release, nil
	}
	program, err := os.Executable()
	if err == nil && remote.IsURI(opt.Disk.Dir) {
		_, err = remote.Open(opt.Disk.Dir) // which is refused whether or not there is Spark
	} else if err == nil {
		opt.Disk.Dir, err = filepath.Abs(opt.Disk.Dir)
	}
	if err != nil {
		return release, err
	}
	e.cluster, err = spark.New(spark.Options{
		Master: e.master, Conf: f.conf, Program: program, Name: s.name(),
		Say: func(line string) { a.complain("%s", line) },
	})
	if err != nil {
		return release, err
	}
	return func() {
		if err := e.cluster.Close(); err != nil {
			a.complain("Spark: %s", oneLine(err.Error()))
		}
	}, nil
}

// A sparkEngine is the checker.Engine of Spark.
type sparkEngine struct {
	cluster *spark.Cluster
	master  string
	small   int
	about   subjectJSON
}

// A subjectJSON says to workers what is searched.
type subjectJSON struct {
	Algorithm string          `json:"algorithm"`
	Variant   string          `json:"variant"`
	Setting   string          `json:"setting"`
	Search    json.RawMessage `json:"search"`
}

// Open opens the directory of a search (checker.Engine).
func (e *sparkEngine) Open(name string) (cluster.Directory, error) { return remote.Open(name) }

// Where says where searches are made (checker.Engine).
func (e *sparkEngine) Where() string { return "on Spark (" + e.master + ")" }

// Search makes a search (checker.Engine).
func (e *sparkEngine) Search(ctx context.Context, sys explore.System, opt explore.Options, on cluster.Options, description []byte) (*explore.Result, error) {
	about := e.about
	about.Search = description
	subject, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	e.cluster.About(subject)
	on.Scheduler = e.cluster
	if on.Small = e.small; on.Small == 0 {
		on.Small = -1
	}
	return cluster.Search(ctx, sys, opt, on)
}

// workerCommand is what executors run.
func (a *app) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "worker", Short: "do parts of the levels of a search, as frames on the standard input ask for", Hidden: true,
		Args: wantArgs(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error { return cluster.Serve(a.stdin, a.out, a.searched) },
	}
}

// searched returns the system of a search that subjectJSON describes.
func (a *app) searched(description []byte) (c cluster.Subject, err error) {
	var about subjectJSON
	if err := json.Unmarshal(description, &about); err != nil {
		return c, fmt.Errorf("the subject makes no sense: %w", err)
	}
	s, err := a.findSubject(about.Algorithm + "/" + about.Variant)
	if err != nil {
		return c, err
	}
	in, err := setting.Parse(about.Setting)
	if err != nil {
		return c, err
	}
	sys, err := s.build(in)
	if err != nil {
		return c, err
	}
	c, err = checker.Part(sys, about.Search, s.properties)
	c.Open = remote.Open
	return c, err
}

// sparkSetupCommand installs Spark.
func (a *app) sparkSetupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "spark-setup",
		Short: "install Apache Spark, in a virtual environment of Python, for check --engine spark",
		Long: "Spark-setup installs Spark " + spark.Version + " into a virtual environment of Python in your cache directory, where check\n" +
			fmt.Sprintf("--engine spark finds it. It needs Python 3.9 or later and Java %d or 21, and takes about 0.5 GB. Where\n", spark.Java) +
			"SPARK_HOME is set or spark-submit is in PATH, check takes that Spark.",
		Args: wantArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.searching.Store(true)
			home, err := spark.Setup(cmd.Context(), a.err)
			if err == nil {
				_, err = fmt.Fprintf(a.out, "Spark %s is in %s\n", spark.Version, home)
			}
			return err
		},
	}
}
