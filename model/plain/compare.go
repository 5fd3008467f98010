package plain

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A comparison is a system of package model and a plain world side by side. Their
// states are the same if a one-to-one relation holds between them under which
// initial states, transitions and everything that people and properties see of a
// state agree.
type comparison struct {
	protocol Protocol
	real     *model.System
	plain    *World

	keyOf   map[string]string // the plain key of each encoded state
	stateOf map[string]string // and back
	queue   []pair
	saw     map[string]int // how often what was compared
	seen    int            // transitions
}

// A pair is one state in both worlds, and the actions that led to it.
type pair struct {
	real  string
	plain *State
	path  []string
}

// mostPerState bounds how many transitions a comparison looks at, for each state of
// its limit.
const mostPerState = 30

// Compare explores a protocol in a setting up to a number of states, both as package
// model has it and plainly, and returns an error that says where the two differ. It
// takes states from the front and from the back of what it has found, in turn, so
// that it sees what is near and what is far. It returns how often it compared what:
// by the names of kinds of actions, and by other words.
func Compare(p Protocol, s setting.Setting, limit int) (map[string]int, error) {
	real, err := p.System(s)
	if err != nil {
		return nil, err
	}
	return compare(p, real, s, limit)
}

func compare(p Protocol, real *model.System, s setting.Setting, limit int) (map[string]int, error) {
	w, err := New(p, s)
	if err != nil {
		return nil, err
	}
	c := &comparison{
		protocol: p, real: real, plain: w,
		keyOf: make(map[string]string), stateOf: make(map[string]string), saw: make(map[string]int),
	}
	if err := c.initial(limit); err != nil {
		return nil, err
	}
	for back := false; len(c.queue) > 0 && len(c.keyOf) < limit && c.seen < mostPerState*limit; back = !back {
		i := 0
		if back {
			i = len(c.queue) - 1
		}
		next := c.queue[i]
		c.queue = slices.Delete(c.queue, i, i+1)
		if err := c.state(next); err != nil {
			return nil, fmt.Errorf("%w\n\tin %v\n\tafter %s", err, c.plain.s, strings.Join(next.path, ", "))
		}
	}
	return c.saw, nil
}

// differ returns an error unless two values are the same. Of structs it says which
// fields are not.
func differ(what string, plain, real any) error {
	p, r := reflect.ValueOf(plain), reflect.ValueOf(real)
	if p.Kind() == reflect.Struct {
		for i := range p.NumField() {
			if err := differ(what+", "+p.Type().Field(i).Name, p.Field(i).Interface(), r.Field(i).Interface()); err != nil {
				return err
			}
		}
		return nil
	}
	want, got := fmt.Sprintf("%+v", plain), fmt.Sprintf("%+v", real)
	if want == got {
		return nil
	}
	return fmt.Errorf("%s: the plain world has %s, and searches have %s", what, want, got)
}

// short returns an action in a few words.
func short(a model.Action) string {
	words := []string{a.Kind.String()}
	if a.Process != model.None {
		words = append(words, a.Process.Name())
	}
	if a.Who != model.None {
		words = append(words, "of", a.Who.Name())
	}
	if a.Message != "" || a.Timer != "" {
		words = append(words, a.Message+a.Timer)
	}
	if a.Request != "" {
		words = append(words, "to", a.Request)
	}
	if a.Kind == model.SetsClock {
		words = append(words, "to", fmt.Sprint(a.Ahead))
	}
	if len(a.Choices) > 0 {
		words = append(words, fmt.Sprint("choosing ", a.Choices))
	}
	if a.Crash {
		words = append(words, fmt.Sprint("crash, with out ", a.Out))
	}
	return strings.Join(words, " ")
}

// initial pairs the first initial states, and checks that the setting narrowed to one
// of them has only that one. If these are all, the plain world has no other.
func (c *comparison) initial(limit int) error {
	var err error
	c.real.Origins(func(o model.Origin) bool {
		err = c.begin(o.Setting, o.Choices, o.State)
		c.seen++
		return err == nil && c.seen < limit
	})
	if err != nil {
		return err
	}
	met := make(map[string]bool)
	for state := range c.real.Initial {
		if len(met) == limit {
			return nil
		}
		narrow, choices := c.real.Narrow(state)
		if err := c.begin(narrow, choices, state); err != nil {
			return err
		}
		found, err := c.twin(narrow, string(state))
		if err != nil {
			return err
		}
		met[c.plain.key(found)] = true
	}
	for st := range c.plain.Initial {
		if !met[c.plain.key(st)] {
			return fmt.Errorf("an initial state is missing:\n%s", c.plain.key(st))
		}
		c.saw["initial"]++
	}
	if len(met) != c.saw["initial"] {
		return fmt.Errorf("%d initial states; plainly there are %d", len(met), c.saw["initial"])
	}
	return nil
}

// twin finds the plain initial state of a narrowed setting that is an encoded one.
func (c *comparison) twin(narrow setting.Setting, state string) (*State, error) {
	w := *c.plain
	w.s = narrow.Normal()
	want := fmt.Sprintf("%+v %+v", c.snapshot([]byte(state)), c.protocol.Seen(c.real.View([]byte(state))))
	var others []string
	for st := range w.Initial {
		have := fmt.Sprintf("%+v %+v", w.snapshot(st), w.view(st, w.settled(st)))
		if have == want {
			return st, c.meet(state, st, nil)
		}
		others = append(others, have)
	}
	return nil, fmt.Errorf("an initial state of %v is not one of the plain world's:\n\tplainly %s\n\there    %s", narrow, strings.Join(others, "\n\tor      "), want)
}

// begin checks that a narrowed setting and what handlers chose lead back to the
// initial state that they are of.
func (c *comparison) begin(narrow setting.Setting, choices []int, state []byte) error {
	sys, err := c.real.In(narrow)
	if err != nil {
		return err
	}
	back, err := sys.Begin(choices)
	if err != nil {
		return err
	}
	if len(choices) > 0 {
		c.saw["a choice before the start"]++
	}
	return differ(fmt.Sprintf("the initial state of %v and choices %v", narrow, choices), c.snapshot(state), c.plain.comparable(sys.Snapshot(back)))
}

func (c *comparison) snapshot(state []byte) model.Snapshot {
	return c.plain.comparable(c.real.Snapshot(state))
}

// meet relates two states, and queues them if they are new.
func (c *comparison) meet(real string, plain *State, path []string) error {
	key := c.plain.key(plain)
	knownKey, metReal := c.keyOf[real]
	known, metPlain := c.stateOf[key]
	switch {
	case !metReal && !metPlain:
		c.keyOf[real], c.stateOf[key] = key, real
		c.queue = append(c.queue, pair{real, plain, path})
	case metReal && knownKey != key:
		return fmt.Errorf("one encoded state for two states after %q:\n%s\n%s", path, knownKey, key)
	case metPlain && known != real:
		return fmt.Errorf("two encoded states for one after %q: %x and %x are\n%s", path, known, real, key)
	}
	return nil
}

// state compares what is seen of a state, and what can happen in it.
func (c *comparison) state(s pair) error {
	state := []byte(s.real)
	shown, view := c.plain.snapshot(s.plain), c.real.View(state)
	seen := c.plain.view(s.plain, shown.Settled)
	for _, what := range []struct {
		name        string
		plain, real any
	}{
		{"what properties see", seen, c.protocol.Seen(view)},
		{"quiet", c.plain.quiet(s.plain), view.Quiet},
		{"over", c.plain.over(s.plain), view.Over},
		{"the snapshot", shown, c.snapshot(state)},
	} {
		if err := differ(what.name, what.plain, what.real); err != nil {
			return err
		}
	}
	if shown.Settled {
		c.saw["settled"]++
	}
	if err := c.transitions(s, shown); err != nil {
		return err
	}
	return c.watched(s, seen)
}

// transitions compares what can happen in a state.
func (c *comparison) transitions(s pair, shown model.Snapshot) error {
	real := make(map[string]model.Transition)
	for _, t := range c.real.Transitions([]byte(s.real)) {
		name := fmt.Sprintf("%+v", t.Action)
		if _, twice := real[name]; twice {
			return fmt.Errorf("an action is there twice: %s", name)
		}
		real[name] = t
	}
	all := c.plain.Next(s.plain)
	for _, p := range all {
		name := fmt.Sprintf("%+v", p.action)
		r, ok := real[name]
		if !ok {
			return fmt.Errorf("an action is missing: %s", name)
		}
		delete(real, name)
		c.seen++
		if err := c.transition(s, shown, p, r); err != nil {
			return fmt.Errorf("%s: %w", short(p.action), err)
		}
		c.count(s, shown.Settled, p, string(r.Next))
	}
	for name := range real {
		return fmt.Errorf("an action is not enabled in the plain world: %s", name)
	}
	for _, t := range c.plain.enabled(s.plain) {
		if t.beyond {
			c.saw["beyond"]++
		}
	}
	return nil
}

// transition compares what an action does.
func (c *comparison) transition(s pair, shown model.Snapshot, p Transition, r model.Transition) error {
	if err := differ("its misuse", p.misuse != "", r.Misuse != ""); err != nil || p.misuse != "" {
		return err
	}
	var rules []string
	for _, rule := range p.rules {
		rules = append(rules, c.protocol.Names().Rules[rule])
	}
	if err := differ("what it sends", p.sent, r.Sent); err != nil {
		return err
	}
	if err := differ("rules", rules, r.Rules); err != nil {
		return err
	}
	if err := differ("its odds", cmp.Or(p.odds, model.Certain), r.Odds); err != nil {
		return err
	}
	if err := differ("what it drops", c.plain.sorted(c.dropped(shown.InFlight, p)), c.plain.sorted(r.Dropped)); err != nil {
		return err
	}
	return c.meet(string(r.Next), p.next, append(slices.Clone(s.path), short(p.action)))
}

// count notes what was compared.
func (c *comparison) count(s pair, settled bool, t Transition, next string) {
	a := t.action
	c.saw[a.Kind.String()]++
	for what, is := range map[string]bool{
		"link": a.Link != (setting.CutLink{}), "idle outcome": next == s.real, "named choice": a.Outcomes != nil,
		"mid-send": a.Crash, "premature": a.Premature, "rule": len(t.rules) > 0, "misuse": t.misuse != "",
		"settled, and " + a.Kind.String() + " mid-send":  settled && a.Crash,
		"settled, and " + a.Kind.String() + " premature": settled && a.Premature,
	} {
		if is {
			c.saw[what]++
		}
	}
	for _, p := range s.plain.procs {
		for t, least := range p.least {
			if least > 0 && least < p.timers[t] {
				c.saw["drift"]++
			}
		}
	}
}

// dropped returns the messages that a transition took out of the network other
// than by its action: those in flight before or sent since that are missing.
func (c *comparison) dropped(before []model.Envelope, t Transition) []model.Envelope {
	if t.action.Kind == model.Ticks {
		return nil
	}
	missing := slices.Clone(before)
	for _, s := range t.sent {
		if s.Lost {
			continue
		}
		s.Broadcast = 0 // a message in flight does not tell
		if c.plain.s.Repaired {
			s.From = model.None
		}
		missing = append(missing, s)
	}
	is := func(e model.Envelope) func(model.Envelope) bool {
		return func(b model.Envelope) bool {
			return e.To == b.To && e.Port == b.Port && e.Text == b.Text && e.Due == b.Due
		}
	}
	switch a := t.action; a.Kind {
	case model.Delivers, model.Drops, model.Loses:
		if i := slices.IndexFunc(missing, is(model.Envelope{To: a.Process, Port: a.Port, Text: a.Message, Due: a.Due})); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
		}
	}
	// Of equal messages of a link, those that are left were sent last.
	slices.Reverse(missing)
	for _, e := range slices.Backward(c.plain.inFlight(t.next)) {
		if i := slices.IndexFunc(missing, is(e)); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
		}
	}
	slices.Reverse(missing)
	return missing
}

// watched compares what watches see of the steps out of a state with what they would
// see in the plain world.
func (c *comparison) watched(s pair, seen View) error {
	var err error
	var real, plain []string
	watch := model.Watch{
		State: func(v *model.View) bool {
			err = differ("what a watch sees", seen, c.protocol.Seen(v))
			return false
		},
		Step: func(e *model.Event) bool {
			real = append(real, fmt.Sprintf("%+v\nto %+v by %s", c.protocol.Seen(e.From), c.protocol.Seen(e.To), c.protocol.Happened(e)))
			return false
		},
	}
	c.real.Watched(watch).NewExpander().Expand([]byte(s.real), new(explore.Successors))
	before := c.plain.view(s.plain, false)
	for _, t := range c.plain.Next(s.plain) {
		if t.misuse == "" {
			plain = append(plain, fmt.Sprintf("%+v\nto %+v by %s", before, c.plain.view(t.next, false), c.plain.happened(t)))
		}
	}
	slices.Sort(real)
	slices.Sort(plain)
	if err != nil {
		return err
	}
	return differ("what a watch sees of steps", plain, real)
}
