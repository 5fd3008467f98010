package ledger

import (
	"fmt"
	"io"
	"strings"
)

// An Omission is a system that a source describes and a catalogue does not have.
type Omission struct {
	// Name is the system by its author: "Ingram".
	Name string
	// Source says who describes it and where, with the number under which it is
	// cited there.
	Source string
	// Quote is what that source says of it.
	Quote string
	// Why says why there is no package of it.
	Why string
}

// WriteOmissions writes, as Markdown, a section on the systems that a catalogue
// does not have. It writes nothing for an empty list.
func WriteOmissions(w io.Writer, list []Omission) error {
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n## Not modelled, and why\n\nThese systems are described in the sources, and the catalogue does not have them.\n\n" +
		"| system | described in | as | why it is not modelled |\n|---|---|---|---|\n")
	for _, o := range list {
		fmt.Fprintf(&b, "| %s | %s | “%s” | %s |\n", escape(o.Name), escape(o.Source), escape(o.Quote), escape(o.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
