package ledger

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/chance"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A number is compared with a figure for the schedulers that are asked for.
func TestChanceRulings(t *testing.T) {
	exactly := func(a, b int64) chance.Value {
		f, _ := big.NewRat(a, b).Float64()
		return chance.Value{Low: f, High: f, Exact: big.NewRat(a, b)}
	}
	near := chance.Value{Low: 1.4, High: 1.6}
	infinite := chance.Value{Low: math.Inf(1), High: math.Inf(1)}
	half := big.NewRat(3, 2)
	for _, c := range []struct {
		about       string
		over        Schedulers
		relation    Relation
		figure      *big.Rat
		least, most chance.Value
		want        Ruling
	}{
		{"the figure", AnyScheduler, Exactly, half, exactly(3, 2), exactly(3, 2), AsClaimed},
		{"the figure for some", AnyScheduler, Exactly, half, exactly(1, 2), exactly(3, 2), NotAsClaimed},
		{"the figure for the worst", MostScheduler, Exactly, half, exactly(1, 2), exactly(3, 2), AsClaimed},
		{"the figure for the best", LeastScheduler, Exactly, half, exactly(1, 2), exactly(3, 2), NotAsClaimed},
		{"rounded, with the figure between", AnyScheduler, Exactly, half, near, near, Open},
		{"rounded, beside the figure", AnyScheduler, Exactly, big.NewRat(2, 1), near, near, NotAsClaimed},
		{"at most", AnyScheduler, AtMost, half, exactly(1, 2), exactly(3, 2), AsClaimed},
		{"more than at most", AnyScheduler, AtMost, half, exactly(1, 2), exactly(5, 3), NotAsClaimed},
		{"more, but the best has less", LeastScheduler, AtMost, half, exactly(1, 2), exactly(5, 3), AsClaimed},
		{"perhaps at most", AnyScheduler, AtMost, half, exactly(1, 2), near, Open},
		{"at least", AnyScheduler, AtLeast, half, exactly(3, 2), infinite, AsClaimed},
		{"less than at least", AnyScheduler, AtLeast, half, exactly(1, 2), infinite, NotAsClaimed},
		{"perhaps at least", AnyScheduler, AtLeast, half, near, infinite, Open},
		{"infinite is not at most", AnyScheduler, AtMost, half, exactly(1, 2), infinite, NotAsClaimed},
		{"infinite is no figure", MostScheduler, Exactly, half, exactly(1, 2), infinite, NotAsClaimed},
		{"finite", AnyScheduler, Exactly, nil, near, near, AsClaimed},
		{"not finite", AnyScheduler, Exactly, nil, near, infinite, NotAsClaimed},
		{"finite for the best", LeastScheduler, Exactly, nil, near, infinite, AsClaimed},
	} {
		q := &ChanceQuestion{Over: c.over, Unit: "steps", Relation: c.relation, Figure: c.figure}
		assert.Equal(t, c.want, q.rule(q.over(chance.Range{Least: c.least, Most: c.most})), c.about)
	}
}

// A tosser has P1 toss each tick, until the coin shows 1; with a bad coin it tosses once.
type tosser struct {
	model.Passive[tossing, nothing]
	bad bool
}

type tossing struct{ Done bool }

type nothing struct{}

func (nothing) Kind() model.Kind { return 0 }
func (nothing) String() string   { return "" }

func (tosser) Names() model.Names {
	return model.Names{Kinds: []string{"nothing"}, Timers: []model.TimerName{{Name: "toss"}}}
}

func (tosser) Belief(p *tossing) model.Belief {
	if p.Done {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

func (tosser) Init(_ *tossing, net *model.Net[nothing], _ model.Boot) {
	if net.Self() == 1 {
		net.SetTimer(0, 1)
	}
}

func (c tosser) Timeout(p *tossing, net *model.Net[nothing], _ model.Timer) {
	switch shown := net.Toss(2); {
	case shown == 1:
		p.Done = true
	case !c.bad:
		net.SetTimer(0, 1)
	}
}

// Evidence of chance is judged as other evidence is: it has an answer, a number of states and a record.
func TestChanceIsJudged(t *testing.T) {
	const alone = "n=2 initiators=none detector=off timing=lockstep"
	led := func(v *model.View) bool { return !v.Leaders.Empty() }
	tosses := func(q ChanceQuestion) Evidence {
		q.Until, q.When = led, "until P1 leads"
		return Tosses(q, alone)
	}
	figure := func(a, b int64) *big.Rat { return big.NewRat(a, b) }
	a := &Algorithm{
		Name: "tosser", Variants: []Variant{{Name: "fair", New: SystemOf(model.Protocol[tossing, nothing](tosser{}))}, {Name: "bad", New: SystemOf(model.Protocol[tossing, nothing](tosser{bad: true}))}},
		Written: Listed(Claim{Name: "tosses", Evidence: []Evidence{
			tosses(ChanceQuestion{Relation: Exactly, Figure: figure(1, 1)}),
			tosses(ChanceQuestion{Unit: "ticks", Relation: Exactly, Figure: figure(2, 1)}),
			tosses(ChanceQuestion{Unit: "ticks"}),
			tosses(ChanceQuestion{Unit: "messages", Relation: AtLeast, Figure: figure(1, 2)}),
			tosses(ChanceQuestion{After: 3, Bound: "ticks", Relation: AtLeast, Figure: figure(7, 8).Sub(figure(7, 8), figure(1, 1000))}),
			tosses(ChanceQuestion{After: 3, Bound: "ticks", Relation: AtMost, Figure: figure(6, 8)}),
			tosses(ChanceQuestion{Relation: Exactly, Figure: figure(1, 1)}).Of("bad"),
			tosses(ChanceQuestion{Unit: "ticks"}).Of("bad"),
			tosses(ChanceQuestion{Relation: Exactly, Figure: figure(1, 1)}).Within(1),
		}}),
	}
	found, err := Judgements(t.Context(), a, JudgeOptions{})
	require.NoError(t, err)
	want := []struct {
		ruling       Ruling
		asked, found string
	}{
		{AsClaimed, "probability = 1", "1"},
		{AsClaimed, "average ticks = 2", "2"},
		{AsClaimed, "average ticks is finite", "2"},
		{NotAsClaimed, "average messages ≥ 1/2", "0"},
		{AsClaimed, "probability after 3 ticks ≥ 437/500", "0.875"},
		{NotAsClaimed, "probability after 3 ticks ≤ 3/4", "0.875"},
		{NotAsClaimed, "probability = 1", "1/2"},
		{NotAsClaimed, "average ticks is finite", "infinite"},
		{Open, "probability = 1", "unknown: "},
	}
	require.Len(t, found[0].Exhibits, len(want))
	for i, w := range want {
		x := &found[0].Exhibits[i]
		assert.Equal(t, w.ruling, x.Ruling, w.asked)
		assert.Equal(t, w.asked+", until P1 leads", x.Asked)
		assert.Contains(t, x.Found, w.found)
		assert.NotZero(t, x.States)
	}
	bad, err := a.Variants[1].In(setting.Must(alone))
	require.NoError(t, err)
	turned, err := a.Claims()[0].Evidence[0].turns(t.Context(), bad, 100)
	require.NoError(t, err)
	assert.True(t, turned, "a coin that may stop turns the row")
}
