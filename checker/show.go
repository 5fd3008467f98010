package checker

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullyproof/checker/internal/kept"
	"bullyproof/internal/wholefile"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// violated fails a test with the finding of a violated property, which it keeps.
func (s *scope) violated(t testing.TB, r *Report, f *Finding) {
	t.Helper()
	name := s.file(f.Property)
	where := "kept as " + filepath.ToSlash(name) + ": the next run begins with it"
	if err := kept.Keep(f.Trace, name); err != nil {
		where = fmt.Sprintf("not kept: %v", err)
	}
	var others []*Finding
	for i := range r.Findings {
		if g := &r.Findings[i]; g != f && g.Verdict == Violated && !s.expected[g.Property.Name] {
			others = append(others, g)
		}
	}
	s.fail(t, f, others, where)
}

// fail fails a test with a finding: the first one of a setting with its diagram, a
// line for each other one and the commands that show it again, and those
// with a line. Where says where the finding is kept.
func (s *scope) fail(t testing.TB, f *Finding, others []*Finding, where string) {
	t.Helper()
	page := ""
	if *pages != "" {
		page = "\n" + s.page(f)
	}
	if s.drawn {
		draw := ""
		if t != s.t {
			draw = "\ndraw it:  " + commandOf(t)
		}
		t.Errorf("%s: %s (%s)%s%s", f.Property.Name, f.Line(), where, draw, page)
		return
	}
	s.drawn = true
	var b strings.Builder
	b.WriteString(s.picture(f) + "\n" + where + "\n")
	if len(others) > 0 {
		fmt.Fprintf(&b, "\nand %s more:\n", properties(len(others)))
	}
	for _, f := range others {
		fmt.Fprintf(&b, "  %s: %s\n", f.Property.Name, f.Line())
	}
	fmt.Fprintf(&b, "\nshow it again:     %s\n", commandOf(t))
	if *pages == "" {
		fmt.Fprintf(&b, "write its page:    %s -args -bullyproof.pages=DIR\n", commandOf(t))
	}
	b.WriteString("open it:           " + s.opening(f) + page)
	t.Errorf("%s", b.String())
}

// opening says how the file of a finding is opened: by the program that "bullyproof
// new" writes beside a package, if there is one, or by any other that knows the
// algorithm by name.
func (s *scope) opening(f *Finding) string {
	if !s.named {
		return "name it as a catalogue has it (checker.Named), and a program of command.Main opens the file"
	}
	rest := " explore --trace " + filepath.ToSlash(s.file(f.Property))
	if own, err := os.Stat(filepath.Join("cmd", s.opt.Algorithm)); err == nil && own.IsDir() {
		return "go run ./cmd/" + s.opt.Algorithm + rest
	}
	return "bullyproof" + rest + "  (or your own program of command.Main)"
}

// picture returns the diagram of a finding.
func (s *scope) picture(f *Finding) string {
	var b strings.Builder
	if err := f.WriteText(&b, render.TextOptions{}); err != nil {
		return fmt.Sprintf("%s %s, and the trace cannot be drawn: %v", f.Property.Name, f.Line(), err)
	}
	return strings.TrimRight(b.String(), "\n")
}

// page writes the page of a finding and says where it is.
func (s *scope) page(f *Finding) string {
	name := filepath.Join(*pages, s.base(f.Property)+".html")
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = wholefile.Fill(name, f.WritePage)
	}
	if err != nil {
		return fmt.Sprintf("page of %s:  not written: %v", f.Property.Name, err)
	}
	link := url.URL{Scheme: "file", Path: filepath.ToSlash(name)}
	return fmt.Sprintf("page of %s:  %s", f.Property.Name, link.String())
}

// WritePage writes the trace of a finding as a page of HTML
// (render.Page), and nothing where there is no trace.
func (f *Finding) WritePage(w io.Writer) error {
	l, err := f.Layout()
	if l == nil {
		return err
	}
	return render.Page(w, l, render.PageOptions{})
}

// Layout lays out the trace of a finding, to be drawn in any form that package
// trace has: as text, as a picture, as a page of HTML. It is nil where there is no
// trace.
func (f *Finding) Layout() (*trace.Layout, error) {
	if f.Trace == nil {
		return nil, nil
	}
	l, err := trace.Lay(f.Trace, f.Run)
	if err != nil {
		return nil, err
	}
	l.Demand = f.Property.Doc
	// The diagram knows what to say of the standard properties of states.
	if f.Property.kind.temporal() {
		l.Verdict = f.wholeVerdict(l.Verdict)
	} else if _, err := Lookup(f.Property.Name); err != nil && f.Explanation != "" {
		l.Verdict = fmt.Sprintf("%s %s in step %d: %s", f.Property.Label(), verbEnd(f), len(f.Trace.Steps), f.Explanation)
	}
	return l, nil
}
