package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func readAll(answer *http.Response) (string, error) {
	data, err := io.ReadAll(answer.Body)
	return string(data), err
}

// serve serves an explorer and returns its address, and what ends it.
func serve(t testing.TB, s *Server) (address string, end func() error) {
	t.Helper()
	l, err := Listen(0)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	return "http://" + l.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

func TestServe(t *testing.T) {
	address, end := serve(t, newServer(t))
	host, _, err := net.SplitHostPort(address[len("http://"):])
	require.NoError(t, err)
	assert.Equal(t, "127.0.0.1", host)
	answer, err := http.Get(address)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	require.NoError(t, end())
	_, err = http.Get(address)
	assert.Error(t, err, "nobody listens any more")
}

// Somebody who asks half a question and keeps the connection holds up nothing.
func TestServeEndsInTime(t *testing.T) {
	address, end := serve(t, newServer(t))
	c, err := net.Dial("tcp", address[len("http://"):])
	require.NoError(t, err)
	defer func() { assert.NoError(t, c.Close()) }()
	_, err = io.WriteString(c, "POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- end() }()
	select {
	case err := <-ended:
		assert.NoError(t, err)
	case <-time.After(10 * patience):
		assert.Fail(t, "the server does not end")
	}
}

// A listener that fails ends the server with the error.
func TestServeFails(t *testing.T) {
	l, err := Listen(0)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	assert.Error(t, newServer(t).Serve(context.Background(), l))
}
