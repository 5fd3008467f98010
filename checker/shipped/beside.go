package shipped

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"bullyproof/model"
)

// A Correspondence says what two systems have in common, a model and the program that it is
// of, say: which of their actions are the same, and what is compared of their states.
type Correspondence struct {
	// Left and Right return what both systems call an action of theirs: "P1: campaign",
	// "P2<-P1: vote in term 1". Actions with equal texts are carried out together. An action
	// with the text "" is one that the other system does not have, and is left out: a run goes
	// on as if it did not happen.
	Left, Right func(a *model.Action) string
	// Only reports of an action that one system has and the other one should have, but has not,
	// that this is on purpose. Then it is left out as well. A nil Only says so of none.
	Only func(text string) bool
	// Silent reports of an action that the other system does the same without an action: a timer runs
	// down, say, where the program asks for the time. It is carried out as soon as it can be, before
	// any other. A nil Silent says so of none.
	Silent func(a *model.Action) bool
	// SeenLeft and SeenRight return what is compared of states: texts that are to be equal.
	SeenLeft, SeenRight func(s model.Snapshot) string
}

// A Pair is an action in both systems, and what is seen of the states where they lead.
type Pair struct {
	// Action is what both call it.
	Action string
	// Left and Right are what is seen of the states behind it.
	Left, Right string
}

// A Difference is a shortest pair of runs, one of each system by the same actions, at whose
// end the systems differ.
type Difference struct {
	// Run is the beginning (without an Action) and the actions. The views at its end differ,
	// unless Missing names another difference.
	Run []Pair
	// Missing is an action that one system can carry out at the end, and the other one cannot, and
	// Has which: "left" or "right".
	Missing, Has string
}

// String shows the runs, an action a line, and the difference at the end.
func (d *Difference) String() string {
	var b strings.Builder
	for i, p := range d.Run {
		if i == 0 {
			b.WriteString("    both begin\n")
		} else {
			fmt.Fprintf(&b, "%3d %s\n", i, p.Action)
		}
		if i == len(d.Run)-1 || p.Left != p.Right {
			fmt.Fprintf(&b, "      left:  %s\n      right: %s\n", p.Left, p.Right)
		}
	}
	if d.Missing != "" {
		other := map[string]string{"left": "right", "right": "left"}[d.Has]
		fmt.Fprintf(&b, "    then %q is enabled on the %s, and not on the %s\n", d.Missing, d.Has, other)
	}
	return b.String()
}

// A Beside is what Together came to.
type Beside struct {
	// Difference is nil where none was found.
	Difference *Difference
	// Pairs is how many pairs of states there are, and Depth how many actions from the beginning
	// the last of them is.
	Pairs, Depth int
	// Whole says that there are no pairs beyond Depth.
	Whole bool
	// Together are the actions that both carried out, and Alone those that were left out since
	// only one has them, each with how often: as texts, in order.
	Together, Alone []string
}

// Together explores two systems side by side, breadth first, to a depth (0 is without a limit):
// each run of the one is replayed on the other as far as both have the step. It ends with the
// first difference: in what is seen of states, or in what can happen. It fails if one of them has
// several initial states or does what no world can carry out, if an action has several outcomes
// under one text, or if the context ends.
func Together(ctx context.Context, left, right *model.System, c Correspondence, depth int) (*Beside, error) {
	b := &together{left: left, right: right, c: c, met: map[[16]byte]bool{}, both: map[string]int{}, alone: map[string]int{}}
	d, err := b.explore(ctx, depth)
	if err != nil {
		return nil, err
	}
	return &Beside{
		Difference: d, Pairs: len(b.pairs), Depth: b.pairs[len(b.pairs)-1].depth, Whole: d == nil && b.whole,
		Together: counted(b.both), Alone: counted(b.alone),
	}, nil
}

// A together is a search of pairs of states.
type together struct {
	left, right *model.System
	c           Correspondence
	pairs       []pair
	met         map[[16]byte]bool
	both, alone map[string]int
	whole       bool
}

// A pair is a state of each system, and where it was met.
type pair struct {
	left, right []byte
	from, depth int
	action      string
}

// explore visits all pairs.
func (b *together) explore(ctx context.Context, depth int) (*Difference, error) {
	left, err := initial(b.left)
	if err != nil {
		return nil, fmt.Errorf("left: %w", err)
	}
	right, err := initial(b.right)
	if err != nil {
		return nil, fmt.Errorf("right: %w", err)
	}
	if left, err = b.settled(b.left, left); err != nil {
		return nil, err
	}
	if right, err = b.settled(b.right, right); err != nil {
		return nil, err
	}
	if d := b.meet(pair{left: left, right: right, from: -1}); d != nil {
		return d, nil
	}
	b.whole = true
	for i := 0; i < len(b.pairs); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if depth > 0 && b.pairs[i].depth == depth {
			b.whole = false
			break
		}
		if d, err := b.expand(i); d != nil || err != nil {
			return d, err
		}
	}
	return nil, nil
}

// initial returns where the runs of a system begin.
func initial(s *model.System) (state []byte, err error) {
	s.Initial(func(begin []byte) bool {
		if state != nil && !bytes.Equal(state, begin) {
			err = errors.New("several initial states: want a setting with one")
			return false
		}
		state = bytes.Clone(begin)
		return true
	})
	return state, err
}

// expand carries out what both systems can in a pair.
func (b *together) expand(at int) (*Difference, error) {
	left, err := b.steps(b.left, b.pairs[at].left, b.c.Left)
	if err != nil {
		return nil, err
	}
	right, err := b.steps(b.right, b.pairs[at].right, b.c.Right)
	if err != nil {
		return nil, err
	}
	for _, text := range sorted(left) {
		if d := b.missing(at, text, "left", right); d != nil {
			return d, nil
		}
	}
	for _, text := range sorted(right) {
		if d := b.missing(at, text, "right", left); d != nil {
			return d, nil
		}
	}
	for _, text := range sorted(left) {
		if right[text] == nil {
			continue
		}
		b.both[text]++
		if d := b.meet(pair{left[text], right[text], at, b.pairs[at].depth + 1, text}); d != nil {
			return d, nil
		}
	}
	return nil, nil
}

// missing returns the difference where the other system lacks an action that it should have.
func (b *together) missing(at int, text, has string, other map[string][]byte) *Difference {
	if _, ok := other[text]; ok {
		return nil
	}
	if b.c.Only != nil && b.c.Only(text) {
		b.alone[text]++
		return nil
	}
	return &Difference{Run: b.run(at), Missing: text, Has: has}
}

// steps returns where a state leads by the actions that have a text, except for those
// that change nothing.
func (b *together) steps(s *model.System, state []byte, name func(*model.Action) string) (map[string][]byte, error) {
	steps := map[string][]byte{}
	for _, t := range s.Transitions(state) {
		text := name(&t.Action)
		if text == "" || bytes.Equal(t.Next, state) {
			continue
		}
		if t.Misuse != "" {
			return nil, fmt.Errorf("%s: %s", text, t.Misuse)
		}
		next, err := b.settled(s, t.Next)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", text, err)
		case steps[text] == nil:
			steps[text] = next
		case !bytes.Equal(steps[text], next):
			return nil, fmt.Errorf("%s: it has several outcomes, %v: want a text for each", text, t.Action.Choices)
		}
	}
	return steps, nil
}

// mostSilent is how many silent actions there may be in a row.
const mostSilent = 1000

// settled returns where a state leads by silent actions, until there is none.
func (b *together) settled(s *model.System, state []byte) ([]byte, error) {
	if b.c.Silent == nil {
		return state, nil
	}
	for range mostSilent {
		next := b.silent(s, state)
		switch {
		case next == nil:
			return state, nil
		case next.Misuse != "":
			return nil, fmt.Errorf("a silent action: %s", next.Misuse)
		}
		state = next.Next
	}
	return nil, fmt.Errorf("%d silent actions in a row: want an end of them", mostSilent)
}

// silent returns the first silent action that changes a state, nil if there is none.
func (b *together) silent(s *model.System, state []byte) *model.Transition {
	for _, t := range s.Transitions(state) {
		if b.c.Silent(&t.Action) && !bytes.Equal(t.Next, state) {
			return &t
		}
	}
	return nil
}

// meet adds a pair, unless it is known, and returns the difference where there is one.
func (b *together) meet(p pair) *Difference {
	h := xxh3.New()
	fmt.Fprintf(h, "%d ", len(p.left))
	h.Write(p.left)
	h.Write(p.right)
	key := h.Sum128().Bytes()
	if b.met[key] {
		return nil
	}
	b.met[key] = true
	b.pairs = append(b.pairs, p)
	if b.c.SeenLeft(b.left.Snapshot(p.left)) != b.c.SeenRight(b.right.Snapshot(p.right)) {
		return &Difference{Run: b.run(len(b.pairs) - 1)}
	}
	return nil
}

// run returns the way to a pair.
func (b *together) run(at int) (run []Pair) {
	for ; at >= 0; at = b.pairs[at].from {
		p := &b.pairs[at]
		run = append(run, Pair{p.action, b.c.SeenLeft(b.left.Snapshot(p.left)), b.c.SeenRight(b.right.Snapshot(p.right))})
	}
	slices.Reverse(run)
	return run
}

// sorted returns the keys in order.
func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// counted returns texts with how often they were met.
func counted(m map[string]int) (list []string) {
	for _, k := range sorted(m) {
		list = append(list, fmt.Sprintf("%s (%d)", k, m[k]))
	}
	return list
}
