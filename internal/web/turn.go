package web

import (
	"bytes"
	"context"
	"net/http"
)

// Turns bound how many requests work at once: what they take for a moment,
// beside what the tree keeps, is bounded with it.
type turns chan struct{}

// take waits until few enough others work, or until who asked is gone, which it
// reports as false.
func (t turns) take(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t turns) leave() { <-t }

// inTurn has a request wait for its turn. The answer is sent when that is over:
// whoever reads it slowly keeps nobody waiting.
func (t turns) inTurn(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		later := answer{ResponseWriter: w}
		if !t.work(&later, r, next) {
			return
		}
		if later.status != 0 {
			w.WriteHeader(later.status)
		}
		_, _ = w.Write(later.body.Bytes()) // who asked may have gone
	}
}

func (t turns) work(w *answer, r *http.Request, next http.HandlerFunc) bool {
	if !t.take(r.Context()) {
		return false
	}
	defer t.leave()
	next(w, r)
	return true
}

// An answer is one that is sent later. Its header is the one of the writer that
// it is for.
type answer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader notes the status, the first one that is given.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(data []byte) (int, error) { return a.body.Write(data) }
