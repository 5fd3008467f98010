package render

import (
	"strings"

	"bullyproof/model"
	"bullyproof/trace"
)

// A layout is one that is drawn, with what the renderings have in common.
type layout struct{ *trace.Layout }

// id returns the process of a column.
func (l layout) id(column int) model.ID { return l.Columns[column].ID }

// isUp reports whether a process is up in a row: one that is reported all the
// same is out of reach.
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

// idList returns "1", "1 and 2", "1, 2 and 3".
func idList(ids []model.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = id.String()
	}
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return strings.Join(words, "")
}
