package checker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/thorough"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// An engine makes searches in parts, by systems made from descriptions, as on other
// machines.
type engine struct {
	sys    *model.System
	known  []*checker.Property
	parts  int
	made   []string // descriptions
	fails  int      // the level at which it fails, 0 for none
	levels int
}

func (e *engine) Where() string { return "elsewhere" }

func (e *engine) Open(name string) (cluster.Directory, error) { return cluster.Local(name) }

func (e *engine) Search(ctx context.Context, sys explore.System, opt explore.Options, on cluster.Options, description []byte) (*explore.Result, error) {
	e.made = append(e.made, string(description))
	on.Scheduler, on.Small = &scheduler{e, description}, 20
	return cluster.Search(ctx, sys, opt, on)
}

type scheduler struct {
	*engine
	description []byte
}

func (s *scheduler) Parts(context.Context) (tasks, threads int, err error) { return s.parts, 1, nil }

func (s *scheduler) Run(_ context.Context, level int, tasks []cluster.Task, told func(int)) (answers []cluster.Answer, err error) {
	s.levels++
	if s.fails != 0 && level >= s.fails {
		return nil, fmt.Errorf("no machine at level %d", level)
	}
	subject, err := checker.Part(s.sys, s.description, func(names []string) (props []*checker.Property, err error) {
		for _, name := range names {
			for _, p := range s.known {
				if p.Name == name {
					props = append(props, p)
				}
			}
		}
		return props, nil
	})
	if err != nil {
		return nil, err
	}
	for _, task := range tasks {
		w := cluster.NewWorker(subject)
		a, err := w.Do(task)
		w.Close()
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		var sent cluster.Answer
		if err := json.Unmarshal(data, &sent); err != nil {
			return nil, err
		}
		answers = append(answers, sent)
	}
	return answers, nil
}

// A check elsewhere reports what one on this machine does: verdicts, counts, traces, what
// ran and which occasions came up; reduced or not, and where it has failed on the way.
func TestCheckElsewhereReportsTheSame(t *testing.T) {
	crashes := model.NewMonitor("crashes", uint8(0), func(count *uint8, e *model.Event) {
		if e.Kind == model.Crashes {
			*count++
		}
	})
	once := checker.Always("one-crash", "", func(v *model.View) bool { return crashes.Of(v) < 2 }).Remembering(crashes)
	step := checker.AlwaysStep("steps", "", func(*model.Event) bool { return true })
	// A process that begins names itself. Its message goes round, and all that receive it name P4.
	ring := &anyprotocol.Table{Classes: 1, Hops: 3, Topology: setting.Ring, Faces: []anyprotocol.Face{
		{Trigger: anyprotocol.Start, Mode: -1, Elect: anyprotocol.Itself, Sends: []anyprotocol.Send{{}}},
		{Trigger: anyprotocol.Receive, Mode: -1, Elect: anyprotocol.First + 3, Sends: []anyprotocol.Send{{}}},
	}}
	late := checker.Always("late", "", func(v *model.View) bool { return !v.Settled || v.Up.Len() < 3 || crashes.Of(v) < 2 }).Remembering(crashes)
	states := []*checker.Property{checker.Uniqueness, checker.Agreement, checker.LiveCoordinator, checker.Extreme}
	for name, c := range map[string]struct {
		protocol *model.System
		opt      checker.Options
	}{
		"plain":      {many(t), checker.Options{Properties: states, Exhaustive: true}},
		"until hit":  {many(t), checker.Options{Properties: states[:2]}},
		"fail fast":  {many(t), checker.Options{Properties: []*checker.Property{checker.LiveCoordinator, late}, FailFast: true}},
		"reduced":    {many(t), checker.Options{Properties: states, Exhaustive: true, Reduce: checker.ReduceAuto}},
		"and steps":  {many(t), checker.Options{Properties: append(states[:4:4], step), Exhaustive: true, Reduce: checker.ReduceAuto}},
		"monitored":  {systemOf(t, &upstart.Protocol{Patient: true}, "n=3 start=settled crashes=2 restarts=1"), checker.Options{Properties: append(states[:2:2], once), Exhaustive: true}},
		"every ring": {systemOf(t, ring.Protocol(), "n=4 topology=ring arrangement=all initiators=all:lazy"), checker.Options{Properties: states, Exhaustive: true}},
		"depth":      {many(t), checker.Options{Properties: states, Exhaustive: true, MaxDepth: 9}},
	} {
		for _, parts := range []int{1, 3} {
			at := fmt.Sprintf("%s, %d parts", name, parts)
			if !casecount.Takes(t, *deep, 2, at) {
				continue
			}
			t.Run(at, func(t *testing.T) {
				c := c
				c.opt.Algorithm = "upstart"
				want, err := checker.Check(t.Context(), c.protocol, c.opt)
				require.NoError(t, err)
				e := &engine{sys: c.protocol, known: c.opt.Properties, parts: parts, fails: 6}
				c.opt.Engine, c.opt.Disk.Dir = e, filepath.Join(t.TempDir(), "new")
				_, err = checker.Check(t.Context(), c.protocol, c.opt)
				require.ErrorContains(t, err, "no machine at level 6; all levels before level 6 are in "+c.opt.Disk.Dir)
				e.fails, c.opt.Disk.Resume = 0, true
				got, err := checker.Check(t.Context(), c.protocol, c.opt)
				require.NoError(t, err)
				assert.Equal(t, reportOf(t, want), reportOf(t, got))
				require.NoError(t, filepath.WalkDir(c.opt.Disk.Dir, func(name string, d fs.DirEntry, err error) error {
					assert.True(t, err != nil || d.IsDir() || d.Name() == "lock", name)
					return err
				}))
				assert.Greater(t, e.levels, 3)
			})
		}
	}
}

func systemOf[P any, M model.Message](t *testing.T, p model.Protocol[P, M], in string) *model.System {
	t.Helper()
	sys, err := model.New(p, setting.Must(in))
	require.NoError(t, err)
	return sys
}

// Properties of whole runs are decided where the graph fits here. Where it does not, the
// report says at how many states they were given up.
func TestLivenessElsewhere(t *testing.T) {
	sys := many(t)
	props := []*checker.Property{checker.Uniqueness, checker.Termination}
	e := &engine{sys: sys, known: props, parts: 2}
	opt := checker.Options{Properties: props, Exhaustive: true, Engine: e, Disk: explore.Disk{Dir: filepath.Join(t.TempDir(), "new")}}
	r, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	assert.Equal(t, checker.Holds, r.Finding("termination").Verdict)
	assert.Empty(t, e.made, "it was made here")

	opt.MaxGraphStates = 500
	want, err := checker.Check(t.Context(), sys, checker.Options{Properties: props[:1], Exhaustive: true})
	require.NoError(t, err)
	r, err = checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	assert.Len(t, e.made, 1)
	assert.Equal(t, want.Levels, r.Levels)
	f := r.Finding("termination")
	assert.Equal(t, checker.Incomplete, f.Verdict)
	assert.Contains(t, f.Why+r.GaveUp, "at 500 states")

	plan, err := checker.PlanOf(sys, opt)
	require.NoError(t, err)
	assert.Contains(t, plan.Text(200), "in memory and, where that is full, elsewhere, with all files in ")
	assert.Contains(t, plan.Text(200), "at most 500 states")

	for _, bad := range []checker.Options{{Engine: e}, {Engine: e, Disk: opt.Disk, Order: explore.DepthFirst}, {Engine: e, Disk: opt.Disk, Exact: true}} {
		_, err := checker.Check(t.Context(), sys, bad)
		assert.ErrorContains(t, err, "an Engine searches breadth first")
	}
}

// Where no run goes on without end, whole runs are decided on the reduced system in memory
// also by a check whose other searches leave it, unless that has too many states.
func TestRunsAreDecidedBesideDisk(t *testing.T) {
	thorough.Only(t)
	sys := many(t)
	opt := checker.Options{Reduce: checker.ReduceAuto, Algorithm: "upstart"}
	want, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	onDisk, elsewhere := opt, opt
	onDisk.Disk.Dir = filepath.Join(t.TempDir(), "disk")
	elsewhere.Disk.Dir = filepath.Join(t.TempDir(), "elsewhere")
	e := &engine{sys: sys, known: checker.Standard(), parts: 2}
	elsewhere.Engine = e
	for name, opt := range map[string]checker.Options{"disk": onDisk, "elsewhere": elsewhere} {
		t.Run(name, func(t *testing.T) {
			got, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			assert.Empty(t, got.Reduction.Left)
			for i := range want.Findings {
				f := got.Finding(want.Findings[i].Property.Name)
				require.NotNil(t, f)
				assert.Equal(t, want.Findings[i].Verdict, f.Verdict, f.Property.Name)
				assert.Equal(t, want.Findings[i].Trace == nil, f.Trace == nil, f.Property.Name)
			}
			opt.MaxGraphStates = 100
			got, err = checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			require.Len(t, got.Reduction.Left, 1)
			assert.Equal(t, "the graph of the reduced system, which tells whether a run goes on without end, is kept for at most 100 states (MaxGraphStates, --max-graph-states)",
				got.Reduction.Left[0].Why)
			assert.Equal(t, checker.Incomplete, got.Finding("re-election").Verdict)
		})
	}
	assert.Len(t, e.made, 3, "the states, reduced, twice, and the system as it is beyond the graph")
}
