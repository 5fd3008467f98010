package validate_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
	"bullyproof/trace"
)

var ctx = context.Background()

// walk takes random steps of a system that is what a log's model is.
func walk(t require.TestingT, sys *model.System, steps int, rnd *rand.Rand) *trace.Run {
	run, err := trace.Start(sys)
	require.NoError(t, err)
	for range steps {
		enabled := slices.DeleteFunc(run.Enabled(), func(tr model.Transition) bool { return tr.Misuse != "" })
		if len(enabled) == 0 {
			break
		}
		run.Take(enabled[rnd.IntN(len(enabled))])
	}
	return run
}

// record writes a run down as the processes of a real system do, and whoever
// crashes them.
func record(run *trace.Run) []eventlog.Event {
	var list []eventlog.Event
	for i, tr := range run.Steps {
		a := tr.Action
		e := eventlog.Event{Process: a.Process, From: a.Port, Message: a.Message, Timer: a.Timer, Who: a.Who}
		switch a.Kind {
		case model.Boots:
			e.Kind, e.Why = eventlog.Boot, model.Cold
		case model.Joins:
			e.Kind, e.Why = eventlog.Boot, model.Join
		case model.Restarts:
			e.Kind, e.Why = eventlog.Boot, model.Restart
		case model.Starts:
			e.Kind = eventlog.Start
		case model.Delivers:
			e.Kind = eventlog.Receive
		case model.Expires:
			e.Kind = eventlog.Expire
		case model.Suspects, model.Misreports:
			e.Kind = eventlog.Suspect
		case model.Crashes, model.Forgets, model.Wipes:
			list = append(list, eventlog.Event{Process: a.Process, Kind: eventlog.Crash})
			continue
		default:
			continue // of the network nobody knows
		}
		e.Rules = append([]string{}, tr.Rules...)
		after := &run.Snapshots[i+1].Processes[a.Process-1]
		e.Belief = eventlog.Knows(after.Belief)
		for _, f := range after.Fields {
			e.State = append(e.State, eventlog.Field{Name: f.Name, Value: f.Value})
		}
		slices.SortFunc(e.State, func(a, b eventlog.Field) int { return strings.Compare(a.Name, b.Name) })
		list = append(list, e)
		for _, m := range tr.Sent {
			list = append(list, eventlog.Event{Process: a.Process, Kind: eventlog.Send, To: model.Peer(m.To), Message: m.Text})
		}
	}
	return list
}

// read makes a log of events, in files that they are dealt to.
func read(t require.TestingT, files ...[]eventlog.Event) *validate.Log {
	l := validate.NewLog()
	for i, list := range files {
		var b bytes.Buffer
		w := eventlog.NewWriter(&b)
		for i := range list {
			require.NoError(t, w.Write(&list[i]))
		}
		require.NoError(t, l.Read(eventlog.NewReader(&b, fmt.Sprintf("%d.ndjson", i+1))))
	}
	return l
}

// try validates a log in the model of a protocol, the setting as it comes.
func try(t require.TestingT, build func(setting.Setting) (*model.System, error), text string, o validate.Options, files ...[]eventlog.Event) *validate.Result {
	l := read(t, files...)
	s, err := l.Setting(setting.Must("n=3"), text)
	require.NoError(t, err)
	sys, err := build(s)
	require.NoError(t, err, "%s", s)
	r, err := validate.Run(ctx, sys, l, o)
	require.NoError(t, err)
	return r
}

func build(p *upstart.Protocol) func(setting.Setting) (*model.System, error) {
	return func(s setting.Setting) (*model.System, error) { return model.New(p, s) }
}

// apart deals the lines of a log to a file for each process, and one for what
// others saw.
func apart(list []eventlog.Event) [][]eventlog.Event {
	files := make([][]eventlog.Event, 5)
	for _, e := range list {
		i := int(e.Process)
		if e.Kind == eventlog.Crash {
			i = 4
		}
		files[i] = append(files[i], e)
	}
	return files[1:]
}

// shuffle mixes the lines of processes, each process's own in their order.
func shuffle(list []eventlog.Event, rnd *rand.Rand) []eventlog.Event {
	byProcess := make([][]eventlog.Event, 5)
	for _, e := range list {
		byProcess[e.Process] = append(byProcess[e.Process], e)
	}
	var out []eventlog.Event
	for len(out) < len(list) {
		if p := rnd.IntN(len(byProcess)); len(byProcess[p]) > 0 {
			out, byProcess[p] = append(out, byProcess[p][0]), byProcess[p][1:]
		}
	}
	return out
}

const lively = "n=3 timing=async start=cold:interleaved initiators=1,2:lazy crashes=2 restarts=2 suspicions=2 reports=always"

// A log of a system is accepted, whole or as its processes know it, in any order.
func TestAccepts(t *testing.T) {
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, lively)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		run := walk(t, sys, 40, rnd)
		list := record(run)
		var files [][]eventlog.Event
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 0:
			files = [][]eventlog.Event{list}
		case 1:
			files = apart(list)
		case 2:
			files = [][]eventlog.Event{shuffle(list, rnd)}
		default: // nobody tells of crashes
			files = [][]eventlog.Event{slices.DeleteFunc(list, func(e eventlog.Event) bool { return e.Kind == eventlog.Crash })}
		}
		r := try(t, build(protocol), "n=3", validate.Options{}, files...)
		require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)
		tr, _, err := r.Trace(0, trace.Header{Algorithm: "upstart"})
		require.NoError(t, err)
		_, err = trace.ReplayIn(tr, r.System, model.Watch{})
		require.NoError(t, err)
	})
}

// A keeper is an upstart that keeps all on its disk, and claims nothing as it comes back.
type keeper struct{ *upstart.Protocol }

func (keeper) Stable(*upstart.State) {}

func (k keeper) Init(p *upstart.State, net *model.Net[upstart.Message], why model.Boot) {
	if why != model.Restart {
		k.Protocol.Init(p, net, why)
	}
}

// A process that comes back with less than it had stored is accepted where the world
// loses writes, and only there.
func TestAcceptsLostWrites(t *testing.T) {
	protocol := keeper{&upstart.Protocol{Patient: true}}
	build := func(s setting.Setting) (*model.System, error) { return model.New(protocol, s) }
	sys, err := model.NewFrom(protocol, lively+" lost-writes=1")
	require.NoError(t, err)
	seen := map[validate.Verdict]int{}
	for seed := range uint64(60) {
		run := walk(t, sys, 40, rand.New(rand.NewPCG(seed, 1)))
		forgets := func(tr model.Transition) bool { return tr.Action.Kind == model.Forgets }
		if !slices.ContainsFunc(run.Steps, forgets) {
			continue
		}
		list := record(run)
		r := try(t, build, "n=3 lost-writes=1", validate.Options{}, list)
		require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)
		for _, words := range []string{"n=3", "n=3 lost-writes=1"} { // as nobody tells of crashes
			untold := slices.DeleteFunc(slices.Clone(list), func(e eventlog.Event) bool { return e.Kind == eventlog.Crash })
			if r := try(t, build, words, validate.Options{}, untold); words != "n=3" {
				require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)
			} else {
				seen[r.Verdict]++
			}
		}
	}
	require.Positive(t, seen[validate.Refused])
}

// A line that nobody can have written is refused, and named.
func TestRefusesForgedLine(t *testing.T) {
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, lively)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		list := record(walk(t, sys, 40, rnd))
		at := rapid.IntRange(0, len(list)-1).Draw(t, "line")
		e := &list[at]
		switch e.Kind {
		case eventlog.Receive, eventlog.Send:
			e.Message = "FORGED"
		case eventlog.Crash:
			t.SkipNow()
		default:
			other := e.Process%3 + 1 + 60
			e.Belief.Elected = &other
		}
		line := at + 1
		for list[line-1].Kind == eventlog.Send { // it is the event before that is refused
			line--
		}
		r := try(t, build(protocol), "n=3", validate.Options{}, list)
		require.Equal(t, validate.Refused, r.Verdict)
		require.NotEmpty(t, r.Refusals)
		require.Equal(t, fmt.Sprintf("1.ndjson:%d", line), r.Refusals[0].Place, "%v", r.Refusals)
	})
}

// A bounded protocol is one whose model ends where a process would follow another.
type bounded struct {
	upstart.Protocol
	never model.ID
}

func (b *bounded) Beyond(p *upstart.State) string {
	if p.Elected == b.never {
		return fmt.Sprintf("elects %v", p.Elected)
	}
	return ""
}

// A bound is one of searches: a log that leads beyond it is judged as any other, and the
// result says where. Only if it also searches what no line tells does it keep to the bound,
// and then it does not refuse.
func TestBeyondTheBound(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=3 timing=async start=cold:interleaved initiators=1:lazy")
	require.NoError(t, err)
	run := walk(t, sys, 40, rand.New(rand.NewPCG(1, 1)))
	elected := model.None
	for _, p := range run.Snapshots[len(run.Steps)].Processes {
		elected = max(elected, p.Belief.Elected)
	}
	require.NotEqual(t, model.None, elected)
	in := func(b *bounded) func(setting.Setting) (*model.System, error) {
		return func(s setting.Setting) (*model.System, error) { return model.New(b, s) }
	}
	var told []validate.Progress
	o := validate.Options{Progress: func(p validate.Progress) { told = append(told, p) }}
	r := try(t, in(&bounded{never: 16}), "n=3", o, record(run))
	assert.Equal(t, validate.Accepted, r.Verdict)

	assert.Empty(t, r.Beyond)

	r = try(t, in(&bounded{never: elected}), "n=3", o, record(run))
	assert.Equal(t, validate.Accepted, r.Verdict)
	assert.Regexp(t, fmt.Sprintf(`^elects %v \(1\.ndjson:\d+\)$`, elected), r.Beyond)
	r = try(t, in(&bounded{Protocol: upstart.Protocol{Polite: true}, never: elected}), "n=3", o, record(run))
	assert.Equal(t, validate.Refused, r.Verdict)

	o.Hidden = []model.ActionKind{model.Starts}
	r = try(t, in(&bounded{never: elected}), "n=3", o, record(run))
	require.Equal(t, validate.Incomplete, r.Verdict)
	bound := fmt.Sprintf("beyond the bound of the model (elects %v), which ends there", elected)
	assert.Contains(t, r.Why, bound)
	require.NotEmpty(t, r.Refusals)
	assert.Contains(t, r.Refusals[0].Why, bound)
	for _, p := range told {
		assert.LessOrEqual(t, p.Told, p.Lines)
	}
}

// A system that breaks a rule is caught where that shows.
func TestRefusesBrokenRule(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{Polite: true}, "n=3 timing=async start=cold:interleaved initiators=1:lazy")
	require.NoError(t, err)
	run := walk(t, sys, 40, rand.New(rand.NewPCG(1, 1)))
	r := try(t, build(&upstart.Protocol{}), "n=3", validate.Options{}, record(run))
	require.Equal(t, validate.Refused, r.Verdict)
	assert.Contains(t, r.Refusals[0].Why, "and the model")
	assert.NotEmpty(t, r.Refusals[0].Allowed)
}
