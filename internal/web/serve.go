//go:build !js

package web

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"
)

// patience is how long requests under way may take when the server ends.
const patience = 3 * time.Second

// Listen opens a port of this machine, which no other machine reaches; 0 is a
// free one.
func Listen(port int) (net.Listener, error) {
	return net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Serve answers requests until the context is done, and then ends those under
// way, within a few seconds. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxQuery + 16<<10,
	}
	ended := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		bound, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err := server.Shutdown(bound)
		if err != nil {
			err = server.Close() // who holds on to a connection waits in vain
		}
		ended <- err
	})
	err := server.Serve(l)
	if stop() { // nobody asked for the end
		return err
	}
	return <-ended
}
