package bubble

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// unsaid are the headers that no message has: they say what is known anyway.
var unsaid = map[string]bool{"User-Agent": true, "Accept-Encoding": true, "Content-Length": true, "Connection": true, "Host": true, "Date": true}

// RoundTrip makes an Env the transport of an http.Client (http.Client{Transport: env}): a request to
// the host of a process (Env.Process) is a call of it. It fails where Call does, and for a host that
// is no process.
func (e *Env) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	to, err := e.Process(r.URL.Hostname())
	if err != nil {
		return nil, err
	}
	text, err := written(r.Method+" "+r.URL.RequestURI(), r.Header, r.Body)
	if err != nil {
		return nil, err
	}
	answer, err := e.Call(r.Context(), to, text)
	if err != nil {
		return nil, err
	}
	return answered(r, answer)
}

// written returns the text of a request or of an answer: its first line, its headers, its body.
func written(first string, h http.Header, body io.Reader) (string, error) {
	var b bytes.Buffer
	b.WriteString(first + "\n")
	said := http.Header{}
	for key, values := range h {
		if !unsaid[http.CanonicalHeaderKey(key)] {
			said[key] = values
		}
	}
	var lines bytes.Buffer
	if err := said.Write(&lines); err != nil {
		return "", err
	}
	b.WriteString(strings.ReplaceAll(lines.String(), "\r\n", "\n"))
	if body != nil {
		all, err := io.ReadAll(body)
		if err != nil {
			return "", err
		}
		if len(all) > 0 {
			b.WriteString("\n")
			b.Write(all)
		}
	}
	return b.String(), nil
}

// read returns what written has written.
func read(text string) (first string, h http.Header, body string) {
	head, body, _ := strings.Cut(text, "\n\n")
	first, lines, _ := strings.Cut(head, "\n")
	h = http.Header{}
	for line := range strings.Lines(lines) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		h.Add(key, value)
	}
	return first, h, body
}

// answered returns the answer to a request.
func answered(r *http.Request, text string) (*http.Response, error) {
	first, h, body := read(text)
	status, err := strconv.Atoi(first)
	if err != nil || status < 100 || status > 999 {
		return nil, fmt.Errorf("bubble: the answer to %s %s begins with %q: want a status, such as 200", r.Method, r.URL, first)
	}
	return &http.Response{
		StatusCode: status, Status: fmt.Sprint(status, " ", http.StatusText(status)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}, nil
}

// ListenAndServe answers the requests of http clients in other processes, each in a goroutine, until
// the run is over. The context of a request is that of the Env.
func (e *Env) ListenAndServe(h http.Handler) {
	for {
		p, err := e.Recv(e.ctx)
		if err != nil {
			return
		}
		e.Go(func() { e.Answer(p, e.handled(h, p)) })
	}
}

// handled returns the answer of a handler to a request.
func (e *Env) handled(h http.Handler, p Packet) string {
	first, header, body := read(p.Text)
	method, uri, _ := strings.Cut(first, " ")
	at, err := url.ParseRequestURI(uri)
	if err != nil {
		return fmt.Sprintf("%d\n\n%v", http.StatusBadRequest, err)
	}
	r := &http.Request{
		Method: method, URL: at, RequestURI: uri, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Host: fmt.Sprintf("p%d", e.boot.self), RemoteAddr: fmt.Sprintf("p%d", p.From),
	}
	w := &writer{header: http.Header{}}
	h.ServeHTTP(w, r.WithContext(e.ctx))
	w.WriteHeader(http.StatusOK) // unless the handler has said one
	text, err := written(strconv.Itoa(w.status), w.header, &w.body)
	if err != nil {
		return fmt.Sprintf("%d\n\n%v", http.StatusInternalServerError, err)
	}
	return text
}

// A writer is an http.ResponseWriter.
type writer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *writer) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}
