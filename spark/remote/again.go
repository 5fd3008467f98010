package remote

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
)

// firstWait is how long is waited before a request is made for the second time. Before each
// other time it is twice as long.
const firstWait = 100 * time.Millisecond

// A persistent transport makes a request again whose answer is cut off, or is that access is
// denied, which a service also says while it moves or its credentials change. The client
// does that by itself where the service is busy or cannot be reached, and nowhere else.
type persistent struct{ http.RoundTripper }

// newPersistent returns the transport of a client.
func newPersistent(secure bool) (http.RoundTripper, error) {
	transport, err := minio.DefaultTransport(secure)
	return persistent{transport}, err
}

// RoundTrip makes a request until it is answered as it may, or tries are up
// (http.RoundTripper).
func (p persistent) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		_ = r.Body.Close() // all of it was read
	}
	wait := firstWait
	for try := 1; ; try++ {
		answer, passing, err := p.once(r, body)
		if !passing || try == tries {
			return answer, err
		}
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
		wait *= 2
	}
}

// once makes a request and reads its answer. It reports whether what is wrong with the
// answer may pass.
func (p persistent) once(r *http.Request, body []byte) (answer *http.Response, passing bool, err error) {
	again := r.Clone(r.Context())
	if r.Body != nil {
		again.Body = io.NopCloser(bytes.NewReader(body))
	}
	if answer, err = p.RoundTripper.RoundTrip(again); err != nil {
		return nil, false, err
	}
	data, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close() // it was read as far as it goes
	if err != nil {
		return nil, true, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(data))
	return answer, answer.StatusCode == http.StatusForbidden, nil
}
