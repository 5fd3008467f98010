package checker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bullyproof/checker/internal/kept"
	"bullyproof/internal/quantity"
	"bullyproof/internal/wholefile"
)

// A past is what the last run of a test found in a setting: with the same verdict and fewer
// states, a test may have come to show less than its author believes.
type past struct {
	verdict string
	states  uint64
}

// pastForm is how a file has a past.
const pastForm = "%s in %d states\n"

// trend compares a report with that of the last run, if -bullyproof.trend says where that is, and
// writes it down. It tells of a drop in states, and fails the test where -bullyproof.drops is
// "fail"; what was written stays then.
func (s *scope) trend(r *Report) {
	s.t.Helper()
	if *trendFlag == "" || !r.Complete() {
		return
	}
	name := filepath.Join(*trendFlag, kept.Base(s.name, "states", s.hash)+".txt")
	now := past{r.Verdict().String(), r.Distinct}
	before, err := readPast(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.t.Errorf("checker: the last run of the test cannot be read: %v (remove the file to begin anew)", err)
		return
	}
	if err == nil && before.verdict == now.verdict && now.states < before.states {
		text := fmt.Sprintf("%s has the verdict of its last run, %s, in %s, and had %s: did it lose what it was about?\nsetting: %s",
			r.Subject(), now.verdict, quantity.Plural(now.states, "state"), quantity.Count(before.states), r.Setting)
		if *dropsFail {
			s.t.Errorf("%s\nremove %s if that is right", text, filepath.ToSlash(name))
			return
		}
		s.t.Log(text)
		fmt.Fprintln(os.Stderr, text)
	}
	if err := os.MkdirAll(*trendFlag, 0o777); err != nil {
		s.t.Errorf("checker: %v", err)
		return
	}
	if err := wholefile.Write(name, fmt.Appendf(nil, pastForm, now.verdict, now.states)); err != nil {
		s.t.Errorf("checker: the states of this run cannot be written down: %v", err)
	}
}

// readPast reads what a file has of the last run.
func readPast(name string) (p past, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return past{}, err
	}
	if _, err := fmt.Sscanf(string(data), pastForm, &p.verdict, &p.states); err != nil {
		return past{}, fmt.Errorf("%s has %q; want a verdict and a number, as \"holds in 42 states\"", name, data)
	}
	return p, nil
}
