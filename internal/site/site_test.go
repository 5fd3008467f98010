package site_test

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"bullyproof/algorithms"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/counterexamples"
	"bullyproof/internal/site"
	"bullyproof/ledger"
	"bullyproof/trace"
)

// recorded has the recorded runs whose names begin with one of some words.
func recorded(t *testing.T, words ...string) trace.Collection {
	t.Helper()
	dir := t.TempDir()
	for _, name := range counterexamples.Names() {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(name, w+"-") }) {
			data, err := counterexamples.All.Files.Open(name + ".json")
			require.NoError(t, err)
			var b bytes.Buffer
			_, err = b.ReadFrom(data)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), b.Bytes(), 0o666))
		}
	}
	return trace.Collection{Files: os.DirFS(dir)}
}

// some are the options of a site of two algorithms, with the lessons about them.
func some(t *testing.T) site.Options {
	t.Helper()
	opt := site.Options{
		Title: "some", Algorithms: []*ledger.Algorithm{bully.Algorithm, changroberts.Algorithm}, Recorded: recorded(t, "bully", "changroberts"),
	}
	for _, l := range algorithms.Lessons {
		if strings.HasPrefix(l.Claim, "bully/") || strings.HasPrefix(l.Claim, "changroberts/") {
			opt.Lessons = append(opt.Lessons, l)
		}
	}
	return opt
}

func made(t *testing.T, opt site.Options) *site.Site {
	t.Helper()
	s, err := site.Make(t.Context(), opt)
	require.NoError(t, err)
	return s
}

// usual is the site of some algorithms, which is made once.
func usual(t *testing.T) *site.Site {
	t.Helper()
	once.Do(func() { once.site = made(t, some(t)) })
	require.NotNil(t, once.site)
	return once.site
}

var once struct {
	sync.Once
	site *site.Site
}

// A document is a page, parsed.
type document struct {
	name  string
	ids   map[string]int
	links []string
	nodes map[string][]*html.Node // by element
}

func parse(t *testing.T, name string, data []byte) *document {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(data))
	require.NoError(t, err, name)
	d := &document{name: name, ids: make(map[string]int), nodes: make(map[string][]*html.Node)}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		d.nodes[n.Data] = append(d.nodes[n.Data], n)
		if id := attribute(n, "id"); id != "" {
			d.ids[id]++
		}
		if n.Data == "a" || n.Data == "link" || n.Data == "use" {
			if href := attribute(n, "href"); href != "" {
				d.links = append(d.links, href)
			}
		}
	}
	return d
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// check looks at every page of a site: that its links lead somewhere, and that it
// is well made.
func check(t *testing.T, s *site.Site) {
	t.Helper()
	pages := make(map[string]*document)
	for name, data := range s.Files {
		if path.Ext(name) == ".html" {
			pages[name] = parse(t, name, data)
		}
	}
	for name, d := range pages {
		wellMade(t, d, s.Files[name])
		for _, link := range d.links {
			u, err := url.Parse(link)
			require.NoError(t, err, "%s: %s", name, link)
			if u.Scheme == "data" {
				continue
			}
			assert.Empty(t, u.Scheme+u.Host, "%s links to the network: %s", name, link)
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			target := pages[to]
			if !assert.NotNil(t, target, "%s links to %s, which is not there", name, link) || u.Fragment == "" {
				continue
			}
			assert.Contains(t, target.ids, u.Fragment, "%s links to %s", name, link)
		}
	}
}

// wellMade checks what a page has to have for whoever reads it, or has it read.
func wellMade(t *testing.T, d *document, data []byte) {
	t.Helper()
	assert.True(t, bytes.HasPrefix(bytes.ToLower(data), []byte("<!doctype html>")), d.name)
	assert.NotContains(t, string(data), "ZgotmplZ", d.name)
	assert.NotContains(t, string(data), "<no value>", d.name)
	require.Len(t, d.nodes["html"], 1, d.name)
	assert.Equal(t, "en", attribute(d.nodes["html"][0], "lang"), d.name)
	require.NotEmpty(t, d.nodes["title"], d.name)
	assert.NotEmpty(t, text(d.nodes["title"][0]), d.name)
	require.Len(t, d.nodes["h1"], 1, d.name)
	assert.NotEmpty(t, text(d.nodes["h1"][0]), d.name)
	assert.Len(t, d.nodes["main"], 1, d.name)
	for id, times := range d.ids {
		assert.Equal(t, 1, times, "%s: id %s", d.name, id)
	}
	for _, n := range d.nodes["svg"] {
		named := attribute(n, "aria-label") + attribute(n, "aria-labelledby") + attribute(n, "aria-hidden")
		assert.NotEmpty(t, named, "%s: a drawing without a name", d.name)
	}
	for _, n := range d.nodes["img"] {
		assert.NotEmpty(t, attribute(n, "alt"), d.name)
	}
	for _, n := range d.nodes["a"] {
		if attribute(n, "class") != "hit" {
			assert.NotEmpty(t, text(n)+attribute(n, "aria-label"), "%s: a link without words to %s", d.name, attribute(n, "href"))
		}
	}
}

// A site of two algorithms has a page for each, for each run and for each group
// that is compared; all its links lead somewhere.
func TestMake(t *testing.T) {
	s := usual(t)
	check(t, s)
	assert.Equal(t, 2, s.Algorithms)
	for _, name := range []string{
		"index.html", "algorithms.html", "compare.html", "glossary.html", "judging.html", "algorithms/bully.html",
		"runs/bully-duplicate-coordinator.html", "runs/election-bully.html", "compare/complete.html", "compare/ring.html",
	} {
		assert.Contains(t, s.Files, name)
	}
	front := string(s.Files["index.html"])
	for _, l := range some(t).Lessons {
		assert.Contains(t, front, l.Title)
	}
}

// The same catalogue makes the same bytes.
func TestMakeAgain(t *testing.T) {
	opt := site.Options{Title: "ring", Algorithms: []*ledger.Algorithm{changroberts.Algorithm}, Recorded: recorded(t, "changroberts")}
	assert.Equal(t, made(t, opt).Files, made(t, opt).Files)
}

// A catalogue without lessons shows its recorded runs, and one without runs is a
// site, too.
func TestMakeOfStrangers(t *testing.T) {
	opt := some(t)
	opt.Lessons = nil
	opt.Algorithms, opt.Examples = opt.Algorithms[1:], opt.Algorithms[:1]
	s := made(t, opt)
	check(t, s)
	assert.Contains(t, string(s.Files["index.html"]), "a participant left behind")

	bare := &ledger.Algorithm{Name: "mine", Title: "Mine", Variants: changroberts.Algorithm.Variants}
	s = made(t, site.Options{Title: "mine", Algorithms: []*ledger.Algorithm{bare}})
	check(t, s)
	assert.Contains(t, s.Files, "algorithms/mine.html")
	assert.Contains(t, s.Files, "runs/election-mine.html")
}

func TestMakeRefuses(t *testing.T) {
	opt := some(t)
	opt.Lessons = append(opt.Lessons, ledger.Lesson{Claim: "bully/nothing", Title: "t", Text: "t"})
	_, err := site.Make(t.Context(), opt)
	assert.ErrorContains(t, err, "nothing")

	opt = some(t)
	opt.Algorithms = opt.Algorithms[1:] // runs of an algorithm that is not there
	opt.Lessons = nil
	_, err = site.Make(t.Context(), opt)
	assert.ErrorContains(t, err, "recorded run bully-")

	ctx, cancel := context.WithCancel(t.Context())
	opt = some(t)
	opt.Progress = func(string, int, int) { cancel() }
	_, err = site.Make(ctx, opt)
	assert.ErrorIs(t, err, context.Canceled)
}
