package junit

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func written(t require.TestingT, suites ...Suite) string {
	var b bytes.Buffer
	require.NoError(t, Write(&b, "bullyproof", suites...))
	return b.String()
}

func TestWrite(t *testing.T) {
	out := written(t, Suite{
		Name: "bully/coulouris", Took: 1200 * time.Millisecond,
		Properties: []Property{{"setting", "n=3 crashes=1"}}, Output: "a rule never ran\n",
		Cases: []Case{
			{Class: "bully", Name: "uniqueness", Result: Failed, Message: `violated: "1" & <2>`, Text: "█ 1\n▾ 2\n"},
			{Class: "bully", Name: "validity", Message: "holds"},
			{Class: "bully", Name: "e2", Result: Skipped, Message: "vacuous"},
		},
	}, Suite{Name: "none"})
	golden := filepath.Join("testdata", "suites.xml")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(golden, []byte(out), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), out)
}

func TestWriteTellsErrors(t *testing.T) {
	assert.ErrorIs(t, Write(closed{}, "x"), io.ErrClosedPipe)
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A reader gets back all names and texts, except for characters that XML does
// not have.
func TestWriteIsReadBack(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\x00", "\x1b[31m", "]]>", "<!--", "&amp;", "\xff\xfe", "\ufffe", "\r\n", "\t"}),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		var s Suite
		s.Name, s.Output = texts.Draw(t, "suite"), texts.Draw(t, "output")
		s.Properties = []Property{{texts.Draw(t, "property"), texts.Draw(t, "value")}}
		for range rapid.IntRange(0, 3).Draw(t, "cases") {
			s.Cases = append(s.Cases, Case{
				Class: texts.Draw(t, "class"), Name: texts.Draw(t, "name"), Message: texts.Draw(t, "message"), Text: texts.Draw(t, "text"),
				Result: Result(rapid.IntRange(0, 2).Draw(t, "result")),
			})
		}
		out := written(t, s)
		require.True(t, utf8.ValidString(out))
		var back document
		require.NoError(t, xml.Unmarshal([]byte(out), &back))
		require.Len(t, back.Suites, 1)
		got := back.Suites[0]
		assert.Equal(t, sayable(s.Name), got.Name)
		assert.Equal(t, sayable(s.Properties[0].Value), got.Properties.List[0].Value)
		require.Len(t, got.Cases, len(s.Cases))
		failed, skipped := 0, 0
		for i, c := range s.Cases {
			assert.Equal(t, sayable(c.Class)+"|"+sayable(c.Name), got.Cases[i].Class+"|"+got.Cases[i].Name)
			require.Equal(t, c.Result == Failed, got.Cases[i].Failure != nil)
			require.Equal(t, c.Result == Skipped, got.Cases[i].Skipped != nil)
			if c.Result == Failed {
				failed++
				assert.Equal(t, sayable(c.Message)+"|"+sayable(c.Text), got.Cases[i].Failure.Message+"|"+got.Cases[i].Failure.Text)
			}
			if c.Result == Skipped {
				skipped++
				assert.Equal(t, sayable(c.Message), got.Cases[i].Skipped.Message)
			}
		}
		assert.Equal(t, counts{len(s.Cases), failed, 0, skipped}, got.counts)
		assert.Equal(t, got.counts, back.counts)
	})
}

// sayable is a text as XML can say it (production Char of XML 1.0).
func sayable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 {
			return r
		}
		return utf8.RuneError
	}, strings.ToValidUTF8(broken(s), "\ufffd"))
}

// broken puts U+FFFD in the place of each byte that is no UTF-8, not of each run
// of them.
func broken(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
