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

// Head says how many of a list have a run, and whose the fixes of these are.
func Head(list []ledger.Incident) string {
	found, absent := 0, 0
	fixes := make(map[ledger.FixOrigin]int)
	reports := make(map[string]bool)
	for i := range list {
		c := &list[i]
		if c.Absent != "" {
			absent++
			continue
		}
		found++
		fixes[c.Origin]++
		reports[c.Report] = true
	}
	return fmt.Sprintf("Each row is a public report of an election fault in a real system. %d of the %d rows have a run, and %d reports are behind these. "+
		"The run is a shortest one in which the model of that program breaks a property. After the fix a search of all states in the same setting finds "+
		"none. The other %d rows have no run: the fault was looked for and not found. They do not count as faults found. "+
		"`bullyproof trace mongodb-57262` draws a run by its name, which `replay` and `explore --trace` know as well.\n\n"+
		"The column *whose fix* says who made the fix of a row with a run:\n\n"+
		"- *%v* (%d): the project has it in its program. The text names the change, by a number, a commit or a version.\n"+
		"- *%v* (%d): a report or a pull request proposes it. The project has not taken it, as far as the public record says.\n"+
		"- *%v* (%d): it is another configuration or use of the program, which documentation, an article or an answer advises.\n"+
		"- *%v* (%d): it is a change of the model. Nobody else proposes it.\n\n",
		found, len(list), len(reports), absent,
		ledger.MergedFix, fixes[ledger.MergedFix], ledger.ProposedFix, fixes[ledger.ProposedFix],
		ledger.AdvisedFix, fixes[ledger.AdvisedFix], ledger.OurFix, fixes[ledger.OurFix])
}

// Write writes, as Markdown, a table of incidents and what is on record of each,
// and then the text of each. Links to runs begin with a folder.
func Write(w io.Writer, list []ledger.Incident, records []ledger.IncidentRecord, runs string) error {
	var b strings.Builder
	b.WriteString("| incident | system | what broke | processes | steps | states | what fixes it | whose fix | states after the fix |\n|---|---|---|---|---|---|---|---|---|\n")
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
		fmt.Fprintf(&b, "| [%s](#incident-%[1]s) | %s | %s | %d | %s | %d | %s | %v | %s |\n",
			c.Name, cell(c.System), cell(c.Broke), s.N, steps, r.States, cell(c.Fix), c.Origin, fixed)
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
	fmt.Fprintf(b, "The fix (%v): %s.\n\n", c.Origin, c.Fix)
	fmt.Fprintf(b, "[The run](%s/%s.json) breaks `%s` of `%s/%s` in `%s`. The property holds of `%[4]s/%[7]s` there.\n",
		runs, c.Name, c.Property, c.Algorithm, c.Faulty, c.Setting, c.Fixed)
}

// cell returns a text as one cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
