package checker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/class"
	"bullyproof/model"
)

// FairnessClasses returns the names of all fairness classes of a system, sorted,
// by exploring it within the limits of opt. The error says what it did not see.
func FairnessClasses(ctx context.Context, sys *model.System, opt Options) ([]string, error) {
	labels, err := sys.Labelled()
	if err != nil {
		return nil, err
	}
	_, why, err := Graph(ctx, labels, opt)
	if err != nil {
		return nil, err
	}
	classes, _ := classesOf(labels)
	names := make([]string, len(classes))
	for i, m := range classes {
		names[i] = m.Name
	}
	if why != "" {
		return names, fmt.Errorf("not all fairness classes are known: %s", why)
	}
	return names, nil
}

// classesOf numbers the fairness classes of a system's labels, sorted by name,
// and says which each label is of.
func classesOf(labels *model.Labels) (classes []class.Member, of [][]int32) {
	lists := make([][]class.Member, labels.Len())
	for i := range lists {
		l := labels.Label(uint32(i))
		lists[i] = class.OfLabel(&l)
		classes = append(classes, lists[i]...)
	}
	slices.SortFunc(classes, func(a, b class.Member) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	classes = slices.Compact(classes)
	number := make(map[class.Member]int32, len(classes))
	for i, m := range classes {
		number[m] = int32(i)
	}
	of = make([][]int32, len(lists))
	for i, list := range lists {
		for _, m := range list {
			of[i] = append(of[i], number[m])
		}
	}
	return classes, of
}
