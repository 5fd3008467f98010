//go:build !js

package command

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Columns of help: it is never wider, and never narrower, whatever the terminal.
const (
	mostHelpColumns  = 80
	leastHelpColumns = 40
)

// help writes the help of a command: what it does, how it is called, and its
// flags.
func (a *app) help(cmd *cobra.Command, _ []string) {
	h := helper{lister{width: max(min(a.width, mostHelpColumns), leastHelpColumns)}}
	h.text(cmd.Long)
	if cmd.Long == "" {
		h.text(cmd.Short)
	}
	if cmd.Runnable() || cmd.HasAvailableSubCommands() {
		h.usage(cmd)
	}
	if cmd.Example != "" {
		h.head("Examples")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			h.example(strings.TrimSpace(line))
		}
	}
	for _, g := range cmd.Groups() {
		h.commands(g.Title, cmd, func(c *cobra.Command) bool { return c.IsAvailableCommand() && c.GroupID == g.ID })
	}
	h.commands("Commands", cmd, func(c *cobra.Command) bool { return c.IsAvailableCommand() && c.GroupID == "" })
	h.flags(cmd.Flags())
	h.commands("More help", cmd, func(c *cobra.Command) bool { return c.IsAdditionalHelpTopicCommand() })
	if cmd.HasAvailableSubCommands() {
		h.b.WriteString("\n")
		h.text(cmd.CommandPath() + " COMMAND --help tells more about a command.")
	}
	fmt.Fprint(a.out, h.b.String())
}

// A helper writes help.
type helper struct{ lister }

func (h *helper) head(name string) { h.b.WriteString("\n" + name + ":\n") }

// text writes paragraphs, broken anew. Lines that begin with a space stand as
// they are.
func (h *helper) text(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			h.b.WriteString("\n")
		}
		var text string
		for line := range strings.SplitSeq(paragraph, "\n") {
			if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
				text += line + " "
				continue
			}
			if text != "" {
				h.say("", text, 0)
			}
			text = ""
			h.b.WriteString(line + "\n")
		}
		if text != "" {
			h.say("", text, 0)
		}
	}
}

func (h *helper) usage(cmd *cobra.Command) {
	h.head("Usage")
	h.say("  ", cmd.UseLine(), 6)
}

// example writes a command line, with a backslash where it is broken.
func (h *helper) example(line string) {
	var rows []string
	row := " "
	for word := range strings.FieldsSeq(line) {
		if len(row)+1+len(word)+2 > h.width {
			rows = append(rows, row+" \\")
			row = "     "
		}
		row += " " + word
	}
	h.b.WriteString(strings.Join(append(rows, row), "\n") + "\n")
}

func (h *helper) commands(head string, of *cobra.Command, listed func(*cobra.Command) bool) {
	widest := 0
	var list []*cobra.Command
	for _, c := range of.Commands() {
		widest = max(widest, len(c.Name()))
		if listed(c) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return
	}
	h.head(head)
	for _, c := range list {
		h.say(fmt.Sprintf("  %-*s  ", widest, c.Name()), c.Short, widest+4)
	}
}

// flagColumn is where the texts of flags begin.
const flagColumn = 24

func (h *helper) flags(flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	h.head("Flags")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		begin := "      --" + f.Name
		if f.Shorthand != "" {
			begin = "  -" + f.Shorthand + ", --" + f.Name
		}
		placeholder, text := pflag.UnquoteUsage(f)
		if placeholder != "" {
			begin += " " + placeholder
		}
		if d := usual(f); d != "" {
			text += " (" + d + " unless given)"
		}
		if utf8.RuneCountInString(begin) > flagColumn-2 {
			h.b.WriteString(begin + "\n")
			begin = ""
		}
		h.say(fmt.Sprintf("%-*s", flagColumn, begin), text, flagColumn)
	})
}

// usual returns the value that a flag has unless it is given, "" where that
// goes without saying.
func usual(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0 B", "0s", "false", "[]":
		return ""
	}
	return f.DefValue
}
