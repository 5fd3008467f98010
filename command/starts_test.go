package command

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/anysetting"
	"bullyproof/internal/test/thorough"
	"bullyproof/internal/test/upstart"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

var deep = flag.Bool("deep", false, "have commands begin where two words of a setting leave that open, and print all claims")

// openings returns settings that leave open in which initial state a run of a usurper begins, by
// the keys of the words that fix it, one for each choice of these.
func openings(t *testing.T) map[string]setting.Setting {
	t.Helper()
	found := make(map[string]setting.Setting)
	for s := range anysetting.Pairs("n=3 timing=sync:1") {
		sys, err := model.New(upstart.Usurper{}, s)
		require.NoError(t, err)
		var keys []string
		sys.Origins(func(o model.Origin) bool {
			for _, word := range strings.Fields(o.Setting.Beginning(s)) {
				if key, _, _ := strings.Cut(word, "="); !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
			return true
		})
		slices.Sort(keys)
		if which := strings.Join(keys, " "); which != "" && found[which].N == 0 {
			found[which] = s
		}
	}
	return found
}

// Every command that shows, keeps or takes a run does so whichever words of its setting leave open
// where it begins.
func TestCommandsWhereTheBeginningIsOpen(t *testing.T) {
	thorough.Only(t)
	tool := Tool{Name: "usurpers", Algorithms: []*ledger.Algorithm{{
		Name: "usurper", Title: "Usurper", Source: "nobody, nowhere", Doc: "Whoever has waited leads.",
		Variants: []ledger.Variant{
			{Name: "plain", Doc: "As it is.", Assumes: "Nothing.", Setting: setting.Must("n=3 timing=sync:1"), New: ledger.SystemOf(upstart.Usurper{})},
			{Name: "ring", Doc: "On a ring.", Assumes: "A ring.", Setting: setting.Must("n=3 topology=ring timing=sync:1"), New: ledger.SystemOf(upstart.Usurper{})},
		},
	}}}
	require.NoError(t, ledger.Validate(tool.Algorithms))
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("log.jsonl", []byte(`{"process":2,"event":"observe","belief":{"elected":2}}`+"\n"), 0o600))
	all, ran := openings(t), 0
	for _, key := range setting.Starts() {
		assert.Contains(t, all, key, "no setting leaves open what %s says alone", key)
	}
	run := func(want int, args ...string) string {
		t.Helper()
		ran++
		status, out, errors := runTool(tool, append(args, "-q")...)
		assert.Equal(t, want, status, "%q: %s", args, errors)
		return out
	}
	for which, s := range all {
		if !*deep && strings.Contains(which, " ") {
			continue
		}
		dir, in, who := strings.ReplaceAll(which, " ", "-"), s.String(), "usurper/plain"
		if s.Topology == setting.Ring {
			who = "usurper/ring"
		}
		run(statusBad, "check", who, "--setting", in, "--property", "uniqueness", "--save", dir)
		run(statusBad, "check", who, "--setting", in, "--property", "uniqueness", "--reduce", "auto", "--save", dir+"-reduced")
		run(statusBad, "simulate", who, "--setting", in, "--walks", "20", "--property", "uniqueness", "--save", dir+"-walked")
		run(0, "messages", who, "--setting", in, "--trace", "both", "--save", dir+"-cost")
		run(0, "validate", who, "log.jsonl", "--silent", "--hidden", "start,receive,expire,suspect", "--setting", in, "-o", dir+"-accepted.json")
		files, err := filepath.Glob(dir + "*/*.json")
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(files), 4, which)
		for _, file := range append(files, dir+"-accepted.json") {
			status, _, errors := runTool(tool, "replay", file)
			assert.Equal(t, 0, status, "%s: %s", file, errors)
			status, _, errors = runTool(tool, "trace", file)
			assert.Equal(t, 0, status, "%s: %s", file, errors)
			ran += 2
		}
		c := exploreCommand{app: newApp(tool, nil, nil, nil)}
		cmd := c.command()
		c.trace = files[0]
		var recordings []web.Recording
		page, err := c.startPage(cmd, nil, &recordings)
		require.NoError(t, err, which)
		server, err := web.New(web.Options{Algorithms: tool.Algorithms, Recordings: recordings})
		require.NoError(t, err)
		r := httptest.NewRequest(http.MethodGet, page, nil)
		r.Host = "127.0.0.1:1"
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		assert.Equal(t, http.StatusOK, w.Code, page)
		ran++
	}
	run(0, "compare", "usurper/plain", "usurper/ring", "-n", "3", "--faults", "skew=1; joins=1; skew=1 joins=1", "--brief")
	t.Logf("%d settings (of one word without -deep), %d commands", len(all), ran)
}
