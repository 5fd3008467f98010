// Command run lists the rules of algorithms that can be dropped and nothing notices.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"bullyproof/algorithms"
	"bullyproof/algorithms/internal/mutate"
	"bullyproof/algorithms/internal/mutate/judge"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// flags are those of the command.
type flags struct {
	most       uint64
	time       time.Duration
	statements bool
	workers    int
	out        string
	only       string
	all        bool
}

func run() error {
	var f flags
	flag.Uint64Var(&f.most, "most", 3_000, "look at evidence that took so many states at most")
	flag.DurationVar(&f.time, "time", 20*time.Second, "the time for one mutant")
	flag.BoolVar(&f.statements, "statements", false, "drop statements, too")
	flag.IntVar(&f.workers, "workers", 1, "how many algorithms at once")
	flag.StringVar(&f.out, "out", "", "a directory for the verdicts as JSON, which are not looked at again there")
	flag.StringVar(&f.only, "only", "", "the one point to look at, by its name")
	flag.BoolVar(&f.all, "all", false, "list what is caught, too")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		for _, a := range algorithms.All {
			names = append(names, a.Name)
		}
	}
	for _, name := range names {
		if _, err := algorithms.Find(name); err != nil {
			return err
		}
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := mutate.Build(context.Background(), root, dir, names, mutate.Options{Statements: f.statements})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d points in %d algorithms\n", program.Count, len(program.Packages))
	var wg sync.WaitGroup
	turn := make(chan struct{}, f.workers)
	var mu sync.Mutex
	for _, pkg := range program.Packages {
		turn <- struct{}{}
		wg.Go(func() {
			defer func() { <-turn }()
			verdicts, err := survey(program, pkg, &f)
			mu.Lock()
			defer mu.Unlock()
			show(pkg, verdicts, f.all)
			if err != nil {
				fmt.Printf("%s: %v\n", pkg.Name, err)
			}
		})
	}
	wg.Wait()
	return nil
}

// survey has the program judge the points of an algorithm. Where a mutant ends the
// program, it is caught, and the program goes on with the next one.
func survey(program *mutate.Program, pkg *mutate.Package, f *flags) (list []judge.Verdict, err error) {
	order := mutate.Order{
		Algorithm: pkg.Name, Rules: filepath.Join(program.Root, "algorithms", pkg.Name, "rules.txt"),
		Count: program.Count, Points: pkg.Points, Most: f.most, Time: f.time,
	}
	if f.only != "" {
		order.Only = []string{f.only}
	}
	for {
		begun := ""
		text, err := json.Marshal(order)
		if err != nil {
			return list, err
		}
		cmd := exec.Command(program.Binary)
		cmd.Stdin = bytes.NewReader(text)
		var log bytes.Buffer
		cmd.Stderr = &log
		out, err := cmd.StdoutPipe()
		if err != nil {
			return list, err
		}
		if err := cmd.Start(); err != nil {
			return list, err
		}
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var v struct {
				judge.Verdict
				mutate.Begun
			}
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				return list, err
			}
			if v.Begins != "" {
				begun = v.Begins
				continue
			}
			list, begun = append(list, v.Verdict), ""
			order.Skip = append(order.Skip, v.Point.Name)
		}
		err = cmd.Wait()
		os.Stderr.Write(log.Bytes()[:min(log.Len(), 4000)])
		if err == nil || begun == "" {
			return list, err
		}
		for _, p := range pkg.Points {
			if p.Name == begun {
				list = append(list, judge.Verdict{Point: p, Class: judge.Caught, By: "it ends the program"})
			}
		}
		order.Skip = append(order.Skip, begun)
	}
}

// show prints what survives.
func show(pkg *mutate.Package, verdicts []judge.Verdict, all bool) {
	count := make(map[judge.Class]int)
	var took int64
	for _, v := range verdicts {
		count[v.Class]++
		took += v.Took
	}
	fmt.Printf("\n%s: %d points, %d caught", pkg.Name, len(pkg.Points), count[judge.Caught])
	for _, c := range []judge.Class{judge.Figures, judge.Unchanged, judge.Same, judge.Unreached, judge.Undecided} {
		if count[c] > 0 {
			fmt.Printf(", %d %s", count[c], c)
		}
	}
	fmt.Printf(" (%d s)\n", took/1000)
	for _, v := range verdicts {
		if v.Class != judge.Caught || all {
			fmt.Printf("  %-18s %s  [%s] %d\n", v.Class, v.Point.Name, v.Point.Place, v.Asked)
			if v.By != "" {
				fmt.Printf("                     %.300s\n", v.By)
			}
		}
	}
}
