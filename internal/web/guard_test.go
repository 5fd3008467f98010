package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGuard(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		name         string
		method, host string
		header       map[string]string
		status       int
	}{
		{"typed", "GET", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"by name", "GET", "localhost:8080", nil, 200},
		{"without a port", "GET", "localhost", nil, 200},
		{"by the other protocol", "GET", "[::1]:8080", nil, 200},
		{"a link on another site", "GET", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200},
		{"an image on another site", "GET", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403},
		{"a frame on another site", "GET", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403},
		{"a script of another site", "GET", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403},
		{"an image of ours", "GET", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors"}, 200},
		{"no body", "HEAD", "127.0.0.1:8080", nil, 200},
		{"of its own", "GET", "127.0.0.1:8080", map[string]string{"Origin": "http://127.0.0.1:8080"}, 200},

		{"rebinding", "GET", "evil.example:8080", nil, 403},
		{"rebinding with a familiar name", "GET", "localhost.evil.example:8080", nil, 403},
		{"another machine", "GET", "192.168.1.5:8080", nil, 403},
		{"no host", "GET", "", nil, 403},
		{"foreign origin", "GET", "127.0.0.1:8080", map[string]string{"Origin": "http://evil.example"}, 403},
		{"another port", "GET", "127.0.0.1:8080", map[string]string{"Origin": "http://127.0.0.1:9090"}, 403},
		{"another scheme", "GET", "127.0.0.1:8080", map[string]string{"Origin": "https://127.0.0.1:8080"}, 403},
		{"nobody's origin", "GET", "127.0.0.1:8080", map[string]string{"Origin": "null"}, 403},
		{"foreign form", "POST", "127.0.0.1:8080", map[string]string{"Origin": "http://evil.example"}, 403},
		{"foreign form without an origin", "POST", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"form of the same site", "POST", "127.0.0.1:8080", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"form without a file", "POST", "127.0.0.1:8080", map[string]string{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}, 400},
		{"put", "PUT", "127.0.0.1:8080", nil, 405},
		{"delete", "DELETE", "127.0.0.1:8080", nil, 405},
		{"options", "OPTIONS", "127.0.0.1:8080", nil, 405},
		{"trace", "TRACE", "127.0.0.1:8080", nil, 405},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := "/"
			if c.method == "POST" {
				target = "/open"
			}
			r := httptest.NewRequest(c.method, target, nil)
			r.Host = c.host
			for k, v := range c.header {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			assert.Equal(t, c.status, w.Code)
			if c.status == 403 {
				has(t, w.Body.String(), "the explorer answers to")
				hasNot(t, w.Body.String(), "<script>")
			}
			h := w.Result().Header
			assert.Equal(t, "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'", h.Get("Content-Security-Policy"))
			assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
			assert.Equal(t, "no-referrer", h.Get("Referrer-Policy"))
		})
	}
}

// A post to a page, or a read from the form's address, is refused.
func TestMethodsOfPages(t *testing.T) {
	s := newServer(t)
	for target, method := range map[string]string{"/": "POST", "/explore/bully/coulouris": "POST", "/open": "GET"} {
		r := httptest.NewRequest(method, target, nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		assert.Contains(t, []int{http.StatusMethodNotAllowed, http.StatusNotFound}, w.Code, "%s %s", method, target)
		assert.NotEmpty(t, w.Header().Get("Content-Security-Policy"))
	}
}

// The answer to HEAD is that to GET without the page.
func TestHead(t *testing.T) {
	s := newServer(t)
	for _, target := range []string{"/", "/explore/bully/coulouris", "/explore/bully/coulouris/run.json?path=c3", "/assets/style.css", "/nothing"} {
		var length []string
		for _, method := range []string{"GET", "HEAD"} {
			r := httptest.NewRequest(method, target, nil)
			r.Host = "localhost"
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			length = append(length, w.Header().Get("Content-Length"))
			if method == "HEAD" {
				assert.Zero(t, w.Body.Len(), target)
			}
		}
		assert.NotEmpty(t, length[0], target)
		assert.Equal(t, length[0], length[1], target)
	}
}

// Assets do not travel twice.
func TestAssets(t *testing.T) {
	server := httptest.NewServer(newServer(t))
	defer server.Close()
	for name, kind := range map[string]string{"style.css": "text/css", "explore.js": "text/javascript", "icon.svg": "image/svg+xml"} {
		answer, err := http.Get(server.URL + "/assets/" + name)
		require.NoError(t, err)
		data, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.NotEmpty(t, data)
		assert.True(t, strings.HasPrefix(answer.Header.Get("Content-Type"), kind), name)
		r, err := http.NewRequest(http.MethodGet, server.URL+"/assets/"+name, nil)
		require.NoError(t, err)
		r.Header.Set("If-None-Match", answer.Header.Get("ETag"))
		answer, err = http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, http.StatusNotModified, answer.StatusCode)
	}
}
