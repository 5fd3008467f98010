package render_test

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// phoneRoom is how wide a drawing is at most that has seven tenths of its size in a window of
// 390 pixels, of which a page leaves it 356.
const phoneRoom = 508

// drawings returns the drawings of a run for a page.
func drawings(t testing.TB, l *trace.Layout) []string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.Drawings(&b, l, render.SVGOptions{Unstyled: true, Selected: -1}))
	return regexp.MustCompile(`(?s)<svg .*?</svg>\n`).FindAllString(b.String(), -1)
}

// widthOf returns how wide a drawing is.
func widthOf(t testing.TB, drawing string) int {
	t.Helper()
	width, err := strconv.Atoi(regexp.MustCompile(`viewBox="0 0 (\d+) `).FindStringSubmatch(drawing)[1])
	require.NoError(t, err)
	return width
}

// found returns what a pattern finds, sorted.
func found(pattern, text string) (list []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		list = append(list, html.UnescapeString(m[1]))
	}
	slices.Sort(list)
	return list
}

// A run has a second drawing where the usual one is too wide for a phone, and only there. It
// has the same rows and the same marks, ids of its own, and each word of a message in one
// piece.
func TestDrawings(t *testing.T) {
	piece := regexp.MustCompile(`[^\s(,\-:\]]+`)
	second := 0
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			list, alone := drawings(t, l), string(svg(t, l, render.SVGOptions{Bare: true, Unstyled: true, Selected: -1}))
			if len(list) == 1 {
				assert.Equal(t, alone, list[0])
				assert.LessOrEqual(t, widthOf(t, alone), phoneRoom)
				return
			}
			second++
			require.Len(t, list, 2)
			usual, phone := list[0], list[1]
			assert.Equal(t, alone, strings.Replace(usual, `class="bullyproof usual"`, `class="bullyproof"`, 1), "others have what they had")
			assert.Greater(t, widthOf(t, usual), phoneRoom-8)
			assert.Less(t, widthOf(t, phone), widthOf(t, usual))
			if len(l.Columns) <= 5 {
				assert.LessOrEqual(t, widthOf(t, phone), phoneRoom)
			}
			wellFormed(t, []byte(phone))
			for _, same := range []string{`data-row="(\d+)"`, `<title>(.*?)</title>`, `class="([a-z ]*sign)"`} {
				assert.Equal(t, found(same, usual), found(same, phone), same)
			}
			ids := found(` id="(.*?)"`, usual+phone)
			assert.Len(t, slices.Compact(slices.Clone(ids)), len(ids), "ids: %s", ids)
			texts := found(`<text[^>]*>(.*?)</text>`, phone)
			for i := range l.Arrows {
				for _, word := range piece.FindAllString(l.Arrows[i].Text, -1) {
					assert.True(t, slices.ContainsFunc(texts, func(line string) bool { return strings.Contains(line, word) }), "%s of %s", word, l.Arrows[i].Text)
				}
			}
		})
	}
	assert.Positive(t, second)
}

// A drawing for phones says what the usual one says: who is what at the start, what arrives,
// what a process believes, what is lost and what is still on its way.
func TestPhoneSays(t *testing.T) {
	for name, want := range map[string][]string{
		"redlock-nobody-wins": {"P1 and P2: client", "P3, P4 and P5: Redis", "all: no coordinator", "crashes", "time 1", "retry expires", "Set' to P5", "Yes(Set)'"},
		"bully-asked-again":   {"P1, P2 and P3: follow P4", "P4: coordinator", "P4 is down!", "in an election", "Election to P4", "Answer to P1"},
		"canonical-142":       {"PreVoted(1,true) to P1 is discarded", "PreVote(1) to P3", "election timeout expires"},
	} {
		runs := &counterexamples.All
		if !slices.Contains(runs.Names(), name) {
			runs = &incidents.Runs
		}
		list := drawings(t, trace.Told(recorded(t, runs, algorithms.All, name)))
		require.Len(t, list, 2, name)
		var said []string
		for _, m := range regexp.MustCompile(`>([^<]+)</text>`).FindAllStringSubmatch(list[1], -1) {
			said = append(said, html.UnescapeString(m[1]))
		}
		words := strings.Join(said, " ")
		for _, w := range want {
			assert.True(t, strings.Contains(words, w), "%s does not say %q", name, w)
		}
	}
}

// On a phone each recorded run has seven tenths of its size.
func TestEveryRunFitsPhone(t *testing.T) {
	for _, c := range []*trace.Collection{&counterexamples.All, &incidents.Runs} {
		for _, name := range c.Names() {
			list := drawings(t, trace.Told(recorded(t, c, algorithms.All, name)))
			assert.LessOrEqual(t, widthOf(t, list[len(list)-1]), phoneRoom, name)
		}
	}
}
