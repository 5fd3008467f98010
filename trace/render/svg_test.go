package render_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func svg(t testing.TB, l *trace.Layout, opt render.SVGOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.SVG(&b, l, opt))
	return b.Bytes()
}

// wellFormed reads XML to its end and returns all its text.
func wellFormed(t testing.TB, data []byte) string {
	t.Helper()
	var text strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		require.NoError(t, err)
		if c, ok := token.(xml.CharData); ok {
			text.Write(c)
		}
	}
}

var deep = flag.Bool("deep", false, "draw three random runs of each setting, not one, all of them in the browser, and look at pages in windows of more sizes")

// samples are layouts with everything in them that a layout can have.
func samples(t testing.TB) map[string]*trace.Layout {
	t.Helper()
	list := map[string]*trace.Layout{}
	for _, name := range []string{"uniqueness", "agreement", "lasso", "seven", "hostile"} {
		list[name] = sample(t, name)
	}
	runs := uint64(1)
	if *deep {
		runs = 3
	}
	for k, setting := range heraldtest.Settings {
		for seed := range runs {
			list[fmt.Sprintf("random-%d-%d", k, seed)] = heraldtest.Lay(t, heraldtest.Walk(heraldtest.System(t, setting), seed, 40), trace.Header{Kind: trace.Violation, Property: "p"})
		}
	}
	return list
}

// sample is the layout of a name among the samples that are not random.
func sample(t testing.TB, name string) *trace.Layout {
	t.Helper()
	switch name {
	case "lasso": // as large as what people look at
		r := heraldtest.Walk(heraldtest.System(t, "n=5 start=settled timing=sync:2 crashes=3 restarts=3"), 7, 40)
		tr := r.Record(trace.Header{
			Algorithm: "herald", Property: "e2", Kind: trace.Violation, Title: "nobody is ever told",
			Story: "A run that goes on for ever: what happens from step 12 on happens again and again, and whoever waits in it waits for ever.",
		})
		tr.Lasso = 12
		lasso, err := trace.Lay(tr, r)
		require.NoError(t, err)
		require.Equal(t, 41, len(lasso.Rows))
		return lasso
	case "seven": // so, too
		r := heraldtest.Walk(heraldtest.System(t, "n=7 start=coordinator-down timing=last-resort crashes=1 restarts=2 losses=1"), 3, 30)
		return heraldtest.Lay(t, r, trace.Header{})
	case "hostile":
		return hostileLayout(t)
	}
	tr, r := heraldtest.Find(t, heraldtest.Race, name)
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	return l
}

// hostile is a text that does not want to be one.
const hostile = `</text><script>alert("1")</script>&amp; 'q' ; # end note %% {}[]`

// hostileLayout has that text wherever a layout has text.
func hostileLayout(t testing.TB) *trace.Layout {
	t.Helper()
	tr, r := heraldtest.Find(t, heraldtest.Race, "agreement")
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	l.Algorithm, l.Variant, l.Property, l.Title, l.Story, l.Verdict = hostile, hostile, hostile, hostile, hostile+"\n"+hostile, hostile
	for i := range l.Arrows {
		l.Arrows[i].Kind, l.Arrows[i].Text = hostile, hostile
	}
	for i := range l.Rules {
		l.Rules[i] = trace.Rule{Name: hostile, Tag: hostile[:8], Text: hostile + "\x00\xff"}
	}
	for i := range l.Rows {
		row := &l.Rows[i]
		for k := range row.Rules {
			row.Rules[k] = hostile
		}
		if row.Action.Timer != "" {
			row.Action.Timer = hostile
		}
	}
	return l
}

// A drawing is the same every time, is XML, and begs nothing of anybody.
func TestSVGIsSelfContained(t *testing.T) {
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			got := svg(t, l, render.SVGOptions{})
			assert.Equal(t, got, svg(t, l, render.SVGOptions{}))
			text := wellFormed(t, got)
			for _, r := range l.Rules {
				if name != "hostile" {
					assert.Contains(t, strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields("rule " + r.Tag + ": " + r.Text)[:3], " "))
				}
			}
			for _, element := range []string{"script", "image", "foreignObject", "link", "use"} {
				assert.NotContains(t, string(got), "<"+element)
			}
			plain := strings.Replace(string(got), `xmlns="http://www.w3.org/2000/svg"`, "", 1)
			assert.NotRegexp(t, `//|@import|href=| on\w+="`, plain)
		})
	}
}

// The golden drawing changes only when somebody means it to.
func TestSVGGolden(t *testing.T) {
	heraldtest.Golden(t, "herald-agreement.svg", svg(t, sample(t, "agreement"), render.SVGOptions{}))
	heraldtest.Golden(t, "herald-agreement-bare.svg", svg(t, sample(t, "agreement"), render.SVGOptions{
		Bare: true, Unstyled: true, ID: "d", Selected: 2, Href: func(row int) string { return fmt.Sprintf("?a&step=%d", row) },
	}))
}

// Drawing a long run ends soon.
func TestSVGOfALongRun(t *testing.T) {
	wellFormed(t, svg(t, repeated(sample(t, "agreement"), 200), render.SVGOptions{}))
}

// A film is the same every time, is XML that shows each process and tells each step, and
// asks for nothing but itself.
func TestAnimatedIsSelfContained(t *testing.T) {
	animated := func(t *testing.T, l *trace.Layout) []byte {
		t.Helper()
		var b bytes.Buffer
		require.NoError(t, render.Animated(&b, l))
		return b.Bytes()
	}
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			got := animated(t, l)
			assert.Equal(t, got, animated(t, l))
			text := strings.Join(strings.Fields(wellFormed(t, got)), " ")
			for i := range l.Rows {
				if name != "hostile" && i > 0 {
					assert.Contains(t, text, fmt.Sprintf("%d. ", i))
				}
			}
			for k := range l.Columns {
				assert.Contains(t, text, l.Columns[k].ID.Name())
			}
			for _, element := range []string{"script", "image", "foreignObject", "link", "use"} {
				assert.NotContains(t, string(got), "<"+element)
			}
			plain := strings.Replace(string(got), `xmlns="http://www.w3.org/2000/svg"`, "", 1)
			assert.NotRegexp(t, `//|@import|href=| on\w+="`, plain)
		})
	}
	heraldtest.Golden(t, "herald-agreement.animated.svg", animated(t, sample(t, "agreement")))
}
