package web

import "context"

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
func (t turns) inTurn(next handler) handler {
	return func(a *Answer, r *Request) {
		if t.take(r.ctx) {
			defer t.leave()
			next(a, r)
		}
	}
}
