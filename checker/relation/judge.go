package relation

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"bullyproof/internal/machine"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// A Model is a description, and the protocol that it describes.
type Model struct {
	*Description
	// Systems make the protocol in a setting, each in a version of it: all are described.
	Systems []func(setting.Setting) (*model.System, error)
	// Facts says what is true of a state of the protocol.
	Facts func(v *model.View, f *Facts)
	// Quorums are those of an instance of so many processes; nil for the smallest majorities.
	Quorums func(n int) []model.Set
	// MaxBytes limits the memory that the states of an instance take, by an account of their
	// sizes; 0 stands for what the machine has left.
	MaxBytes int64
	// Progress is told from time to time how many states of an instance are known; nil to
	// tell nobody.
	Progress func(setting string, states int)
}

// MostStates is how many states of an instance Judge looks at, at most.
const MostStates = 2_000_000

// A LimitError says that an instance has more states than there is room for.
type LimitError struct {
	Setting string
	States  int    // that are known
	Limit   string // which was met, in words
}

// Error says which instance it is, and which limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: not all of its states are compared: %s are known at the limit of %s; want smaller instances, or more room", e.Setting, quantity.Plural(e.States, "state"), e.Limit)
}

// A Judgement is a description that is as its protocol, in instances.
type Judgement struct {
	// States and Transitions are how many of the protocol were looked at.
	States, Transitions int
	// Ran is how often each step was a transition.
	Ran []int
	// Seen are the instances with the states that relations can have in them.
	Seen []Seen
}

// Seen are the states that relations can have in an instance.
type Seen struct {
	*Instance
	States [][]uint64
}

// A Disagreement is a transition that no step is, or a step that is no transition.
type Disagreement struct {
	Setting string
	// Run are the actions that lead to the state.
	Run []string
	// Before is what is true in it.
	Before string
	// Action is the transition, and After what is true behind it; both are empty where the
	// step is too much.
	Action, After string
	// Step is the step with its things that no transition is, where one is not.
	Step string
}

// Error says where they part.
func (d *Disagreement) Error() string {
	where := fmt.Sprintf("%s: after %d actions %q, where %s", d.Setting, len(d.Run), d.Run, d.Before)
	if d.Step != "" {
		return fmt.Sprintf("%s: step %s can happen, and no transition of the protocol is it", where, d.Step)
	}
	return fmt.Sprintf("%s: %s leads to %s, and no step does", where, d.Action, d.After)
}

// A judge explores the instances of a setting with one number of processes.
type judge struct {
	*Model
	sys   *model.System
	name  string
	rings []*explored // one for each order of the ring, in the order of the initial states
	nodes []node
	known map[string]bool
	bytes int64 // that the states take, and what steps do in them
	asked int64 // how many it were when the machine was asked for its room last
	out   *Judgement
	// only says that steps need not be transitions.
	only bool
}

// explored are the states that relations had in an instance, and what steps do in each.
type explored struct {
	*Instance
	states   [][]uint64
	outcomes map[string][]outcome // by keyOf
}

type node struct {
	in     *explored
	state  []byte
	facts  []uint64
	parent int
}

// Judge explores the protocol in all instances of the settings, and compares: each
// transition changes nothing or is a step, and each step that is not one which may happen
// is a transition. It returns a *Disagreement where they part, ctx's error when that ends,
// a *LimitError for an instance of more than MostStates states or than MaxBytes, and an error for
// what does not fit: a fact beyond an instance, a step that never happens.
func (m *Model) Judge(ctx context.Context) (*Judgement, error) {
	out := &Judgement{Ran: make([]int, len(m.Steps))}
	for _, s := range m.Settings {
		for n := s.From; n <= s.To; n++ {
			for _, system := range m.Systems {
				if err := m.judge(ctx, out, fmt.Sprintf("n=%d %s", n, s.Text), system); err != nil {
					return nil, err
				}
			}
		}
	}
	for i, ran := range out.Ran {
		if ran == 0 {
			return nil, fmt.Errorf("step %s never happens in %d transitions", m.Steps[i].Name, out.Transitions)
		}
	}
	return out, nil
}

// Covers explores the protocol in a setting, and compares one way: each transition changes
// nothing or is a step. So what is proved of the description is true of these runs. Errors are
// those of Judge.
func (m *Model) Covers(ctx context.Context, text string, system func(setting.Setting) (*model.System, error)) error {
	return m.explore(ctx, &judge{Model: m, name: text, known: map[string]bool{}, out: &Judgement{Ran: make([]int, len(m.Steps))}, only: true}, system)
}

func (m *Model) judge(ctx context.Context, out *Judgement, text string, system func(setting.Setting) (*model.System, error)) error {
	j := &judge{Model: m, name: text, known: map[string]bool{}, out: out}
	if err := m.explore(ctx, j, system); err != nil {
		return err
	}
	out.States += len(j.nodes)
	for _, in := range j.rings {
		out.Seen = append(out.Seen, Seen{in.Instance, in.states})
	}
	return nil
}

// explore has a judge look at all states.
func (m *Model) explore(ctx context.Context, j *judge, system func(setting.Setting) (*model.System, error)) error {
	s, err := setting.Parse(j.name)
	if err != nil {
		return err
	}
	if j.sys, err = system(s); err != nil {
		return err
	}
	j.sys.Initial(func(state []byte) bool {
		err = j.begin(state)
		return err == nil
	})
	for i := 0; err == nil && i < len(j.nodes); i++ {
		if limit := j.beyond(); limit != "" {
			return &LimitError{j.name, len(j.nodes), limit}
		}
		if i%1000 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if m.Progress != nil {
				m.Progress(j.name, len(j.nodes))
			}
		}
		err = j.expand(i)
	}
	return err
}

// Room is asked for once for so many bytes. A state takes its bytes twice, as a node and as
// the key of a map, and about as many more as these are.
const (
	roomStride = 64 << 20
	nodeBytes  = 200
	stepBytes  = 120
)

// beyond returns which limit the states are at, in words; empty within all.
func (j *judge) beyond() string {
	switch {
	case len(j.nodes) > MostStates:
		return quantity.Count(MostStates) + " states"
	case j.MaxBytes > 0 && j.bytes > j.MaxBytes:
		return quantity.Bytes(j.MaxBytes) + " of memory"
	case j.bytes < j.asked+roomStride:
		return ""
	}
	j.asked = j.bytes
	if left, what := machine.Room("/", 0); left < 2*roomStride {
		return what
	}
	return ""
}

func keyOf(state []uint64) string {
	b := make([]byte, 0, 8*len(state))
	for _, w := range state {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

func (j *judge) begin(state []byte) error {
	snap := j.sys.Snapshot(state)
	ring := make([]model.ID, len(snap.Processes))
	for i, p := range snap.Processes {
		ring[i] = p.ID
	}
	at := slices.IndexFunc(j.rings, func(in *explored) bool { return slices.Equal(in.Ring, ring) })
	if at < 0 {
		at = len(j.rings)
		j.rings = append(j.rings, &explored{Instance: j.Model.instance(ring), outcomes: map[string][]outcome{}})
	}
	in := j.rings[at]
	facts, err := j.factsOf(in.Instance, state)
	if err != nil {
		return err
	}
	for i := range j.Init {
		if !in.Always(&j.Init[i], facts) {
			return fmt.Errorf("%s: in the initial state with %s, init %s is not true", j.name, in.StateText(facts), j.Text(&j.Init[i]))
		}
	}
	j.add(node{in: in, state: slices.Clone(state), facts: facts, parent: -1})
	return nil
}

func (j *judge) factsOf(in *Instance, state []byte) ([]uint64, error) {
	f := &Facts{in: in, bits: make([]uint64, in.words)}
	j.Facts(j.sys.View(state), f)
	if f.err != nil {
		return nil, fmt.Errorf("%s: facts: %w", j.name, f.err)
	}
	return f.bits, nil
}

func (j *judge) add(n node) {
	key := string(n.state) + keyOf(n.facts)
	if !j.known[key] {
		j.known[key] = true
		j.bytes += nodeBytes + 2*int64(len(key))
		j.nodes = append(j.nodes, n)
	}
}

// of returns what steps do in a state of relations. Many states of a protocol are one of these.
// It also returns how many bytes that takes anew.
func (in *explored) of(facts []uint64) (list []outcome, took int64) {
	key := keyOf(facts)
	list, ok := in.outcomes[key]
	if !ok {
		list = in.Instance.outcomes(facts)
		in.outcomes[key] = list
		in.states = append(in.states, facts)
		took = nodeBytes + int64(len(key)+len(list)*(stepBytes+2*len(key)))
	}
	return list, took
}

func (j *judge) expand(i int) error {
	n := j.nodes[i]
	list, took := n.in.of(n.facts)
	j.bytes += took
	realized := make([]bool, len(list))
	for _, t := range j.sys.Transitions(n.state) {
		j.out.Transitions++
		if t.Misuse != "" {
			return errors.New(j.name + ": " + t.Misuse)
		}
		next, err := j.factsOf(n.in.Instance, t.Next)
		if err != nil {
			return err
		}
		is := -1
		same := n.in.same(n.facts, next)
		for k := range list {
			if n.in.leadsTo(&list[k], next) {
				// Of two messages alike one is left; nothing else that changes nothing is a step.
				realized[k] = realized[k] || !same || t.Action.Message != ""
				j.out.Ran[list[k].step]++
				if is < 0 {
					is = k
				}
			}
		}
		switch {
		case same:
			next = n.in.ghosts(next, n.facts)
		case is >= 0:
			next = n.in.ghosts(next, list[is].state)
		default:
			return &Disagreement{Setting: j.name, Run: j.run(i), Before: n.in.StateText(n.facts), Action: trace.ActionText(t.Action), After: n.in.StateText(next)}
		}
		j.add(node{in: n.in, state: t.Next, facts: next, parent: i})
	}
	if j.only {
		return nil
	}
	for k := range list {
		o := &list[k]
		if st := &j.Steps[o.step]; !st.May && !realized[k] && o.changes(n.facts) {
			of := make([]int, len(st.Free))
			for i, v := range st.Free {
				of[i] = o.of[v]
			}
			return &Disagreement{Setting: j.name, Run: j.run(i), Before: n.in.StateText(n.facts), Step: n.in.StepText(st, of)}
		}
	}
	return nil
}

// run returns the actions that lead to a node.
func (j *judge) run(i int) (list []string) {
	for ; j.nodes[i].parent >= 0; i = j.nodes[i].parent {
		for _, t := range j.sys.Transitions(j.nodes[j.nodes[i].parent].state) {
			if bytes.Equal(t.Next, j.nodes[i].state) {
				list = append(list, trace.ActionText(t.Action))
				break
			}
		}
	}
	slices.Reverse(list)
	return list
}
