package trace_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

func TestKindString(t *testing.T) {
	assert.Equal(t, "run violation witness Kind(9)", fmt.Sprint(trace.Plain, trace.Violation, trace.Witness, trace.Kind(9)))
}

func TestFileName(t *testing.T) {
	for want, h := range map[string]trace.Header{
		"bully-coulouris-uniqueness.json":     {Algorithm: "bully", Variant: "coulouris", Property: "uniqueness"},
		"bully-settled-uniqueness.json":       {Algorithm: "Bully", Property: "settled uniqueness"},
		"bully-witness.json":                  {Algorithm: "bully", Kind: trace.Witness},
		"etc-passwd-a-b-run.json":             {Algorithm: "../../etc/passwd", Variant: `a\b`},
		"run.json":                            {Algorithm: "⊥"},
		strings.Repeat("a", 60) + "-run.json": {Algorithm: strings.Repeat("a", 500)},
	} {
		assert.Equal(t, want, h.FileName())
	}
}

func TestEncodeGolden(t *testing.T) {
	tr, _ := heraldtest.Find(t, "n=3 start=settled timing=sync:1 crashes=1 restarts=1", "agreement")
	tr.Title = "P1 follows P2, which follows P3"
	tr.Story = "The announcement of 2 arrives after that of 3.\nNobody ever corrects it."
	data, err := tr.Encode()
	require.NoError(t, err)
	heraldtest.Golden(t, "herald-agreement.json", data)
}

// names are texts that a trace can hold.
var names = rapid.OneOf(
	rapid.SampledFrom([]string{"", "ELECTION", "COORDINATOR(3)", `"quoted" <b>&amp;`, "⊥→ß", "a\\b"}),
	rapid.StringMatching(`[ -~]{0,12}`),
)

var ids = rapid.Custom(func(t *rapid.T) model.ID { return model.ID(rapid.IntRange(1, 64).Draw(t, "id")) })

// actions are actions of all kinds, with the fields that matter.
var actions = rapid.Custom(func(t *rapid.T) model.Action {
	a := model.Action{Kind: rapid.SampledFrom(model.ActionKinds()).Draw(t, "kind")}
	k := a.Kind
	if k.Has(model.MayHaveLink) && rapid.Bool().Draw(t, "link") {
		from := rapid.Map(rapid.IntRange(1, 63), func(id int) model.ID { return model.ID(id) }).Draw(t, "from")
		a.Link = setting.CutLink{From: from, To: from + 1, Both: rapid.Bool().Draw(t, "both")}
	} else if k.Has(model.OfSide) {
		a.Side = model.Set(rapid.Uint64Min(1).Draw(t, "side"))
	}
	if k.Has(model.AtProcess) {
		a.Process = ids.Draw(t, "process")
	}
	if k.Has(model.OfMessage) {
		a.Port = rapid.OneOf(rapid.Just(model.Next), rapid.Just(model.Prev), rapid.Map(ids, model.Peer)).Draw(t, "port")
		a.Message, a.Due = names.Draw(t, "message"), rapid.IntRange(0, 16).Draw(t, "due")
	}
	if k.Has(model.OfTimer) {
		a.Timer, a.Premature = names.Draw(t, "timer"), rapid.Bool().Draw(t, "premature")
	}
	if k.Has(model.AboutAnother) {
		a.Who = ids.Draw(t, "who")
	}
	if !k.Has(model.WithHandler) {
		return a
	}
	few := rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3)
	a.Choices = few.Draw(t, "choices")
	if rapid.Bool().Draw(t, "named") {
		for range a.Choices {
			a.Outcomes = append(a.Outcomes, names.Draw(t, "outcome"))
		}
	}
	if a.Crash = rapid.Bool().Draw(t, "crash"); a.Crash {
		a.Out = few.Draw(t, "out")
	}
	return a
})

// traces are traces that a file can hold; few of them are runs of anything.
var traces = rapid.Custom(func(t *rapid.T) *trace.Trace {
	in, err := setting.Parse(rapid.SampledFrom([]string{"n=2", "n=5 crashes=1 midsend=yes", "n=3 timing=async:2"}).Draw(t, "setting"))
	if err != nil {
		in, _ = setting.Parse("n=4")
	}
	in = in.Normal()
	tr := &trace.Trace{
		Header: trace.Header{
			Algorithm: "a" + names.Draw(t, "algorithm"), Variant: names.Draw(t, "variant"),
			Title: names.Draw(t, "title"), Story: names.Draw(t, "story") + "\n" + names.Draw(t, "more"),
		},
		Setting: in, Origin: in, Choices: rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3).Draw(t, "choices"),
	}
	if tr.Kind = trace.Kind(rapid.IntRange(0, 2).Draw(t, "kind")); tr.Kind != trace.Plain {
		tr.Property = "p" + names.Draw(t, "property")
	}
	message := rapid.Custom(func(t *rapid.T) trace.Message {
		m := trace.Message{From: ids.Draw(t, "from"), To: ids.Draw(t, "to"), Text: names.Draw(t, "text"), Due: rapid.IntRange(0, 9).Draw(t, "due")}
		m.Port = model.Peer(m.From)
		if rapid.Bool().Draw(t, "ring") {
			m.Port, m.From = model.Prev, m.From*model.ID(rapid.IntRange(0, 1).Draw(t, "known"))
		}
		return m
	})
	for range rapid.IntRange(0, 5).Draw(t, "steps") {
		s := trace.Step{
			Action:  actions.Draw(t, "action"),
			Rules:   rapid.SliceOfN(names, 0, 2).Draw(t, "rules"),
			Sent:    rapid.SliceOfN(message, 0, 2).Draw(t, "sent"),
			Dropped: rapid.SliceOfN(message, 0, 2).Draw(t, "dropped"),
		}
		for i := range s.Sent {
			s.Sent[i].Broadcast, s.Sent[i].Lost = rapid.IntRange(0, 2).Draw(t, "broadcast"), rapid.Bool().Draw(t, "lost")
		}
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			s.Changes = append(s.Changes, trace.Change{Process: ids.Draw(t, "process"), Field: names.Draw(t, "field"), From: names.Draw(t, "from"), To: names.Draw(t, "to")})
		}
		tr.Steps = append(tr.Steps, s)
	}
	if n := len(tr.Steps); n > 0 {
		tr.Lasso = rapid.IntRange(0, n).Draw(t, "lasso")
		if rapid.Bool().Draw(t, "misuse") {
			tr.Steps[n-1].Misuse = "panic: index out of range"
		}
	}
	return tr
})

func TestEncodeAndDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := traces.Draw(t, "trace")
		data, err := tr.Encode()
		require.NoError(t, err)
		require.True(t, bytes.HasSuffix(data, []byte("}\n")))
		back, err := trace.Decode(data)
		require.NoError(t, err, "%s", data)
		again, err := back.Encode()
		require.NoError(t, err)
		require.Equal(t, string(data), string(again))
		require.Equal(t, len(tr.Steps), len(back.Steps))
		for i := range tr.Steps {
			require.True(t, trace.SameAction(tr.Steps[i].Action, back.Steps[i].Action))
		}
		require.Equal(t, tr.Header, back.Header)
		require.Equal(t, len(tr.Choices), len(back.Choices))
	})
}

// good is a trace file that the tests below spoil.
const good = `{
  "schema": 1,
  "algorithm": "herald",
  "variant": "",
  "property": "uniqueness",
  "kind": "violation",
  "title": "",
  "story": "",
  "setting": "n=3 channels=unordered timing=sync:1",
  "origin": "n=3 channels=unordered timing=sync:1",
  "steps": [
    {
      "action": "deliver", "process": 1, "from": 2, "message": "OK",
      "sent": [
        {"from": 1, "to": 2, "message": "OK"}
      ],
      "changes": [
        {"process": 1, "field": "elected", "from": "⊥", "to": "2"}
      ]
    }
  ]
}
`

func TestDecodeRefuses(t *testing.T) {
	tr, err := trace.Decode([]byte(good))
	require.NoError(t, err)
	require.Len(t, tr.Steps, 1)
	for _, c := range []struct{ old, new, want string }{
		{`"schema": 1`, `"schema": 2`, `trace: line 2: schema is 2: this program reads schema 1`},
		{`"schema": 1`, `"schema": "1"`, `trace: line 2: schema is "1": want a whole number`},
		{`  "schema": 1,` + "\n", ``, `trace: line 2: the trace begins with "algorithm": want "schema": 1 first`},
		{`"variant"`, `"varient"`, `line 4: the trace has no field "varient"; did you mean "variant"?`},
		{`"variant"`, `"Variant"`, `the trace has no field "Variant"; did you mean "variant"?`},
		{`"variant": ""`, `"variant": null`, `line 4: variant is null: want a text`},
		{`  "story": "",` + "\n", ``, `the trace lacks the field "story"`},
		{`"story": ""`, `"title": ""`, `line 8: the trace has the field "title" twice`},
		{`"kind": "violation"`, `"kind": "proof"`, `line 6: kind is "proof": want one of run, violation, witness`},
		{`"kind": "violation"`, `"kind": "run"`, `a run with the property "uniqueness"`},
		{`"setting": "n=3`, `"setting": "n=three`, `line 9: setting: `},
		{`"origin": "n=3`, `"origin": "n=4`, `is not setting "n=3 channels=unordered timing=sync:1" narrowed`},
		{`"deliver"`, `"delivre"`, `line 13, step 1: unknown action "delivre"; did you mean "deliver"?`},
		{`"deliver"`, `"explode"`, `step 1: unknown action "explode": want one of boot, clock, crash, cut,`},
		{`"process": 1, "from": 2,`, `"process": 1, `, `step 1: a deliver needs "from" on a complete graph or "port" on a ring`},
		{`"process": 1, "from": 2,`, `"process": 0, "from": 2,`, `step 1: process is 0: want a whole number from 1 to 64`},
		{`"process": 1, "from": 2,`, `"process": 1.5, "from": 2,`, `step 1: process is 1.5: want a whole number`},
		{`"process": 1, "from": 2,`, `"process": 1e99999, "from": 2,`, `step 1: process is 1e99999: want a whole number`},
		{`"process": 1, "from": 2,`, `"process": 1, "from": 2, "who": 3,`, `step 1: a deliver has no field "who"`},
		{`"process": 1, "from": 2,`, `"process": 1, "from": 2, "crash": true,`, `"crash" and "out" (the sends that are out before it) go together`},
		{`"process": 1, "from": 2,`, `"process": 1, "port": "left",`, `port is "left": want "next" or "prev"`},
		{`"action": "deliver"`, `"action": "tick"`, `step 1: a tick has no field "process"`},
		{`{"from": 1, "to": 2, "message": "OK"}`, `{"from": 1, "message": "OK"}`, `a message in sent lacks the field "to"`},
		{`{"from": 1, "to": 2, "message": "OK"}`, `{"from": 1, "to": 2, "mesage": "OK"}`, `a message in sent has no field "mesage"; did you mean "message"?`},
		{`{"from": 1, "to": 2, "message": "OK"}`, `7`, `a message in sent is 7: want an object`},
		{`{"from": 1, "to": 2, "message": "OK"}`, `{"from": 1, "to": 2, "message": "OK", "lost": false}`, `lost is false: want true, or no such field`},
		{`"OK"`, `"OK\u001b[2J"`, `holds U+001B, which cannot be printed`},
		{`"OK"`, `"OK` + "\x00" + `"`, `not JSON`},
		{`"OK"`, "\"\xff\"", `not UTF-8`},
		{`"steps": [`, `"steps": 5, "x": [`, `line 11: steps is 5: want a list`},
		{"  ]\n}\n", "  ]\n", `the file ends in the middle of the trace: it was cut off`},
		{"  ]\n}\n", "  ]\n}{", `line 22: unexpected text "{" after the end of the trace`},
		{"  ]\n}\n", "  ]\n}\n\nxyz\n", `line 24: unexpected text "xyz" after the end of the trace`},
		{"{\n", "\ufeff{\n", `the file begins with a byte-order mark (EF BB BF): save it as UTF-8 without one`},
		{`"setting": "n=3`, `"setting": "n=65`, `line 9: setting: n=65: want 2 to 16 processes (to 64 in random walks)`},
		{`"setting": "n=3`, `"setting": "n=3 foo=1`, `line 9: setting has no word "foo": want n, `},
		{`"origin": "n=3`, `"origin": "n=3 crahses=1`, `line 10: origin has no word "crahses": did you mean crashes?`},
		{`"origin": "n=3`, `"origin": "n=0`, `line 10: origin: n=0: want 2 to 16 processes`},
		{"  ]\n}\n", "  ],\n \"lasso_start\": 2}\n", `lasso_start is 2: want the number of one of the 1 steps`},
	} {
		require.Contains(t, good, c.old)
		_, err := trace.Decode([]byte(strings.Replace(good, c.old, c.new, 1)))
		if assert.ErrorContains(t, err, c.want, c.new) {
			assert.NotContains(t, err.Error(), "\n")
			assert.Less(t, len(err.Error()), 400)
		}
	}
	for _, empty := range []string{"", "\n \t"} {
		_, err := trace.Decode([]byte(empty))
		require.EqualError(t, err, "trace: the file is empty: want a trace file")
	}
	for i := range good[:len(good)-2] {
		if i == 0 {
			continue
		}
		_, err := trace.Decode([]byte(good[:i]))
		require.ErrorContains(t, err, "cut off", "%q", good[:i])
	}
	_, err = trace.Decode(bytes.Repeat([]byte(" "), trace.MaxBytes+1))
	require.ErrorContains(t, err, "at most 16777216 bytes")
	many := strings.Repeat(`{"action": "tick"},`, trace.MaxSteps) + `{"action": "tick"}`
	_, err = trace.Decode([]byte(strings.Replace(good, `"steps": [`, `"steps": [`+many+`,`, 1)))
	require.ErrorContains(t, err, "steps has more than 100000 entries")
}

func TestValidateRefuses(t *testing.T) {
	base, err := trace.Decode([]byte(good))
	require.NoError(t, err)
	for want, spoil := range map[string]func(*trace.Trace){
		"the algorithm is missing":         func(t *trace.Trace) { t.Algorithm = "" },
		"unknown kind 7":                   func(t *trace.Trace) { t.Kind = 7 },
		"lasso_start is -1":                func(t *trace.Trace) { t.Lasso = -1 },
		"nothing can follow a misuse":      func(t *trace.Trace) { t.Steps = append(t.Steps, t.Steps[0]); t.Steps[0].Misuse = "x" },
		"unknown kind of action 200":       func(t *trace.Trace) { t.Steps[0].Action.Kind = 200 },
		"a field that means nothing to it": func(t *trace.Trace) { t.Steps[0].Action.Who = 3 },
		"a side or a link":                 func(t *trace.Trace) { t.Steps[0].Action = model.Action{Kind: model.CutsOff} },
		"before a crash that does not":     func(t *trace.Trace) { t.Steps[0].Action.Out = []int{1} },
		"a choice is -1":                   func(t *trace.Trace) { t.Steps[0].Action.Choices = []int{-1} },
		"comes in by port 3":               func(t *trace.Trace) { t.Steps[0].Sent[0].Port = 3 },
		"to is 65":                         func(t *trace.Trace) { t.Steps[0].Sent[0].To = 65 },
		"message has 70000 bytes":          func(t *trace.Trace) { t.Steps[0].Sent[0].Text = strings.Repeat("x", 70_000) },
		"is not UTF-8":                     func(t *trace.Trace) { t.Title = "\xff" },
		"title \"a\\nb\" holds U+000A":     func(t *trace.Trace) { t.Title = "a\nb" },
		"100001 steps are too many":        func(t *trace.Trace) { t.Steps = make([]trace.Step, trace.MaxSteps+1) },
	} {
		tr, err := trace.Decode([]byte(good))
		require.NoError(t, err)
		spoil(tr)
		_, err = tr.Encode()
		assert.ErrorContains(t, err, want)
	}
	assert.NoError(t, base.Validate())
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(good[:len(good)/2]))
	f.Add([]byte(`{"schema":1,"steps":[{"action":"cut","side":[2,3]},{"action":"boot","process":1,"choices":[0],"crash":true,"out":[]}]}`))
	f.Add([]byte(`[[[[{}]]]]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := trace.Decode(data)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		first, err := tr.Encode()
		require.NoError(t, err)
		back, err := trace.Decode(first)
		require.NoError(t, err)
		second, err := back.Encode()
		require.NoError(t, err)
		require.Equal(t, string(first), string(second))
	})
}
