//go:build browser

// Package browsertest shows pages to a real browser in tests: a Chromium
// without a window, which can reach this machine and nothing else, and a record
// of what a page wrote to its console and of what it asked for.
//
//	b := browsertest.Start(t)
//	b.Do(chromedp.Navigate(url), chromedp.Click(chromedp.CSS("#next")))
//	assert.Equal(t, "step 2", browsertest.Get(b, chromedp.Text(chromedp.CSS("h1"))))
//	b.Quiet(url)
//
// The tests of a package share one browser, which starts with the first that
// needs it, if the package says so:
//
//	func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
//
// Such tests, and this package, have the build tag browser, so that nobody who
// only runs the tests waits for a browser, or for its protocol to be compiled:
//
//	go test -tags browser ./trace/render
//
// Where there is no browser the test is skipped, unless BULLYPROOF_BROWSER is
// "required": then it fails.
package browsertest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/png" // what screenshots are
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Required is the value of the environment variable Variable that makes tests
// fail where they cannot do what they need a browser, or npm, for.
const (
	Variable = "BULLYPROOF_BROWSER"
	Required = "required"
)

// patience is how long a browser may take for what one call of Run asks.
const patience = 2 * time.Minute

// A Browser is a tab of a browser, for one test.
type Browser struct {
	// Context is what chromedp acts on.
	Context context.Context

	t testing.TB
	*record
}

// A record is what a tab said and asked for.
type record struct {
	mu       sync.Mutex
	console  []string
	requests []string
}

// For returns the same tab for another test, such as one of the test's parts.
func (b *Browser) For(t testing.TB) *Browser { return &Browser{b.Context, t, b.record} }

// Skip ends a test for want of something: it is skipped, or fails where
// browser tests are required.
func Skip(t testing.TB, why string) {
	t.Helper()
	if os.Getenv(Variable) == Required {
		t.Fatal(why)
	}
	t.Skip(why)
}

// shared is the browser of the tests of a package that has a Main.
var shared struct {
	mu      sync.Mutex
	on      bool
	context context.Context // nil until a test needs it
	err     error           // why it does not start
	end     func() error
}

// Main runs the tests of a package, which share a browser, and returns the exit
// status. A test does not see what an earlier one left in the browser (storage,
// cookies).
func Main(m *testing.M) int {
	shared.on = true
	status := m.Run()
	if shared.end != nil {
		if err := shared.end(); err != nil {
			fmt.Fprintf(os.Stderr, "the browser does not end: %v\n", err)
			return max(status, 1)
		}
	}
	return status
}

// Start opens a blank page in a browser for a test: that of the package, or one
// of its own, which ends with the test.
func Start(t testing.TB) *Browser {
	t.Helper()
	name, err := find()
	if err != nil {
		Skip(t, err.Error())
	}
	if !shared.on {
		ctx, cancel := chromedp.NewExecAllocator(context.Background(), options(name, t.TempDir())...)
		t.Cleanup(cancel)
		return open(t, ctx)
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.context == nil && shared.err == nil {
		shared.err = share(name)
	}
	if shared.err != nil {
		t.Fatalf("the browser does not start: %v", shared.err)
	}
	return open(t, shared.context, chromedp.WithNewBrowserContext())
}

// share starts the browser that tests share.
func share(name string) error {
	dir, err := os.MkdirTemp("", "browsertest-")
	if err != nil {
		return err
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options(name, dir)...)
	ctx, _ := chromedp.NewContext(allocator) // which ends with the allocator
	shared.end = func() error {
		err := chromedp.Cancel(ctx)
		cancel()
		return errors.Join(err, os.RemoveAll(dir))
	}
	if err := chromedp.Listen(ctx, func(any) {}); err != nil { // the first call starts it
		err = errors.Join(err, shared.end())
		shared.end = nil
		return err
	}
	shared.context = ctx
	return nil
}

// options are those with which the program of a browser starts, and keeps what
// it has to keep in a directory.
func options(name, dir string) []chromedp.ExecAllocatorOption {
	return append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(name),
		chromedp.UserDataDir(dir),
		chromedp.WSURLReadTimeout(patience),
		chromedp.NoSandbox, // as which nobody but root can run in a container
		chromedp.DisableGPU,
		chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("no-proxy-server", true),
		chromedp.Flag("force-color-profile", "srgb"),
		// No name but that of this machine leads anywhere.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
	)
}

// Tab opens a blank page in another tab of the browser, with records of its
// own.
func (b *Browser) Tab(t testing.TB) *Browser {
	t.Helper()
	return open(t, b.Context)
}

func open(t testing.TB, parent context.Context, how ...chromedp.ContextOption) *Browser {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, how...)
	t.Cleanup(cancel)
	b := &Browser{ctx, t, new(record)}
	// The first call starts the browser, which lives as long as the context of
	// that call: it must not be one with a deadline.
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	Get(b, call(network.Enable, network.EnableParams{}))
	return b
}

// find returns the program of the browser.
func find() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	var places []string
	switch runtime.GOOS {
	case "darwin":
		places = []string{
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
		}
	case "windows":
		for _, root := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			places = append(places, filepath.Join(os.Getenv(root), `Google\Chrome\Application\chrome.exe`))
		}
	}
	for _, path := range places {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser for the test: none of %s is installed", strings.Join(names, ", "))
}

// listen records what a page says and what it asks for.
func (b *Browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == cdpruntime.ConsoleAPICalledTypeError || e.Type == cdpruntime.ConsoleAPICalledTypeWarning {
			words := []string{string(e.Type)}
			for _, arg := range e.Args {
				words = append(words, cmp.Or(arg.Description, string(arg.Value)))
			}
			b.console = append(b.console, strings.Join(words, " "))
		}
	case *cdpruntime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += " " + thrown.Description
		}
		b.console = append(b.console, text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			b.console = append(b.console, fmt.Sprintf("%s %s (%s)", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *network.EventWebSocketCreated:
		b.requests = append(b.requests, e.URL)
	}
}

// Try carries out an action and returns its outcome.
func Try[T any](b *Browser, action chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(b.Context, patience)
	defer cancel()
	result, err := chromedp.Run(ctx, action)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the browser took more than %v: %w", patience, err)
	}
	return result, err
}

// Get carries out an action and returns its outcome. If it fails, or takes too
// long, the test has failed.
func Get[T any](b *Browser, action chromedp.Action[T]) T {
	b.t.Helper()
	result, err := Try(b, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// Eval evaluates a script in the page, waits for it if it is a promise, and
// returns its value.
func Eval[T any](b *Browser, script string) T {
	b.t.Helper()
	return Get(b, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}

// Eval evaluates a script in the page and waits for it if it is a promise.
func (b *Browser) Eval(script string) {
	b.t.Helper()
	Get(b, chromedp.Evaluate[chromedp.Void](script, chromedp.EvalAwaitPromise))
}

// Is reports whether something that a CSS selector finds takes room on the page.
// It needs no script in the page.
func (b *Browser) Is(selector string) bool {
	b.t.Helper()
	nodes := Get(b, chromedp.Nodes(chromedp.CSSAll(selector), chromedp.AtLeast(0)))
	for _, node := range nodes {
		if box, err := Try(b, call(dom.GetBoxModel, dom.GetBoxModelParams{NodeID: node.NodeID})); err == nil && box.Model.Height > 0 {
			return true
		}
	}
	return false
}

// Accessible returns what the page is to who cannot see it.
func (b *Browser) Accessible() []*accessibility.Node {
	b.t.Helper()
	return Get(b, call(accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})).Nodes
}

// Return goes to a page of the history whose address ends with a text, as Back and Forward do.
// No script looks meanwhile: a browser gives up a page that it keeps if one runs in it.
func (b *Browser) Return(ending string) {
	b.t.Helper()
	asked := false
	for end := time.Now().Add(time.Minute); ; {
		list, err := Try(b, chromedp.NavigationEntries()) // between two pages there are none
		if err == nil {
			at := slices.IndexFunc(list.Entries, func(e *page.NavigationEntry) bool { return strings.HasSuffix(e.URL, ending) })
			switch {
			case at < 0:
				b.t.Fatalf("no page of the history ends with %s", ending)
			case list.CurrentIndex == int64(at):
				return
			case !asked: // between two pages the browser goes nowhere
				_, err = Try(b, call(page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: list.Entries[at].ID}))
				asked = err == nil
			}
		}
		if time.Now().After(end) {
			b.t.Fatalf("the browser did not come to %s: %v", ending, err)
		}
	}
}

// Do carries out actions in order. If one fails, or all together take too long,
// the test has failed.
func (b *Browser) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	Get(b, chromedp.Steps(actions...))
}

// File returns the address of a file, by its absolute name.
func File(name string) string {
	name = filepath.ToSlash(name)
	if !strings.HasPrefix(name, "/") { // C:/...
		name = "/" + name
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// call returns the action that calls a command of the browser's protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[R] {
	return func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, command, params) }
}

// A View is how a page is shown.
type View struct {
	Width, Height int  // of the window; 0 stands for 1000 and 800
	Dark          bool // colours
	Print         bool // as on paper
	Still         bool // prefers-reduced-motion
	NoScript      bool // scripts do not run, from the next page on
}

// Show shows the page in another way.
func (b *Browser) Show(v View) {
	b.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: "light"},
		{Name: "prefers-reduced-motion", Value: "no-preference"},
	}}
	if v.Dark {
		media.Features[0].Value = "dark"
	}
	if v.Still {
		media.Features[1].Value = "reduce"
	}
	if v.Print {
		media.Media = "print"
	}
	if v.Width == 0 {
		v.Width = 1000
	}
	if v.Height == 0 {
		v.Height = 800
	}
	b.Do(chromedp.EmulateViewport(int64(v.Width), int64(v.Height)))
	Get(b, call(emulation.SetEmulatedMedia, media))
	Get(b, call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.NoScript}))
}

// screenshots is the environment variable that names the directory to which
// pictures are written, for people to look at.
const screenshots = "BULLYPROOF_SCREENSHOTS"

// Keep writes a picture of the whole page to the directory that the environment
// variable BULLYPROOF_SCREENSHOTS names, if it is set, for people to look at.
func (b *Browser) Keep(name string) {
	b.t.Helper()
	if os.Getenv(screenshots) != "" {
		b.Screenshot(name)
	}
}

// Screenshot returns a picture of the whole page, and does what Keep does.
func (b *Browser) Screenshot(name string) image.Image {
	b.t.Helper()
	data := Get(b, chromedp.FullScreenshot(100))
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatalf("screenshot: %v", err)
	}
	if dir := os.Getenv(screenshots); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666); err != nil {
			b.t.Fatal(err)
		}
	}
	return picture
}

// Console returns the warnings and errors that the page has caused so far,
// exceptions among them.
func (b *Browser) Console() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.console...)
}

// Requests returns the address of everything that the page has asked for.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.requests...)
}

// Quiet fails the test if the page has caused a warning or an error, or has
// asked for anything whose address begins with none of the given ones.
func (b *Browser) Quiet(origins ...string) {
	b.t.Helper()
	for _, line := range b.Console() {
		b.t.Errorf("the console says: %s", line)
	}
	for _, address := range b.Requests() {
		allowed := strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "about:")
		for _, origin := range origins {
			allowed = allowed || strings.HasPrefix(address, origin)
		}
		if !allowed {
			b.t.Errorf("the page asks for %s", address)
		}
	}
}
