package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/browsertest"
	"bullyproof/trace"
)

func itf(t testing.TB, l *trace.Layout) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, l.WriteITF(&b))
	return b.Bytes()
}

func shiviz(t testing.TB, l *trace.Layout) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, l.WriteShiViz(&b))
	return b.String()
}

func TestExportGoldens(t *testing.T) {
	golden(t, "herald-agreement.itf.json", itf(t, samples(t)["agreement"]))
	golden(t, "herald-agreement.shiviz.log", []byte(shiviz(t, samples(t)["agreement"])))
}

// An itfTrace is a trace as the description of the format has it.
type itfTrace struct {
	vars   []string
	states []map[string]any
	loop   int // -1 without one
}

// readITF reads a trace, strictly after the description: it refuses what is not
// in there, and makes the values of Go that expressions stand for.
func readITF(data []byte) (*itfTrace, error) {
	var top struct {
		Meta   map[string]any               `json:"#meta"`
		Params []string                     `json:"params"`
		Vars   []string                     `json:"vars"`
		States []map[string]json.RawMessage `json:"states"`
		Loop   *int                         `json:"loop"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&top); err != nil {
		return nil, err
	}
	if d.More() || !utf8.Valid(data) {
		return nil, fmt.Errorf("more than one object, or not UTF-8")
	}
	tr := &itfTrace{vars: top.Vars, loop: -1}
	if top.Loop != nil {
		tr.loop = *top.Loop
		if tr.loop < 0 || tr.loop >= len(top.States) {
			return nil, fmt.Errorf("loop %d of %d states", tr.loop, len(top.States))
		}
	}
	for i, fields := range top.States {
		delete(fields, "#meta")
		names := slices.Sorted(maps.Keys(fields))
		if want := slices.Sorted(slices.Values(top.Vars)); !slices.Equal(names, want) {
			return nil, fmt.Errorf("state %d has %q, not %q", i, names, want)
		}
		state := map[string]any{}
		for name, raw := range fields {
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				return nil, err
			}
			value, err := itfValue(v)
			if err != nil {
				return nil, fmt.Errorf("state %d: %s: %w", i, name, err)
			}
			state[name] = value
		}
		tr.states = append(tr.states, state)
	}
	return tr, nil
}

// itfValue returns what an expression stands for: an int, a bool, a string, a
// slice for lists, tuples and sets, a map for records and maps.
func itfValue(v any) (any, error) {
	switch v := v.(type) {
	case string, bool:
		return v, nil
	case json.Number:
		return strconv.Atoi(v.String())
	case []any:
		return itfList(v)
	case map[string]any:
		for name, inner := range v {
			if strings.HasPrefix(name, "#") {
				if len(v) != 1 {
					return nil, fmt.Errorf("%s beside other fields", name)
				}
				return itfSpecial(name, inner)
			}
		}
		record := map[any]any{}
		for name, inner := range v {
			value, err := itfValue(inner)
			if err != nil {
				return nil, err
			}
			record[name] = value
		}
		return record, nil
	}
	return nil, fmt.Errorf("no expression: %v", v)
}

func itfList(list []any) (any, error) {
	values := []any{}
	for _, inner := range list {
		value, err := itfValue(inner)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

func itfSpecial(name string, v any) (any, error) {
	text, isText := v.(string)
	list, isList := v.([]any)
	switch {
	case name == "#bigint" && isText && regexp.MustCompile(`^-?[0-9]+$`).MatchString(text):
		return strconv.Atoi(text)
	case (name == "#tup" || name == "#set") && isList:
		return itfList(list)
	case name == "#map" && isList:
		m := map[any]any{}
		for _, pair := range list {
			p, ok := pair.([]any)
			if !ok || len(p) != 2 {
				return nil, fmt.Errorf("%v is no pair", pair)
			}
			key, err := itfValue(p[0])
			if err != nil {
				return nil, err
			}
			if _, twice := m[key]; twice {
				return nil, fmt.Errorf("%v is there twice", key)
			}
			if m[key], err = itfValue(p[1]); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	return nil, fmt.Errorf("no expression: %s %v", name, v)
}

// What is read back is what the run has.
func TestITF(t *testing.T) {
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			got, err := readITF(itf(t, l))
			require.NoError(t, err)
			require.Equal(t, len(l.Rows), len(got.states))
			for i, state := range got.states {
				r := &l.Rows[i]
				processes := state["processes"].(map[any]any)
				require.Equal(t, len(l.Columns), len(processes))
				for k, c := range r.Cells {
					p := processes[int(l.Columns[k].ID)].(map[any]any)
					assert.Equal(t, c.Status.String(), p["status"])
					assert.Equal(t, int(c.Elected), p["elected"])
					assert.Equal(t, c.Participant, p["participant"])
					fields := map[any]any{}
					for _, f := range r.State.Processes[k].Fields {
						fields[f.Name] = f.Value
					}
					assert.Equal(t, fields, p["state"])
					assert.Equal(t, len(r.State.Processes[k].Timers), len(p["timers"].(map[any]any)))
				}
				assert.Equal(t, len(r.State.InFlight), len(state["inFlight"].([]any)))
				assert.Equal(t, r.State.Side.Len(), len(state["cut"].([]any)))
				assert.Equal(t, r.State.Settled, state["settled"])
				if i > 0 {
					assert.Equal(t, r.Action.Kind.String(), state["action"].(map[any]any)["kind"])
				}
			}
			if l.Lasso > 0 {
				assert.Equal(t, l.Lasso, got.loop)
			} else {
				assert.Equal(t, -1, got.loop)
			}
		})
	}
}

// The strict reader refuses what the description does not have.
func TestReadITFRefuses(t *testing.T) {
	for _, bad := range []string{
		``, `[]`, `{"vars":[],"states":[],"loops":1}`, `{"vars":["x"],"states":[{}]}`, `{"vars":[],"states":[{"x":1}]}`,
		`{"vars":["x"],"states":[{"x":1.5}]}`, `{"vars":["x"],"states":[{"x":null}]}`, `{"vars":["x"],"states":[{"x":{"#bigint":"a"}}]}`,
		`{"vars":["x"],"states":[{"x":{"#set":[],"y":1}}]}`, `{"vars":["x"],"states":[{"x":{"#map":[[1]]}}]}`,
		`{"vars":["x"],"states":[{"x":{"#map":[[1,1],[1,2]]}}]}`, `{"vars":[],"states":[{}],"loop":1}`, `{"vars":[],"states":[]} {}`,
	} {
		_, err := readITF([]byte(bad))
		assert.Error(t, err, bad)
	}
}

// quintPackage is the Quint that the exports are tried on.
var quintPackage = browsertest.Package{
	Name: "@informalsystems/quint", Version: "0.33.0",
	Integrity: "sha512-1hr+l+3wyKimjNXNl9lovpwmH5C9Ck898FL4yGbuEmFPiz7YRqvFvsB9hlHsaYukXqdUY5nuFKn/qiCon0O88g==",
}

// Quint's own reader takes each export, and finds a state for each row.
func TestQuintReadsITF(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		browsertest.Skip(t, "no node for the test")
	}
	dir := t.TempDir()
	want := map[string]int{}
	for name, l := range samples(t) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".itf.json"), itf(t, l), 0o666))
		want[name+".itf.json"] = len(l.Rows)
	}
	cmd := exec.Command(node, "-e", `
		const fs = require("fs"), path = require("path"), { ofItfNormalized } = require("@informalsystems/quint/dist/src/itf")
		const counts = {}
		for (const name of fs.readdirSync(process.argv[1]))
			counts[name] = ofItfNormalized(JSON.parse(fs.readFileSync(path.join(process.argv[1], name)))).length
		console.log(JSON.stringify(counts))`, dir)
	cmd.Dir = quintPackage.Install(t)
	out, err := cmd.Output()
	require.NoError(t, err)
	got := map[string]int{}
	require.NoError(t, json.Unmarshal(out, &got))
	assert.Equal(t, want, got)
}

// A logged is an event of a ShiViz log.
type logged struct {
	step  int
	host  string
	clock map[string]int
}

// readShiViz reads a log by the expression in its first line, and refuses what
// ShiViz refuses: lines that belong to no event, a clock that lacks its host,
// and one that does not count its host's events from 1.
func readShiViz(log string) ([]logged, error) {
	expression, rest, ok := strings.Cut(log, "\n\n")
	if !ok || strings.Contains(expression, "\n") {
		return nil, fmt.Errorf("no expression on a line of its own")
	}
	re, err := regexp.Compile(strings.ReplaceAll(expression, "(?<", "(?P<"))
	if err != nil {
		return nil, err
	}
	var events []logged
	count, left := map[string]int{}, rest
	for _, m := range re.FindAllStringSubmatch(rest, -1) {
		if !strings.HasPrefix(left, m[0]+"\n") {
			return nil, fmt.Errorf("no event: %q", left)
		}
		left = left[len(m[0])+1:]
		e := logged{host: m[re.SubexpIndex("host")]}
		if e.step, err = strconv.Atoi(m[re.SubexpIndex("step")]); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(m[re.SubexpIndex("clock")]), &e.clock); err != nil {
			return nil, err
		}
		if count[e.host]++; e.clock[e.host] != count[e.host] {
			return nil, fmt.Errorf("event %d of %s has the clock %v", count[e.host], e.host, e.clock)
		}
		events = append(events, e)
	}
	if left != "" {
		return nil, fmt.Errorf("no event: %q", left)
	}
	return events, nil
}

// One event's clock is below another's exactly if the layout says that it
// happened before it.
func TestShiVizClocks(t *testing.T) {
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			events, err := readShiViz(shiviz(t, l))
			require.NoError(t, err)
			hosts := map[string]bool{}
			for _, e := range events {
				hosts[e.host] = true
			}
			before := happensBefore(l, events)
			for i, e := range events {
				for k, f := range events {
					assert.Equal(t, before[[2]int{i, k}], below(e.clock, f.clock), "%v and %v", e, f)
				}
			}
			assert.LessOrEqual(t, len(hosts), len(l.Columns))
		})
	}
}

// below reports whether each entry of a is at most that of b, and one is less.
func below(a, b map[string]int) bool {
	for host, n := range a {
		if n > b[host] {
			return false
		}
	}
	return !maps.Equal(a, b)
}

// happensBefore returns the pairs of events of which the first happened before
// the second: at one process, by a message, or by both in turn.
func happensBefore(l *trace.Layout, events []logged) map[[2]int]bool {
	before := map[[2]int]bool{}
	at := func(step int, column int) int {
		return slices.IndexFunc(events, func(e logged) bool {
			return e.step == step && e.host == "p"+l.Columns[column].ID.String()
		})
	}
	for i, e := range events {
		for k, f := range events[i+1:] {
			if e.host == f.host {
				before[[2]int{i, i + 1 + k}] = true
			}
		}
	}
	for k := range l.Arrows {
		a := &l.Arrows[k]
		if a.Fate != trace.Delivered {
			continue
		}
		origin := a
		for origin.Copy { // what it is a copy of was sent before
			origin = originOf(l, origin)
		}
		if from := at(origin.Sent, a.From); from >= 0 {
			before[[2]int{from, at(a.End, a.To)}] = true
		}
	}
	for m := range events {
		for i := range events {
			for k := range events {
				if before[[2]int{i, m}] && before[[2]int{m, k}] {
					before[[2]int{i, k}] = true
				}
			}
		}
	}
	return before
}

// originOf returns the message that a copy repeats: the one that goes the same
// way and was in flight when the copy was made.
func originOf(l *trace.Layout, a *trace.Arrow) *trace.Arrow {
	return &l.Arrows[slices.IndexFunc(l.Arrows, func(b trace.Arrow) bool {
		return b.From == a.From && b.To == a.To && b.Port == a.Port && b.Text == a.Text && b.Sent < a.Sent && b.End >= a.Sent
	})]
}

func TestReadShiVizRefuses(t *testing.T) {
	head := trace.ShiVizExpression + "\n\n"
	for _, bad := range []string{
		"", trace.ShiVizExpression, head + "nothing\n", head + "1 e\np1 {\"p1\":2}\n", head + "1 e\np1 {\"p2\":1}\n", head + "1 e\np1 {\n",
	} {
		_, err := readShiViz(bad)
		assert.Error(t, err, bad)
	}
}

// Whatever a text is, each rendering holds it as text, and stays what it is.
func FuzzTexts(f *testing.F) {
	f.Add(hostile)
	f.Add("end")
	f.Add("a\x00b\u202e\xff\n]]>\u2028 \U0001f600 漢字 ﷽")
	f.Add(strings.Repeat("x", 500))
	f.Add("#59; &#59; %% --> {\"p1\":1}")
	f.Fuzz(func(t *testing.T, text string) {
		l := hostileLayout(t)
		l.Title, l.Story, l.Verdict, l.Property = text, text, text, text
		for i := range l.Arrows {
			l.Arrows[i].Kind, l.Arrows[i].Text = text, text
		}
		for i := range l.Rules {
			l.Rules[i] = trace.Rule{Name: text, Tag: text, Text: text}
		}
		drawing := svg(t, l, trace.SVGOptions{})
		wellFormed(t, drawing)
		assert.Equal(t, bytes.Count(svg(t, hostileLayout(t), trace.SVGOptions{}), []byte("<script")), bytes.Count(drawing, []byte("<script")))
		assert.Equal(t, 1, strings.Count(string(page(t, l)), "<script"))
		assert.Equal(t, len(l.Rows), strings.Count(string(page(t, l)), "<article "))
		_, err := readITF(itf(t, l))
		assert.NoError(t, err)
		_, err = readShiViz(shiviz(t, l))
		assert.NoError(t, err)
		for line := range strings.Lines(mermaid(t, l)) {
			assert.Regexp(t, `^ *(sequenceDiagram|title .*|accDescr: .*|participant p\d as .*|Note over p\d(,p\d)?: .*|p\d-(>>|x|-\))p\d: .*|loop .*|rect .*|end)\n$`, line)
			_, words, _ := strings.Cut(line, ": ")
			assert.NotRegexp(t, `(?i)\bend\b`, words)
		}
	})
}
