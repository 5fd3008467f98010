package render_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func page(t testing.TB, l *trace.Layout) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.Page(&b, l, render.PageOptions{}))
	return b.Bytes()
}

// A page is the same every time, and names nothing outside itself.
func TestPageIsSelfContained(t *testing.T) {
	for name, l := range samples(t) {
		got := page(t, l)
		assert.Equal(t, string(got), string(page(t, l)), name)
		assert.NotRegexp(t, `(?:src|href)="?(?:[a-z]+:|/)[^d]`, strings.ReplaceAll(string(got), `href="data:,"`, ""), name)
		assert.Equal(t, 1, strings.Count(string(got), "<script>"), name)
		assert.Equal(t, len(l.Rows), strings.Count(string(got), "<article "), name)
	}
}

func TestPageGolden(t *testing.T) {
	heraldtest.Golden(t, "herald-agreement.html", page(t, sample(t, "agreement")))
}

// A page is called by what the run shows, and names the algorithm below that; it has the
// head of the site of which it is a part, and leads to the runs before and after it.
func TestPageOfASite(t *testing.T) {
	l := *sample(t, "agreement")
	l.Title, l.Story = "one of two: a title", "First line.\nSecond line."
	var b bytes.Buffer
	require.NoError(t, render.Page(&b, &l, render.PageOptions{
		Site: &render.Site{
			Name: "Elections", Home: "../index.html", Here: "../all.html",
			Links: []trace.Link{{Text: "All", File: "../all.html"}, {Text: "Words", File: "../words.html"}},
		},
		Sequences: []render.Sequence{{Place: trace.Link{Text: "Run 2 of 2", File: "../all.html#runs"}, Previous: &trace.Link{Text: "The <first>", File: "first.html"}}},
	}))
	for _, want := range []string{
		"<title>One of two: a title · herald · Elections</title>", "<h1>One of two: a title</h1>\n<p class=\"source\"><code>herald</code></p>",
		`<a class="brand" href="../index.html">Elections</a><a href="../all.html" aria-current="page">All</a><a href="../words.html">Words</a>`,
		`<a href="../all.html#runs">Run 2 of 2</a><a rel="prev" href="first.html"><span aria-hidden="true">← </span>Previous: The &lt;first&gt;</a></nav>`,
		`<meta name="description" content="First line. Second line.">`, `<p class="story">First line.</p>`, `<p class="story">Second line.</p>`,
	} {
		assert.Contains(t, b.String(), want)
	}
	assert.NotContains(t, b.String(), `rel="next"`)
	assert.NotContains(t, string(page(t, &l)), `class="site"`)
}

// A page grows with the steps of the run, and no faster.
func TestPageOfALongRun(t *testing.T) {
	short, long := page(t, repeated(sample(t, "agreement"), 20)), page(t, repeated(sample(t, "agreement"), 100))
	assert.Less(t, len(long), 6*len(short))
}

func TestBrief(t *testing.T) {
	assert.Equal(t, "short", render.Brief("short", 5))
	assert.Equal(t, "some words …", render.Brief("some words, and more", 12))
	assert.Equal(t, "ÄÖÜ …", render.Brief("ÄÖÜ ÄÖÜ ÄÖÜ", 5))
}
