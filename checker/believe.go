package checker

import (
	"errors"
	"fmt"
	"slices"

	"bullyproof/explore"
	"bullyproof/internal/survey"
	"bullyproof/model"
)

// TestProperties checks in a go test what properties say of themselves: that none reads more
// of states than it says (Property.Reading), and none that is said to be blind asks about a
// process by its id (Property.Blind). It looks at the states that TestSystem looks at, and
// returns an error that names the properties of which that is false. A search does the same before it relies on such a
// declaration, and decides a property that refutes its own on the system as it is.
func TestProperties(sys *model.System, props ...*Property) (err error) {
	for _, q := range tried(sys, true, props...) {
		if why := q.refuted(); why != "" {
			err = errors.Join(err, fmt.Errorf("property %q: %s", q.p.Name, why))
		}
	}
	return err
}

// A question is what a property asks of states: what breaks or meets it, or its occasion.
type question struct {
	p       *Property
	hit     func(v *model.View) bool
	answers map[string]*answers // by what it reads of all processes at one instant
	blames  string              // what refutes a declaration
}

// The answers in states that are alike to a question, except for what it reads of one process
// at a time.
type answers struct {
	none  bool            // it is not hit in one of them
	clear map[string]bool // what each process is there
	hits  [][]string      // what each process is where it is hit
}

// questionsOf returns what properties ask that say what they read.
func questionsOf(props []*Property) (list []*question) {
	for _, p := range props {
		if !p.Reducible() {
			continue
		}
		list = append(list, &question{p: p, hit: p.Watch().State})
		if p.given != nil {
			list = append(list, &question{p: p, hit: p.given.when})
		}
	}
	for _, q := range list {
		q.answers = make(map[string]*answers)
	}
	return list
}

// tried asks properties of the states at which a conformance test looks, and, to see whether
// they are blind, of those in which processes have changed places.
func tried(sys *model.System, blind bool, props ...*Property) (list []*question) {
	if list = questionsOf(props); len(list) == 0 {
		return nil
	}
	blind = blind && slices.ContainsFunc(list, func(q *question) bool { return q.p.blind })
	expander := sys.NewExpander()
	look := func(state []byte) (next [][]byte, err error) {
		v := sys.View(state)
		var alike []*model.View
		if blind {
			alike = sys.Alike(state)
		}
		for _, q := range list {
			q.ask(v, alike)
		}
		var out explore.Successors
		expander.Expand(slices.Clone(state), &out)
		for i := range out.Len() {
			next = append(next, slices.Clone(out.State(i)))
		}
		return next, nil
	}
	// A property or a handler that panics is not tried to the end: the search of the system as
	// it is tells that, and shows the way there.
	defer func() {
		if r := recover(); r != nil {
			for _, q := range list {
				q.blame("what it says of itself could not be tried: %v", r)
			}
		}
	}()
	if err := survey.Thoroughly().Of(sys.Initial, survey.Once(look)); err != nil {
		panic(err) // no visit returns one
	}
	return list
}

// blame notes what refutes a declaration; the first counts.
func (q *question) blame(format string, args ...any) {
	if q.blames == "" {
		q.blames = fmt.Sprintf(format, args...)
	}
}

// ask asks in a state, and in those that are alike if the property is blind.
func (q *question) ask(v *model.View, alike []*model.View) {
	hit := q.hit(v)
	if q.p.blind && slices.ContainsFunc(alike, func(other *model.View) bool { return q.hit(other) != hit }) {
		q.blame("it says that it asks about no process by its id (Property.Blind), and where processes change places in a state that can be reached its answer is another one")
	}
	if v.Quiet { // such states are the same on a reduced system
		return
	}
	key, each := v.Read(q.p.reads)
	a := q.answers[key]
	if a == nil {
		a = &answers{clear: make(map[string]bool)}
		q.answers[key] = a
	}
	switch {
	case !hit:
		a.none = true
		for _, one := range each {
			a.clear[one] = true
		}
	case len(a.hits) == 0 || len(each) > 0:
		a.hits = append(a.hits, each)
	}
}

// refuted says why what the property says of itself is false; "" if nothing shows that.
func (q *question) refuted() string {
	for _, a := range q.answers {
		if a.none && slices.ContainsFunc(a.hits, func(each []string) bool {
			return !slices.ContainsFunc(each, func(one string) bool { return !a.clear[one] })
		}) {
			q.blame("it says that it reads less of states than it does (Property.Reading): its answers differ in two states that can be reached and are alike in what it says that it reads")
		}
	}
	return q.blames
}
