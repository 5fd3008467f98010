package incidents

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// An Incident is a fault of a program that people ran.
type Incident = ledger.Incident

// Write writes, as Markdown, a table of incidents and what is on record of each,
// and then the text of each. Links to runs begin with a folder.
func Write(w io.Writer, list []ledger.Incident, records []ledger.IncidentRecord, runs string) error {
	var b strings.Builder
	b.WriteString("| incident | system | what broke | processes | steps | states | what fixes it | states after the fix |\n|---|---|---|---|---|---|---|---|\n")
	for i := range list {
		c := &list[i]
		s, err := setting.Parse(c.Setting)
		if err != nil {
			return fmt.Errorf("incident %q: %w", c.Name, err)
		}
		at := slices.IndexFunc(records, func(r ledger.IncidentRecord) bool { return r.Name == c.Name })
		if at < 0 {
			return fmt.Errorf("incident %q is not on record", c.Name)
		}
		r := &records[at]
		steps, fixed := "no run", ""
		if c.Absent == "" {
			steps, fixed = fmt.Sprint(r.Steps), fmt.Sprint(r.Fixed)
		}
		if r.Lasso > 0 {
			steps += fmt.Sprintf(", those from %d on without end", r.Lasso)
		}
		fmt.Fprintf(&b, "| [%s](#incident-%[1]s) | %s | %s | %d | %s | %d | %s | %s |\n",
			c.Name, cell(c.System), cell(c.Broke), s.N, steps, r.States, cell(c.Fix), fixed)
	}
	for i := range list {
		tell(&b, &list[i], runs)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func tell(b *strings.Builder, c *ledger.Incident, runs string) {
	fmt.Fprintf(b, "\n## Incident %s\n\n%s: %s. Report: %s.\n\n%s\n\n", c.Name, c.System, c.Broke, c.Report, c.Text)
	if c.Absent != "" {
		fmt.Fprintf(b, "No run shows it. %s `%s` holds of `%s/%s` in `%s`.\n", c.Absent, c.Property, c.Algorithm, c.Faulty, c.Setting)
		return
	}
	fmt.Fprintf(b, "The fix: %s.\n\n", c.Fix)
	fmt.Fprintf(b, "[The run](%s/%s.json) breaks `%s` of `%s/%s` in `%s`. The property holds of `%[4]s/%[7]s` there.\n",
		runs, c.Name, c.Property, c.Algorithm, c.Faulty, c.Setting, c.Fixed)
}

// cell returns a text as one cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
