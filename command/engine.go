//go:build !js

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/explore/cluster"
	"bullyproof/model/setting"
)

// An Engine makes the searches of check that do not fit in the memory of this machine, on
// others: check has it by --engine NAME. Module bullyproof/spark has one.
type Engine interface {
	// Name is what --engine takes: "spark".
	Name() string
	// Flags declares the flags of the engine. Their usage says that they need it.
	Flags(flags *pflag.FlagSet)
	// Given reports whether one of these flags was given.
	Given() bool
	// Check returns an error unless the engine can make a check of these options, and
	// changes in them what it has to. Nothing is begun.
	Check(opt *checker.Options) error
	// Begin returns the engine of one check, and how it is released, which has to be
	// called. With explain it need not be able to search.
	Begin(ctx context.Context, c EngineCheck) (engine checker.Engine, release func() error, err error)
	// Open opens a directory by its name, for workers on other machines.
	Open(name string) (cluster.Directory, error)
	// Commands are the further commands that the engine brings.
	Commands() []EngineCommand
}

// An EngineCheck is what an Engine has to know about a check.
type EngineCheck struct {
	// Name is what is checked, for people.
	Name string
	// Subject is what a worker has to be told first. The search is put into it by With.
	Subject EngineSubject
	// Dir is the directory of the files, as --disk or --resume names it.
	Dir string
	// Say writes a line for people to the error stream.
	Say func(line string)
	// Explain says that the check is explained and not made.
	Explain bool
}

// An EngineSubject says to a worker what is checked.
type EngineSubject struct {
	Algorithm string          `json:"algorithm"`
	Variant   string          `json:"variant"`
	Setting   string          `json:"setting"`
	Search    json.RawMessage `json:"search"`
}

// With returns the subject of one search of the check, as workers read it.
func (s EngineSubject) With(search []byte) ([]byte, error) {
	s.Search = search
	return json.Marshal(s)
}

// An EngineCommand is a command that an engine brings.
type EngineCommand struct {
	// Name, Short and Long are what the help says.
	Name, Short, Long string
	// Run runs it, without arguments. Its writes to log are for people, as is the
	// result, a line.
	Run func(ctx context.Context, log io.Writer) (result string, err error)
}

// local is the engine of a command that has no other: this machine.
const local = "local"

// elsewhere says what has searches on other machines, where a command has not.
const elsewhere = "this command searches on this machine; the one of module spark also searches on Apache Spark: go run -C spark ./cmd/bullyproof"

// An engineName is a flag that takes the name of an engine: where a check is made that does
// not fit in memory.
type engineName struct{ choice }

// add declares the flag, and those of the engines.
func (e *engineName) add(flags *pflag.FlagSet, engines []Engine) {
	e.choice = choice{local, []string{local}}
	usage := "where a search goes on beyond memory: local, on this machine (--disk)"
	for _, engine := range engines {
		e.words = append(e.words, engine.Name())
		usage += ", or " + engine.Name()
	}
	flags.Var(e, "engine", usage)
	for _, engine := range engines {
		engine.Flags(flags)
	}
}

// Set takes a name, and says of Spark where it is if it is not here.
func (e *engineName) Set(name string) error {
	if len(e.words) > 1 {
		return e.choice.Set(name)
	}
	if name != local {
		return errors.New("want local: " + elsewhere)
	}
	return nil
}

// isURI matches what names a directory of a service and not a path, such as
// hdfs://HOST/PATH.
var isURI = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:/`)

// beginEngine gives the check the engine that its flags ask for, until it is released. To
// explain a check nothing has to be there.
func (c *checkCommand) beginEngine(ctx context.Context, s *subject, in setting.Setting, opt *checker.Options) (release func(), err error) {
	release = func() {}
	for _, e := range c.app.Engines {
		if e.Name() != c.engine.value {
			if e.Given() {
				return release, fmt.Errorf("a flag of %s is given (check --help): want --engine %[1]s with it", e.Name())
			}
			continue
		}
		if opt.Disk.Dir == "" {
			return release, fmt.Errorf("flag --engine is %s: want --disk DIR, a directory that all machines reach by this name", e.Name())
		}
		if err := e.Check(opt); err != nil {
			return release, err
		}
		if !isURI.MatchString(opt.Disk.Dir) {
			if opt.Disk.Dir, err = filepath.Abs(opt.Disk.Dir); err != nil {
				return release, err
			}
		}
		engine, end, err := e.Begin(ctx, EngineCheck{
			Name: s.name(), Dir: opt.Disk.Dir, Explain: c.explain, Subject: EngineSubject{Algorithm: s.algorithm, Variant: s.variant, Setting: in.String()},
			Say: func(line string) { c.app.complain("%s", line) },
		})
		if err != nil {
			return release, err
		}
		opt.Engine = engine
		return func() {
			if err := end(); err != nil {
				c.app.complain("%s: %s", e.Name(), oneLine(err.Error()))
			}
		}, nil
	}
	if isURI.MatchString(opt.Disk.Dir) {
		return release, fmt.Errorf("directory %q: a search on this machine (--engine local) has its files in a path of it: %w", opt.Disk.Dir, c.app.noEngine())
	}
	return release, nil
}

// noEngine says what searches on other machines, where this command does not do so.
func (a *app) noEngine() error {
	if len(a.Engines) > 0 {
		return errors.New("want --engine " + a.Engines[0].Name())
	}
	return errors.New(elsewhere)
}

// A workerCommand is what other machines run.
type workerCommand struct{ app *app }

func (c *workerCommand) command() *cobra.Command {
	return &cobra.Command{
		Use: "worker", Short: "do parts of the levels of a search, as frames on the standard input ask for", Hidden: true,
		Args: wantArgs(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error { return cluster.Serve(c.app.stdin, c.app.out, c.searched) },
	}
}

// searched returns the system of a search that an EngineSubject describes.
func (c *workerCommand) searched(description []byte) (part cluster.Subject, err error) {
	var about EngineSubject
	if err := json.Unmarshal(description, &about); err != nil {
		return part, fmt.Errorf("the subject makes no sense: %w", err)
	}
	s, err := c.app.findSubject(about.Algorithm + "/" + about.Variant)
	if err != nil {
		return part, err
	}
	in, err := setting.Parse(about.Setting)
	if err != nil {
		return part, err
	}
	sys, err := s.build(in)
	if err != nil {
		return part, err
	}
	part, err = checker.Part(sys, about.Search, s.properties)
	for _, e := range c.app.Engines {
		part.Open = e.Open
	}
	return part, err
}

// engineCommands returns the commands that engines bring.
func (a *app) engineCommands() (list []subcommand) {
	for _, e := range a.Engines {
		for _, c := range e.Commands() {
			list = append(list, &engineCommand{a, c})
		}
	}
	return list
}

// An engineCommand is a command that an engine brings.
type engineCommand struct {
	app *app
	EngineCommand
}

func (c *engineCommand) command() *cobra.Command {
	return &cobra.Command{
		Use: c.Name, Short: c.Short, Long: c.Long, Args: wantArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.app.searching.Store(true)
			result, err := c.Run(cmd.Context(), c.app.err)
			if err == nil {
				_, err = fmt.Fprintln(c.app.out, result)
			}
			return err
		},
	}
}
