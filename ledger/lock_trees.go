package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bullyproof/internal/nearest"
)

// writeTrees writes what became of claims in all readings, in the order of the claims.
func (l *lock) writeTrees(b *bytes.Buffer, code string) {
	for _, c := range l.claims {
		t, ok := l.trees[c.name]
		if !ok {
			continue
		}
		fmt.Fprintf(b, "\ntree %s readings=%d", c.name, t.Readings)
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
		b.WriteString("\n")
		if t.Setting != "" {
			fmt.Fprintf(b, "  at %s\n", t.Setting)
		}
		if t.Turns != "" {
			fmt.Fprintf(b, "  turns %s %s %s\n", t.Turns, t.With, t.Without)
		}
		if t.Where != "" {
			fmt.Fprintf(b, "  where %s\n", t.Where)
		}
	}
}

// readTree reads the first line of what became of a claim in all readings.
func (r *lockReader) readTree(rest string) error {
	name, rest, _ := strings.Cut(rest, " ")
	if _, twice := r.trees[name]; twice || r.claim(name) == nil {
		return fmt.Errorf("tree %q: want a claim that stands above, once", nearest.Clip(name))
	}
	var t TreeRuling
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
	r.trees[name], r.tree = t, name
	return nil
}

// readOfTree reads another line of what became of a claim in all readings.
func (r *lockReader) readOfTree(word, rest string) error {
	t, ok := r.trees[r.tree]
	if !ok || rest == "" {
		return fmt.Errorf("%s: want it below the line of a tree, with what it is", word)
	}
	switch word {
	case "at":
		t.Setting = rest
	case "where":
		t.Where = rest
	case "turns":
		words := strings.Fields(rest)
		if len(words) != 3 || t.Holds == 0 || t.Fails == 0 {
			return errors.New("turns: want a question and two answers, in the first of which the claim holds, below a tree that has readings of both sorts")
		}
		t.Turns, t.With, t.Without = words[0], words[1], words[2]
	}
	r.trees[r.tree] = t
	return nil
}
