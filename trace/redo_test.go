package trace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/trace"
)

// older returns a trace as a program would have recorded it that has other words: pairs of a word
// of the present program and of the older one.
func older(t *testing.T, tr *trace.Trace, words ...string) *trace.Trace {
	t.Helper()
	data, err := tr.Encode()
	require.NoError(t, err)
	old, err := trace.Decode([]byte(strings.NewReplacer(words...).Replace(string(data))))
	require.NoError(t, err)
	return old
}

// A run whose program has other names now is the same run, and each name is told once.
func TestRedoTellsNamesFromSteps(t *testing.T) {
	tr, fresh := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	for _, c := range []struct {
		name  string
		words []string
		want  []string
	}{
		{"nothing", nil, nil},
		{"message", []string{"ELECTION", "Vote"}, []string{`step 2, P2 suspects P3: the message "Vote" is "ELECTION" now`}},
		{"timer", []string{`"timer": "answer"`, `"timer": "reply"`, "timer answer", "timer reply"},
			[]string{`step 2, P2 suspects P3: the field "timer reply" is "timer answer" now`}},
		{"field", []string{"state.Waiting", "state.Asks"}, []string{`step 2, P2 suspects P3: the field "state.Asks" is "state.Waiting" now`}},
		{"rule", []string{"1: ask the higher ones", "1: begin"}, []string{`step 2, P2 suspects P3: the rule "1: begin" is "1: ask the higher ones" now`}},
		{"field that is no more", []string{`{"process": 2, "field": "state.Waiting"`,
			`{"process": 2, "field": "state.Term", "from": "1", "to": "2"}, {"process": 2, "field": "state.Waiting"`},
			[]string{`step 2, P2 suspects P3: the field "state.Term" is no more`}},
		{"all", []string{"ELECTION", "Vote", "COORDINATOR", "Leads", "state.Boss", "state.Of", "1: ask", "I: ask"}, []string{
			`step 1, P3 crashes: the field "state.Of" is "state.Boss" now`,
			`step 2, P2 suspects P3: the rule "I: ask the higher ones" is "1: ask the higher ones" now`,
			`step 2, P2 suspects P3: the message "Vote" is "ELECTION" now`,
			`step 6, P2 times out (answer): the message "Leads(2)" is "COORDINATOR(2)" now`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := older(t, tr, c.words...)
			r, err := trace.Redo(old, heraldtest.Lookup)
			require.NoError(t, err)
			require.NoError(t, r.Why)
			var said []string
			for _, d := range r.Differences {
				assert.True(t, d.Name, d)
				said = append(said, d.String())
			}
			assert.Equal(t, c.want, said)
			assert.Equal(t, fresh.States, r.Run.States)
			assert.Equal(t, tr, r.Trace, "it is recorded in the words of the program")
			_, err = trace.Replay(old, heraldtest.Lookup)
			if c.want == nil {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, "trace: "+c.want[0])
			}
			in, err := trace.RedoIn(old, fresh.System, heraldtest.Watches["uniqueness"])
			require.NoError(t, err)
			assert.Equal(t, r.Differences, in.Differences)
		})
	}
}

// A step that leads elsewhere does not end the run, and one that is not possible does.
func TestRedoOfOtherSteps(t *testing.T) {
	tr, _ := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	for _, c := range []struct {
		name  string
		spoil func(*trace.Trace)
		want  string // the only difference
		why   string
	}{
		{"another value", func(t *trace.Trace) { t.Steps[1].Changes[0].To = "1" },
			`step 2, P2 suspects P3: the changes differ: recorded is "P2: elected 3 -> 1", and what happens is "P2: elected 3 -> ⊥"`, ""},
		{"another way", func(t *trace.Trace) { t.Steps[1].Sent[0].To = 1 },
			`step 2, P2 suspects P3: the sent messages differ: recorded is "P2->P1 ELECTION (due in 1)", and what happens is "P2->P3 ELECTION (due in 1)"`, ""},
		{"a truth", func(t *trace.Trace) { swap(t.Steps[1].Changes, "state.Waiting", "true", "false") },
			`step 2, P2 suspects P3: the changes differ: recorded is "P2: state.Waiting true -> false", and what happens is "P2: state.Waiting false -> true"`, ""},
		{"a rule that both know", func(t *trace.Trace) { t.Steps[1].Rules = []string{"4: follow"} },
			`step 2, P2 suspects P3: the rules differ: recorded is "4: follow", and what happens is "1: ask the higher ones"`, ""},
		{"an action that is not possible", func(t *trace.Trace) { t.Steps[1].Action.Who = 1 },
			"", "trace: step 2: P2 suspects P1 cannot happen here."},
		{"another message than one that both know", func(t *trace.Trace) {
			t.Steps[2].Action.Message = "COORDINATOR(2)"
		}, "", "trace: step 3: P2->P3 COORDINATOR(2) is dropped (due in 1) cannot happen here."},
		{"a property that does not break", func(t *trace.Trace) { t.Steps = t.Steps[:6] }, "", "trace: uniqueness is not broken: nowhere in the 6 steps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := older(t, tr)
			c.spoil(changed)
			r, err := trace.Redo(changed, heraldtest.Lookup)
			require.NoError(t, err)
			if c.want != "" {
				if assert.Len(t, r.Differences, 1) {
					assert.Equal(t, c.want, r.Differences[0].String())
					assert.False(t, r.Differences[0].Name)
				}
				assert.NoError(t, r.Why)
				assert.Equal(t, tr, r.Trace)
				return
			}
			assert.ErrorContains(t, r.Why, c.why)
			_, err = trace.Replay(changed, heraldtest.Lookup)
			assert.ErrorContains(t, err, c.why, "the same as of a replay")
		})
	}
}

func swap(changes []trace.Change, field, from, to string) {
	for i := range changes {
		if changes[i].Field == field {
			changes[i].From, changes[i].To = from, to
		}
	}
}

// A property that breaks in fewer steps now breaks by the same actions, and the run is shorter,
// even if a later action is not possible.
func TestRedoEndsWhereThePropertyBreaks(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	r.Take(r.Enabled()[0])
	longer := r.Record(tr.Header)
	redone, err := trace.Redo(longer, heraldtest.Lookup)
	require.NoError(t, err)
	require.NoError(t, redone.Why)
	assert.Equal(t, tr, redone.Trace)
	assert.Len(t, redone.Run.States, len(tr.Steps)+1)
	longer.Steps[len(tr.Steps)].Action = model.Action{Kind: model.Heals}
	redone, err = trace.Redo(longer, heraldtest.Lookup)
	require.NoError(t, err)
	require.NoError(t, redone.Why)
	assert.Equal(t, tr, redone.Trace)
}

// A trace of an unknown algorithm is refused.
func TestRedoRefuses(t *testing.T) {
	tr, fresh := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	tr.Algorithm = "hero"
	_, err := trace.Redo(tr, heraldtest.Lookup)
	var unknown *trace.UnknownError
	assert.ErrorAs(t, err, &unknown)
	tr.Choices = []int{7}
	_, err = trace.RedoIn(tr, fresh.System, heraldtest.Watches["uniqueness"])
	assert.ErrorContains(t, err, "has no initial state")
}
