package web

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/trace"
)

// file returns the address of a file of the run that a page shows.
func file(page, format string) string {
	address, query, _ := strings.Cut(page, "?")
	return address + "/run." + format + "?" + query
}

// exported returns the trace file of a page, which replays.
func exported(t *testing.T, s *Server, page string) *trace.Trace {
	t.Helper()
	answer, text := get(t, s, file(page, "json"))
	require.Equal(t, http.StatusOK, answer.StatusCode, text)
	tr, err := trace.Decode([]byte(text))
	require.NoError(t, err)
	_, err = trace.Replay(tr, algorithms.Lookup)
	require.NoError(t, err)
	return tr
}

// The export is the run that is shown, and evidence of what it shows.
func TestExport(t *testing.T) {
	s := newServer(t)
	const page = "/explore/bully/coulouris?path=c3~f2.3~x3.2.election.1~k~k~r3~t2.T"
	tr := exported(t, s, page)
	assert.Equal(t, "uniqueness", tr.Property)
	assert.Len(t, tr.Steps, 7)
	answer, _ := get(t, s, file(page, "json"))
	assert.Equal(t, `attachment; filename="bully-coulouris-uniqueness.json"`, answer.Header.Get("Content-Disposition"))

	// A drawing says what the property demands.
	_, text := get(t, s, file(page, "txt"))
	has(t, text, "uniqueness: There are never two live processes")

	// The moment that is shown counts, not what lies ahead of it.
	tr = exported(t, s, page+"&at=2")
	assert.Equal(t, trace.Plain, tr.Kind)
	assert.Len(t, tr.Steps, 2)

	tr = exported(t, s, page+"&as=run")
	assert.Equal(t, trace.Plain, tr.Kind)
	assert.Len(t, tr.Steps, 7)
	tr = exported(t, s, page+"&as=uniqueness")
	assert.Equal(t, "uniqueness", tr.Property)

	// A step further it broke before, and is evidence no more.
	tr = exported(t, s, page+"~d1.2.coordinator.1")
	assert.Equal(t, trace.Plain, tr.Kind)
}

// encoded returns a trace as in a file.
func encoded(t *testing.T, tr *trace.Trace) string {
	t.Helper()
	data, err := tr.Encode()
	require.NoError(t, err)
	return string(data)
}

// Every format that a page offers can be had, under a name of its own.
func TestFormats(t *testing.T) {
	s := newServer(t)
	const page = "/explore/bully/coulouris?path=c3~f2.3"
	text, _ := followed(t, s, page)
	names := make(map[string]bool)
	for _, f := range formats {
		answer, data := get(t, s, file(page, f.name))
		assert.Equal(t, http.StatusOK, answer.StatusCode, f.name)
		assert.NotEmpty(t, data, f.name)
		assert.Equal(t, f.contentType, answer.Header.Get("Content-Type"))
		has(t, text, "/explore/bully/coulouris/run."+f.name+"?")
		names[answer.Header.Get("Content-Disposition")] = true
	}
	assert.Len(t, names, len(formats))
}

// upload sends a file as the start page does.
func upload(t *testing.T, s *Server, name string, data []byte) (*http.Response, string) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = part.Write(data)
	require.NoError(t, err)
	require.NoError(t, form.Close())
	r := httptest.NewRequest(http.MethodPost, "/open", &b)
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Origin", "http://127.0.0.1:8080")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result(), w.Body.String()
}

// A file that was exported can be opened and followed.
func TestOpen(t *testing.T) {
	s := newServer(t)
	_, data := get(t, s, file("/explore/bully/coulouris?path=c3~f2.3", "json"))
	answer, _ := upload(t, s, "mine.json", []byte(data))
	require.Equal(t, http.StatusSeeOther, answer.StatusCode)
	text, at := followed(t, s, answer.Header.Get("Location"))
	has(t, at, "trace=mine")
	has(t, text, "Step 0 of 2 of a recorded run")
	home, _ := followed(t, s, "/")
	has(t, home, "trace=mine")

	// The same again is the same; another of the name gets a name of its own.
	answer, _ = upload(t, s, "mine.json", []byte(data))
	assert.Contains(t, answer.Header.Get("Location"), "trace=mine")
	assert.NotContains(t, answer.Header.Get("Location"), "trace=mine-2")
	_, other := get(t, s, file("/explore/bully/coulouris?path=c3", "json"))
	answer, _ = upload(t, s, "mine.json", []byte(other))
	assert.Contains(t, answer.Header.Get("Location"), "trace=mine-2")
	answer, _ = upload(t, s, duplicate+".json", []byte(other))
	assert.Contains(t, answer.Header.Get("Location"), "trace="+duplicate+"-2")
	assert.Len(t, s.recorded.opened, 3)
}

func TestOpenWhatIsNone(t *testing.T) {
	s := newServer(t)
	_, data := get(t, s, file("/explore/bully/coulouris?path=c3~f2.3", "json"))
	for _, c := range []struct {
		name, data string
		status     int
		says       string
	}{
		{"no JSON", "hello", http.StatusUnprocessableEntity, "is no run that can be followed"},
		{"nothing", "", http.StatusUnprocessableEntity, "is no run that can be followed"},
		{"not as recorded", strings.Replace(data, `"election"`, `"elction"`, 1), http.StatusUnprocessableEntity, `the message "elction" is "election" now`},
		{"unknown algorithm", strings.Replace(data, `"bully"`, `"buly"`, 1), http.StatusUnprocessableEntity, "did you mean bully?"},
		{"too large", strings.Repeat(" ", maxBody+1), http.StatusRequestEntityTooLarge, "larger than 16 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, text := upload(t, s, "x.json", []byte(c.data))
			assert.Equal(t, c.status, answer.StatusCode)
			has(t, text, c.says)
		})
	}
	assert.Empty(t, s.recorded.opened)
}

// The oldest of what was opened is forgotten.
func TestOpenMany(t *testing.T) {
	r := newRecordings(nil)
	tr, err := counterexamples.Open(duplicate)
	require.NoError(t, err)
	for i := range maxOpened + 5 {
		other := *tr
		other.Title = itoa(i)
		name, err := r.add("x", &other)
		require.NoError(t, err)
		_, err = r.find(name)
		require.NoError(t, err)
	}
	assert.Len(t, r.opened, maxOpened)
}
