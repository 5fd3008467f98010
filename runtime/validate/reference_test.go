package validate_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/garbage"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
)

// plain looks for a run that shows some lines as the documentation says what that
// is, and tries everything: each next line of a process, each crash, each thing
// that a process did last before a crash that a restart follows, and whatever else
// may be hidden.
type plain struct {
	sys     *model.System
	stepper *model.Stepper
	lines   [4][]eventlog.Event // by process
	hidden  []model.ActionKind
	silent  bool
	seen    map[string]bool
}

var handlers = []model.ActionKind{model.Starts, model.Delivers, model.Expires, model.Suspects, model.Misreports}

// shows reports whether the lines from pos on can follow in a state in which some
// processes have done their last thing.
func (p *plain) shows(state []byte, pos [4]int, last model.Set) bool {
	key := fmt.Sprintf("%x %v %v", state, pos, last)
	if p.seen[key] {
		return false
	}
	p.seen[key] = true
	done := true
	for id := model.ID(1); id <= 3; id++ {
		left := p.lines[id][pos[id]:]
		done = done && len(left) == 0
		if !last.Has(id) && len(left) > 0 && p.line(state, pos, last, &left[0]) {
			return true
		}
		again := len(left) > 0 && left[0].Kind == eventlog.Boot && left[0].Why == model.Restart
		kinds := model.CrashKinds()
		if !last.Has(id) {
			kinds = append(kinds, p.hidden...)
			if p.silent && len(p.lines[id]) == 0 {
				kinds = append(kinds, model.Boots, model.Restarts)
				kinds = append(kinds, handlers...)
			}
			if pos[id] == 0 && len(left) > 0 && (again || left[0].Kind != eventlog.Boot) {
				kinds = append(kinds, model.Boots) // its log begins later
			}
		}
		if p.step(state, kinds, id, func(next []byte) bool { return p.shows(next, pos, last.Without(id)) }) {
			return true
		}
		if again && !last.Has(id) && p.step(state, handlers, id, func(next []byte) bool { return p.shows(next, pos, last.With(id)) }) {
			return true
		}
	}
	return done || p.world(state, func(next []byte) bool { return p.shows(next, pos, last) })
}

// world has the network and time do something that no line tells.
func (p *plain) world(state []byte, then func(next []byte) bool) bool {
	for _, t := range p.sys.Transitions(state) {
		switch t.Action.Kind {
		case model.Ticks, model.Drops, model.Loses, model.Duplicates, model.CutsOff, model.Heals, model.Pauses, model.Resumes:
			if then(t.Next) {
				return true
			}
		}
	}
	return false
}

// line reports whether the lines can follow after the next one of a process.
func (p *plain) line(state []byte, pos [4]int, last model.Set, e *eventlog.Event) bool {
	pos[e.Process]++
	if e.Kind == eventlog.Crash && p.stepper.Process(state, e.Process).Status == model.Down {
		return p.shows(state, pos, last)
	}
	a := model.Action{Process: e.Process, Port: e.From, Message: e.Message, Timer: e.Timer, Who: e.Who}
	kinds := map[eventlog.Kind][]model.ActionKind{
		eventlog.Start: {model.Starts}, eventlog.Receive: {model.Delivers}, eventlog.Expire: {model.Expires},
		eventlog.Suspect: {model.Suspects, model.Misreports}, eventlog.Crash: model.CrashKinds(),
		eventlog.Boot: {map[model.Boot]model.ActionKind{model.Cold: model.Boots, model.Restart: model.Restarts}[e.Why]},
	}[e.Kind]
	for _, a.Kind = range kinds {
		if p.like(state, a, func(next []byte) bool { return p.shows(next, pos, last) }) {
			return true
		}
	}
	return false
}

func (p *plain) step(state []byte, kinds []model.ActionKind, id model.ID, then func(next []byte) bool) bool {
	return slices.ContainsFunc(kinds, func(k model.ActionKind) bool {
		return p.like(state, model.Action{Kind: k, Process: id}, then)
	})
}

func (p *plain) like(state []byte, a model.Action, then func(next []byte) bool) bool {
	var found [][]byte
	p.stepper.Steps(state, a, func(t model.Transition) {
		if t.Misuse == "" && !t.Action.Crash {
			found = append(found, slices.Clone(t.Next))
		}
	})
	return slices.ContainsFunc(found, then)
}

// spoil changes something in a log.
func spoil(t *rapid.T, list []eventlog.Event) []eventlog.Event {
	list = slices.Clone(list)
	if len(list) < 2 {
		return list
	}
	i, j := rapid.IntRange(0, len(list)-1).Draw(t, "i"), rapid.IntRange(0, len(list)-1).Draw(t, "j")
	switch rapid.IntRange(0, 5).Draw(t, "how") {
	case 0: // one line less
		return slices.Delete(list, i, i+1)
	case 1: // one twice
		return slices.Insert(list, j, list[i])
	case 2: // two in the wrong order
		list[i], list[j] = list[j], list[i]
	case 3: // one said by another
		list[i].Process = list[j].Process
	case 4: // a message from another
		if list[i].Kind == eventlog.Receive && list[j].Process != list[i].Process {
			list[i].From = model.Peer(list[j].Process)
		}
	}
	return list
}

var deep = flag.Bool("deep", false, "compare with the plain search in every world, which takes a minute")

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// worlds are those in which lines commute, and others.
var worlds = []string{
	"", "channels=fifo losses=1", "losses=1 duplications=1", "mail-down=lost mail-old=lost", "timing=patient losses=1", "timing=sync:1",
	"timing=async:1", "cuts=1 heals=0 suspicions=0", "pauses=1 suspicions=0",
}

// The search comes to what a plain one comes to that tries everything.
func TestAgainstPlainSearch(t *testing.T) {
	verdicts := map[validate.Verdict]int{}
	of := [][]string{worlds}
	if *deep {
		of = slices.Collect(slices.Chunk(worlds, 1))
	}
	against := func(t *rapid.T, words []string) {
		againstPlain(t, rapid.SampledFrom(words).Draw(t, "world"), verdicts)
	}
	for _, words := range of {
		rapid.Check(t, func(t *rapid.T) { against(t, words) })
	}
	// Few random logs may all be of one verdict: fixed ones make up for them.
	rare := func() bool { return min(verdicts[validate.Accepted], verdicts[validate.Refused]) <= 5 }
	for seed := 0; seed < 200 && rare(); seed++ {
		rapid.Custom(func(t *rapid.T) int { against(t, worlds); return seed }).Example(seed)
	}
	require.False(t, rare(), "%v", verdicts)
}

func againstPlain(t *rapid.T, words string, verdicts map[validate.Verdict]int) {
	protocol := &upstart.Protocol{Patient: true}
	in, err := setting.Must("n=3 timing=async start=cold:interleaved initiators=1,2:lazy crashes=1 restarts=1 suspicions=1 reports=always").With(words)
	require.NoError(t, err)
	sys, err := model.New(protocol, in)
	require.NoError(t, err)
	rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	var list []eventlog.Event
	for _, e := range record(walk(t, sys, 9, rnd)) {
		if e.Kind != eventlog.Send { // what a line did is not asked here
			e.Belief, e.State, e.Rules = nil, nil, nil
			list = append(list, e)
		}
	}
	if list = spoil(t, list); len(list) == 0 {
		return
	}
	var o validate.Options
	o.Hidden = rapid.SampledFrom([][]model.ActionKind{nil, nil, {model.Delivers}, {model.Expires, model.Starts}}).Draw(t, "hidden")
	o.Silent = rapid.Bool().Draw(t, "silent")
	r := try(t, build(protocol), "n=3 "+words, o, list)
	p := plain{sys: r.System, stepper: r.System.Stepper(), hidden: o.Hidden, silent: o.Silent, seen: map[string]bool{}}
	for _, e := range list {
		p.lines[e.Process] = append(p.lines[e.Process], e)
	}
	initial, err := r.System.Begin(nil)
	require.NoError(t, err)
	want := validate.Refused
	if p.shows(initial, [4]int{}, 0) {
		want = validate.Accepted
	}
	require.Equal(t, want, r.Verdict, "%v: %v", list, r.Refusals)
	verdicts[want]++
}
