package validate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
	"bullyproof/trace"
)

// A channel is what messages that look alike have in common.
type channel struct {
	from, to model.ID
	text     string
}

// named is record, with an id for each message: a receipt is of any message in flight that
// looks like it. It reports whether there ever was a choice.
func named(run *trace.Run, rnd *rand.Rand) (list []eventlog.Event, choice bool) {
	list = record(run)
	flying := make(map[channel][]string)
	for i := range list {
		switch e := &list[i]; e.Kind {
		case eventlog.Send:
			e.ID = fmt.Sprintf("%d.%d", e.Process, i)
			c := channel{e.Process, e.To.ID(), e.Message}
			flying[c] = append(flying[c], e.ID)
		case eventlog.Receive:
			c := channel{e.From.ID(), e.Process, e.Message}
			k := rnd.IntN(len(flying[c]))
			choice = choice || len(flying[c]) > 1
			e.ID = flying[c][k]
			flying[c] = slices.Delete(flying[c], k, k+1)
		}
	}
	return list, choice
}

// nameless takes the ids from the lines of a kind.
func nameless(list []eventlog.Event, k eventlog.Kind) []eventlog.Event {
	list = slices.Clone(list)
	for i := range list {
		if list[i].Kind == k {
			list[i].ID = ""
		}
	}
	return list
}

// cutSends takes from each process the last lines of what it sends before a crash, or the
// end: it was killed before it wrote them.
func cutSends(list []eventlog.Event, rnd *rand.Rand) (out []eventlog.Event) {
	var ended model.Set
	for _, e := range slices.Backward(list) {
		switch {
		case e.Kind == eventlog.Crash:
			ended = ended.Without(e.Process)
		case e.Kind == eventlog.Send && !ended.Has(e.Process) && rnd.IntN(2) == 0:
			continue
		default:
			ended = ended.With(e.Process)
		}
		out = append(out, e)
	}
	slices.Reverse(out)
	return out
}

// A log of a system is accepted with the ids of its messages, whoever logs them.
func TestAcceptsIDs(t *testing.T) {
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, lively)
	require.NoError(t, err)
	receipts, choices := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		list, choice := named(walk(t, sys, 40, rnd), rnd)
		switch rapid.IntRange(0, 4).Draw(t, "leaves out") {
		case 0:
			list = nameless(list, eventlog.Send)
		case 1:
			list = nameless(list, eventlog.Receive)
		case 2:
			list = cutSends(list, rnd)
		}
		files := [][]eventlog.Event{list}
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 0:
			files = apart(list)
		case 1:
			files = [][]eventlog.Event{shuffle(list, rnd)}
		case 2: // nobody tells of crashes
			files = [][]eventlog.Event{slices.DeleteFunc(list, func(e eventlog.Event) bool { return e.Kind == eventlog.Crash })}
		}
		r := try(t, build(protocol), "n=3", validate.Options{}, files...)
		require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)
		for _, e := range list {
			if e.Kind == eventlog.Receive && e.ID != "" {
				receipts++
			}
		}
		if choice {
			choices++
		}
	})
	t.Logf("%d receipts with ids; %d logs with two messages alike in flight", receipts, choices)
	assert.Positive(t, receipts)
	assert.Positive(t, choices)
}

// tagged looks for a run that shows some lines as the documentation says what that is: each
// message in flight carries the name that the line of its send gives it, "?" if there is no
// such line, and each receipt takes the message that it names. Nobody crashes.
type tagged struct {
	stepper *model.Stepper
	events  [4][]eventlog.Event
	sends   [4][][]eventlog.Event // of these
	known   map[string]bool       // by sender and id: there is a line of it
	seen    map[string]bool
}

type flight map[channel][]string

func (f flight) clone() flight {
	g := make(flight)
	for c, tags := range f {
		if len(tags) > 0 {
			g[c] = slices.Sorted(slices.Values(tags))
		}
	}
	return g
}

func (p *tagged) shows(state []byte, pos [4]int, in flight) bool {
	key := fmt.Sprintf("%x %v %v", state, pos, in)
	if p.seen[key] {
		return false
	}
	p.seen[key] = true
	done := true
	for id := 1; id <= 3; id++ {
		if pos[id] == len(p.events[id]) {
			continue
		}
		done = false
		if p.event(state, pos, in, id) {
			return true
		}
	}
	return done
}

// event reports whether the lines can follow after the next event of a process.
func (p *tagged) event(state []byte, pos [4]int, in flight, id int) bool {
	e, sends := &p.events[id][pos[id]], p.sends[id][pos[id]]
	pos[id]++
	last := pos[id] == len(p.events[id])
	a := model.Action{Process: e.Process, Port: e.From, Message: e.Message, Timer: e.Timer, Who: e.Who}
	tags := []string{""}
	c := channel{e.From.ID(), e.Process, e.Message}
	if e.Kind == eventlog.Receive {
		if tags = in[c]; e.ID != "" && p.known[fmt.Sprint(c.from, e.ID)] {
			tags = []string{e.ID}
		} else if e.ID != "" {
			tags = []string{"?"}
		}
	}
	kinds := map[eventlog.Kind][]model.ActionKind{
		eventlog.Start: {model.Starts}, eventlog.Receive: {model.Delivers}, eventlog.Expire: {model.Expires},
		eventlog.Suspect: {model.Suspects, model.Misreports}, eventlog.Boot: {model.Boots},
	}[e.Kind]
	for _, a.Kind = range kinds {
		var found []model.Transition
		p.stepper.Steps(state, a, func(t model.Transition) {
			if t.Misuse == "" && !t.Action.Crash {
				t.Next, t.Sent = slices.Clone(t.Next), slices.Clone(t.Sent)
				found = append(found, t)
			}
		})
		for _, t := range found {
			for _, tag := range tags {
				next := in.clone()
				if e.Kind == eventlog.Receive {
					i := slices.Index(next[c], tag)
					if i < 0 {
						continue
					}
					next[c] = slices.Delete(next[c], i, i+1)
				}
				if next.add(t.Sent, sends, last) && p.shows(t.Next, pos, next.clone()) {
					return true
				}
			}
		}
	}
	return false
}

// add adds what a step sends. It reports whether the lines tell of just that.
func (f flight) add(sent []model.Envelope, lines []eventlog.Event, last bool) bool {
	lines = slices.Clone(lines)
	for _, m := range sent {
		c, tag := channel{m.From, m.To, m.Text}, "?"
		i := slices.IndexFunc(lines, func(e eventlog.Event) bool { return e.To == model.Peer(m.To) && e.Message == m.Text })
		switch {
		case i >= 0:
			if lines[i].ID != "" {
				tag = lines[i].ID
			}
			lines = slices.Delete(lines, i, i+1)
		case !last:
			return false
		}
		f[c] = append(f[c], tag)
	}
	return len(lines) == 0
}

// spoilIDs changes ids of a log.
func spoilIDs(t *rapid.T, list []eventlog.Event) {
	var receipts []int
	for i := range list {
		if list[i].Kind == eventlog.Receive {
			receipts = append(receipts, i)
		}
	}
	if len(receipts) == 0 {
		return
	}
	i, j := rapid.SampledFrom(receipts).Draw(t, "i"), rapid.SampledFrom(receipts).Draw(t, "j")
	switch rapid.IntRange(0, 4).Draw(t, "how") {
	case 0:
		list[i].ID, list[j].ID = list[j].ID, list[i].ID
	case 1:
		list[i].ID = list[j].ID
	case 2:
		list[i].ID = "invented"
	case 3: // of one that looks alike, wherever it is
		for k := range list {
			if s := &list[k]; s.Kind == eventlog.Send && s.Process == list[i].From.ID() && s.To == model.Peer(list[i].Process) && s.Message == list[i].Message {
				list[i].ID = s.ID
			}
		}
	}
}

// Ids decide what a search decides that has each message carry its own.
func TestIDsAgainstTagged(t *testing.T) {
	seen := map[string]int{}
	// Two that suspect each other send the same again and again.
	const world = "n=3 timing=async start=cold:interleaved initiators=1,2:lazy suspicions=3 reports=always"
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, world)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		list, choice := named(walk(t, sys, 18, rnd), rnd)
		for i := range list {
			list[i].Belief, list[i].State, list[i].Rules = nil, nil, nil
		}
		spoilIDs(t, list)
		if rapid.Bool().Draw(t, "cut") {
			list = cutSends(list, rnd)
		}
		if rapid.IntRange(0, 3).Draw(t, "nameless") == 0 {
			list = nameless(list, eventlog.Send)
		}
		if !slices.ContainsFunc(list, func(e eventlog.Event) bool { return e.Kind == eventlog.Receive }) {
			return
		}
		r := try(t, build(protocol), world, validate.Options{}, shuffle(list, rnd))
		p := tagged{stepper: r.System.Stepper(), known: map[string]bool{}, seen: map[string]bool{}}
		for _, e := range list {
			if e.Kind == eventlog.Send {
				p.known[fmt.Sprint(e.Process, e.ID)] = e.ID != ""
				at := len(p.sends[e.Process]) - 1
				p.sends[e.Process][at] = append(p.sends[e.Process][at], e)
				continue
			}
			p.events[e.Process] = append(p.events[e.Process], e)
			p.sends[e.Process] = append(p.sends[e.Process], nil)
		}
		twice := false
		got := map[string]bool{}
		for _, e := range list {
			if e.Kind == eventlog.Receive && e.ID != "" {
				key := fmt.Sprint(e.From, e.Process, e.ID)
				twice, got[key] = twice || got[key], true
			}
		}
		initial, err := r.System.Begin(nil)
		require.NoError(t, err)
		want := validate.Refused
		if !twice && p.shows(initial, [4]int{}, flight{}) {
			want = validate.Accepted
		}
		require.Equal(t, want, r.Verdict, "%v: %v", list, r.Refusals)
		live, _, _ := online(t, protocol, shuffle(list, rnd))
		require.Equal(t, want, live.Verdict, "%v: %v", list, live.Refusals)
		seen[want.String()]++
		if choice {
			seen["alike "+want.String()]++
		}
	})
	t.Logf("%v", seen)
	for _, what := range []string{"accepted", "refused"} {
		assert.Positive(t, seen[what], what)
	}
}

// On a ring, where a line says by which side a message came, an id is that of the
// neighbour's.
func TestIDsByPort(t *testing.T) {
	in := changroberts.Algorithm.Variants[0].New
	s, err := changroberts.Algorithm.Variants[0].Setting.With("n=3 arrangement=1-3-2 timing=async start=cold:interleaved initiators=1,2,3:lazy")
	require.NoError(t, err)
	sys, err := in(s)
	require.NoError(t, err)
	forged := 0
	for seed := range uint64(4) {
		run := walk(t, sys, 40, rand.New(rand.NewPCG(seed, 1)))
		flying := make(map[channel][]string)
		var list []eventlog.Event
		var receipts []int
		step := -1
		for _, e := range record(run) {
			if e.Kind != eventlog.Send {
				for step++; run.Steps[step].Action.Process != e.Process; step++ {
				}
			} else {
				i := slices.IndexFunc(run.Steps[step].Sent, func(m model.Envelope) bool { return e.To == model.Peer(m.To) && e.Message == m.Text })
				e.To, e.ID = run.Steps[step].Sent[i].Port.Opposite(), fmt.Sprintf("%d.%d", e.Process, len(list))
				c := channel{to: run.Steps[step].Sent[i].To, text: e.Message}
				flying[c] = append(flying[c], e.ID)
			}
			if e.Kind == eventlog.Receive {
				c := channel{to: e.Process, text: e.Message}
				e.ID, flying[c] = flying[c][0], flying[c][1:]
				receipts = append(receipts, len(list))
			}
			e.Belief, e.State = nil, nil // record has them by position
			list = append(list, e)
		}
		of := func(list []eventlog.Event, words string) *validate.Result {
			l := read(t, apart(list)...)
			s, err := l.Setting(changroberts.Algorithm.Variants[0].Setting, words)
			require.NoError(t, err)
			sys, err := in(s)
			require.NoError(t, err)
			r, err := validate.Run(ctx, sys, l, validate.Options{})
			require.NoError(t, err)
			return r
		}
		for _, words := range []string{"arrangement=1-3-2", ""} { // in any, too
			r := of(list, words)
			require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)
		}
		for _, i := range receipts {
			for _, j := range receipts {
				if list[i].Process == list[j].Process || list[i].Message != list[j].Message {
					continue
				}
				other := slices.Clone(list)
				other[i].ID, other[j].ID = other[j].ID, other[i].ID
				r := of(other, "arrangement=1-3-2")
				require.Equal(t, validate.Refused, r.Verdict)
				require.Contains(t, r.Refusals[0].Why, "id: ")
				forged++
			}
		}
	}
	t.Logf("%d pairs of receipts", forged)
	assert.Positive(t, forged)
}

// Two lines that look alike are told apart by ids alone, where channels keep the order,
// and where a network makes copies.
func TestIDsOfChannels(t *testing.T) {
	twice := func(ids ...string) (list []eventlog.Event) {
		for id := range 3 {
			list = append(list, eventlog.Event{Process: model.ID(id + 1), Kind: eventlog.Boot})
		}
		send := func(to model.ID, message, id string) {
			list = append(list, eventlog.Event{Process: 3, Kind: eventlog.Send, To: model.Peer(to), Message: message, ID: fmt.Sprint(id, to)})
		}
		list = append(list, eventlog.Event{Process: 1, Kind: eventlog.Start}, eventlog.Event{Process: 3, Kind: eventlog.Start})
		send(1, "coordinator", ids[0])
		send(2, "coordinator", ids[0])
		list = append(list, eventlog.Event{Process: 3, Kind: eventlog.Receive, From: 1, Message: "election"})
		send(1, "answer", "answer")
		send(1, "coordinator", ids[1])
		send(2, "coordinator", ids[1])
		for _, id := range ids[2:] {
			message := "coordinator"
			if id == "answer" {
				message = id
			}
			list = append(list, eventlog.Event{Process: 1, Kind: eventlog.Receive, From: model.Peer(3), Message: message, ID: id + "1"})
		}
		return list
	}
	for _, c := range []struct {
		name, words, why string
		ids              []string
	}{
		{"any order", "n=3", "", []string{"a", "b", "b", "a"}},
		{"FIFO", "n=3 channels=fifo", "", []string{"a", "b", "a", "answer", "b"}},
		{"FIFO with a gap", "n=3 channels=fifo", "", []string{"a", "b", "b"}},
		{"overtaken", "n=3 channels=fifo", "before one that P1 has received already: channels are FIFO", []string{"a", "b", "b", "a"}},
		{"one twice", "n=3", `P1 has received the message with the id "a1" before`, []string{"a", "b", "a", "a"}},
		{"a copy", "n=3 duplications=1", "", []string{"a", "b", "a", "a"}},
		{"nobody's", "n=3", `no line of the sender has a message with the id "c1"`, []string{"a", "b", "a", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := try(t, bully.Algorithm.Variants[0].New, c.words, validate.Options{}, twice(c.ids...))
			if c.why == "" {
				require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)
				return
			}
			require.Equal(t, validate.Refused, r.Verdict)
			assert.Contains(t, r.Refusals[0].Why, c.why)
		})
	}
}
