package checker

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bullyproof/trace"
)

// violated fails the test with the findings of violated properties, which it
// keeps.
func (v *verification) violated(findings []*Finding) {
	v.t.Helper()
	v.fail(findings, func(f *Finding) string {
		name := v.file(f.Property)
		if err := keep(f.Trace, name); err != nil {
			return fmt.Sprintf("not kept: %v", err)
		}
		return "kept as " + filepath.ToSlash(name) + ": the next run begins with it"
	})
}

// fail fails the test once: with the diagram of the first finding, a line for each
// other one, and the commands that show them again. Where says where a finding is
// kept.
func (v *verification) fail(findings []*Finding, where func(f *Finding) string) {
	v.t.Helper()
	if len(findings) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(v.drawn(findings[0]) + "\n" + where(findings[0]) + "\n")
	if len(findings) > 1 {
		fmt.Fprintf(&b, "\nand %s more:\n", properties(len(findings)-1))
	}
	for _, f := range findings[1:] {
		fmt.Fprintf(&b, "  %s: %s (%s)\n", f.Property.Name, f.Line(), where(f))
	}
	fmt.Fprintf(&b, "\nshow it again:     %s\n", v.command())
	if *pages == "" {
		fmt.Fprintf(&b, "write its page:    %s -args -bullyproof.pages=DIR\n", v.command())
	}
	for _, f := range findings {
		if *pages != "" {
			b.WriteString(v.page(f) + "\n")
		}
	}
	open := "open it:           name it as a catalogue has it (checker.Named), and a program of command.Main opens the file"
	if v.named {
		open = "open it:           bullyproof explore --trace " + filepath.ToSlash(v.file(findings[0].Property)) +
			"  (or your own program of command.Main)"
	}
	b.WriteString(open)
	v.t.Errorf("%s", b.String())
}

// drawn returns the diagram of a finding.
func (v *verification) drawn(f *Finding) string {
	var b strings.Builder
	if err := f.WriteText(&b, trace.TextOptions{}); err != nil {
		return fmt.Sprintf("%s %s, and the trace cannot be drawn: %v", f.Property.Name, f.Line(), err)
	}
	return strings.TrimRight(b.String(), "\n")
}

// page writes the page of a finding and says where it is.
func (v *verification) page(f *Finding) string {
	name := filepath.Join(*pages, v.base(f.Property)+".html")
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = writePage(f, name)
	}
	if err != nil {
		return fmt.Sprintf("page of %s:  not written: %v", f.Property.Name, err)
	}
	return fmt.Sprintf("page of %s:  file://%s", f.Property.Name, filepath.ToSlash(name))
}

func writePage(f *Finding, name string) error {
	var b strings.Builder
	if err := f.WritePage(&b); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o666)
}

// WritePage writes the trace of a finding as a page of HTML
// (trace.Layout.WritePage), and nothing where there is no trace.
func (f *Finding) WritePage(w io.Writer) error {
	l, err := f.Layout()
	if l == nil {
		return err
	}
	return l.WritePage(w)
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
		l.Verdict = fmt.Sprintf("%s %s in step %d: %s", f.Property.Name, verbEnd(f), len(f.Trace.Steps), f.Explanation)
	}
	return l, nil
}
