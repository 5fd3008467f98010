//go:build !js

package web

import (
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// policy is what pages may load and do: nothing but what this server has.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP answers a request of a browser (http.Handler).
//
// It lets requests through that come from pages of this server, or from
// somebody who typed an address, and refuses others: a page of another site
// that has its own name resolve to this machine (it says so in Host), one that
// sends a form here, or one that loads a page of ours as an image: that alone
// would be work. A link to here that somebody follows is let through. Every answer
// forbids the browser to load or to frame anything foreign.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	var a Answer
	if status, why := foreign(r); status != 0 {
		if status == statusNotAllowed {
			h.Set("Allow", "GET, HEAD, POST")
		}
		s.fail(&a, status, why)
	} else {
		asks := Request{Path: r.URL.EscapedPath(), Query: r.URL.RawQuery}
		if r.Method == http.MethodPost {
			asks.Form, asks.Type = r.Body, r.Header.Get("Content-Type")
		}
		a = s.Answer(r.Context(), asks)
	}
	if a.Asset {
		tag := fmt.Sprintf(`"%x"`, sha256.Sum256(a.Body))
		h.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	for name, value := range map[string]string{"Content-Type": a.Type, "Location": a.Location} {
		if value != "" {
			h.Set(name, value)
		}
	}
	if a.File != "" {
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", a.File))
	}
	h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(a.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.Body) // who asked may have gone
	}
}

// foreign returns with what status to refuse a request, and why; 0 if it is one
// of ours.
func foreign(r *http.Request) (status int, why error) {
	if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, r.Method) {
		return statusNotAllowed, fmt.Errorf("method %s: want GET, HEAD or POST", r.Method)
	}
	if !loopback(r.Host) {
		return statusForbidden, fmt.Errorf("host %q: the explorer answers to this machine alone: to 127.0.0.1 or localhost", r.Host)
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || u.Host != r.Host {
			return statusForbidden, fmt.Errorf("origin %q: the explorer answers to its own pages", origin)
		}
	}
	if r.Method == http.MethodPost && !slices.Contains([]string{"", "same-origin", "none"}, r.Header.Get("Sec-Fetch-Site")) {
		return statusForbidden, fmt.Errorf("a form of another site: the explorer answers to its own pages")
	}
	h := r.Header
	follows := h.Get("Sec-Fetch-Mode") == "navigate" && slices.Contains([]string{"", "document"}, h.Get("Sec-Fetch-Dest"))
	if h.Get("Sec-Fetch-Site") == "cross-site" && !follows {
		return statusForbidden, fmt.Errorf("a page of another site loads this: the explorer answers to its own pages and to links that somebody follows")
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
