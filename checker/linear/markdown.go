package linear

import (
	"fmt"
	"io"
	"strings"
)

// A Row is what clients can expect of one system.
type Row struct {
	// Name is whose row it is, and Setting where.
	Name, Setting string
	Summary       Summary
}

// WriteMarkdown writes rows as a Markdown table, with a column for each question
// of the first row.
func WriteMarkdown(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("| |")
	if len(rows) == 0 {
		return nil
	}
	for _, a := range rows[0].Summary {
		fmt.Fprintf(&b, " %s |", a.Question.Name)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(rows[0].Summary)) + "\n")
	for _, r := range rows {
		b.WriteString(r.Markdown())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown returns the row as a line of a Markdown table.
func (r Row) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", r.Name)
	for _, a := range r.Summary {
		fmt.Fprintf(&b, " %s |", a)
	}
	return b.String() + "\n"
}
