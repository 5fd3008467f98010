package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/nearest"
)

// tree returns what is on record of a claim in all readings under an answer about the world.
func (l *lock) tree(claim, world string) TreeRuling {
	for _, t := range l.trees[claim] {
		if t.If == world {
			return t
		}
	}
	return TreeRuling{If: world}
}

// writeTrees writes what became of claims in all readings, in the order of the claims.
func (l *lock) writeTrees(b *bytes.Buffer, code string) {
	for _, c := range l.claims {
		for i := range l.trees[c.name] {
			l.trees[c.name][i].write(b, c.name, code)
		}
	}
}

// write writes what became of a claim.
func (t *TreeRuling) write(b *bytes.Buffer, claim, code string) {
	fmt.Fprintf(b, "\ntree %s readings=%d", claim, t.Readings)
	for _, figure := range []struct {
		name string
		n    uint64
	}{{"holds", t.Holds}, {"fails", t.Fails}, {"steps", uint64(t.Steps)}} {
		if figure.n > 0 {
			fmt.Fprintf(b, " %s=%d", figure.name, figure.n)
		}
	}
	if t.Fingerprint != "" {
		fmt.Fprintf(b, " print=%s", strings.TrimPrefix(t.Fingerprint, code+"-"))
	}
	if t.If != "" {
		fmt.Fprintf(b, " if %s", t.If)
	}
	b.WriteString("\n")
	if t.Setting != "" {
		fmt.Fprintf(b, "  at %s\n", t.Setting)
	}
	if t.Whichever != "" {
		fmt.Fprintf(b, "  whichever %s\n", t.Whichever)
	}
	if t.Turns != "" {
		fmt.Fprintf(b, "  turns %s %s %s\n", t.Turns, t.With, t.Without)
	}
	if t.Where != "" {
		fmt.Fprintf(b, "  where %s\n", t.Where)
	}
	for _, x := range t.Alone {
		fmt.Fprintf(b, "  alone %s", x.Question)
		for _, answer := range x.Fails {
			fmt.Fprintf(b, " %s", answer)
		}
		for _, answer := range x.Undecided {
			fmt.Fprintf(b, " ?%s", answer)
		}
		b.WriteString("\n")
	}
}

// readTree reads the first line of what became of a claim in all readings.
func (r *lockReader) readTree(rest string) error {
	rest, world, _ := strings.Cut(rest, " if ")
	name, rest, _ := strings.Cut(rest, " ")
	t := TreeRuling{If: world}
	if r.claim(name) == nil || slices.ContainsFunc(r.trees[name], func(o TreeRuling) bool { return o.If == t.If }) {
		return fmt.Errorf("tree %q: want a claim that stands above, once under each answer about the world", nearest.Clip(name))
	}
	seen := make(map[string]bool)
	for word := range strings.FieldsSeq(rest) {
		key, value, _ := strings.Cut(word, "=")
		if seen[key] {
			return fmt.Errorf("%q: want each word once", nearest.Clip(word))
		}
		seen[key] = true
		if key == "print" {
			full, err := r.print(value)
			if err != nil {
				return err
			}
			t.Fingerprint = full
			continue
		}
		n, err := strconv.ParseUint(value, 10, 63)
		if err != nil || n == 0 {
			return fmt.Errorf("%s=%s: want a number above 0", nearest.Clip(key), nearest.Clip(value))
		}
		switch key {
		case "readings":
			t.Readings = n
		case "holds":
			t.Holds = n
		case "fails":
			t.Fails = n
		case "steps":
			t.Steps = int(n)
		default:
			return fmt.Errorf("%q: want readings, holds, fails, steps or print", nearest.Clip(key))
		}
	}
	if t.Readings == 0 || t.Holds > t.Readings || t.Fails > t.Readings-t.Holds {
		return fmt.Errorf("tree %s: want a number of readings, and no more that hold or fail", nearest.Clip(name))
	}
	r.trees[name] = append(r.trees[name], t)
	r.tree = &r.trees[name][len(r.trees[name])-1]
	return nil
}

// readOfTree reads another line of what became of a claim in all readings.
func (r *lockReader) readOfTree(word, rest string) error {
	t := r.tree
	if t == nil || rest == "" {
		return fmt.Errorf("%s: want it below the line of a tree, with what it is", word)
	}
	switch word {
	case "at":
		t.Setting = rest
	case "where":
		t.Where = rest
	case "whichever":
		t.Whichever = rest
	case "alone":
		words := strings.Fields(rest)
		if len(words) < 2 {
			return errors.New("alone: want a question and the answers with which the claim fails, or with ? before them those that are undecided")
		}
		x := Alone{Question: words[0]}
		for _, answer := range words[1:] {
			if open, ok := strings.CutPrefix(answer, "?"); ok {
				x.Undecided = append(x.Undecided, open)
			} else {
				x.Fails = append(x.Fails, answer)
			}
		}
		t.Alone = append(t.Alone, x)
	case "turns":
		words := strings.Fields(rest)
		if len(words) != 3 || t.Holds == 0 || t.Fails == 0 {
			return errors.New("turns: want a question and two answers, in the first of which the claim holds, below a tree that has readings of both sorts")
		}
		t.Turns, t.With, t.Without = words[0], words[1], words[2]
	}
	return nil
}
