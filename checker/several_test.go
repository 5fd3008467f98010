package checker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
)

// A tripper fails at the third message, and may stop before.
type tripper struct{ model.Passive[tripping, trip] }

type (
	tripping struct{ Met uint8 }
	trip     struct{}
)

func (trip) Kind() model.Kind { return 0 }
func (trip) String() string   { return "trip" }

func (tripper) Start(_ *tripping, net *model.Net[trip]) {
	if net.Self() == 1 {
		net.SendTo(2, trip{})
	}
}

func (tripper) Receive(p *tripping, net *model.Net[trip], _ model.Port, m trip) {
	if net.Choose(2) == 1 {
		return
	}
	if p.Met++; p.Met == 3 {
		panic("a bug")
	}
	net.Rule(0)
	net.Reply(m)
}

func (tripper) Names() model.Names {
	return model.Names{Kinds: []string{"trip"}, Rules: []string{"a message is answered"}}
}

func (tripper) Belief(*tripping) model.Belief { return model.Belief{Elected: 1} }

// The report has the findings of each of several searches, wherever its states are, and whether
// or not its system is reduced; a rule that it saw run is no gap.
func TestEachOfSeveralSearchesIsHeard(t *testing.T) {
	sys, err := model.NewFrom(tripper{}, "n=2 timing=patient")
	require.NoError(t, err)
	asking := func(witnesses, lasting int) (props []*checker.Property) {
		for i := range witnesses {
			props = append(props, checker.Sometimes(fmt.Sprint("met", i), "", func(*model.View) bool { return true }).Reading(model.ReadsElected))
		}
		for i := range lasting {
			props = append(props, checker.EachEventuallyAlways(fmt.Sprint("quiet", i), "", func(_ *model.View, _ model.ID) bool { return false }))
		}
		return props
	}
	looked := make(map[int]int)
	for _, how := range []struct {
		name string
		set  func(o *checker.Options)
	}{
		{"in memory", func(*checker.Options) {}},
		{"exact", func(o *checker.Options) { o.Exact = true }},
		{"on disk", func(o *checker.Options) { o.Disk = explore.Disk{Dir: t.TempDir() + "/disk", InMemory: 2} }},
		{"on disk without graphs", func(o *checker.Options) {
			o.Disk, o.MaxGraphStates = explore.Disk{Dir: t.TempDir() + "/disk", InMemory: 2}, 1
		}},
		{"elsewhere", func(o *checker.Options) {
			o.Engine, o.Disk.Dir = &engine{sys: sys, known: o.Properties, parts: 2}, t.TempDir()+"/elsewhere"
		}},
		{"elsewhere without graphs", func(o *checker.Options) {
			o.Engine, o.Disk.Dir, o.MaxGraphStates = &engine{sys: sys, known: o.Properties, parts: 2}, t.TempDir()+"/elsewhere", 1
		}},
		{"reduced", func(o *checker.Options) { o.Reduce = checker.ReduceAuto }},
		{"turned to in the midst", func(o *checker.Options) { o.Reduce, o.ReduceBeyond = checker.ReduceAuto, 2 }},
	} {
		for _, c := range []struct{ witnesses, lasting, searches int }{{63, 6, 2}, {63, 40, 3}, {1, 40, 2}} {
			t.Run(fmt.Sprintf("%s, %d and %d", how.name, c.witnesses, c.lasting), func(t *testing.T) {
				opt := checker.Options{Properties: asking(c.witnesses, c.lasting), Algorithm: "tripper"}
				plan, err := checker.PlanOf(sys, opt)
				require.NoError(t, err)
				require.Len(t, plan.Stages, c.searches)
				how.set(&opt)
				r, err := checker.Check(t.Context(), sys, opt)
				require.NoError(t, err)
				require.NotNil(t, r.Finding(checker.Misuse.Name))
				assert.Equal(t, checker.Violated, r.Verdict())
				assert.Len(t, r.Findings, len(opt.Properties)+1)
				assert.Equal(t, checker.Misuse, r.Findings[len(opt.Properties)].Property)
				for _, g := range r.Gaps {
					assert.NotEqual(t, "rule", g.Kind, g)
					assert.NotEqual(t, "message", g.Kind, g)
				}
				looked[c.searches]++
			})
		}
	}
	t.Logf("%d checks of two searches, %d of three", looked[2], looked[3])
}

// A test that may pass undecided does not pass with a misuse that the second search alone sees.
func TestVerifyHearsTheSecondSearch(t *testing.T) {
	var props []*checker.Property
	for i := range 63 {
		props = append(props, checker.Sometimes(fmt.Sprint("met", i), "", func(*model.View) bool { return true }))
	}
	for i := range 6 {
		props = append(props, checker.EachEventuallyAlways(fmt.Sprint("quiet", i), "", func(_ *model.View, _ model.ID) bool { return false }))
	}
	t.Chdir(t.TempDir()) // where the counterexample is kept
	s := verifyOf(&standIn{}, tripper{}, "n=2 timing=patient", checker.Asking(props...), checker.AllowIncomplete())
	assert.True(t, s.Failed())
	assert.Contains(t, s.said(), "a bug")
}
