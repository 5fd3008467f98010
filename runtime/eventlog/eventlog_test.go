package eventlog_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// Every example of the reference is a line that is read, and written back as it
// stands there; every kind of event and every field has one.
func TestReference(t *testing.T) {
	text, err := os.ReadFile("../../docs/event-log.md")
	require.NoError(t, err)
	var kinds []string
	var all string
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1) {
		e, err := eventlog.Decode(block[1])
		require.NoError(t, err, "%s", block[1])
		line, err := e.Encode()
		require.NoError(t, err)
		assert.Equal(t, string(block[1]), string(line))
		kinds, all = append(kinds, e.Kind.String()), all+string(line)
	}
	for k := eventlog.Boot; k <= eventlog.Heal; k++ {
		assert.Contains(t, kinds, k.String())
	}
	for _, field := range []string{"choices", "link"} {
		assert.Contains(t, string(text), "`"+field+"`")
	}
	for _, field := range []string{
		"process", "why", "from", "to", "message", "id", "timer", "who", "side", "rules", "belief", "elected", "participant",
		"epoch", "state", "seq", "clock", "time", "note",
	} {
		assert.Contains(t, all, `"`+field+`":`)
	}
}

func TestDecodeRefuses(t *testing.T) {
	long := strings.Repeat("x", eventlog.MaxText+1)
	for _, c := range []struct{ line, want string }{
		{``, "empty"},
		{`[]`, "want a JSON object"},
		{`7`, "want a JSON object"},
		{`{"process":1}`, `lacks the field "event"`},
		{`{"event":"start"}`, `a start lacks the field "process"`},
		{`{"process":1,"event":"boot"}`, `lacks the field "why"`},
		{`{"process":1,"event":"boot","why":"warm"}`, "cold"},
		{`{"process":1,"event":"strat"}`, "did you mean start?"},
		{`{"process":1,"event":"start","procss":2}`, "did you mean process?"},
		{`{"Process":1,"event":"start"}`, `no field "Process"`},
		{`{"process":1,"process":2,"event":"start"}`, `"process" twice`},
		{`{"process":0,"event":"start"}`, "want a process, 1 to 64"},
		{`{"process":65,"event":"start"}`, "want a process, 1 to 64"},
		{`{"process":-1,"event":"start"}`, "want a process, 1 to 64"},
		{`{"process":1.5,"event":"start"}`, "want a process, 1 to 64"},
		{`{"process":"1","event":"start"}`, "want a process, 1 to 64"},
		{`{"process":null,"event":"start"}`, "want a process, 1 to 64"},
		{`{"process":1,"event":"start","message":"M"}`, `"message" means nothing to a start`},
		{`{"process":1,"event":"receive","message":"M"}`, `lacks the field "from"`},
		{`{"process":1,"event":"receive","from":"left","message":"M"}`, "next"},
		{`{"process":1,"event":"receive","from":2,"message":""}`, "message is empty"},
		{`{"process":1,"event":"receive","from":2,"message":"a\u0007b"}`, "U+0007"},
		{`{"process":1,"event":"receive","from":2,"message":"` + long + `"}`, "at most 4096"},
		{`{"process":1,"event":"send","message":"M"}`, `lacks the field "to"`},
		{`{"process":1,"event":"expire"}`, `lacks the field "timer"`},
		{`{"process":1,"event":"suspect"}`, `lacks the field "who"`},
		{`{"process":1,"event":"start","rules":[null]}`, "null"},
		{`{"process":1,"event":"start","rules":"1"}`, "a list of texts"},
		{`{"process":1,"event":"start","choices":[256]}`, "0 to 255"},
		{`{"process":1,"event":"start","choices":[0.5]}`, "whole numbers"},
		{`{"process":1,"event":"start","belief":{"leader":2}}`, `no field "leader"`},
		{`{"process":1,"event":"start","belief":{"elected":65}}`, "elected is 65"},
		{`{"process":1,"event":"start","belief":{"participant":1}}`, "true or false"},
		{`{"process":1,"event":"start","belief":{"epoch":-1}}`, "0 or more"},
		{`{"process":1,"event":"start","belief":[]}`, "want a JSON object"},
		{`{"process":1,"event":"start","state":{"a":1}}`, "a text"},
		{`{"process":1,"event":"crash","belief":{}}`, "means nothing to a crash"},
		{`{"process":1,"event":"start","seq":0}`, "1 or more"},
		{`{"process":1,"event":"start","time":"yesterday"}`, "want one like"},
		{`{"event":"cut"}`, "a link or a side"},
		{`{"event":"cut","link":"1-1"}`, "two processes"},
		{`{"event":"cut","side":[1,1]}`, "each once"},
		{`{"event":"cut","side":[1],"link":"1-2"}`, "one of them"},
		{`{"process":1,"event":"heal"}`, `"process" means nothing to a heal`},
		{`{"process":1,"event":"start"} {}`, "unexpected text"},
		{`{"process":1,"event":"start"`, "ends in the middle"},
		{`{"process":1,,}`, "not JSON"},
		{"{\"process\":1,\"event\":\"start\",\"note\":\"\xff\"}", "not UTF-8"},
		{strings.Repeat(" ", eventlog.MaxLine), "at most 65536"},
	} {
		_, err := eventlog.Decode([]byte(c.line))
		assert.ErrorContains(t, err, c.want, "%.80s", c.line)
	}
}

// events draws any event that a line can hold.
func events(t *rapid.T) eventlog.Event {
	id := rapid.Custom(func(t *rapid.T) model.ID { return model.ID(rapid.IntRange(1, 64).Draw(t, "id")) })
	port := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) model.Port { return model.Peer(id.Draw(t, "peer")) }),
		rapid.SampledFrom([]model.Port{model.Next, model.Prev}))
	word := rapid.StringMatching(`[A-Z(),<>&"⊥0-9 ]{1,12}`)
	e := eventlog.Event{Kind: eventlog.Kind(rapid.IntRange(0, int(eventlog.Heal)).Draw(t, "kind"))}
	if !e.Kind.World() {
		e.Process = id.Draw(t, "process")
	}
	switch e.Kind {
	case eventlog.Boot:
		e.Why = model.Boot(rapid.IntRange(0, 2).Draw(t, "why"))
	case eventlog.Receive:
		e.From, e.Message, e.ID = port.Draw(t, "from"), word.Draw(t, "message"), word.Draw(t, "id")
	case eventlog.Send:
		e.To, e.Message = port.Draw(t, "to"), word.Draw(t, "message")
	case eventlog.Expire:
		e.Timer = word.Draw(t, "timer")
	case eventlog.Suspect:
		e.Who = id.Draw(t, "who")
	case eventlog.Cut:
		e.Link = rapid.SampledFrom([]string{"1-2", "2->1"}).Draw(t, "link")
	case eventlog.Heal:
		e.Side = model.Set(rapid.Uint64().Draw(t, "side"))
	}
	if e.Kind.Handled() {
		e.Rules = rapid.OneOf(rapid.Just([]string(nil)), rapid.SliceOfN(word, 0, 3)).Draw(t, "rules")
		e.Choices = rapid.OneOf(rapid.Just([]int(nil)), rapid.SliceOfN(rapid.IntRange(0, 255), 0, 3)).Draw(t, "choices")
	}
	if e.Kind.Handled() || e.Kind == eventlog.Observe {
		e.Belief = belief(t, id)
		for i, name := range slices.Sorted(slices.Values(rapid.SliceOfNDistinct(word, 0, 3, rapid.ID).Draw(t, "fields"))) {
			e.State = append(e.State, eventlog.Field{Name: name, Value: strings.Repeat("v", i)})
		}
	}
	e.Seq, e.Clock = rapid.Uint64().Draw(t, "seq"), rapid.Uint64().Draw(t, "clock")
	if rapid.Bool().Draw(t, "timed") {
		e.Time = time.Unix(rapid.Int64Range(0, 1<<34).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()
	}
	return e
}

func belief(t *rapid.T, id *rapid.Generator[model.ID]) *eventlog.Belief {
	if rapid.Bool().Draw(t, "no belief") {
		return nil
	}
	var b eventlog.Belief
	if rapid.Bool().Draw(t, "elected told") {
		who := rapid.OneOf(id, rapid.SampledFrom([]model.ID{model.None, model.Me})).Draw(t, "elected")
		b.Elected = &who
	}
	if rapid.Bool().Draw(t, "epoch told") {
		b.Epoch = new(rapid.Uint64().Draw(t, "epoch"))
	}
	if rapid.Bool().Draw(t, "participant told") {
		b.Participant = new(rapid.Bool().Draw(t, "participant"))
	}
	return &b
}

// Events are read back as they were written.
func TestWriteRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Custom(events), 0, 5).Draw(t, "events")
		var b bytes.Buffer
		w := eventlog.NewWriter(&b)
		for i := range want {
			require.NoError(t, w.Write(&want[i]))
			want[i].Line = i + 1
		}
		r := eventlog.NewReader(&b, "a.ndjson")
		for i := range want {
			got, err := r.Next()
			require.NoError(t, err)
			require.Equal(t, want[i], got)
		}
		_, err := r.Next()
		require.Equal(t, io.EOF, err)
	})
}

func TestWriterRefuses(t *testing.T) {
	var b bytes.Buffer
	w := eventlog.NewWriter(&b)
	assert.ErrorContains(t, w.Write(&eventlog.Event{Kind: eventlog.Start}), `lacks the field "process"`)
	assert.ErrorContains(t, w.Write(&eventlog.Event{Kind: 99}), "unknown kind")
	assert.ErrorContains(t, w.Write(&eventlog.Event{Process: 1, Kind: eventlog.Start, Who: 2}), `"who" means nothing to a start`)
	assert.Empty(t, b.String())
	rules := slices.Repeat([]string{strings.Repeat("x", eventlog.MaxText)}, 20)
	assert.ErrorContains(t, w.Write(&eventlog.Event{Process: 1, Kind: eventlog.Start, Rules: rules}), "at most 65536")
}

func TestReaderNamesTheLine(t *testing.T) {
	const good = `{"process":1,"event":"start"}` + "\n"
	for _, c := range []struct {
		name, text string
		events     int
		want       string
	}{
		{"bad", good + "{}\n" + good, 1, `log:2: an event lacks the field "event"`},
		{"empty line", good + "\n" + good, 1, "log:2: the line is empty: want an event"},
		{"long", good + strings.Repeat("x", 2*eventlog.MaxLine), 1, "log:2: the line is longer than 65536 bytes"},
		{"torn", good + `{"process":2,"ev`, 1, "log:2: the last line is torn"},
		{"without an end", good + strings.TrimSpace(good), 2, "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, n := eventlog.NewReader(strings.NewReader(c.text), "log"), 0
			var err error
			for err == nil {
				if _, err = r.Next(); err == nil {
					n++
				}
			}
			assert.Equal(t, c.events, n)
			assert.EqualError(t, err, c.want)
			assert.Equal(t, c.name == "torn", errors.Is(err, eventlog.ErrTorn))
			_, again := r.Next()
			assert.Equal(t, err, again)
		})
	}
}

// growing is a file that somebody writes to: each piece is there once the one
// before it has been read and the end was seen.
type growing struct {
	pieces []string
	end    bool
	done   func()
}

func (g *growing) Read(p []byte) (int, error) {
	if g.end = !g.end; !g.end {
		return 0, io.EOF
	}
	if len(g.pieces) == 0 {
		g.done()
		return 0, io.EOF
	}
	n := copy(p, g.pieces[0])
	g.pieces = g.pieces[1:]
	return n, nil
}

func TestTail(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := &growing{pieces: []string{`{"process":1,"ev`, `ent":"start"}` + "\n" + `{"process":2,`, `"event":"start"}` + "\n"}, done: cancel}
	r := eventlog.NewReader(eventlog.Tail(ctx, g, time.Microsecond), "log")
	for id := model.ID(1); id <= 2; id++ {
		e, err := r.Next()
		require.NoError(t, err)
		assert.Equal(t, id, e.Process)
	}
	_, err := r.Next()
	assert.Equal(t, io.EOF, err)
}

// Events that are read are written such that they read alike, and nothing panics.
func FuzzDecode(f *testing.F) {
	text, err := os.ReadFile("../../docs/event-log.md")
	require.NoError(f, err)
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1) {
		f.Add(block[1])
	}
	f.Add([]byte(`{"process":1,"event":"start","state":{},"belief":{"elected":"me"},"rules":[],"choices":[]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := eventlog.Decode(line)
		if err != nil {
			return
		}
		_ = e.String()
		again, err := e.Encode()
		if len(line) > eventlog.MaxLine/8 && err != nil {
			return // escapes take more room
		}
		require.NoError(t, err)
		f, err := eventlog.Decode(again)
		require.NoError(t, err)
		require.Equal(t, e.Time.UTC(), f.Time.UTC())
		e.Time, f.Time = time.Time{}, time.Time{}
		require.Equal(t, e, f)
	})
}
