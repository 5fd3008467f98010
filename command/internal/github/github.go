// Package github writes what GitHub Actions reads from the steps of a job: workflow
// commands, which become annotations, and Markdown for the summary.
//
// See "Workflow commands for GitHub Actions" in GitHub's documentation.
package github

import (
	"fmt"
	"strings"
)

// A Level is how grave an annotation is.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// An Annotation is a message about a job.
type Annotation struct {
	Level Level
	// File is that which the message is about, from the root of the repository;
	// empty for none.
	File string
	// Title is a line, and Message may be more than one.
	Title, Message string
}

// String returns the workflow command, one line without its end, whatever the
// texts are.
func (a Annotation) String() string {
	var parameters []string
	if a.File != "" {
		parameters = append(parameters, "file="+parameter(a.File))
	}
	if a.Title != "" {
		parameters = append(parameters, "title="+parameter(a.Title))
	}
	space := ""
	if len(parameters) > 0 {
		space = " "
	}
	return fmt.Sprintf("::%s%s%s::%s", a.Level, space, strings.Join(parameters, ","), data(a.Message))
}

// GitHub takes the escapes of URLs, of these characters only.
var (
	dataEscapes      = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	parameterEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func data(s string) string      { return dataEscapes.Replace(s) }
func parameter(s string) string { return parameterEscapes.Replace(s) }

// Cell returns a text as it stands in a cell of a table of Markdown, in one line
// and with no sign that means anything.
func Cell(s string) string {
	return cellEscapes.Replace(strings.Join(strings.Fields(s), " "))
}

var cellEscapes = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "~", "\\~")

// Fenced returns a text as a block that Markdown leaves alone, whatever is in it.
func Fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}
