package command

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/garciamolina"
	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// followed is a property that a stranger asks.
var followed = checker.Always("followed", "Whoever leads is followed by somebody else.", func(v *model.View) bool {
	return v.Leaders.Len() < 2
})

// strangers returns the command of a catalogue that is not ours.
func strangers() Tool {
	in := func(u upstart.Protocol) func(setting.Setting) (*model.System, error) { return ledger.SystemOf(&u) }
	return Tool{Name: "upstarts", Algorithms: []*ledger.Algorithm{{
		Name: "upstart", Title: "Upstart", Source: "nobody, nowhere", Doc: "Whoever notices leads.",
		Variants: []ledger.Variant{
			{Name: "polite", Doc: "Follows no lower id.", Assumes: "A complete graph.", Setting: upstart.Settled(3), New: in(upstart.Protocol{Polite: true})},
			{Name: "patient", Doc: "Waits first.", Assumes: "A complete graph.", Setting: upstart.Settled(3), New: in(upstart.Protocol{Patient: true})},
		},
		Mutants: []ledger.Mutant{
			{Name: "rude", Doc: "Follows anybody.", Of: "polite", Caught: "agreement", Setting: upstart.Settled(3), New: in(upstart.Protocol{})},
		},
		Properties: []*checker.Property{followed},
	}}}
}

// runTool runs a command in this process.
func runTool(t Tool, args ...string) (status int, out, errors string) {
	var o, e bytes.Buffer
	status = t.Run(context.Background(), args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

func TestStrangersCatalogue(t *testing.T) {
	tool := strangers()
	require.NoError(t, ledger.Validate(tool.Algorithms))
	for _, c := range []struct {
		args   string
		status int
		says   []string
	}{
		{"--help", 0, []string{"upstarts check upstart\n", "upstarts list"}},
		{"list", 0, []string{"upstart  Upstart\n"}},
		{"list upstart", 0, []string{"upstart/polite", "followed: Whoever leads"}},
		{"check upstart", 1, []string{"VIOLATED in this setting: upstart/polite", "uniqueness breaks", "Step through runs:  upstarts explore upstart/polite", "Keep these runs:    upstarts check upstart/polite --save DIR"}},
		{"check upstart/rude --property agreement", 1, []string{"upstart/rude"}},
		{"check upstart --property followed", 1, []string{"followed"}},
		{"messages upstart --detect 2", 0, []string{"upstart/polite: an election costs 4 messages, whatever happens."}},
		{"claims", 0, nil},
	} {
		status, out, errors := runTool(tool, strings.Fields(c.args)...)
		assert.Equal(t, c.status, status, "%s: %s", c.args, errors)
		for _, says := range c.says {
			assert.Contains(t, out, says, c.args)
		}
		assert.NotContains(t, out+errors, "bully", c.args)
	}
	for _, args := range []string{"check bully", "check upstart/politer", "trace upstart-crash", "nonsense", "explore upstrat", "explore --crashes 1"} {
		status, out, errors := runTool(tool, strings.Fields(args)...)
		assert.Equal(t, statusUsage, status, args)
		assert.Empty(t, out, args)
		assert.Regexp(t, "^upstarts: [^\n]*\n$", errors, args)
		assert.NotContains(t, strings.ReplaceAll(errors, `"bully"`, ""), "bully", args)
	}
}

// The catalogue's command draws and executes again the runs that check --save
// and Verify keep.
func TestStrangersRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	tool := strangers()
	status, _, errors := runTool(tool, "check", "upstart", "--property", "followed", "--save", "found")
	require.Equal(t, statusBad, status, errors)
	verified := kept(t, "TestMine", checker.Named("upstart", "polite"), checker.Asking(followed))
	for _, name := range []string{filepath.Join("found", "upstart-polite-followed.json"), verified} {
		status, out, errors := runTool(tool, "replay", name)
		assert.Equal(t, 0, status, errors)
		assert.Equal(t, fmt.Sprintf("+ %s: upstart/polite, followed breaks in 3 steps, as recorded\n", name), out)
		status, out, errors = runTool(tool, "trace", name)
		assert.Equal(t, 0, status, errors)
		assert.Contains(t, out, "Whoever leads is followed by somebody else.")
		for args, traced := range map[string]string{"": name, name: ""} {
			c := exploreCommand{app: newApp(tool, nil, nil, nil)}
			cmd := c.command()
			c.trace = traced
			var recordings []web.Recording
			page, err := c.startPage(cmd, strings.Fields(args), &recordings)
			require.NoError(t, err)
			assert.Contains(t, page, "/explore/upstart/polite")
			server, err := web.New(web.Options{Algorithms: tool.Algorithms, Recordings: recordings})
			require.NoError(t, err)
			for _, path := range []string{"/", page} {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.Host = "127.0.0.1:1"
				w := httptest.NewRecorder()
				server.ServeHTTP(w, r)
				assert.Equal(t, http.StatusOK, w.Code, path)
				assert.Contains(t, w.Body.String(), filepath.Base(name), path)
			}
		}
	}
}

// A run that belongs to nothing in the catalogue says what to do.
func TestRunsOfNobody(t *testing.T) {
	other := checker.Always("other", "Nobody leads.", func(v *model.View) bool { return v.Leaders.Len() < 2 })
	for _, c := range []struct {
		about string
		opt   checker.Options
		want  string
	}{
		{"no name", checker.Options{}, "TestMine, and no algorithm: have its test say checker.Named(ALGO, VARIANT), with names that upstarts list shows"},
		{"another variant", checker.Options{Algorithm: "upstart", Variant: "polit"}, `unknown variant of upstart "polit": did you mean polite?`},
		{"another algorithm", checker.Options{Algorithm: "lease"}, `cannot be read: trace: unknown algorithm "lease": want upstart`},
		{"another property", checker.Options{Algorithm: "upstart", Properties: []*checker.Property{other}},
			`unknown property "other": want uniqueness`},
	} {
		if c.opt.Properties == nil {
			c.opt.Properties = []*checker.Property{checker.Uniqueness}
		}
		t.Chdir(t.TempDir())
		name := kept(t, "TestMine", checker.With(func(o *checker.Options) { *o = c.opt }))
		for _, command := range []string{"trace", "replay"} {
			status, _, errors := runTool(strangers(), command, name)
			assert.Equal(t, statusUsage, status, c.about)
			assert.Regexp(t, "^upstarts: [^\n]*\n$", errors, c.about)
			assert.Contains(t, errors, c.want, c.about)
		}
	}
}

// kept returns the file of the run that Verify keeps in a test that fails.
func kept(t *testing.T, name string, opts ...checker.Option) string {
	t.Helper()
	failing := &failingTest{TB: t, name: name}
	checker.Verify(failing, &upstart.Protocol{Polite: true}, upstart.Settled(3).String(), opts...)
	require.True(t, failing.failed)
	files, err := filepath.Glob(filepath.Join("testdata", "counterexamples", name+"-*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

// A failingTest is a test that may fail.
type failingTest struct {
	testing.TB
	name   string
	failed bool
}

func (f *failingTest) Name() string          { return f.name }
func (f *failingTest) Errorf(string, ...any) { f.failed = true }
func (f *failingTest) Logf(string, ...any)   {}

// Of an entry that says only what it takes, nothing is told that it does not say.
func TestBareCatalogue(t *testing.T) {
	full := strangers()
	tool := Tool{Name: "bare", Algorithms: []*ledger.Algorithm{{
		Name: "upstart", Variants: []ledger.Variant{{Name: "polite", Setting: upstart.Settled(3), New: full.Algorithms[0].Variants[0].New}},
	}}}
	status, out, _ := runTool(tool, "list", "upstart")
	assert.Equal(t, 0, status)
	assert.Equal(t, "upstart: upstart\n\n  upstart/polite (the default)\n    setting: n=3 start=settled channels=unordered timing=sync:1 crashes=1\n\n", out)
	status, _, errors := runTool(tool, "trace", "nothing")
	assert.Equal(t, statusUsage, status)
	assert.Equal(t, "bare: no file \"nothing\": want a trace file\n", errors)
	assert.Empty(t, tool.Algorithms[0].Title, "what the caller has stays as it is")
}

func TestUnusableCatalogues(t *testing.T) {
	for _, c := range []struct {
		about string
		spoil func(a *ledger.Algorithm)
		want  string
	}{
		{"a name in capitals", func(a *ledger.Algorithm) { a.Name = "Upstart" }, `name "Upstart": want a word`},
		{"no variant", func(a *ledger.Algorithm) { a.Variants = nil }, `algorithm "upstart": there is no variant`},
		{"no system", func(a *ledger.Algorithm) { a.Variants[0].New = nil }, `variant "polite": there is no New function`},
		{"an impossible setting", func(a *ledger.Algorithm) { a.Variants[0].Setting.N = 1 }, `variant "polite": `},
	} {
		tool := strangers()
		c.spoil(tool.Algorithms[0])
		status, out, errors := runTool(tool, "list")
		assert.Equal(t, statusUsage, status, c.about)
		assert.Empty(t, out, c.about)
		assert.Contains(t, errors, "upstarts: the catalogue cannot be used: ", c.about)
		assert.Contains(t, errors, c.want, c.about)
	}
	status, _, errors := runTool(Tool{Name: "nothing", Algorithms: []*ledger.Algorithm{nil}}, "list")
	assert.Equal(t, statusUsage, status)
	assert.Contains(t, errors, "algorithm 0 of the list is nil")
}

// The reader of a record learns that it is of other code.
func TestRecordOfOtherCode(t *testing.T) {
	of := *garciamolina.Algorithm
	status, out, errors := runTool(Tool{Name: "mine", Algorithms: []*ledger.Algorithm{&of}}, "claims", "--recorded")
	assert.Equal(t, statusFine, status, errors)
	record, err := fs.ReadFile(of.Files, "claims.lock")
	require.NoError(t, err)
	of.Files = fstest.MapFS{"mine.go": {Data: []byte("package mine")}, "claims.lock": {Data: record}}
	status, same, errors := runTool(Tool{Name: "mine", Algorithms: []*ledger.Algorithm{&of}}, "claims", "--recorded")
	assert.Equal(t, statusIncomplete, status)
	assert.Equal(t, out, same)
	assert.Regexp(t, `^mine: garciamolina: the record of \d+ pieces of evidence is out of date: the package's code is not what it was \(consistent, `, errors)
	assert.Contains(t, errors, "claims --deep judges all of it again")
}

// Examples are known by name, and list has them apart.
func TestExamplesAreKnownByName(t *testing.T) {
	tool := strangers()
	of := *tool.Algorithms[0]
	of.Name, of.Title = "sample", ""
	tool.Examples = []*ledger.Algorithm{&of}
	status, out, _ := runTool(tool, "list")
	assert.Equal(t, statusFine, status)
	assert.Contains(t, out, "  upstart  Upstart\n\nExamples:\n  sample   sample\n")
	status, out, _ = runTool(tool, "compare", "upstart", "sample", "--faults", "crashes=1", "-n", "2", "--brief", "--quiet")
	assert.Equal(t, statusFine, status)
	assert.Contains(t, out, "/polite       /polite")
	status, out, _ = runTool(tool, "check", "sample/rude", "--brief", "--quiet")
	assert.Equal(t, statusBad, status)
	assert.Contains(t, out, "sample/rude")
	status, _, errors := runTool(tool, "check", "sampel")
	assert.Equal(t, statusUsage, status)
	assert.Contains(t, errors, "did you mean sample?")
	tool.Examples[0] = tool.Algorithms[0]
	status, _, errors = runTool(tool, "list")
	assert.Equal(t, statusUsage, status)
	assert.Contains(t, errors, "in the list twice")
}
