package web

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// policy is what pages may load and do: nothing but what this server has.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard lets requests through that come from pages of this server, or from
// somebody who typed an address, and refuses others: a page of another site
// that has its own name resolve to this machine (it says so in Host), one that
// sends a form here, or one that loads a page of ours as an image: that alone
// would be work. A link to here that somebody follows is let through. Every answer forbids the browser to load or to frame
// anything foreign.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		if status, why := foreign(r); status != 0 {
			if status == http.StatusMethodNotAllowed {
				h.Set("Allow", "GET, HEAD, POST")
			}
			s.fail(w, r, status, why)
			return
		}
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.fail(w, r, http.StatusInternalServerError, fmt.Errorf("the explorer cannot show this: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// foreign returns with what status to refuse a request, and why; 0 if it is one
// of ours.
func foreign(r *http.Request) (status int, why error) {
	if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, r.Method) {
		return http.StatusMethodNotAllowed, fmt.Errorf("method %s: want GET, HEAD or POST", r.Method)
	}
	if !loopback(r.Host) {
		return http.StatusForbidden, fmt.Errorf("host %q: the explorer answers to this machine alone: to 127.0.0.1 or localhost", r.Host)
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || u.Host != r.Host {
			return http.StatusForbidden, fmt.Errorf("origin %q: the explorer answers to its own pages", origin)
		}
	}
	if r.Method == http.MethodPost && !slices.Contains([]string{"", "same-origin", "none"}, r.Header.Get("Sec-Fetch-Site")) {
		return http.StatusForbidden, fmt.Errorf("a form of another site: the explorer answers to its own pages")
	}
	h := r.Header
	follows := h.Get("Sec-Fetch-Mode") == "navigate" && slices.Contains([]string{"", "document"}, h.Get("Sec-Fetch-Dest"))
	if h.Get("Sec-Fetch-Site") == "cross-site" && !follows {
		return http.StatusForbidden, fmt.Errorf("a page of another site loads this: the explorer answers to its own pages and to links that somebody follows")
	}
	return 0, nil
}

// loopback reports whether a host is this machine, by a name that no other
// machine can have.
func loopback(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}
