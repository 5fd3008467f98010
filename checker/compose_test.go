package checker

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// An adding is what one field of a report is where several searches decided a part each: the
// field of the report, and those of the searches, the one with most states first.
type adding func(sum reflect.Value, of ...reflect.Value) bool

var (
	// alike: it is the same in all.
	alike adding = func(sum reflect.Value, of ...reflect.Value) bool {
		return reflect.DeepEqual(sum.Interface(), of[0].Interface())
	}
	// ofMost: it goes with the counts, which are those of the search with most states.
	ofMost = alike
	// every: whatever one says is said, once.
	every adding = func(sum reflect.Value, of ...reflect.Value) bool {
		for _, v := range of {
			for _, part := range strings.Split(v.String(), separator) {
				if strings.Count(sum.String(), part) != 1 {
					return false
				}
			}
		}
		return true
	}
	// some: of one with it.
	some adding = func(sum reflect.Value, of ...reflect.Value) bool {
		return slices.ContainsFunc(of, func(v reflect.Value) bool {
			return !v.IsZero() && reflect.DeepEqual(sum.Interface(), v.Interface())
		})
	}
	highest adding = func(sum reflect.Value, of ...reflect.Value) bool {
		return sum.Int() == slices.MaxFunc(of, func(v, w reflect.Value) int { return int(v.Int() - w.Int()) }).Int()
	}
	total adding = func(sum reflect.Value, of ...reflect.Value) bool {
		all := 0.0
		for _, v := range of {
			all += v.Convert(reflect.TypeFor[float64]()).Float()
		}
		got := sum.Convert(reflect.TypeFor[float64]()).Float()
		return got > all*0.999 && got < all*1.001
	}
)

// addings has the rule of each field of a report; a test of its own looks at those that are nil.
func addings() map[string]adding {
	return map[string]adding{
		"Report.Algorithm": alike, "Report.Variant": alike, "Report.Setting": alike, "Report.Optional": alike,
		"Report.Findings": nil, "Report.Gaps": nil, "Report.Coverage": nil, "Report.Reduction": nil,
		"Report.Why": every, "Report.Bound": every, "Report.GaveUp": every,
		"Report.Growth": some, "Report.Tallies": some, "Report.Values": ofMost,
		"Measures.Reason": nil, "Measures.CompleteDepth": nil,
		"Measures.Order": alike, "Measures.Workers": alike, "Measures.Exact": alike,
		"Measures.Distinct": ofMost, "Measures.Generated": ofMost, "Measures.Depth": ofMost, "Measures.Levels": ofMost,
		"Measures.OutDegree": ofMost, "Measures.Collisions": ofMost,
		"Measures.Duration": total, "Measures.CollisionProbability": total, "Measures.PeakBytes": highest,
		"undone.periodic": alike, "undone.seen": ofMost,
		"undone.resume": some, "undone.reducible": some, "undone.less": some,
		"undone.files":      func(sum reflect.Value, _ ...reflect.Value) bool { return sum.Bool() },
		"Reduction.Refused": nil, "Reduction.Left": nil, "Reduction.Properties": nil,
		"Reduction.Made": nil, "Reduction.Distinct": nil, "Reduction.Complete": nil, "Reduction.Beyond": nil, "Reduction.Alone": nil,
		"Coverage.Rules": nil, "Coverage.Sent": nil, "Coverage.Received": nil, "Coverage.Actions": nil, "Coverage.Remark": nil,
	}
}

// fieldsOf calls f with the fields of a report, those of what it embeds included.
func fieldsOf(v reflect.Value, f func(name string, v reflect.Value)) {
	for i := range v.NumField() {
		if v.Type().Field(i).Anonymous {
			fieldsOf(v.Field(i), f)
		} else {
			at := v.Field(i)
			f(v.Type().Name()+"."+v.Type().Field(i).Name, reflect.NewAt(at.Type(), unsafe.Pointer(at.UnsafeAddr())).Elem())
		}
	}
}

// misused returns a finding of Misuse after so many steps.
func misused(steps int) Finding {
	return Finding{Property: Misuse, Verdict: Violated, Trace: &trace.Trace{Steps: make([]trace.Step, steps)}}
}

// searched returns the report of a search with so many states, different in all that can differ.
func searched(number int, states uint64) *Report {
	name := string(rune('a' + number))
	count := func(names string) (all []model.Count) {
		for _, n := range strings.Fields(names) {
			all = append(all, model.Count{Name: n, Times: int64(number * len(n) % 2)}) // odd searches saw those of odd length
		}
		return all
	}
	r := &Report{
		Algorithm: "x", Variant: "y", Setting: setting.Must("n=3"), Optional: []model.OptionalMethod{{Method: "Stable"}},
		Findings: []Finding{{Property: &Property{Name: name}, Verdict: Holds}},
		Why:      name + " ended; all ended", Bound: "term " + name, GaveUp: "gave up " + name,
		Growth: []model.Growth{{Name: name}},
		Values: []model.Values{{Name: name}}, Tallies: []Tallied{{Name: name}},
		Measures: Measures{
			Reason: explore.Reason(number + 1), Workers: 2, Order: explore.BreadthFirst, Exact: true,
			Distinct: states, Generated: 2 * states, CompleteDepth: int(states) / 3, Depth: int(states) / 2, Levels: []uint64{1, states},
			OutDegree: float64(states), Duration: time.Duration(states), PeakBytes: int64(7 - number), CollisionProbability: 0.001 * float64(states),
			Collisions: states,
		},
		Coverage: model.Coverage{Rules: count("on off"), Sent: count("ask"), Received: count("ask"), Actions: count("boots pauses")},
		undone:   undone{periodic: []string{"beat"}, resume: name, reducible: name, files: number == 1, seen: int(states), less: &Report{Algorithm: name}},
		Gaps: []Gap{
			{Kind: "rule", Name: "on", What: "never ran"}, {Kind: "rule", Name: "off", What: "never ran"},
			{Kind: "message", Name: "ask", What: "was never sent"},
			{Kind: "action", Name: "a process", Action: "boots"}, {Kind: "action", Name: "a process", Action: "pauses"},
			{Kind: "state", Name: "a settled state"},
		},
	}
	r.Reduction = &Reduction{Made: model.Reductions(1 << number), Properties: []string{name}, Left: []Unreduced{{Why: name}}, Distinct: states, Complete: number != 1}
	if number == 1 {
		r.Gaps = []Gap{r.Gaps[0], r.Gaps[4], {Kind: "state", Name: "another"}}
		r.Findings = append(r.Findings, misused(3))
	}
	return r
}

// A search that answered all that it was asked says nothing of what another one did not see.
func TestReasonOfSeveralSearches(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second Measures
		why, also     string
		want          explore.Reason
		depth         int
		complete      bool
	}{
		{"one was cut short", Measures{Reason: explore.Complete, Distinct: 9, CompleteDepth: 5}, Measures{Reason: explore.TimeLimit, Distinct: 4, CompleteDepth: 2}, "", "time", explore.TimeLimit, 2, false},
		{"the larger one was", Measures{Reason: explore.TimeLimit, Distinct: 9, CompleteDepth: 4}, Measures{Reason: explore.TargetsHit, Distinct: 4, CompleteDepth: 2}, "time", "", explore.TimeLimit, 4, false},
		{"one was all, the other decided", Measures{Reason: explore.TargetsHit, Distinct: 4, CompleteDepth: 1}, Measures{Reason: explore.Complete, Distinct: 9, CompleteDepth: 5}, "", "", explore.Complete, 5, true},
		{"both were cut short", Measures{Reason: explore.TimeLimit, Distinct: 9, CompleteDepth: 4}, Measures{Reason: explore.Cancelled, Distinct: 4, CompleteDepth: -1}, "time", "cancelled", explore.TimeLimit, -1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := &Report{Measures: c.first, Why: c.why}, &Report{Measures: c.second, Why: c.also}
			r := a.beside(b)
			assert.Equal(t, c.want, r.Reason)
			assert.Equal(t, c.depth, r.CompleteDepth)
			assert.Equal(t, c.complete, r.Complete())
			assert.Equal(t, uint64(9), r.Distinct)
		})
	}
}

// One report has the findings of several searches of a system, whichever saw most, and each
// field has a rule.
func TestReportsOfSeveralSearchesAddUp(t *testing.T) {
	rules, looked := addings(), 0
	for _, states := range [][]uint64{{30, 20}, {20, 30}, {10, 20, 30}, {30, 10, 20}, {20, 30, 10}} {
		var sum *Report
		var of []*Report
		for number, n := range states {
			of = append(of, searched(number, n))
			sum = sum.beside(searched(number, n))
		}
		slices.SortFunc(of, func(a, b *Report) int { return int(b.Distinct) - int(a.Distinct) })
		fields := make([]map[string]reflect.Value, len(of))
		for i, r := range of {
			fields[i] = make(map[string]reflect.Value)
			fieldsOf(reflect.ValueOf(r).Elem(), func(name string, v reflect.Value) { fields[i][name] = v })
		}
		fieldsOf(reflect.ValueOf(sum).Elem(), func(name string, v reflect.Value) {
			rule, there := rules[name]
			if !assert.True(t, there, "%s has no rule for what it is where several searches decided a part each", name) || rule == nil {
				return
			}
			var values []reflect.Value
			for i := range of {
				values = append(values, fields[i][name])
			}
			looked++
			assert.True(t, rule(v, values...), "%v: %s is %v", states, name, v)
		})
		assert.Equal(t, len(of)+1, len(sum.Findings), "the answers of all, and one misuse")
		assert.NotNil(t, sum.Finding(Misuse.Name), states)
		assert.Contains(t, []explore.Reason{1, 2, 3}, sum.Reason)
		assert.Equal(t, int(slices.Min(states))/3, sum.CompleteDepth)
		assert.Equal(t, []Gap{
			{Kind: "rule", Name: "on", What: "never ran"}, {Kind: "action", Name: "a process", Action: "pauses"},
		}, sum.Gaps, "%v: what no search saw", states)
		assert.Equal(t, []model.Count{{Name: "on"}, {Name: "off", Times: 1}}, sum.Coverage.Rules)
		assert.Len(t, sum.Coverage.Actions, 2)
		small := sum.Reduction
		assert.Equal(t, model.Reductions(1<<len(of)-1), small.Made)
		assert.Len(t, small.Properties, len(of))
		assert.Len(t, small.Left, len(of))
		assert.Equal(t, slices.Max(states), small.Distinct)
		assert.False(t, small.Complete)
	}
	for _, of := range []reflect.Type{reflect.TypeFor[Reduction](), reflect.TypeFor[model.Coverage]()} {
		for i := range of.NumField() {
			assert.Contains(t, rules, of.Name()+"."+of.Field(i).Name)
		}
	}
	t.Logf("%d fields, %d looked at in five sums of two and three searches", len(rules), looked)
}
