package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/algorithms"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

func TestActionTexts(t *testing.T) {
	for _, c := range []struct {
		action model.Action
		want   string
	}{
		{model.Action{Kind: model.Crashes, Process: 3}, "c3"},
		{model.Action{Kind: model.Ticks}, "k"},
		{model.Action{Kind: model.Delivers, Process: 2, Port: 1, Message: "COORDINATOR(2)", Due: 1}, "d2.1.COORDINATOR_282_29.1"},
		{model.Action{Kind: model.Delivers, Process: 2, Port: model.Next, Message: "a.b~c-d_e"}, "d2.n.a_2Eb_7Ec_2Dd_5Fe"},
		{model.Action{Kind: model.Drops, Process: 2, Port: model.Prev, Message: ""}, "x2.p."},
		{model.Action{Kind: model.Expires, Process: 1, Timer: "T'", Premature: true}, "t1.T_27-p"},
		{model.Action{Kind: model.Starts, Process: 1, Choices: []int{0, 1}}, "s1-h0.1"},
		{model.Action{Kind: model.Suspects, Process: 1, Who: 3, Crash: true}, "f1.3-c"},
		{model.Action{Kind: model.Restarts, Process: 1, Choices: []int{2}, Crash: true, Out: []int{0, 2}}, "r1-h2-c0.2"},
		{model.Action{Kind: model.CutsOff, Side: model.SetOf(2, 10)}, "v2.10"},
		{model.Action{Kind: model.Heals}, "h"},
		{model.Action{Kind: model.CutsOff, Link: setting.CutLink{From: 1, To: 12, Both: true}}, "v-l1.12.b"},
		{model.Action{Kind: model.Heals, Link: setting.CutLink{From: 2, To: 1}}, "h-l2.1"},
	} {
		assert.Equal(t, c.want, encodeAction(&c.action))
		got, err := decodeAction(c.want)
		require.NoError(t, err, c.want)
		assert.True(t, trace.SameAction(c.action, got), "%s: %+v", c.want, got)
		assert.Equal(t, c.want, url.QueryEscape(c.want), "links carry it as it is")
	}
}

func TestActionTextsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"":         "the action is missing",
		"q1":       `no kind of action has the letter "q"`,
		"c":        "it ends too early",
		"c03":      `it would be written "c3"`,
		"c3.":      `"" is too much`,
		"c65":      `"65" is not a number from 0 to 64`,
		"c-1":      "it ends too early",
		"d2.1":     "it ends too early",
		"d2.1.a b": "is not a text",
		"d2.1._G0": "is not a text",
		"d2.1._4":  "is not a text",
		"d2.1._41": `it would be written "d2.1.A"`,
		"d2.1.a.0": `it would be written "d2.1.a"`,
		"t1.T-q":   `unknown mark "q"`,
		"t1.T-p-p": `it would be written "t1.T-p"`,
		"t1.T-c-p": `it would be written "t1.T-p-c"`,
		"s1-h":     `it would be written "s1"`,
		"s1-h256":  "is not a number from 0 to 255",
		"v0":       "0 is no process",
		"v3.2":     `it would be written "v2.3"`,
		"k1":       `"1" is too much`,
	} {
		_, err := decodeAction(text)
		assert.ErrorContains(t, err, want, "%q", text)
	}
}

// Any action has one text, which gives the action back.
func TestActionTextsGoBothWays(t *testing.T) {
	id := rapid.Map(rapid.IntRange(0, 64), func(n int) model.ID { return model.ID(n) })
	numbers := rapid.SliceOfN(rapid.IntRange(0, 255), 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		a := model.Action{Kind: rapid.SampledFrom(model.ActionKinds()).Draw(t, "kind")}
		if a.Kind.Has(model.AtProcess) {
			a.Process = id.Draw(t, "process")
		}
		if a.Kind.Has(model.OfMessage) {
			a.Port = rapid.SampledFrom([]model.Port{1, 64, model.Next, model.Prev}).Draw(t, "port")
			a.Message, a.Due = rapid.String().Draw(t, "message"), rapid.IntRange(0, 255).Draw(t, "due")
		}
		if a.Kind.Has(model.OfTimer) {
			a.Timer, a.Premature = rapid.String().Draw(t, "timer"), rapid.Bool().Draw(t, "premature")
		}
		if a.Kind.Has(model.AboutAnother) {
			a.Who = id.Draw(t, "who")
		}
		if a.Kind.Has(model.OfSide) {
			a.Side = model.Set(rapid.Uint64().Draw(t, "side"))
		}
		a.Choices = numbers.Draw(t, "choices")
		if a.Crash = rapid.Bool().Draw(t, "crash"); a.Crash {
			a.Out = numbers.Draw(t, "out")
		}
		got, err := decodeAction(encodeAction(&a))
		require.NoError(t, err)
		require.True(t, trace.SameAction(a, got), "%+v became %+v", a, got)
	})
}

// Any text in a link is refused, or is a link that reads as it was written; and
// no page of it goes wrong.
func FuzzLink(f *testing.F) {
	for _, seed := range []string{
		"", "path=c3~f2.3", "path=c3~f2.3&at=1", "path=c3&do=f2.3", "path=c3&go=0", "next=1", "trace=" + duplicate, "at=-1", "at=00",
		"setting=n%3D3+start%3Dcold&path=k", "setting=n%3D4+initiators%3Dany&origin=initiators%3D2&choices=0.12.3",
		"setting=n%3D3+topology%3Dring", "setting=%00", "path=d2.1.%3Cb%3E", "path=v1.2-h0-c0", "page=2&find=1", "setting=n%3D3+joins%3D1&origin=joiners%3D2",
		"path=" + strings.Repeat("k~", 30) + "k", "do=d1.2.election.1", "setting=n%3D2+timing%3Dasync:1+losses%3D1&do=l1.2.answer", ";", "a=b", "path=%zz",
	} {
		f.Add(seed)
	}
	s := newServer(f)
	sub, err := findSubject(algorithms.All, "bully", "coulouris")
	require.NoError(f, err)
	verbs := []string{verbDo, verbGo, verbNext, verbPage, verbFind}
	f.Fuzz(func(t *testing.T, raw string) {
		query, err := url.ParseQuery(raw)
		if err != nil {
			return
		}
		l, err := parseLink("bully", "coulouris", sub.usual, query, verbs...)
		if err == nil {
			require.LessOrEqual(t, len(l.path), maxSteps)
			require.LessOrEqual(t, l.at, len(l.path))
			u, err := url.Parse(l.url())
			require.NoError(t, err)
			again, err := parseLink("bully", "coulouris", sub.usual, u.Query())
			require.NoError(t, err, l.url())
			require.Equal(t, l.url(), again.url())
			if l.setting.N > 4 {
				return // right, and it takes time
			}
		}
		r := httptest.NewRequest(http.MethodGet, "/explore/bully/coulouris", nil)
		r.URL.RawQuery, r.Host = raw, "localhost"
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		require.Contains(t, []int{
			http.StatusOK, http.StatusSeeOther, http.StatusBadRequest, http.StatusRequestURITooLong, http.StatusUnprocessableEntity,
		}, w.Code, w.Body)
		if err != nil {
			require.NotEqual(t, http.StatusOK, w.Code, err)
		}
	})
}
