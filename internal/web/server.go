package web

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"html/template"
	"runtime"
	"time"

	"bullyproof/ledger"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

//go:embed assets
var assets embed.FS

// Limits of a server.
const (
	// DefaultCache is how many bytes of runs a server keeps, about.
	DefaultCache = 128 << 20
	// maxBody is the size of a request that opens a trace file in the browser:
	// any that the command reads, and what a form puts around it.
	maxBody = trace.MaxBytes + 64<<10
)

// Options say what an explorer offers.
type Options struct {
	// Algorithms are what can be explored.
	Algorithms []*ledger.Algorithm
	// Recordings are runs that can be followed.
	Recordings []Recording
	// CacheBytes bounds what is kept of runs; 0 stands for DefaultCache.
	CacheBytes int64
	// CheckTime bounds how long a check takes; 0 stands for 10 minutes.
	CheckTime time.Duration
}

// A Recording is a recorded run under a name by which links know it.
type Recording struct {
	Name  string
	Trace *trace.Trace
}

// A Server is an explorer. It is safe for concurrent use.
type Server struct {
	algorithms []*ledger.Algorithm
	tree       *tree
	recorded   *recordings
	pages      *template.Template
	routes     []route
	turns      turns
	checks     turns
	surveys    surveys
	horizon    horizon
	checkTime  time.Duration
	live       liveChecks
	glance     time.Duration
}

// New returns an explorer.
func New(opt Options) (*Server, error) {
	pages, err := template.New("").Funcs(template.FuncMap{"page": page}).ParseFS(assets, "assets/*.html")
	if err != nil {
		return nil, err
	}
	s := &Server{
		algorithms: opt.Algorithms, tree: newTree(cmp.Or(opt.CacheBytes, DefaultCache)),
		recorded: newRecordings(opt.Recordings), pages: pages,
		turns: make(turns, runtime.GOMAXPROCS(0)), checks: make(turns, 1),
		checkTime: cmp.Or(opt.CheckTime, checkTime), glance: glance, live: liveChecks{turns: make(turns, mostSearching)}, horizon: horizon{untilStates, untilTime},
	}
	s.routes = []route{
		{path: "/", handler: s.home},
		{path: "/open", form: true, handler: s.open},
		{path: "/explore/{algorithm}", handler: s.algorithm},
		{path: "/explore/{algorithm}/{variant}", handler: s.explore},
		{path: "/explore/{algorithm}/{variant}/{file}", handler: s.turns.inTurn(s.export)},
		{path: "/beside/{algorithm}/{variant}", handler: s.turns.inTurn(s.beside)},
		{path: "/map/{algorithm}/{variant}", handler: s.turns.inTurn(s.chart)},
		{path: "/check/{algorithm}/{variant}", handler: s.check},
		{path: "/assets/{name}", handler: s.asset},
	}
	return s, nil
}

// Start returns the address, within the server, of the page that begins with a
// variant in a setting.
func Start(algorithm, variant string, in setting.Setting) string {
	l := &link{algorithm: algorithm, variant: variant, setting: in, origin: in}
	return l.url()
}

// Follow returns the address, within the server, of the beginning of a run of a
// variant that is followed.
func Follow(algorithm, variant string, rec Recording) string {
	t := rec.Trace
	l := &link{algorithm: algorithm, variant: variant, setting: t.Setting, origin: t.Origin, choices: t.Choices, trace: rec.Name}
	return l.url()
}

// write answers with a page.
func (s *Server) write(a *Answer, status int, name string, data any) {
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, name, data); err != nil {
		*a = Answer{Status: statusFailed, Type: "text/plain; charset=utf-8", Body: []byte("bullyproof: " + err.Error())}
		return
	}
	*a = Answer{Status: status, Type: "text/html; charset=utf-8", Body: b.Bytes()}
}

// An errorPage says what is wrong with a request.
type errorPage struct {
	frame
	Status  int
	Name    string // of the status
	Message string
	// Refused is set where an action is not enabled: what is, and from where.
	Refused *refusal
}

// fail answers with a page that says what is wrong.
func (s *Server) fail(a *Answer, status int, err error) {
	s.write(a, status, "error.html", &errorPage{
		frame: frame{Title: statusNames[status]}, Status: status, Name: statusNames[status], Message: sentence(err),
	})
}

// sentence returns an error as people read it.
func sentence(err error) string {
	text := err.Error()
	for _, prefix := range []string{"trace: ", "setting: ", "model: "} {
		if len(text) > len(prefix) && text[:len(prefix)] == prefix {
			text = text[len(prefix):]
		}
	}
	return text
}

// statusOf returns the status for an error in a link.
func statusOf(err error) int {
	var long tooLong
	if errors.As(err, &long) {
		return statusLinkTooLong
	}
	return statusBadRequest
}

// A frame is what every page has.
type frame struct {
	Title string
	// Where leads from the start page here.
	Where []crumb
	// Drawn pages have the script that draws maps.
	Drawn bool
	// Again is the address to ask where there are no scripts and the page is to change.
	Again string
}

// A crumb is a step on the way to a page.
type crumb struct{ Text, Link string }

// contentTypes of assets by the ends of their names.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}
