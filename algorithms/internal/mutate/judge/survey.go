package judge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"bullyproof/algorithms/internal/mutate"
	"bullyproof/internal/test/play"
)

// Limits say how far a survey goes.
type Limits struct {
	// Most are numbers of states, each larger than the one before: what survives the
	// evidence that took so many is judged by that which took the next.
	Most []uint64
	// Time is for one mutant.
	Time time.Duration
	// Show has what survives the last of these say by which run it goes on otherwise.
	Show bool
	// Points says which points are looked at.
	Points func(*mutate.Point) bool
}

// A Survey is what the evidence on an algorithm makes of its mutants.
type Survey struct {
	Verdicts []Verdict
	// Wrong says what is wrong with the arguments for points that are said to be equal.
	Wrong []string
}

// Take has a program judge the points of an algorithm. The log is told how it goes.
func Take(ctx context.Context, program *mutate.Program, pkg *mutate.Package, to Limits, log io.Writer) (*Survey, error) {
	rules := filepath.Join(program.Root, "algorithms", pkg.Name, "rules.txt")
	equals, err := play.Equals(rules)
	if err != nil {
		return nil, err
	}
	s := new(Survey)
	var of []int
	for i := range pkg.Points {
		if to.Points(&pkg.Points[i]) {
			of = append(of, pkg.Points[i].ID)
		}
	}
	for i, most := range to.Most {
		order := mutate.Order{Algorithm: pkg.Name, Rules: rules, Count: program.Count, Points: pkg.Points, Most: most, Time: to.Time, Of: of, Show: to.Show && i == len(to.Most)-1}
		if len(of) == 0 {
			break
		}
		verdicts, err := carryOut(ctx, program, order, log)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.Name, err)
		}
		of = nil
		for _, v := range verdicts {
			s.Verdicts = slices.DeleteFunc(s.Verdicts, func(old Verdict) bool { return old.Point.ID == v.Point.ID })
			s.Verdicts = append(s.Verdicts, v)
			if v.Class != Caught {
				of = append(of, v.Point.ID)
			}
		}
	}
	slices.SortFunc(s.Verdicts, func(a, b Verdict) int { return a.Point.ID - b.Point.ID })
	s.argue(pkg, equals)
	return s, nil
}

// argue takes note of the points that are said to be equal.
func (s *Survey) argue(pkg *mutate.Package, equals []play.Equal) {
	s.Wrong = append(s.Wrong, Misnamed(pkg, equals)...)
	for _, e := range equals {
		for i := range s.Verdicts {
			v := &s.Verdicts[i]
			switch {
			case v.Point.Name != e.Point:
			case v.Class == Caught:
				s.Wrong = append(s.Wrong, fmt.Sprintf("%s: rules.txt:%d: %q is said to be equal, and is caught by %s", pkg.Name, e.Line, e.Point, v.By))
			default:
				v.Argued = e.Why
			}
		}
	}
}

// Misnamed says which points are said to be equal and are not there, or twice.
func Misnamed(pkg *mutate.Package, equals []play.Equal) (wrong []string) {
	seen := make(map[string]bool)
	for _, e := range equals {
		there := slices.ContainsFunc(pkg.Points, func(p mutate.Point) bool { return p.Name == e.Point })
		switch {
		case !there:
			wrong = append(wrong, fmt.Sprintf("%s: rules.txt:%d: there is no point %q", pkg.Name, e.Line, e.Point))
		case seen[e.Point]:
			wrong = append(wrong, fmt.Sprintf("%s: rules.txt:%d: %q is said to be equal twice", pkg.Name, e.Line, e.Point))
		}
		seen[e.Point] = true
	}
	return wrong
}

// Survivors returns the mutants that are neither caught nor argued, those aside that are
// part of a fault. A fault does not stand in the file of the protocol.
func (s *Survey) Survivors() (list []Verdict) {
	for _, v := range s.Verdicts {
		if v.Class != Caught && v.Argued == "" && (v.Class != Fault || v.Point.InProtocol()) {
			list = append(list, v)
		}
	}
	return list
}

// carryOut has a program carry out an order. Where a mutant ends the program, it is
// caught, and the program goes on with the next one.
func carryOut(ctx context.Context, program *mutate.Program, order mutate.Order, log io.Writer) (list []Verdict, err error) {
	for {
		begun, err := once(ctx, program, order, log, func(v Verdict) { list = append(list, v) })
		if err == nil || begun == nil || ctx.Err() != nil {
			return list, err
		}
		for _, p := range order.Points {
			if p.ID == *begun {
				list = append(list, Verdict{Point: p, Class: Caught, By: "it ends the program"})
			}
		}
		order.Of = slices.DeleteFunc(slices.Clone(order.Of), func(id int) bool {
			return slices.ContainsFunc(list, func(v Verdict) bool { return v.Point.ID == id })
		})
	}
}

// once runs a program, and returns at which point it ended, if it did.
func once(ctx context.Context, program *mutate.Program, order mutate.Order, log io.Writer, yield func(Verdict)) (begun *int, err error) {
	text, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program.Binary)
	cmd.Stdin = bytes.NewReader(text)
	cmd.Stderr = &ends{to: log}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var line struct {
			Verdict
			mutate.Begun
		}
		if err = json.Unmarshal(lines.Bytes(), &line); err != nil {
			break
		}
		if begun = line.Begins; begun == nil {
			yield(line.Verdict)
		}
	}
	if err := cmd.Wait(); err != nil {
		return begun, err
	}
	return nil, err
}

// An ends passes on the beginning of what is written: a program that runs out of its
// stack says a lot.
type ends struct {
	to   io.Writer
	size int
}

func (e *ends) Write(p []byte) (int, error) {
	const most = 1 << 14
	if left := most - e.size; left > 0 {
		if _, err := e.to.Write(p[:min(left, len(p))]); err != nil {
			return 0, err
		}
	}
	e.size += len(p)
	return len(p), nil
}
