package render

import (
	"fmt"
	"slices"

	"bullyproof/model"
	"bullyproof/trace"
)

// A layout is one that is drawn, with what the renderings have in common.
type layout struct{ *trace.Layout }

// id returns the process of a column.
func (l layout) id(column int) model.ID { return l.Columns[column].ID }

// isUp reports whether a process is up in a row: one that is reported
// nevertheless is out of reach.
func (l layout) isUp(row int, id model.ID) bool {
	for k, c := range l.Rows[row].Cells {
		if l.id(k) == id {
			return c.Status == model.Up
		}
	}
	return false
}

// demand returns what the property demands, behind its name; empty if that is
// not known.
func (l layout) demand() string {
	if l.Demand == "" || l.Property == "" {
		return ""
	}
	return l.Property + ": " + l.Demand
}

// chapterAt returns the chapter that begins with a row of a layout, an empty one where none
// does.
func chapterAt(l layout, row int) trace.Chapter {
	for _, c := range l.Chapters {
		if first := firstStep(&l.Rows[row]); c.First == first {
			return c
		}
	}
	return trace.Chapter{}
}

// chapterTitle returns the number and the title of the chapter that begins with a row: "2. The
// cut". It is empty where none does.
func chapterTitle(l layout, row int) string {
	for i, c := range l.Chapters {
		if c.First == firstStep(&l.Rows[row]) {
			return fmt.Sprintf("%d. %s", i+1, c.Title)
		}
	}
	return ""
}

// chapterHead is chapterTitle without the first, which begins with the run.
func chapterHead(l layout, row int) string {
	if row == 0 {
		return ""
	}
	return chapterTitle(l, row)
}

// rowOf returns the row of a layout that has a step.
func rowOf(l layout, step int) int {
	return slices.IndexFunc(l.Rows, func(r trace.Row) bool { return r.Step >= step })
}

// firstStep returns the first step for which a row stands.
func firstStep(r *trace.Row) int {
	if r.Fold != nil {
		return r.Fold.First
	}
	return r.Step
}

// loopStep returns the step with which the loop of a run begins.
func loopStep(l layout) int { return firstStep(&l.Rows[l.Lasso]) }

// named says which steps a row stands for: "start", "step 7", "steps 33 to 285".
func named(r *trace.Row) string {
	switch first := firstStep(r); {
	case r.Step == 0:
		return "start"
	case first < r.Step:
		return fmt.Sprintf("steps %d to %d", first, r.Step)
	}
	return fmt.Sprintf("step %d", r.Step)
}

// inParts reports whether a layout tells some steps together (trace.Told).
func inParts(l layout) bool {
	return slices.ContainsFunc(l.Rows, func(r trace.Row) bool { return r.Fold != nil })
}
