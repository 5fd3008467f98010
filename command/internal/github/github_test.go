package github

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAnnotation(t *testing.T) {
	for _, c := range []struct {
		a    Annotation
		want string
	}{
		{Annotation{Error, "found/a,b.txt", "bully: uniqueness", "violated\nin 7 steps, 100%"},
			"::error file=found/a%2Cb.txt,title=bully%3A uniqueness::violated%0Ain 7 steps, 100%25"},
		{Annotation{Level: Warning, Title: "x", Message: "a::b\r"}, "::warning title=x::a::b%0D"},
		{Annotation{Level: Notice, Message: "only this"}, "::notice::only this"},
	} {
		assert.Equal(t, c.want, c.a.String())
	}
}

// A reader that works as GitHub's does gets back what was said.
func TestAnnotationIsReadBack(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`[%:,\n\r=0A25DC]*`))
	rapid.Check(t, func(t *rapid.T) {
		a := Annotation{Level: Error, File: texts.Draw(t, "file"), Title: texts.Draw(t, "title"), Message: texts.Draw(t, "message")}
		line := a.String()
		require.NotContains(t, line, "\n")
		require.NotContains(t, line, "\r")
		head, message, ok := strings.Cut(line[2:], "::")
		require.True(t, ok)
		back := Annotation{Level: Error, Message: plain(message)}
		_, list, _ := strings.Cut(head, " ")
		for p := range strings.SplitSeq(list, ",") {
			key, value, _ := strings.Cut(p, "=")
			switch key {
			case "file":
				back.File = plain(value)
			case "title":
				back.Title = plain(value)
			}
		}
		assert.Equal(t, a, back)
	})
}

func plain(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}

func TestMarkdown(t *testing.T) {
	assert.Equal(t, "a \\| b &lt;c&gt; \\`d\\` \\_e\\_ \\[f\\]", Cell("a | b\n<c> `d` _e_ [f]"))
	assert.Equal(t, "```text\na\n```\n", Fenced("a\n\n"))
	assert.Equal(t, "`````text\na ```` b\n`````\n", Fenced("a ```` b"))
	rapid.Check(t, func(t *rapid.T) {
		cell := Cell(rapid.String().Draw(t, "text"))
		assert.NotContains(t, cell, "\n")
		for i := range len(cell) {
			if cell[i] == '|' {
				assert.Equal(t, byte('\\'), cell[i-1])
			}
		}
	})
}
