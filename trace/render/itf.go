package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strconv"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// ITF writes the states of a run in the Informal Trace Format of Apalache
// and Quint (its ADR-015), a state for the beginning and one after each step.
// The variables:
//
//	action     what led to the state: its kind ("init" at first), its text,
//	           the process where it happened (0 without one), its rules
//	processes  by id: the status; the process elected (0 without one); whether
//	           it is in an election; the fields of its state as text;
//	           its timers with the ticks that they have left
//	inFlight   the messages in flight
//	cut        the processes that a cut separates from the rest
//	budgets    the faults that may still come, by kind
//	settled    whether nothing is left to happen
//
// Of a lasso, loop is the index of the state after the step that begins the
// cycle: that step follows the last. The time that has passed, which no cycle
// brings back, stands in the #meta of a state, with a sentence that tells the
// step.
func ITF(w io.Writer, run *trace.Layout) error {
	l := layout{run}
	var b bytes.Buffer
	types, vars := itfTypes, `"action", "processes", "inFlight", "cut", "budgets", "settled"`
	if l.Setting.CutBy != setting.CutSides {
		types, vars = maps.Clone(itfTypes), vars+`, "links"`
		types["links"] = "Set({ source: Int, target: Int, both: Bool })"
	}
	meta, err := itfJSON(map[string]any{
		"format":             "ITF",
		"format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
		"source":             itfText(l.source()),
		"description":        itfText(l.heading() + ". " + l.Verdict + "."),
		"setting":            l.Setting.String(),
		"property":           itfText(cmp.Or(l.demand(), l.Property)),
		"varTypes":           types,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "{\n\"#meta\": %s,\n\"vars\": [%s],\n\"states\": [", meta, vars)
	for i := range l.Rows {
		state, err := itfJSON(l.itfState(i))
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n" + state)
	}
	b.WriteString("\n]")
	if l.Lasso > 0 {
		fmt.Fprintf(&b, ",\n\"loop\": %d", l.Lasso)
	}
	b.WriteString("\n}\n")
	_, err = w.Write(b.Bytes())
	return err
}

// source names the protocol.
func (l layout) source() string {
	if l.Variant == "" {
		return l.Algorithm
	}
	return l.Algorithm + "/" + l.Variant
}

// itfTypes are the types of the variables, in the notation of Apalache.
var itfTypes = map[string]string{
	"action":    "{ kind: Str, text: Str, process: Int, rules: Seq(Str) }",
	"processes": "Int -> { status: Str, elected: Int, participant: Bool, state: Str -> Str, timers: Str -> Int }",
	"inFlight":  "Seq({ kind: Str, text: Str, source: Int, target: Int, port: Str, due: Int })",
	"cut":       "Set(Int)",
	"budgets":   "Str -> Int",
	"settled":   "Bool",
}

// itfJSON returns a value on one line; the fields of an object are sorted.
func itfJSON(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(b.Bytes())), nil
}

// itfText makes a text one that JSON can hold.
func itfText(s string) string { return drawable(s) }

func itfInt[N ~int | ~int64 | ~uint8](n N) any {
	return map[string]string{"#bigint": strconv.Itoa(int(n))}
}

// itfMap returns a map from pairs.
func itfMap(pairs [][2]any) any {
	if pairs == nil {
		pairs = [][2]any{}
	}
	return map[string]any{"#map": pairs}
}

// itfState returns the state after a row.
func (l layout) itfState(i int) map[string]any {
	r := &l.Rows[i]
	kind, text := "init", "the initial state"
	switch {
	case r.Exchange != nil:
		kind, text = "exchange", l.actionText(r)
	case i > 0:
		kind, text = r.Action.Kind.String(), l.actionText(r)
	}
	rules := []string{}
	for _, rule := range r.Rules {
		rules = append(rules, itfText(rule))
	}
	process := model.None
	switch {
	case r.Exchange != nil:
		process = r.Exchange.Process
	case i > 0:
		process = r.Action.Process
	}
	state := map[string]any{
		"#meta": map[string]any{"index": i, "time": r.Time, "tell": itfText(l.Tell(i))},
		"action": map[string]any{
			"kind": kind, "text": itfText(text), "process": itfInt(process), "rules": rules,
		},
	}
	var processes, budgets [][2]any
	flying, cut := []any{}, []any{}
	for k := range r.State.Processes {
		p := &r.State.Processes[k]
		processes = append(processes, [2]any{itfInt(p.ID), l.itfProcess(p, &r.Cells[k])})
	}
	for i := range r.State.InFlight {
		e := &r.State.InFlight[i]
		flying = append(flying, map[string]any{
			"kind": itfText(e.Kind), "text": itfText(e.Text), "source": itfInt(e.From), "target": itfInt(e.To),
			"port": e.Port.String(), "due": itfInt(e.Due),
		})
	}
	for id := range r.State.Side.All() {
		cut = append(cut, itfInt(id))
	}
	links := []any{}
	for _, l := range r.State.Links {
		links = append(links, map[string]any{"source": itfInt(l.From), "target": itfInt(l.To), "both": l.Both})
	}
	for _, b := range r.State.Budgets {
		budgets = append(budgets, [2]any{b.Name, itfInt(b.Times)})
	}
	state["processes"], state["budgets"] = itfMap(processes), itfMap(budgets)
	state["inFlight"], state["cut"], state["settled"] = flying, map[string]any{"#set": cut}, r.State.Settled
	if l.Setting.CutBy != setting.CutSides {
		state["links"] = map[string]any{"#set": links}
	}
	return state
}

// itfProcess returns the state of a process.
func (l layout) itfProcess(p *model.ProcessSnapshot, c *trace.Cell) any {
	var fields, timers [][2]any
	for _, f := range p.Fields {
		fields = append(fields, [2]any{itfText(f.Name), itfText(f.Value)})
	}
	for _, t := range p.Timers {
		timers = append(timers, [2]any{itfText(t.Name), itfInt(t.Ticks)})
	}
	status := p.Status.String()
	if p.Paused {
		status = "paused"
	}
	return map[string]any{
		"status": status, "elected": itfInt(c.Elected), "participant": c.Participant,
		"state": itfMap(fields), "timers": itfMap(timers),
	}
}
