package typed

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// A Step is one state on a behavior with the action that led to it, which
// is the zero value for the first step.
type Step[S, A any] struct {
	Action A
	State  S
}

// NoLoop is the Loop of a behavior that was not followed further: what comes
// behind its last step does not matter.
const NoLoop = -1

// A Behavior is a run of a model.
type Behavior[S, A any] struct {
	// Steps begin with an initial state.
	Steps []Step[S, A]

	// Loop is the index of the step whose state the last step leads back to, so
	// that the steps between repeat without end. If it is that of the last step
	// itself, nothing more happens.
	Loop int
}

// Len returns the number of transitions, those of a cycle once.
func (b Behavior[S, A]) Len() int { return max(0, len(b.Steps)-1) }

// String returns the behavior, a line for each step: the action, and what it
// changed of the state, field by field. Of values with a String method, at any
// exported place, that is what is shown.
func (b Behavior[S, A]) String() string {
	var out strings.Builder
	actions, width := make([]string, len(b.Steps)), 0
	for i, s := range b.Steps {
		if i > 0 {
			actions[i] = describe(s.Action)
			width = max(width, utf8.RuneCountInString(actions[i]))
		}
	}
	for i, s := range b.Steps {
		if i == 0 {
			fmt.Fprintf(&out, "%3d. %s\n", i, describe(s.State))
			continue
		}
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(actions[i]))
		fmt.Fprintf(&out, "%3d. %s%s  %s\n", i, actions[i], pad, changes(b.Steps[i-1].State, s.State))
	}
	switch {
	case b.Loop < 0 || len(b.Steps) == 0:
	case b.Loop == len(b.Steps)-1:
		fmt.Fprintf(&out, "and then nothing happens any more\n")
	default:
		fmt.Fprintf(&out, "and again from step %d on, without end: state %d is state %d\n", b.Loop+1, len(b.Steps)-1, b.Loop)
	}
	return out.String()
}

// describe returns a value in words.
func describe(v any) string { return fmt.Sprintf("%+v", v) }

// changes says what is different in a later state, "unchanged" if nothing is.
func changes(before, after any) string {
	var list []string
	differ("", reflect.ValueOf(before), reflect.ValueOf(after), &list)
	if len(list) == 0 {
		return "unchanged"
	}
	return strings.Join(list, ", ")
}

var stringer = reflect.TypeFor[fmt.Stringer]()

// differ appends the parts in which two values of one flat type differ.
func differ(path string, before, after reflect.Value, list *[]string) {
	if !before.IsValid() || before.Equal(after) {
		return
	}
	t := before.Type()
	speaks := t.Implements(stringer) && before.CanInterface()
	switch {
	case t.Kind() == reflect.Struct && !speaks:
		for i := range t.NumField() {
			name := t.Field(i).Name
			if path != "" {
				name = path + "." + name
			}
			if t.Field(i).Name != "_" {
				differ(name, before.Field(i), after.Field(i), list)
			}
		}
	case t.Kind() == reflect.Array && !speaks:
		for i := range t.Len() {
			differ(fmt.Sprintf("%s[%d]", path, i), before.Index(i), after.Index(i), list)
		}
	default:
		text := fmt.Sprintf("%+v → %+v", before, after)
		if path != "" {
			text = path + ": " + text
		}
		*list = append(*list, text)
	}
}
