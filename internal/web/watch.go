package web

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of the expressions that are watched.
const (
	mostWatches = 8
	mostWatched = 2 << 10 // bytes of them together
	// mostShown is how many bytes of a value are shown.
	mostShown = 400
)

// watching returns the link with one more expression that is watched. The error says what is
// wrong with it.
func (v *visit) watching(text string) (*link, error) {
	if _, err := valued(v.sys, text); err != nil {
		return nil, err
	}
	return v.link.watching(text)
}

// watching returns the link with one more expression that is watched, which may be among
// them already.
func (l *link) watching(text string) (*link, error) {
	to := *l
	if !slices.Contains(l.watches, text) {
		to.watches = append(slices.Clip(l.watches), text)
	}
	return &to, to.canWatch()
}

// without returns the link without the watch of a number.
func (l *link) without(number string) (*link, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(l.watches) {
		return nil, fmt.Errorf("%s=%q: want the number of a watch, below %d", verbDrop, number, len(l.watches))
	}
	to := *l
	to.watches = slices.Delete(slices.Clone(l.watches), n, n+1)
	return &to, nil
}

// canWatch returns an error if a link has watches that it cannot have.
func (l *link) canWatch() error {
	bytes := 0
	for _, text := range l.watches {
		if strings.TrimSpace(text) == "" {
			return errors.New("an expression is empty")
		}
		bytes += len(text)
	}
	if len(l.watches) > mostWatches || bytes > mostWatched {
		return fmt.Errorf("%d expressions of %d bytes are too much to watch: at most %d of %d bytes", len(l.watches), bytes, mostWatches, mostWatched)
	}
	return nil
}

// An expressionPanel is what a page has of expressions.
type expressionPanel struct {
	Form form
	typed
	Watches []watchRow
}

// A watchRow is the value of an expression that is watched.
type watchRow struct {
	N     int
	Value value // its name is the expression
	Error string
	Until bool // one can go until it is true
}

// expressionPanel returns the panel of expressions of a page; nil where there are none.
func (v *visit) expressionPanel() *expressionPanel {
	if !expressions {
		return nil
	}
	p := &expressionPanel{Form: v.form(), typed: v.typed}
	for i, text := range v.watches {
		row := v.watched(text)
		row.N = i
		p.Watches = append(p.Watches, row)
	}
	return p
}

// watched returns the value of an expression at the moment that is shown, and before it.
func (v *visit) watched(text string) (row watchRow) {
	row.Value.Name = text
	of, err := valued(v.sys, text)
	if err != nil {
		row.Error = complaint(err)
		return row
	}
	if v.now.over() {
		row.Error = "The last step leads to no state."
		return row
	}
	was := ""
	if before := v.now.before; before != nil {
		if value, err := of(v.sys.View(before.state)); err == nil {
			was = shown(value)
		} else {
			was = "no value"
		}
	}
	value, err := of(v.sys.View(v.now.state))
	if err != nil {
		row.Error = complaint(fmt.Errorf("it has no value here: %w", err))
		return row
	}
	is, condition := value.(bool)
	row.Until = condition && !is
	if v.now.before == nil {
		was = shown(value)
	}
	row.Value = newValue(text, was, shown(value))
	return row
}

// shown returns a value as an expression would have it.
func shown(value any) string {
	var text string
	switch of := value.(type) {
	case string:
		text = strconv.Quote(of)
	case []any:
		parts := make([]string, len(of))
		for i := range of {
			parts[i] = shown(of[i])
		}
		text = "[" + strings.Join(parts, ", ") + "]"
	default:
		text = fmt.Sprint(of)
	}
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + "…"
	}
	return text
}
