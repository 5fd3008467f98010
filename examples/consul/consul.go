// Package consul has the lock of Consul's Go client as it ships, over a server that keeps one key, with
// sessions that expire and with a lock-delay.
package consul

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/consul/api"

	"bullyproof/checker/shipped/bubble"
)

// TTL is how long a session lasts without a renewal, and Delay the lock-delay behind it. Both are defaults.
const (
	TTL   = 15 * time.Second
	Delay = 15 * time.Second
)

// Limits are those of the requests of a client: how long the server waits for a change before it answers,
// and how long the client waits for an answer. Zero is what a client has that names none: the server waits
// for five minutes, and the client for as long as it takes.
type Limits struct{ Wait, Answer time.Duration }

// Client is what a client runs: it leads while it has the lock.
func Client(limits Limits) func(*bubble.Env) {
	return func(env *bubble.Env) {
		client, err := api.NewClient(&api.Config{
			Address: "http://server", WaitTime: limits.Wait, HttpClient: &http.Client{Transport: env, Timeout: limits.Answer},
		})
		if err != nil {
			panic(err)
		}
		for env.Context().Err() == nil {
			lock, err := client.LockOpts(&api.LockOptions{Key: "leader", SessionTTL: TTL.String()})
			if err != nil {
				panic(err)
			}
			lost, err := lock.Lock(env.Context().Done())
			if err == nil && lost != nil {
				env.Leads(true)
				<-lost
				env.Leads(false)
				_ = lock.Unlock() // or its session is renewed on
			}
			time.Sleep(5 * time.Second)
		}
	}
}

// A server is a Consul with one key.
type server struct {
	mu       sync.Mutex
	sessions map[string]*time.Timer
	made     int // sessions so far
	holder   string
	index    int           // of the last change, 0 if there was none
	changed  chan struct{} // is closed by the next one
	free     time.Time     // when the lock-delay is over
}

// Server is what the server runs.
func Server(env *bubble.Env) {
	s := &server{sessions: map[string]*time.Timer{}, changed: make(chan struct{})}
	env.ListenAndServe(s)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	switch {
	case strings.HasPrefix(r.URL.Path, "/v1/session/create"):
		s.made++
		id := fmt.Sprint("s", s.made)
		s.sessions[id] = time.AfterFunc(TTL, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.end(id)
		})
		fmt.Fprintf(w, `{"ID":%q}`, id)
	case strings.HasPrefix(r.URL.Path, "/v1/session/renew/"):
		id := path.Base(r.URL.Path)
		if s.sessions[id] == nil || !s.sessions[id].Reset(TTL) {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `[{"ID":%q,"TTL":%q}]`, id, TTL)
	case strings.HasPrefix(r.URL.Path, "/v1/session/destroy/"):
		s.end(path.Base(r.URL.Path))
		fmt.Fprint(w, true)
	case q.Has("release"):
		if s.holder == q.Get("release") {
			s.change("")
		}
		fmt.Fprint(w, true)
	case q.Has("acquire"):
		id := q.Get("acquire")
		got := s.sessions[id] != nil && (s.holder == "" || s.holder == id) && !time.Now().Before(s.free)
		if got && s.holder == "" {
			s.change(id)
		}
		fmt.Fprint(w, got)
	default:
		s.get(w, q.Get("index"), q.Get("wait"))
	}
}

// get answers with the key, once it is another one than that of an index or the wait is over.
func (s *server) get(w http.ResponseWriter, index, wait string) {
	limit, err := time.ParseDuration(wait)
	if err != nil {
		limit = 5 * time.Minute
	}
	if changed := s.changed; index == fmt.Sprint(s.index) {
		s.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(limit):
		}
		s.mu.Lock()
	}
	w.Header().Set("X-Consul-Index", fmt.Sprint(max(s.index, 1)))
	if s.index == 0 {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode([]api.KVPair{{Key: "leader", Session: s.holder, Flags: api.LockFlagValue, ModifyIndex: uint64(s.index)}})
}

// end ends a session, and what it holds.
func (s *server) end(id string) {
	if timer := s.sessions[id]; timer != nil {
		timer.Stop()
	}
	delete(s.sessions, id)
	if s.holder == id {
		s.free = time.Now().Add(Delay)
		s.change("")
	}
}

// change gives the key to a session, or to none.
func (s *server) change(holder string) {
	s.holder = holder
	s.index++
	close(s.changed)
	s.changed = make(chan struct{})
}
