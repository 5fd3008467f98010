package web

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// markup is what somebody puts into names who means no good.
const markup = `"><script>alert('x')</script><img src=x onerror=alert(1)>&lt;{{.}}`

// A hostile protocol has markup wherever it can put text.
type hostile struct {
	model.Passive[hostileState, hostileMessage]
}

type hostileState struct {
	Elected model.ID
	Word    evil
}

type hostileMessage struct{ To model.ID }

// evil is a field that shows as markup.
type evil bool

func (e evil) String() string {
	if e {
		return markup + "on"
	}
	return markup + "off"
}

func (hostile) Start(p *hostileState, net *model.Net[hostileMessage]) {
	net.Rule(0)
	p.Word = true
	net.SetTimer(0, 1)
	for id := range net.Peers().All() {
		net.SendTo(id, hostileMessage{id})
	}
}

func (hostile) Receive(p *hostileState, _ *model.Net[hostileMessage], from model.Port, _ hostileMessage) {
	if p.Elected == 0 {
		p.Elected = from.ID()
		return
	}
	panic(markup)
}

func (hostile) Timeout(p *hostileState, net *model.Net[hostileMessage], _ model.Timer) {
	p.Elected = net.Self()
}
func (hostile) Belief(p *hostileState) model.Belief { return model.Belief{Elected: p.Elected} }
func (hostileMessage) Kind() model.Kind             { return 0 }
func (m hostileMessage) String() string             { return markup + m.To.String() }
func (hostile) Names() model.Names {
	return model.Names{Kinds: []string{markup}, Timers: []model.TimerName{{Name: markup + "T"}}, Rules: []string{markup + "rule"}}
}

// hostileServer offers the protocol, under names that no catalogue would take.
func hostileServer(t testing.TB) *Server {
	t.Helper()
	variant := func(name string) ledger.Variant {
		return ledger.Variant{
			Name: name, Doc: markup, Source: markup, Setting: setting.Must("n=3 initiators=all:lazy"),
			New: func(s setting.Setting) (*model.System, error) { return model.New(hostile{}, s) },
		}
	}
	s, err := New(Options{Algorithms: []*ledger.Algorithm{
		{Name: "hostile", Title: markup, Source: markup, Doc: markup, Variants: []ledger.Variant{variant("plain"), variant(markup)}},
	}})
	require.NoError(t, err)
	return s
}

// Nothing that a protocol or a request says is taken for markup.
func TestHostile(t *testing.T) {
	s := hostileServer(t)
	harmless := func(text string) {
		t.Helper()
		assert.NotContains(t, strings.ReplaceAll(text, `<script src="/assets/explore.js" defer></script>`, ""), "<script")
		assert.NotContains(t, text, "<img")
		assert.NotContains(t, text, `onerror=alert(1)>`)
	}
	text, _ := followed(t, s, "/")
	harmless(text)
	for _, name := range []string{"plain", markup} {
		text, at := followed(t, s, page("hostile", name))
		harmless(text)
		for range 6 {
			list := offered(text)
			if len(list) == 0 {
				break
			}
			text, at = followed(t, s, with(at, "do", list[0]))
			harmless(text)
			has(t, text, markup)
		}
		_, raw := get(t, s, file(at, "json"))
		has(t, raw, "hostile")
	}
	// The message is shown as text.
	text, _ = followed(t, s, "/explore/hostile/plain?do=s1")
	assert.Contains(t, text, html.EscapeString(markup)[:20])
	has(t, text, `P2 receives "`+markup+`2" from P1`)

	for _, at := range []string{
		with("/explore/hostile/plain", "setting", markup), with("/explore/hostile/plain", "origin", markup),
		with("/explore/hostile/plain", "path", markup), with("/explore/hostile/plain", "do", markup),
		with("/explore/hostile/plain", "at", markup), with("/explore/hostile/plain", "go", markup),
		with("/explore/hostile/plain", "trace", markup), with("/explore/hostile/plain", url.QueryEscape(markup), "1"),
		with("/explore/hostile/plain", "start", markup), with("/explore/hostile/plain/run.json", "as", markup),
		page(markup, markup), page("hostile", markup+"2"), "/" + strings.ReplaceAll(page("x", markup), "/explore/x/", ""),
	} {
		answer, text := get(t, s, at)
		harmless(text)
		if !strings.Contains(at, "trace=") {
			assert.GreaterOrEqual(t, answer.StatusCode, http.StatusBadRequest, at)
			assert.Less(t, answer.StatusCode, http.StatusInternalServerError, at)
		}
	}
	w := strings.NewReplacer("\r", "", "\n", "").Replace(markup)
	answer, _ := upload(t, s, w, []byte(w))
	assert.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode)
}

// A handler that panics ends the run, and the page says of what.
func TestMisuse(t *testing.T) {
	s := hostileServer(t)
	at := "/explore/hostile/plain?path=s1"
	text, at := followed(t, s, at)
	list := offered(text)
	deliver := list[0]
	_, at = followed(t, s, with(at, "do", deliver)) // 2 elects 1
	text, at = followed(t, s, with(at, "do", "s3"))
	var second string
	for _, code := range offered(text) {
		if strings.HasPrefix(code, "d2.3.") {
			second = code
		}
	}
	require.NotEmpty(t, second)
	has(t, text, "goes wrong:")
	text, at = followed(t, s, with(at, "do", second))
	has(t, text, "Nothing: the run cannot go on after this.")
	has(t, text, "goes wrong:")
	assert.Empty(t, offered(text))
	answer, text := get(t, s, with(at, "do", "s2"))
	assert.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode)
	has(t, text, "nothing else can")
	answer, data := get(t, s, file(at, "json"))
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	assert.Contains(t, data, `"misuse"`)
}
