package maker_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
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
	"bullyproof/docs"
	"bullyproof/ledger"
	"bullyproof/site/internal/maker"
	"bullyproof/trace"
)

// deep makes the site of the whole catalogue, which takes half a minute, and solves each
// exercise.
var deep = flag.Bool("deep", false, "make the site of the whole catalogue, and solve each exercise")

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

// elsewhere is where the source text of a site of a test is to be had.
const elsewhere = "https://example.org/source"

// some are the options of a site of two algorithms, with the lessons about them.
func some(t *testing.T) maker.Options {
	t.Helper()
	opt := maker.Options{
		Algorithms: []*ledger.Algorithm{bully.Algorithm, changroberts.Algorithm}, Recorded: recorded(t, "bully", "changroberts"),
		Publications: algorithms.Publications, Source: elsewhere,
	}
	for _, l := range algorithms.Lessons {
		if strings.HasPrefix(l.Claim, "bully/") || strings.HasPrefix(l.Claim, "changroberts/") {
			opt.Lessons = append(opt.Lessons, l)
		}
	}
	for _, l := range algorithms.Lectures {
		if strings.HasPrefix(l.Claim, "bully/") || strings.HasPrefix(l.Claim, "changroberts/") {
			opt.Lectures = append(opt.Lectures, l)
		}
	}
	return opt
}

func made(t *testing.T, opt maker.Options) *maker.Site {
	t.Helper()
	s, err := maker.Make(t.Context(), opt)
	require.NoError(t, err)
	return s
}

// usual is the site of some algorithms, which is made once.
func usual(t *testing.T) *maker.Site {
	t.Helper()
	once.Do(func() { once.site = made(t, some(t)) })
	require.NotNil(t, once.site)
	return once.site
}

var once struct {
	sync.Once
	site *maker.Site
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

// called returns the name of a landmark.
func (d *document) called(n *html.Node) string {
	if by := attribute(n, "aria-labelledby"); by != "" {
		for _, list := range d.nodes {
			for _, m := range list {
				if attribute(m, "id") == by {
					return text(m)
				}
			}
		}
	}
	return attribute(n, "aria-label")
}

// check looks at every page of a site: that its links lead somewhere, and that it
// is well made.
func check(t *testing.T, s *maker.Site) {
	t.Helper()
	pages := make(map[string]*document)
	for name, data := range s.Files {
		if path.Ext(name) == ".html" {
			pages[name] = parse(t, name, data)
		}
	}
	called := make(map[string]string)
	for _, n := range pages["index.html"].nodes["a"] {
		name, to := text(n), attribute(n, "href")
		assert.Contains(t, []string{"", to}, called[name], "two links of the start page are called %q", name)
		called[name] = to
	}
	for name, d := range pages {
		wellMade(t, d, s.Files[name])
		for _, link := range d.links {
			u, err := url.Parse(link)
			require.NoError(t, err, "%s: %s", name, link)
			if u.Scheme == "data" || u.Host == "doi.org" || link == elsewhere || strings.HasPrefix(name, "incidents/") && u.Scheme == "https" {
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
	landmarks := make(map[string]int)
	for _, n := range append(d.nodes["section"], d.nodes["div"]...) {
		if n.Data == "section" && !strings.HasPrefix(attribute(n, "class"), "process ") || attribute(n, "role") == "region" {
			landmarks[d.called(n)]++
		}
	}
	for name, times := range landmarks {
		assert.Equal(t, 1, times, "%s: landmarks called %q", d.name, name)
	}
	described := slices.ContainsFunc(d.nodes["meta"], func(n *html.Node) bool {
		return attribute(n, "name") == "description" && attribute(n, "content") != ""
	})
	assert.True(t, described, "%s: no description", d.name)
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

// The page of claims counts them by who makes them, as the ledger does.
func TestClaimsAreCountedBySource(t *testing.T) {
	opt := some(t)
	l, err := ledger.Recorded(t.Context(), opt.Algorithms)
	require.NoError(t, err)
	page := string(usual(t).Files["claims.html"])
	for _, s := range l.BySource(opt.Publications) {
		row := fmt.Sprintf("<th scope=\"row\">%s</th><td>%d</td><td>%d</td><td>%d</td>", html.EscapeString(s.Source), s.Tally.Claims, s.Tally.Confirmed, s.Tally.Refuted)
		assert.True(t, strings.Contains(page, row), row)
	}
}

// The first page says whose it is, what that is, and where the source text is; each page
// leads to all others, and a source to the paper.
func TestFrontDoor(t *testing.T) {
	s := usual(t)
	front := string(s.Files["index.html"])
	for _, want := range []string{
		"<title>Bullyproof</title>", "<h1>Bullyproof</h1>", "A model checker for leader elections.", "MIT licence", "go install ./cmd/bullyproof",
		`<a href="` + elsewhere + `">source text</a>`, "each <a href=\"algorithms.html\">algorithm's page</a> has its own.",
	} {
		assert.True(t, strings.Contains(front, want), want)
	}
	for name, data := range s.Files {
		if path.Ext(name) != ".html" {
			continue
		}
		page, root := string(data), strings.Repeat("../", strings.Count(name, "/"))
		assert.Contains(t, text(parse(t, name, data).nodes["title"][0]), "Bullyproof", name)
		for _, link := range []string{"algorithms.html", "claims.html", "compare.html", "glossary.html", "search.html"} {
			assert.Regexp(t, `<header class="site">.*href="`+root+`index.html">Bullyproof</a>.*<a href="`+root+link+`".*<a href="`+elsewhere+`">Source</a>`, page[strings.Index(page, "<header"):strings.Index(page, "<main")], name)
		}
	}
	assert.Contains(t, string(s.Files["algorithms/bully.html"]),
		`<a href="https://doi.org/10.1109/TC.1982.1675885">Elections in a Distributed Computing System</a>`)

	opt := some(t)
	opt.Title, opt.Source, opt.Lessons = "Mine", "", nil
	s = made(t, opt)
	assert.Contains(t, string(s.Files["judging.html"]), "<title>How claims are judged · Mine</title>")
	assert.NotContains(t, string(s.Files["index.html"]), "<a href=\"\"")
}

// The runs of the findings lead from one to the next, and so do those of an algorithm.
func TestRunsInSequence(t *testing.T) {
	page := string(usual(t).Files["runs/bully-duplicate-coordinator.html"])
	assert.Contains(t, page, `<a href="../index.html#finding-1">Finding 1 of `)
	assert.Contains(t, page, `<a rel="next" href="../runs/bully-asked-again.html">Next: A certain amount of time`)
	assert.Regexp(t, `<a href="../algorithms/bully.html#runs">Bully algorithm, run \d+ of \d+</a><a rel="prev" href="../runs/bully-[a-z-]*.html">`, page)
	assert.Contains(t, page, `Claim (confirmed): `)

	election := string(usual(t).Files["runs/election-bully.html"])
	assert.Contains(t, election, "<h1>An election without faults</h1>")
	assert.NotContains(t, election, `rel="prev"`)
	assert.Contains(t, election, `rel="next"`)
}

// The same catalogue makes the same bytes.
func TestMakeAgain(t *testing.T) {
	opt := maker.Options{Algorithms: []*ledger.Algorithm{changroberts.Algorithm}, Recorded: recorded(t, "changroberts")}
	assert.Equal(t, made(t, opt).Files, made(t, opt).Files)
}

// A catalogue without lessons shows its recorded runs, and one without runs is
// also a site.
func TestMakeOfStrangers(t *testing.T) {
	opt := some(t)
	opt.Lessons, opt.Lectures = nil, nil
	opt.Algorithms, opt.Examples = opt.Algorithms[1:], opt.Algorithms[:1]
	opt.Recorded = recorded(t, "changroberts")
	s := made(t, opt)
	check(t, s)
	assert.Contains(t, string(s.Files["index.html"]), "a participant left behind")

	bare := &ledger.Algorithm{Name: "mine", Title: "Mine", Variants: changroberts.Algorithm.Variants}
	s = made(t, maker.Options{Algorithms: []*ledger.Algorithm{bare}})
	check(t, s)
	assert.Contains(t, s.Files, "algorithms/mine.html")
	assert.Contains(t, s.Files, "runs/election-mine.html")
}

func TestMakeRefuses(t *testing.T) {
	opt := some(t)
	opt.Lessons = append(opt.Lessons, ledger.Lesson{Claim: "bully/nothing", Title: "t", Text: "t"})
	_, err := maker.Make(t.Context(), opt)
	assert.ErrorContains(t, err, "nothing")

	opt = some(t)
	opt.Algorithms = opt.Algorithms[1:] // runs of an algorithm that is not there
	opt.Lessons, opt.Lectures = nil, nil
	_, err = maker.Make(t.Context(), opt)
	assert.ErrorContains(t, err, "recorded run bully-")

	ctx, cancel := context.WithCancel(t.Context())
	opt = some(t)
	opt.Progress = func(string, int, int) { cancel() }
	_, err = maker.Make(ctx, opt)
	assert.ErrorIs(t, err, context.Canceled)
}

// guide is a site of the algorithms that the guide to choosing an election is about, of
// which it has their names and their rules. It is made once.
func guide(t *testing.T) *maker.Site {
	t.Helper()
	choosing.Do(func() {
		files, err := docs.Choosing.ReadDir("choosing")
		require.NoError(t, err)
		var opt maker.Options
		for _, a := range algorithms.All {
			if slices.ContainsFunc(files, func(f os.DirEntry) bool { return strings.HasPrefix(f.Name(), a.Name+"-") }) {
				opt.Algorithms = append(opt.Algorithms, &ledger.Algorithm{Name: a.Name, Title: a.Title, Variants: a.Variants, Properties: a.Properties})
			}
		}
		choosing.site = made(t, opt)
	})
	require.NotNil(t, choosing.site)
	return choosing.site
}

var choosing struct {
	sync.Once
	site *maker.Site
}

// The guide to choosing an election is on the site of the catalogue that it is about: each
// cell leads to its search, and each row to its algorithm.
func TestGuide(t *testing.T) {
	for name, data := range usual(t).Files {
		assert.NotContains(t, name, "choosing")
		assert.NotContains(t, string(data), "choosing.html", name)
	}
	s := guide(t)
	check(t, s)
	for address, wants := range map[string][]string{
		"index.html": {`<a href="choosing.html">Choose</a>`},
		"choosing.html": {
			"<h1>Choosing an election</h1>", `<td class="subject"><a href="algorithms/raft.html#reading-figure-2">Raft&#39;s leader election</a> <code>raft/figure-2</code>`,
			`<td class="open"><a href="choosing/raft-figure-2.html#a-cut">one per epoch</a>`, `<td class="good"><a href="choosing/raft-figure-2.html#a-crash">one leader</a>`,
			`<td class="bad"><a href="choosing/leaderlatch-curator.html#a-loss">one leader, <strong>not one again</strong></a>`,
			`<td class="none"><a href="choosing/fle-zookeeper.html#a-cut">?, later ?</a>`, `<th>Algorithm</th>`, `<a href="compare.html">All algorithms`, `<a href="clients.html">What clients can expect</a>`,
		},
		"choosing/raft-figure-2.html": {"<h1>Raft&#39;s leader election: figure-2</h1>", `<a href="../choosing.html">choosing an election</a>`, `aria-current="page">Choose</a>`},
		"clients.html":                {"<h1>What clients can expect</h1>", `<td class="bad">no (11)</td>`, `<td class="good">yes</td>`},
		"search.html":                 {`"kind":"guide","to":"choosing.html"`},
	} {
		for _, want := range wants {
			assert.True(t, strings.Contains(string(s.Files[address]), want), "%s: %s", address, want)
		}
	}
}
