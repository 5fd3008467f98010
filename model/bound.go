package model

import (
	"fmt"
	"slices"
	"strings"
)

// maxBeyond is how many reasons of a bound are shown.
const maxBeyond = 3

// boundReason is the number under which a bound cuts a search; those before it
// are for links that are full, by kind of message.
func (w *world) boundReason() int { return len(w.names.Kinds) }

// beyond reports whether the handler that has just run leaves its process beyond
// the bound; the search then notes that it leaves out what comes of it.
func (e *expander) beyond() bool {
	why := e.whyBeyond()
	if why == "" {
		return false
	}
	if e.rec != nil {
		e.rec.beyond = why
	}
	e.cover.tooFar(why)
	e.leaveOut(e.boundReason())
	e.keepOwed()
	return true
}

// whyBeyond returns why the process that has just run is beyond the bound, if it
// is.
func (e *expander) whyBeyond() string {
	if !e.has.bounder {
		return ""
	}
	return e.hands.beyond(e.cur)
}

// tooFar notes a reason of a bound: the least ones are kept, so that they do not
// depend on the order of the search.
func (c *coverage) tooFar(why string) {
	at, known := slices.BinarySearch(c.beyond, why)
	if known {
		return
	}
	c.beyond = slices.Insert(c.beyond, at, why)
	c.beyond = c.beyond[:min(len(c.beyond), maxBeyond+1)]
}

// CutReason says what Successors.Cut with a number means for a search: what
// System.CutReason says, and of a bound, how states went beyond it.
func (w *Watched) CutReason(reason int) string {
	text := w.System.CutReason(reason)
	if reason != len(w.names.Kinds) {
		return text
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var sum coverage
	for _, c := range w.covers {
		sum.add(c)
	}
	if len(sum.beyond) == 0 {
		return text
	}
	more := ""
	if len(sum.beyond) > maxBeyond {
		more = " and more"
	}
	return fmt.Sprintf("%s: %s%s", text, strings.Join(sum.beyond[:min(len(sum.beyond), maxBeyond)], ", "), more)
}
