package silence_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/casecount"
	"bullyproof/ledger/silence"
	"bullyproof/model"
	"bullyproof/model/setting"
)

var deep = flag.Bool("deep", false, "draw as many random cases as rapid does by itself")

func TestMain(m *testing.M) {
	casecount.Lower(deep)
	os.Exit(m.Run())
}

// A token is what processes of a table pass on.
type token uint8

func (t token) Kind() model.Kind { return model.Kind(t) }

func (t token) String() string { return [...]string{"A", "B"}[t] }

// A member is the state of a process of a table.
type member struct {
	Step  uint8
	Leads bool
}

// A deed is what a process does with a token: what it is then, and what it sends.
type deed struct {
	next member
	says int // a token to all others; -1 is none
}

const steps = 3 // after as many a process does nothing

// A table is a protocol by a table: what a process does in each step with each token, and when
// another one is reported to be down.
type table struct {
	model.Passive[member, token]
	deeds   [steps][2]deed
	reports [steps]deed
}

func (t table) Names() model.Names { return model.Names{Kinds: []string{"A", "B"}} }

func (t table) Belief(p *member) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

func (t table) Watches(*member, model.ID) model.Set { return model.Upto(model.MaxID) }

func (t table) Suspect(p *member, net *model.Net[token], _ model.ID) {
	if p.Step < steps {
		t.reports[p.Step].do(p, net)
	}
}

func (t table) Start(p *member, net *model.Net[token]) { t.deeds[0][0].do(p, net) }

func (t table) Receive(p *member, net *model.Net[token], _ model.Port, m token) {
	if p.Step < steps {
		t.deeds[p.Step][m].do(p, net)
	}
}

func (d deed) do(p *member, net *model.Net[token]) {
	*p = d.next
	if d.says >= 0 {
		net.Broadcast(token(d.says))
	}
}

func drawDeed(t *rapid.T, step int, name string) deed {
	return deed{
		member{uint8(rapid.IntRange(step+1, steps).Draw(t, name+" step")), rapid.IntRange(0, 3).Draw(t, name+" leads") == 0},
		rapid.IntRange(-1, 1).Draw(t, name+" says"),
	}
}

// drawn returns a table, and silences of some of its events with one to three more answers.
func drawn(t *rapid.T) (p table, does silence.Does[member, token], silences []silence.Silence) {
	does = make(silence.Does[member, token])
	for step := range steps {
		for i, event := range []string{"A", "B", "report"} {
			name := strings.ToLower(event) + fmt.Sprint(step)
			if d := drawDeed(t, step, name); event == "report" {
				p.reports[step] = d
			} else {
				p.deeds[step][i] = d
			}
			if rapid.IntRange(0, 1).Draw(t, name+" silent") == 0 || len(silences) == 4 {
				continue
			}
			s := silence.Silence{Name: name, Cells: []string{fmt.Sprintf("%s: mode %d|mode %d Leads", event, step, step)}, Answers: []string{"code"}}
			for k := range rapid.IntRange(1, 2).Draw(t, name+" answers") {
				answer := fmt.Sprintf("answer-%d", k+1)
				s.Answers = append(s.Answers, answer)
				d := drawDeed(t, step, name+answer)
				does[name+"/"+answer] = func(p *member, net *model.Net[token], _ *silence.Event[token]) { d.do(p, net) }
			}
			if rapid.Bool().Draw(t, name+" nothing") {
				s.Answers = append(s.Answers, "nothing")
			}
			silences = append(silences, s)
		}
	}
	return p, does, silences
}

// drawnUntil draws cases, and then more of them until a test has met what it is about, which
// is rare in some series.
func drawnUntil(t *testing.T, met func() bool, check func(*rapid.T)) {
	t.Helper()
	f := flag.Lookup("rapid.seed")
	old := f.Value.String()
	t.Cleanup(func() { require.NoError(t, f.Value.Set(old)) })
	first, err := strconv.ParseUint(old, 10, 64)
	require.NoError(t, err)
	if first == 0 {
		first = rand.Uint64()
	}
	for i := range uint64(50) {
		require.NoError(t, f.Value.Set(strconv.FormatUint(max(first+i, 1), 10)))
		if rapid.Check(t, check); met() {
			return
		}
	}
}

// all yields every reading of a source.
func all(src *silence.Source, yield func(silence.Reading)) {
	r := make(silence.Reading, len(src.Silences))
	for {
		yield(slices.Clone(r))
		i := 0
		for ; i < len(r); i++ {
			if r[i]++; r[i] < len(src.Silences[i].Answers) {
				break
			}
			r[i] = 0
		}
		if i == len(r) {
			return
		}
	}
}

// drawnRow returns a row of a piece or two.
func drawnRow(t *rapid.T) silence.Row {
	row := silence.Row{
		{Property: checker.Uniqueness, Setting: setting.Must("n=3 initiators=2")},
		{
			Property: rapid.SampledFrom([]*checker.Property{checker.Uniqueness, checker.SettledUniqueness, checker.E2}).Draw(t, "property"),
			Setting:  setting.Must("n=2 initiators=2 crashes=1"), Breaks: rapid.Bool().Draw(t, "breaks"),
		},
	}
	if rapid.IntRange(0, 2).Draw(t, "three") == 0 { // two may be left that both lead, as long as nothing is owed
		row[1].Property, row[1].Setting = checker.SettledUniqueness, setting.Must("n=3 initiators=2 crashes=1 crashers=3")
	}
	if rapid.Bool().Draw(t, "bound") {
		row[1].Property, row[1].Setting = nil, setting.Must("n=2 initiators=1,2")
		row[1].Bound = &silence.Bound{
			Case: rapid.SampledFrom([]cost.Case{cost.BestCase, cost.WorstCase}).Draw(t, "case"),
			Of:   rapid.IntRange(1, 5).Draw(t, "of"),
		}
	}
	return row[rapid.IntRange(0, 1).Draw(t, "first"):]
}

var alone = silence.Options{Workers: 1}

// A tree says of every reading what becomes of the row in it alone.
func TestTreesAreAsTheirReadings(t *testing.T) {
	outcomes := make(map[silence.Outcome]int)
	splits, bounds := 0, 0
	drawnUntil(t, func() bool { return splits > 0 && bounds > 0 }, func(rt *rapid.T) {
		p, does, silences := drawn(rt)
		src, err := silence.New(p, silence.Sorter[member]{}, does, silences...)
		require.NoError(rt, err)
		row := drawnRow(rt)
		tree, err := src.Decide(rt.Context(), row, silence.Options{Whole: true, Workers: 1})
		require.NoError(rt, err)
		if tree.Root.Outcome == silence.Splits {
			splits++
			if len(row) == 1 && row[0].Bound != nil {
				bounds++
			}
		}
		count := make(map[silence.Outcome]uint64)
		all(src, func(r silence.Reading) {
			is, _, err := src.Judge(rt.Context(), row, r, alone)
			require.NoError(rt, err)
			require.Equal(rt, is, tree.Of(r), "%s", src.Text(r))
			count[is]++
			outcomes[is]++
		})
		assert.Equal(rt, count, tree.Count())
		until, err := src.Decide(rt.Context(), row, alone)
		require.NoError(rt, err)
		open := count[silence.Holds] > 0 && count[silence.Fails] > 0
		require.Equal(rt, open, until.Pivot != nil)
		if open {
			assert.Equal(rt, silence.Holds, tree.Of(until.Pivot.Holds))
			assert.Equal(rt, silence.Fails, tree.Of(until.Pivot.Fails))
		}
	})
	t.Logf("%v, %d trees split, %d by what runs cost", outcomes, splits, bounds)
	assert.NotZero(t, outcomes[silence.Holds])
	assert.NotZero(t, outcomes[silence.Fails])
	assert.NotZero(t, splits)
	assert.NotZero(t, bounds)
}

// A report that is answered by nothing leaves a state settled, which it is in no run that answers
// the report otherwise.
func TestAReportMayBeAnsweredByNothing(t *testing.T) {
	stays := deed{member{Step: 1, Leads: true}, -1}
	p := table{reports: [steps]deed{1: {member{Step: 2}, -1}}}
	p.deeds[0][0] = deed{member{Step: 1, Leads: true}, 0}
	p.deeds[1] = [2]deed{stays, stays}
	retires := checker.Always("retires", "Nobody leads at the end when another one has crashed.", func(v *model.View) bool {
		return !v.Settled || v.Up == v.Present || v.Leaders.Empty()
	})
	row := silence.Row{{Property: retires, Setting: setting.Must("n=2 initiators=1 crashes=1 crashers=2")}}
	src, err := silence.New(p, silence.Sorter[member]{}, nil, silence.Silence{
		Name: "down", Cells: []string{"report: mode 1 Leads"}, Answers: []string{"code", "nothing"},
	})
	require.NoError(t, err)
	for _, opt := range []silence.Options{alone, {Workers: 1, Whole: true}} {
		tree, err := src.Decide(t.Context(), row, opt)
		require.NoError(t, err)
		require.NotNil(t, tree.Pivot, "%v", tree.Root.Outcome)
		assert.Equal(t, []silence.Reading{{0}, {1}}, []silence.Reading{tree.Pivot.Holds, tree.Pivot.Fails})
	}
}

// Where searches end at a limit, a tree says nothing that is not so without one.
func TestTreesWithALimit(t *testing.T) {
	outcomes := make(map[silence.Outcome]int)
	drawnUntil(t, func() bool { return outcomes[silence.Undecided] > 0 && outcomes[silence.Holds] > 0 }, func(rt *rapid.T) {
		p, does, silences := drawn(rt)
		src, err := silence.New(p, silence.Sorter[member]{}, does, silences...)
		require.NoError(rt, err)
		row := drawnRow(rt)
		limited := silence.Options{Whole: true, Workers: 1, MaxStates: uint64(rapid.IntRange(5, 60).Draw(rt, "limit"))}
		tree, err := src.Decide(rt.Context(), row, limited)
		require.NoError(rt, err)
		all(src, func(r silence.Reading) {
			of := tree.Of(r)
			outcomes[of]++
			if of != silence.Undecided {
				is, _, err := src.Judge(rt.Context(), row, r, alone)
				require.NoError(rt, err)
				require.Equal(rt, is, of, "%s", src.Text(r))
			}
		})
	})
	t.Logf("%v", outcomes)
	assert.NotZero(t, outcomes[silence.Undecided])
	assert.NotZero(t, outcomes[silence.Holds])
}

// A strict search that steps on a silence, and a free one that leaves answers out, have trees
// that are not as their readings.
func TestMistakenTreesAreCaught(t *testing.T) {
	for _, c := range []struct {
		name    string
		was, is silence.Answering
	}{
		{"strict steps on a silence", silence.Strict, silence.AsCoded},
		{"strict answers it in any way", silence.Strict, silence.Free},
		{"free has the answer of the code alone", silence.Free, silence.AsCoded},
	} {
		t.Run(c.name, func(t *testing.T) {
			caught := false
			drawnUntil(t, func() bool { return caught }, func(rt *rapid.T) {
				if caught {
					return
				}
				p, does, silences := drawn(rt)
				src, err := silence.New(p, silence.Sorter[member]{}, does, silences...)
				require.NoError(rt, err)
				row := drawnRow(rt)
				tree, err := src.Mistaken(c.was, c.is).Decide(rt.Context(), row, silence.Options{Whole: true, Workers: 1})
				require.NoError(rt, err)
				all(src, func(r silence.Reading) {
					is, _, err := src.Judge(rt.Context(), row, r, alone)
					require.NoError(rt, err)
					caught = caught || is != tree.Of(r)
				})
			})
			assert.True(t, caught)
		})
	}
}

// booter is a table whose processes lead as they boot or as they start.
type booter struct {
	table
	boots bool
}

func (b booter) Init(p *member, _ *model.Net[token], _ model.Boot) { p.Leads = b.boots }

func (booter) Start(p *member, _ *model.Net[token]) { p.Leads = true }

// Answers that a run has before its first step count.
func TestSilencesAtTheStart(t *testing.T) {
	follows := func(p *member, _ *model.Net[token], _ *silence.Event[token]) { p.Leads = false }
	for _, c := range []struct{ event, in string }{
		{"boot", "n=2 initiators=2:lazy"}, {"start", "n=3 initiators=2,3"}, {"start", "n=3 initiators=2,3:lazy"},
	} {
		src, err := silence.New(booter{boots: c.event == "boot"}, silence.Sorter[member]{}, silence.Does[member, token]{c.event + "/follows": follows},
			silence.Silence{Name: c.event, Cells: []string{c.event}, Answers: []string{"leads", "follows"}})
		require.NoError(t, err)
		row := silence.Row{{Property: checker.Uniqueness, Setting: setting.Must(c.in)}}
		tree, err := src.Decide(t.Context(), row, alone)
		require.NoError(t, err)
		for answer := range 2 {
			want, _, err := src.Judge(t.Context(), row, silence.Reading{answer}, alone)
			require.NoError(t, err)
			assert.Equal(t, want, tree.Of(silence.Reading{answer}), "%s in %s: %d", c.event, c.in, answer)
		}
		require.NotNil(t, tree.Pivot, "%s in %s", c.event, c.in)
	}
}

func TestNewRefuses(t *testing.T) {
	does := silence.Does[member, token]{"told/leads": func(*member, *model.Net[token], *silence.Event[token]) {}}
	told := silence.Silence{Name: "told", Cells: []string{"A"}, Answers: []string{"code", "leads", "nothing"}}
	with := func(f func(s *silence.Silence)) silence.Silence {
		s := told
		f(&s)
		return s
	}
	for want, list := range map[string][]silence.Silence{
		`two silences are named "told"`:                                                                  {told, told},
		`silence "Told": name "Told"`:                                                                    {with(func(s *silence.Silence) { s.Name = "Told" })},
		`silence "told": it has no cells: want a pattern at least`:                                       {with(func(s *silence.Silence) { s.Cells = nil })},
		`silence "told": it has 1 answers: want two at least`:                                            {with(func(s *silence.Silence) { s.Answers = s.Answers[:1] })},
		`silence "told": two answers are named "code"`:                                                   {with(func(s *silence.Silence) { s.Answers = []string{"code", "code"} })},
		`silence "told": answer "waits": nothing says what a process does then`:                          {with(func(s *silence.Silence) { s.Answers = []string{"code", "waits"} })},
		`"told/leads" is no answer that needs to be said`:                                                {with(func(s *silence.Silence) { s.Answers = []string{"leads", "nothing"} })},
		`silence "told": pattern "C: id=self": no event is named "C": want any, or some of A, B, report`: {with(func(s *silence.Silence) { s.Cells = []string{"C: id=self"} })},
		`silence "told": pattern "A: idle": "idle": want a term like id<self`:                            {with(func(s *silence.Silence) { s.Cells = []string{"A: idle"} })},
	} {
		_, err := silence.New(table{}, silence.Sorter[member]{}, does, list...)
		assert.ErrorContains(t, err, want)
	}
	_, err := silence.New(table{}, silence.Sorter[member]{}, does, told)
	assert.NoError(t, err)
}

// A cell is text, which as a pattern fits it and no other.
func TestCellsAreTheirPatterns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, does, silences := drawn(rt)
		sorter := silence.Sorter[member]{}
		if rapid.Bool().Draw(rt, "by message") {
			sorter = silence.Sorter[member]{
				Mode:    func(p *member) string { return strconv.FormatBool(p.Leads) },
				Message: func(p *member, m model.Message) string { return fmt.Sprintf("%v of step %d", m, p.Step) },
			}
		}
		src, err := silence.New(p, sorter, does, silences...)
		require.NoError(rt, err)
		cells, err := src.Matrix(rt.Context(), nil, []setting.Setting{setting.Must("n=2 initiators=1,2")}, alone)
		require.NoError(rt, err)
		for i := range cells {
			pattern, err := silence.ParsePattern(cells[i].String(), []string{"A", "B", "report", "start"})
			require.NoError(rt, err)
			for k := range cells {
				assert.Equal(rt, i == k, pattern.Fits(&cells[k].Cell), "%s and %s", cells[i], cells[k])
			}
		}
	})
}

// A process that leads follows itself, also where its protocol names it without its id.
func TestALeaderFollowsItself(t *testing.T) {
	p := table{}
	p.deeds[0] = [2]deed{{member{Step: 1, Leads: true}, 0}, {member{Step: 1, Leads: true}, 0}}
	src, err := silence.New(p, silence.Sorter[member]{Mode: func(p *member) string { return strconv.FormatBool(p.Leads) }}, nil)
	require.NoError(t, err)
	cells, err := src.Matrix(t.Context(), []string{"any: mode true, follows itself", "any: mode false, follows nobody"},
		[]setting.Setting{setting.Must("n=2 initiators=1,2")}, alone)
	require.NoError(t, err)
	leads := 0
	for i := range cells {
		assert.True(t, cells[i].Covered(), "%s", cells[i])
		if cells[i].Mode == "true" {
			leads++
		}
	}
	assert.NotZero(t, leads)
}

// Cells can tell apart what messages say, and a silence is about those alone that its pattern has.
func TestCellsOfMessages(t *testing.T) {
	p := table{}
	p.deeds[0] = [2]deed{{member{Step: 1}, 0}, {member{Step: 1}, -1}}
	p.deeds[1] = [2]deed{{member{Step: 2, Leads: true}, -1}, {member{Step: 2}, -1}}
	quiet := func(*member) string { return "" }
	byStep := silence.Sorter[member]{Mode: quiet, Message: func(p *member, _ model.Message) string { return fmt.Sprint("of step ", p.Step) }}
	bySender := silence.Sorter[member]{Mode: quiet, MessageFrom: func(p *member, from model.ID, _ model.Message) string {
		return fmt.Sprintf("of P%d in step %d", from, p.Step)
	}}
	leads := checker.Always("leads", "P1 does not lead.", func(v *model.View) bool { return !v.Leaders.Has(1) })
	for _, c := range []struct {
		by      silence.Sorter[member]
		pattern string
		fails   bool
	}{
		{byStep, "A: message of step 1", false},
		{byStep, "A: message of step 2", true},
		{bySender, "A: message of P2 in step 1", false},
		{bySender, "A: message of P1 in step 1", true},
	} {
		src, err := silence.New(p, c.by, nil, silence.Silence{Name: "told", Cells: []string{c.pattern}, Answers: []string{"code", "nothing"}})
		require.NoError(t, err)
		row := silence.Row{{Property: leads, Setting: setting.Must("n=2 initiators=1,2")}}
		outcome, _, err := src.Judge(t.Context(), row, silence.Reading{1}, alone)
		require.NoError(t, err)
		assert.Equal(t, c.fails, outcome == silence.Fails, c.pattern)
	}
}

// A source has the systems of another one in the settings for which that is given, and in no other.
func TestASourceWithAnotherInSomeSettings(t *testing.T) {
	source := func(leads bool) *silence.Source {
		p := table{}
		p.deeds[0][0] = deed{member{Step: 1, Leads: leads}, -1}
		src, err := silence.New(p, silence.Sorter[member]{}, nil, silence.Silence{
			Name: "told", Cells: []string{"A: mode 2"}, Answers: []string{"code", "nothing"},
		})
		require.NoError(t, err)
		return src
	}
	both := source(false).Where(func(in setting.Setting) bool { return in.Crashes == 0 }, source(true))
	leads := checker.Always("leads", "Nobody leads.", func(v *model.View) bool { return v.Leaders.Empty() })
	for world, want := range map[string]silence.Outcome{"n=2 initiators=1": silence.Fails, "n=2 initiators=1 crashes=1": silence.Holds} {
		tree, err := both.Decide(t.Context(), silence.Row{{Property: leads, Setting: setting.Must(world)}}, alone)
		require.NoError(t, err)
		assert.Equal(t, want, tree.Root.Outcome, world)
	}
}
