package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/runtime/eventlog"
)

// A logReader is a way to read logs.
type logReader struct {
	name  string // in docs/event-log.md
	args  []string
	lines []logLine // of a log in which nothing is wrong
}

// A logLine is a line of a log by its fields.
type logLine map[string]any

// A spoiled log differs from one in which nothing is wrong in one part of a line.
type spoiled struct {
	reader string // by which it is read
	edit   func(lines []logLine)
	status int
	text   string // of what is told
}

// A logPart is a part of the form of a log, with whoever reads it.
type logPart struct {
	name string // in docs/event-log.md
	// reads are logs in which the part is wrong, or left out where it matters.
	reads []spoiled
	// not has the reasons of those who do not read it, by their names, in the words of the
	// documentation, and other what a line says then that makes no difference.
	not   map[string]string
	other func(lines []logLine)
}

// nth returns the number of a line of a process, the k-th of its kind.
func nth(lines []logLine, process int, event string, k int) int {
	for i, l := range lines {
		if l["event"] == event && (process == 0 || fmt.Sprint(l["process"]) == fmt.Sprint(process)) {
			if k--; k < 0 {
				return i
			}
		}
	}
	panic(fmt.Sprintf("no line %d of P%d: %s", k, process, event))
}

// put sets a field of a line, the first of its kind of a process; nil takes it out.
func put(process int, event string, field string, value any) func([]logLine) {
	return func(lines []logLine) {
		l := lines[nth(lines, process, event, 0)]
		if field, part, ok := strings.Cut(field, "."); ok {
			whole := maps.Clone(l[field].(map[string]any))
			if whole[part] = value; value == nil {
				delete(whole, part)
			}
			l[field] = whole
			return
		}
		if l[field] = value; value == nil {
			delete(l, field)
		}
	}
}

// at is put for a line by its number, from 1.
func at(number int, fields ...any) func([]logLine) {
	return func(lines []logLine) {
		l := lines[number-1]
		for i := 0; i < len(fields); i += 2 {
			if l[fields[i].(string)] = fields[i+1]; fields[i+1] == nil {
				delete(l, fields[i].(string))
			}
		}
	}
}

// all is put for every line that has the field.
func all(field string, value any) func([]logLine) {
	return func(lines []logLine) {
		for _, l := range lines {
			if _, ok := l[field]; ok {
				if l[field] = value; value == nil {
					delete(l, field)
				}
			}
		}
	}
}

// swap changes the places of two lines, without their numbers.
func swap(i, j int) func([]logLine) {
	return func(lines []logLine) {
		all("seq", nil)(lines)
		lines[i-1], lines[j-1] = lines[j-1], lines[i-1]
	}
}

func decoded(t *testing.T, text string) (lines []logLine) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l logLine
		require.NoError(t, json.Unmarshal([]byte(line), &l), line)
		lines = append(lines, l)
	}
	return lines
}

// modelled is a log of the Bully algorithm with everything that a line can tell.
func modelled(t *testing.T) []logLine {
	t.Helper()
	text, err := os.ReadFile("../../docs/cluster.ndjson")
	require.NoError(t, err)
	lines := decoded(t, string(text))
	flying := make(map[string][]string)
	for i, l := range lines {
		if key := fmt.Sprint(l["process"], l["to"], l["message"]); l["event"] == "send" {
			l["id"] = fmt.Sprintf("m%d", i)
			flying[key] = append(flying[key], l["id"].(string))
		}
	}
	for _, l := range lines {
		switch key := fmt.Sprint(l["from"], l["process"], l["message"]); l["event"] {
		case "send":
		case "receive":
			require.NotEmpty(t, flying[key], "%v", l)
			l["id"], flying[key] = flying[key][0], flying[key][1:]
			fallthrough
		default:
			l["choices"] = []int{}
		}
	}
	return append(lines, decoded(t, `{"event":"pause","process":1,"note":"a page fault"}
{"event":"resume","process":1}
{"event":"cut","side":[1,2]}
{"event":"cut","link":"1->2"}
{"event":"heal"}
`)...)
}

// believed is a log of two processes that lead by turns, of which the one does not say that it
// leads no more: it comes up again. Its first lines have what beliefs have nothing to do with.
const believed = `{"process":1,"event":"boot","why":"cold","seq":1,"clock":1,"time":"2026-01-31T10:00:01Z"}
{"process":2,"event":"boot","why":"cold","seq":1,"clock":1,"time":"2026-01-31T10:00:02Z"}
{"process":1,"event":"observe","belief":{"elected":1,"participant":false,"epoch":1},"state":{"Role":"leader"},"seq":2,"clock":2,"time":"2026-01-31T10:00:03Z"}
{"process":2,"event":"observe","belief":{"elected":1,"participant":false,"epoch":1},"seq":2,"clock":2,"time":"2026-01-31T10:00:04Z"}
{"process":1,"event":"boot","why":"restart","seq":3,"clock":3,"time":"2026-01-31T10:00:05Z"}
{"process":2,"event":"observe","belief":{"elected":2,"participant":false,"epoch":2},"seq":3,"clock":3,"time":"2026-01-31T10:00:06Z"}
{"process":2,"event":"boot","why":"restart","seq":4,"clock":4,"time":"2026-01-31T10:00:07Z"}
{"process":1,"event":"observe","belief":{"elected":1,"participant":false,"epoch":3},"seq":4,"clock":4,"time":"2026-01-31T10:00:08Z"}
{"process":3,"event":"boot","why":"cold","time":"2026-01-31T10:00:09Z"}
{"process":3,"event":"start","rules":["a rule"],"choices":[1],"time":"2026-01-31T10:00:09Z"}
{"process":3,"event":"send","to":1,"message":"election","id":"3.1","time":"2026-01-31T10:00:10Z"}
{"process":3,"event":"receive","from":2,"message":"election","id":"2.1","time":"2026-01-31T10:00:11Z"}
{"process":3,"event":"expire","timer":"patience","time":"2026-01-31T10:00:12Z"}
{"process":3,"event":"suspect","who":1,"time":"2026-01-31T10:00:13Z"}
{"event":"cut","side":[1],"time":"2026-01-31T10:00:14Z"}
{"event":"cut","link":"1-2","time":"2026-01-31T10:00:15Z"}
{"event":"heal","time":"2026-01-31T10:00:16Z"}
`

// Reasons not to read a part, as docs/event-log.md has them.
const (
	forPeople = "A note is for people."
	beliefs   = "Without a model, what a process does explains nothing: only what it believes counts, and when it comes up or crashes."
	clocks    = "Clocks decide nothing: a process's own order is all that is certain."
	network   = "A message that no process received is on its way, whatever the network did."
	turns     = "Who leads after whom is asked of the answers themselves, not of their epochs."
	either    = "A process leads or does not, in an election or out of it."
)

// logParts are the parts of the form. Of each, somebody has to say who reads it.
func logParts() []logPart {
	const one, two = "`validate`", "`monitor --algorithm`"
	const three, four = "`monitor`", "`histories`"
	// modelled by both, and believed by both
	m := func(edit func([]logLine), text string) []spoiled {
		return []spoiled{{one, edit, 1, text}, {two, edit, 1, text}}
	}
	b := func(edit func([]logLine), text string) []spoiled {
		return []spoiled{{three, edit, 1, text}, {four, edit, 1, "not linearizable"}}
	}
	bad := func(edit func([]logLine), text string) (list []spoiled) {
		for _, reader := range []string{one, two} {
			list = append(list, spoiled{reader, edit, 2, text})
		}
		return list
	}
	mute := map[string]string{three: beliefs, four: beliefs}
	silent := func(reason string) map[string]string {
		return map[string]string{one: reason, two: reason, three: reason, four: reason}
	}
	return []logPart{
		{name: "event", reads: slices.Concat(m(at(2, "event", "observe", "rules", nil, "choices", nil), "participant: the log has true"),
			b(at(5, "event", "observe", "why", nil), "P2 believes itself coordinator, and so does P1"))},
		{name: "process", reads: slices.Concat(m(func(l []logLine) { all("seq", nil)(l); put(1, "suspect", "process", 2)(l) }, "P2 suspects P3"),
			b(func(l []logLine) { all("seq", nil)(l); at(5, "process", 3)(l) }, "P2 believes itself coordinator, and so does P1"))},
		{name: "why", reads: m(put(2, "boot", "why", "restart"), "P2 comes up (restart)"),
			not: mute, other: at(5, "why", "join")},
		{name: "from", reads: m(put(1, "receive", "from", 3), "P3->P1 answer"), not: mute, other: put(3, "receive", "from", 1)},
		{name: "to", reads: m(put(1, "send", "to", 3), "sends: "), not: mute, other: put(3, "send", "to", 2)},
		{name: "message", reads: slices.Concat(m(put(1, "send", "message", "answer"), "sends: "), m(put(1, "receive", "message", "coordinator"), "coordinator")),
			not: mute, other: put(3, "receive", "message", "coordinator")},
		{name: "id", reads: slices.Concat(m(put(1, "receive", "id", "invented"), `no line of the sender has a message with the id "invented"`),
			bad(put(1, "receive", "id", nil), "receives with an id and without one"), bad(put(1, "send", "id", nil), "sends with an id and without one"),
			bad(put(1, "send", "id", "m3"), "two messages with the id")),
			not: mute, other: put(3, "receive", "id", "invented")},
		{name: "timer", reads: m(put(2, "expire", "timer", "U"), "U"), not: mute, other: put(3, "expire", "timer", "U")},
		{name: "who", reads: m(put(1, "suspect", "who", 2), "P1 suspects P2"), not: mute, other: put(3, "suspect", "who", 2)},
		{name: "link", not: with(mute, one, network, two, network), other: func(l []logLine) { l[nth(l, 0, "cut", 1)]["link"] = "2->1" }},
		{name: "side", not: with(mute, one, network, two, network), other: put(0, "cut", "side", []int{2})},
		{name: "choices", reads: m(put(1, "start", "choices", []int{1}), "choices: the log has [1]"), not: mute, other: put(3, "start", "choices", []int{0})},
		{name: "rules", reads: m(put(1, "start", "rules", []string{"another"}), "rules: the log has"), not: mute, other: put(3, "start", "rules", []string{"another"})},
		{name: "belief.elected", reads: slices.Concat(m(put(1, "start", "belief.elected", 1), "elected: the log has P1"),
			[]spoiled{{three, put(2, "observe", "belief.elected", 2), 1, "P2 leads in epoch 1"}, {four, put(2, "observe", "belief.elected", 3), 1, "not linearizable"}})},
		{name: "belief.participant", reads: m(put(1, "start", "belief.participant", false), "participant: the log has false"),
			not: map[string]string{three: either, four: either}, other: put(1, "observe", "belief.participant", true)},
		{name: "belief.epoch", reads: slices.Concat(m(put(1, "start", "belief.epoch", 7), "epoch: the log has 7"),
			[]spoiled{
				{three, at(6, "belief", map[string]any{"elected": 2, "epoch": 1}), 1, "P2 leads in epoch 1"},
				{three, at(6, "belief", map[string]any{"elected": 2}), 1, "P2 leads in epoch 1"}, // as it told last
				{three, func(l []logLine) { // the leader tells nothing else
					all("seq", nil)(l)
					at(4, "process", 1, "belief", map[string]any{"epoch": 2})(l)
				}, 1, "P2 leads in epoch 2, in which P1 does"},
			}), not: map[string]string{four: turns}, other: put(2, "observe", "belief.epoch", 9)},
		{name: "state", reads: slices.Concat(m(put(1, "start", "state.Mode", "idle"), "state.Mode: the log has idle"), m(put(1, "start", "state.Made", "idle"), `no field "Made"`)),
			not: mute, other: put(1, "observe", "state.Role", "another")},
		{name: "seq", reads: slices.Concat(bad(put(1, "suspect", "seq", 20), "lines of process 1 are missing"), []spoiled{
			{three, at(6, "seq", 20), 2, "lines of process 2 are missing"}, {four, at(6, "seq", 20), 2, "lines of process 2 are missing"},
		})},
		{name: "clock", not: silent(clocks), other: func(l []logLine) { l[3]["clock"] = 900 }},
		{name: "time", reads: []spoiled{
			{three, at(5, "time", "2026-01-31T10:00:06.5Z"), 1, "P2 believes itself coordinator, and so does P1"},
			{four, at(4, "time", "2026-01-31T10:00:06.5Z"), 1, "not linearizable"}, {four, at(4, "time", nil), 2, "has no time"},
		}, not: map[string]string{one: clocks, two: clocks}, other: at(3, "time", "2026-01-31T23:00:00Z")},
		{name: "note", not: silent(forPeople), other: func(l []logLine) { l[0]["note"] = "anything" }},
	}
}

// with returns a map with more entries.
func with(of map[string]string, more ...string) map[string]string {
	of = maps.Clone(of)
	for i := 0; i < len(more); i += 2 {
		of[more[i]] = more[i+1]
	}
	return of
}

func logReaders(t *testing.T) []logReader {
	said := decoded(t, believed)
	return []logReader{
		{"`validate`", []string{"validate", "bully", "LOG"}, modelled(t)},
		{"`monitor --algorithm`", []string{"monitor", "LOG", "--algorithm", "bully"}, modelled(t)},
		{"`monitor`", []string{"monitor", "LOG", "--property", "one-leader-per-epoch", "--property", "uniqueness"}, said},
		{"`histories`", []string{"histories", "--log", "LOG"}, said},
	}
}

// read reads a log in one file or several. The text is all that is told.
func (r *logReader) read(t *testing.T, files ...string) (status int, text string) {
	t.Helper()
	var args, names []string
	for i, log := range files {
		name := filepath.Join(t.TempDir(), fmt.Sprintf("log-%d.ndjson", i))
		require.NoError(t, os.WriteFile(name, []byte(log), 0o666))
		if names = append(names, name); i > 0 && r.args[0] == "histories" {
			names = slices.Insert(names, len(names)-1, "--log")
		}
	}
	for _, a := range r.args {
		if a == "LOG" {
			args = append(args, names...)
		} else {
			args = append(args, a)
		}
	}
	var out bytes.Buffer
	status = ours.Run(t.Context(), args, strings.NewReader(""), &out, &out)
	for i, name := range names {
		text = strings.ReplaceAll(cmp.Or(text, out.String()), name, fmt.Sprintf("LOG-%d", i))
	}
	return status, text
}

// apart returns the files of a log after an edit, one of each process.
func (r *logReader) apart(t *testing.T, edit func([]logLine)) []string {
	t.Helper()
	files := make(map[float64]string)
	for line := range strings.Lines(r.edited(t, edit)) {
		var of struct{ Process float64 }
		require.NoError(t, json.Unmarshal([]byte(line), &of))
		files[of.Process] += line
	}
	var list []string
	for _, p := range slices.Sorted(maps.Keys(files)) {
		list = append(list, files[p])
	}
	return list
}

// edited returns a log after an edit, in one file.
func (r *logReader) edited(t *testing.T, edit func([]logLine)) string {
	t.Helper()
	var lines []logLine
	for _, l := range r.lines {
		lines = append(lines, maps.Clone(l))
	}
	edit(lines)
	var b strings.Builder
	for _, l := range lines {
		data, err := json.Marshal(l)
		require.NoError(t, err)
		b.Write(data)
		b.WriteByte('\n')
	}
	return b.String()
}

// fields lists the parts of a line that an event has, by their names in it.
func fields(of reflect.Type, prefix string) (list []string) {
	for i := range of.NumField() {
		f := of.Field(i)
		name := prefix + strings.ToLower(f.Name)
		switch name {
		case "kind":
			name = "event"
		case "line": // is where it stands, no part of it
			continue
		}
		if f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct {
			list = append(list, fields(f.Type.Elem(), name+".")...)
			continue
		}
		list = append(list, name)
	}
	return list
}

// Each command reads each part of a log, or has a reason not to: of a part that is read a
// log is refused that says something wrong there, and of one that is not, nothing changes
// with it. The documentation says the same.
func TestPartsOfALog(t *testing.T) {
	parts, readers := logParts(), logReaders(t)
	var named []string
	for _, p := range parts {
		named = append(named, p.name)
	}
	require.ElementsMatch(t, fields(reflect.TypeFor[eventlog.Event](), ""), named, "each field of an event has a row, and nothing else")
	text, err := os.ReadFile("../../docs/event-log.md")
	require.NoError(t, err)
	doc := strings.Join(strings.Fields(string(text)), " ")
	refused, unread := 0, 0
	for _, r := range readers {
		status, fine := r.read(t, r.apart(t, func([]logLine) {})...)
		require.Zero(t, status, "%s: %s", r.name, fine)
		for _, p := range parts {
			reason, skips := p.not[r.name]
			reads := slices.DeleteFunc(slices.Clone(p.reads), func(s spoiled) bool { return s.reader != r.name })
			require.NotEqual(t, skips, len(reads) > 0, "%s reads %s, or has a reason", r.name, p.name)
			for _, s := range reads {
				status, out := r.read(t, r.apart(t, s.edit)...)
				assert.Equal(t, s.status, status, "%s reads %s: %s", r.name, p.name, out)
				assert.Contains(t, out, s.text, "%s reads %s", r.name, p.name)
				refused++
			}
			if skips {
				assert.True(t, strings.Contains(doc, reason), "docs/event-log.md has %q", reason)
				status, out := r.read(t, r.apart(t, p.other)...)
				assert.Zero(t, status, "%s does not read %s: %s", r.name, p.name, out)
				assert.Equal(t, fine, out, "%s does not read %s", r.name, p.name)
				unread++
			}
		}
	}
	for _, p := range parts {
		row := "| `" + p.name + "` |"
		for _, r := range readers {
			cell := " yes |"
			if p.not[r.name] != "" {
				cell = " |"
			}
			row += cell
		}
		assert.True(t, strings.Contains(string(text), row), "docs/event-log.md has %q", row)
	}
	t.Logf("%d parts, %d readers: %d logs are wrong where somebody reads it, %d where nobody does", len(parts), len(readers), refused, unread)
}

// A line that no command reads as it stands, all refuse, and one that all leave out, each
// leaves out.
func TestFormOfALog(t *testing.T) {
	looked := 0
	for _, r := range logReaders(t) {
		fine := r.edited(t, func([]logLine) {})
		status, told := r.read(t, fine)
		require.Zero(t, status)
		first, rest, _ := strings.Cut(fine, "\n")
		open := strings.TrimSuffix(first, "}")
		wrong := map[string]string{
			open + `,"sequence":1}`:   "has no field",
			open + `,"event":"boot"}`: `the field "event" twice`,
			open:                      "the line ends in the middle of an event",
			"":                        "the line is empty",
		}
		for _, p := range logParts() {
			field, _, _ := strings.Cut(p.name, ".")
			wrong[`{"`+field+`":[{}]}`] = field
		}
		for line, want := range wrong {
			status, out := r.read(t, line+"\n"+rest)
			assert.Equal(t, 2, status, "%s: %s: %s", r.name, line, out)
			if want != "event" {
				assert.Contains(t, out, want, "%s: %s", r.name, line)
			}
			looked++
		}
		for _, torn := range []string{`{"proc`, `{"process":1,"event":"start"`} {
			status, out := r.read(t, fine+torn)
			assert.Zero(t, status, "%s: %s", r.name, torn)
			if r.name != "`validate`" { // which says so
				assert.Equal(t, told, out, "%s: %s", r.name, torn)
			}
			looked++
		}
	}
	t.Logf("%d logs", looked)
}

// A part without which a line has no meaning is missed by all; any other may be left out of every
// line, and then only those say less whose question it is.
func TestLogsWithout(t *testing.T) {
	needed := []string{"event", "process", "why", "from", "to", "message", "timer", "who", "link", "side"} // a cut has one of these
	status := map[string]int{
		"`histories` time": 2, "`histories` belief.elected": 3, "`monitor` belief.elected": 3, // there is no answer
	}
	looked := 0
	for _, r := range logReaders(t) {
		for _, p := range logParts() {
			field, part, inner := strings.Cut(p.name, ".")
			without := func(lines []logLine) {
				for i, l := range lines {
					_, has := l[field]
					switch {
					case inner && has:
						put := maps.Clone(l[field].(map[string]any))
						delete(put, part)
						lines[i][field] = put
					case has:
						delete(l, field)
						if slices.Contains(needed, p.name) {
							return // one is enough
						}
					}
				}
			}
			want := status[r.name+" "+p.name]
			if slices.Contains(needed, p.name) {
				want = 2
			}
			got, out := r.read(t, r.edited(t, without))
			assert.Equal(t, want, got, "%s without %s: %s", r.name, p.name, out)
			looked++
		}
	}
	t.Logf("%d logs", looked)
}

// The order of a process's own lines is read by all.
func TestOrderOfALog(t *testing.T) {
	for _, r := range logReaders(t) {
		i, j := 2, 5 // of P1
		if r.name == "`monitor`" {
			i, j = 6, 7 // of P2
		} else if r.name == "`histories`" {
			i, j = 5, 8
		}
		status, out := r.read(t, r.edited(t, swap(i, j)))
		assert.Equal(t, 1, status, "%s: %s", r.name, out)
	}
}
