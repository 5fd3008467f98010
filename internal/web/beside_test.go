package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The same steps stand beside each other in two variants, until one of them cannot
// take the next.
func TestBeside(t *testing.T) {
	s := newServer(t)
	start := recordedAt(t, duplicate)
	text, where := start, start
	for range 7 {
		text, where = followed(t, s, with(where, "next", "1"))
	}
	has(t, text, `action="/beside/bully/coulouris"`)
	has(t, text, "<option>repaired</option>")
	beside := strings.Replace(where, "/explore/", "/beside/", 1)
	_, text = get(t, s, with(beside, "with", "repaired"))
	assert.Equal(t, 2, strings.Count(text, "<section class=\"panel\""))
	assert.Equal(t, 1, strings.Count(text, "<strong>uniqueness</strong>"), "the repair keeps it")
	assert.Regexp(t, `They part after step \d`, text)
	has(t, text, "bully/repaired")
	has(t, text, "<p>3 processes; at first all agree on a coordinator; ")

	_, text = get(t, s, with(with(beside, "at", "1"), "with", "repaired"))
	hasNot(t, text, "They part")
	has(t, text, "at=2&with=repaired")
}

func TestBesideRefuses(t *testing.T) {
	s := newServer(t)
	for query, want := range map[string]string{"with=repared": "repaired", "": "", "with=repaired&way=x": "way"} {
		answer, text := get(t, s, "/beside/bully/coulouris?"+query)
		if query == "" {
			require.Equal(t, http.StatusOK, answer.StatusCode, "it is put beside the default")
			continue
		}
		assert.Equal(t, http.StatusBadRequest, answer.StatusCode, query)
		has(t, text, want)
	}
}
