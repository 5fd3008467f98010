// Command run lists the rules of algorithms that can be dropped and nothing notices.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
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
	most    string
	time    time.Duration
	kinds   string
	workers int
	point   string
	all     bool
	show    bool
}

func run() error {
	var f flags
	flag.StringVar(&f.most, "most", "3000,20000", "look at evidence that took so many states at most, and of what survives it at that which took more")
	flag.DurationVar(&f.time, "time", 20*time.Second, "the time for one mutant")
	flag.StringVar(&f.kinds, "kinds", string(mutate.Branch), "kinds of points: branch,statement,value")
	flag.IntVar(&f.workers, "workers", 1, "how many algorithms at once")
	flag.StringVar(&f.point, "point", "", "look at the points alone that have this in their names")
	flag.BoolVar(&f.all, "all", false, "list what is caught or argued, too")
	flag.BoolVar(&f.show, "show", false, "show a run in which a mutant that survives goes on otherwise")
	flag.Parse()
	to := judge.Limits{Time: f.time, Show: f.show, Points: func(p *mutate.Point) bool {
		return slices.Contains(strings.Split(f.kinds, ","), string(p.Kind)) && strings.Contains(p.Name, f.point)
	}}
	for _, text := range strings.Split(f.most, ",") {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("-most %s: want numbers of states: 3000,20000", f.most)
		}
		to.Most = append(to.Most, n)
	}
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
	program, err := mutate.Build(context.Background(), root, dir, names)
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
			survey, err := judge.Take(context.Background(), program, pkg, to, os.Stderr)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				fmt.Println(err)
				return
			}
			show(pkg, survey, f.all)
		})
	}
	wg.Wait()
	return nil
}

// show prints what survives.
func show(pkg *mutate.Package, s *judge.Survey, all bool) {
	count := make(map[judge.Class]int)
	argued, took := 0, int64(0)
	for _, v := range s.Verdicts {
		took += v.Took
		if v.Argued != "" {
			argued++
		} else {
			count[v.Class]++
		}
	}
	fmt.Printf("\n%s: %d points, %d caught, %d argued, %d survive", pkg.Name, len(s.Verdicts), count[judge.Caught], argued, len(s.Survivors()))
	for _, c := range []judge.Class{judge.Figures, judge.Unchanged, judge.Same, judge.Unreached, judge.Undecided, judge.Fault} {
		if count[c] > 0 {
			fmt.Printf(", %d %s", count[c], c)
		}
	}
	fmt.Printf(" (%d s)\n", took/1000)
	for _, v := range s.Verdicts {
		if !all && (v.Class == judge.Caught || v.Class == judge.Fault && !v.Point.InProtocol() || v.Argued != "") {
			continue
		}
		fmt.Printf("  %-15s  %s    [%s, %d pieces of evidence]\n", v.Class, v.Point.Name, v.Point.Place, v.Asked)
		if why := cmp.Or(v.Argued, v.By); why != "" {
			fmt.Printf("                   %.300s\n", why)
		}
		if v.Shown != "" {
			fmt.Println("                   " + strings.ReplaceAll(v.Shown, "\n", "\n                   "))
		}
	}
	for _, wrong := range s.Wrong {
		fmt.Println("  wrong: " + wrong)
	}
}
