package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
)

// The statuses of answers, in the numbers of HTTP (RFC 9110, section 15).
const (
	statusOK            = 200
	statusSeeOther      = 303
	statusBadRequest    = 400
	statusForbidden     = 403
	statusNotFound      = 404
	statusNotAllowed    = 405
	statusTooLarge      = 413
	statusLinkTooLong   = 414
	statusUnprocessable = 422
	statusFailed        = 500
	statusBusy          = 503
)

// statusNames are the titles of pages that say what is wrong.
var statusNames = map[int]string{
	statusBadRequest: "Bad Request", statusForbidden: "Forbidden", statusNotFound: "Not Found", statusNotAllowed: "Method Not Allowed",
	statusTooLarge: "Request Entity Too Large", statusLinkTooLong: "Request URI Too Long", statusUnprocessable: "Unprocessable Entity",
	statusFailed: "Internal Server Error", statusBusy: "Service Unavailable",
}

// A Request asks the explorer for a page. A server makes it of what a browser sends; a
// page that contains the explorer makes it by itself, so the explorer knows no network.
type Request struct {
	// Path and Query are those of the address, escaped.
	Path, Query string
	// Form is the body that a form sends, and nil where a page is read. Type is its media
	// type.
	Form io.Reader
	Type string

	ctx    context.Context
	values map[string]string // of the segments of the path that a route names
}

// An Answer is what the explorer answers.
type Answer struct {
	Status int
	// Location is where the answer leads, if it leads elsewhere.
	Location string
	// Type is the media type of the body. File is the name under which it is kept, if it
	// is to be kept. Asset is set where the same address has the same body for good.
	Type, File string
	Asset      bool
	Body       []byte
}

// lead has the answer lead to another page.
func (a *Answer) lead(to string) { a.Status, a.Location = statusSeeOther, to }

// A handler answers a request.
type handler func(a *Answer, r *Request)

// A route is a kind of address. A segment of its path in braces stands for any.
type route struct {
	path string
	form bool
	handler
}

// handler returns what answers a request, which learns the values of its path.
func (s *Server) handler(r *Request) handler {
	segments := strings.Split(r.Path, "/")
	for _, to := range s.routes {
		if values, fits := match(strings.Split(to.path, "/"), segments); fits && to.form == (r.Form != nil) {
			r.values = values
			return to.handler
		}
	}
	return func(a *Answer, r *Request) { s.fail(a, statusNotFound, fmt.Errorf("there is no page %s", r.Path)) }
}

// match returns the values of a path of which a route is known.
func match(route, path []string) (values map[string]string, fits bool) {
	if len(route) != len(path) {
		return nil, false
	}
	values = make(map[string]string)
	for i, segment := range route {
		if name, found := strings.CutPrefix(segment, "{"); found {
			value, err := url.PathUnescape(path[i])
			if err != nil || value == "" {
				return nil, false
			}
			values[strings.TrimSuffix(name, "}")] = value
		} else if segment != path[i] {
			return nil, false
		}
	}
	return values, true
}

// Answer answers a request, until the context is done. A page that cannot be made is
// answered with what is wrong.
func (s *Server) Answer(ctx context.Context, r Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			s.fail(&a, statusFailed, fmt.Errorf("the explorer cannot show this: %v", p))
		}
	}()
	r.ctx = ctx
	a.Status = statusOK
	s.handler(&r)(&a, &r)
	return a
}

// file returns the file that a form sends under a name. An error that is errLarge says
// that the form has more bytes than a form may have.
func (r *Request) file(name string) (file string, data []byte, err error) {
	body := &io.LimitedReader{R: r.Form, N: maxBody + 1}
	defer func() {
		if body.N == 0 {
			err = errLarge
		}
	}()
	kind, of, err := mime.ParseMediaType(r.Type)
	if err != nil || kind != "multipart/form-data" {
		return "", nil, errors.Join(errors.New("this is no form with a file"), err)
	}
	parts := multipart.NewReader(body, of["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return "", nil, err
		}
		if part.FormName() == name && part.FileName() != "" {
			data, err = io.ReadAll(part)
			return part.FileName(), data, err
		}
	}
}

// errLarge says that a form is too large.
var errLarge = errors.New("the form is too large")
