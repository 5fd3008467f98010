package render

import (
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
