package chance_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/checker/class"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/trace/render"
)

// The outcomes of each action have probability 1 together, those of random protocols as well: a
// report has answers, or says that the search saw too little.
func TestOddsSumToOne(t *testing.T) {
	answered, tossed := 0, 0
	for _, f := range anyprotocol.Flavours() {
		for seed := range casecount.Numbers(t, *chance.Deep, 8, 400) {
			c := f.Draw(seed)
			sys, err := c.System()
			if err != nil || sys.Setting().MidSend {
				continue
			}
			r, err := chance.Of(t.Context(), sys, chance.Options{MaxStates: 400, ExactStates: 50})
			require.NoError(t, err, "%v", c)
			assert.NotContains(t, r.Why, "have probability", "%v", c)
			if r.Why != "" {
				continue
			}
			answered++
			tossed += r.Tossed
			for _, v := range []chance.Value{r.Reached.Least, r.Reached.Most} {
				assert.LessOrEqual(t, v.Low, v.High, "%v", c)
				assert.GreaterOrEqual(t, v.High, 0.0)
				assert.LessOrEqual(t, v.Low, 1.0)
			}
			assert.LessOrEqual(t, r.Reached.Least.Low, r.Reached.Most.High, "%v", c)
		}
	}
	t.Logf("%d systems with answers, %d actions that toss", answered, tossed)
	assert.Positive(t, answered)
	assert.Positive(t, tossed)
}

// A report is the same for any number of workers.
func TestSameForAnyWorkers(t *testing.T) {
	opt := chance.Options{Goal: func(v *model.View) bool { return !v.Leaders.Empty() }, Within: 8}
	text := func(workers int) string {
		opt.Workers = workers
		r := of(t, &voting{Base: 2, Window: 3, Majority: 2}, "n=3 timing=sync:1 detector=off initiators=none", opt)
		r.Duration, r.Solving = 0, 0
		data, err := json.Marshal(r)
		require.NoError(t, err)
		return string(data)
	}
	assert.Equal(t, text(1), text(2))
}

// A scheduler without fairness passes a process over that has yet to start, and has another one's
// timer expire again and again.
func TestFairness(t *testing.T) {
	of := func(f *class.Fairness) *chance.Report {
		return of(t, &restless{}, "n=2 topology=ring:anonymous timing=async initiators=all:lazy", chance.Options{
			Goal: func(v *model.View) bool { return v.Leaders.Len() == 2 }, Fairness: f,
		})
	}
	same(t, "1", of(&class.WeakFairness).Reached)
	unfair := of(&class.NoFairness)
	assert.Equal(t, "0", unfair.Reached.Least.String())
	assert.Equal(t, "1", unfair.Reached.Most.String())
	assert.True(t, of(&class.WeakFairness).Cost("steps").Most.Infinite(), "as late as the scheduler likes")
}

// A restless process leads once it starts, and a timer of it never rests.
type restless struct {
	model.Passive[numbering, number]
}

func (*restless) Names() model.Names {
	return model.Names{Kinds: []string{"number"}, Timers: []model.TimerName{{Name: "rest"}}}
}
func (*restless) Belief(p *numbering) model.Belief { return p.Mode.belief() }
func (*restless) Init(_ *numbering, net *model.Net[number], _ model.Boot) {
	net.SetTimer(0, 1)
}
func (*restless) Timeout(p *numbering, net *model.Net[number], _ model.Timer) {
	p.Own = uint8(net.Toss(2))
	net.SetTimer(0, 1)
}
func (*restless) Start(p *numbering, _ *model.Net[number]) { p.Mode = leading }

// Options that have no answer are refused by name.
func TestRefused(t *testing.T) {
	sys, err := model.NewFrom(&coined{}, "n=2 topology=ring:anonymous channels=fifo timing=patient")
	require.NoError(t, err)
	_, err = chance.Of(t.Context(), sys, chance.Options{Fairness: &class.StrongFairness})
	assert.ErrorContains(t, err, "want weak fairness or none")
	_, err = chance.Of(t.Context(), sys, chance.Options{Counted: make([]chance.Counted, 8)})
	assert.ErrorContains(t, err, "want at most 7")
	mixed, err := model.NewFrom(&mixing{}, "n=2 timing=patient")
	require.NoError(t, err)
	r, err := chance.Of(t.Context(), mixed, chance.Options{})
	require.NoError(t, err)
	assert.Contains(t, r.Why, "both toss")
	assert.Contains(t, r.Headline(), "INCOMPLETE")
}

// A mixing process tosses and chooses in one action.
type mixing struct {
	model.Passive[numbering, number]
}

func (*mixing) Names() model.Names               { return model.Names{Kinds: []string{"number"}} }
func (*mixing) Belief(p *numbering) model.Belief { return p.Mode.belief() }
func (*mixing) Start(p *numbering, net *model.Net[number]) {
	p.Own = uint8(net.Toss(2) + 2*net.Choose(2))
}

// A weighing process picks by weights: heads comes three times of four.
type weighing struct {
	model.Passive[numbering, number]
}

func (*weighing) Names() model.Names {
	return model.Names{Kinds: []string{"number"}, Choices: []model.ChoiceName{{Name: "coin", Outcomes: []string{"heads", "tails"}, Weights: []int{3, 1}}}}
}
func (*weighing) Belief(p *numbering) model.Belief { return p.Mode.belief() }
func (*weighing) Start(p *numbering, net *model.Net[number]) {
	p.Mode = passive
	if net.Pick(0) == 0 {
		p.Mode = leading
	}
}

func TestWeights(t *testing.T) {
	r := of(t, &weighing{}, "n=2 topology=ring:anonymous timing=patient", chance.Options{Goal: func(v *model.View) bool { return v.Leaders.Len() == 1 }})
	same(t, "3/8", r.Reached)
}

// A noted test is one that notes what fails it.
type noted struct {
	testing.TB
	errors []string
	log    bytes.Buffer
}

func (n *noted) Helper() {}
func (n *noted) Errorf(format string, args ...any) {
	n.errors = append(n.errors, fmt.Sprintf(format, args...))
}
func (n *noted) Logf(format string, args ...any) { fmt.Fprintf(&n.log, format, args...) }
func (n *noted) Output() io.Writer               { return &n.log }

// A claim that is not so fails a test, with the run that is most likely to go wrong.
func TestVerify(t *testing.T) {
	leads := chance.Options{Goal: func(v *model.View) bool { return !v.Leaders.Empty() }, GoalText: "a leader"}
	verify := func(claims ...chance.Claim) *noted {
		n := &noted{TB: t}
		chance.Verify(n, &voting{Base: 2, Window: 2, Majority: 2}, "n=3 timing=lockstep detector=off initiators=none", leads, claims...)
		return n
	}
	assert.Empty(t, verify(chance.Probability(0.75, 0.75), chance.Probability(0.7, 1).Within(8, "ticks")).errors)
	n := verify(chance.Probability(0.8, 1), chance.Probability(0.8, 1).Within(8, "ticks"), chance.AtMost(9, "messages"), chance.AtMost(9, "letters"))
	require.Len(t, n.errors, 4)
	assert.Contains(t, n.errors[0], "a leader: probability 0.8 to 1 is not so: 3/4 for the worst scheduler, 3/4 for the best")
	assert.Contains(t, n.errors[1], "within 8 ticks is not so: 0.75 for the worst")
	assert.Contains(t, n.errors[2], "at most 9 messages on average is not so: infinite for the worst scheduler")
	assert.Contains(t, n.errors[3], `"letters" is not counted`)
	assert.Contains(t, n.log.String(), "the most likely such run, with probability 0.125")
	assert.Contains(t, n.log.String(), "P1 times out (timer election)")
}

// A run that does not come to its end is as likely as what chance leaves of it.
func TestFailure(t *testing.T) {
	r := of(t, &voting{Base: 2, Window: 2, Majority: 2}, "n=3 timing=lockstep detector=off initiators=none", chance.Options{Goal: func(v *model.View) bool { return !v.Leaders.Empty() }})
	run, err := r.Failure(t.Context())
	require.NoError(t, err)
	assert.InDelta(t, 1.0/8, run.Odds, 1e-9) // all three wait equally long
	require.NoError(t, run.Trace.Validate())

	always := of(t, &coined{}, "n=2 topology=ring:anonymous channels=fifo timing=patient", chance.Options{})
	_, err = always.Failure(t.Context())
	assert.True(t, errors.Is(err, chance.ErrNoRun))
}

// Text, SVG, and the text for Storm are well formed.
func TestWritten(t *testing.T) {
	r := of(t, &coined{}, "n=2 topology=ring:anonymous channels=fifo timing=patient", chance.Options{Within: 12})
	var text, svg, drn bytes.Buffer
	require.NoError(t, r.WriteText(&text, render.TextOptions{Width: 80}))
	assert.Contains(t, text.String(), "  messages               6      6\n")
	require.NoError(t, r.WriteSVG(&svg))
	require.NoError(t, xml.Unmarshal(svg.Bytes(), new(struct{})))
	require.NoError(t, r.WriteDRN(&drn))
	states := strings.Count(drn.String(), "\nstate ")
	assert.Equal(t, int(r.Distinct)+1, states)
	assert.Contains(t, drn.String(), fmt.Sprintf("@nr_states\n%d\n", states))
	assert.Equal(t, strings.Count(drn.String(), "\taction "), drnChoices(t, drn.String()))

	none := of(t, &coined{}, "n=2 topology=ring:anonymous channels=fifo timing=patient", chance.Options{})
	assert.Error(t, none.WriteSVG(io.Discard))
}

// drnChoices returns the number of actions that a text for Storm says it has.
func drnChoices(t *testing.T, text string) (n int) {
	t.Helper()
	_, rest, _ := strings.Cut(text, "@nr_choices\n")
	_, err := fmt.Sscan(rest, &n)
	require.NoError(t, err)
	return n
}
