package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"bullyproof/model"
	"bullyproof/runtime"
)

// node prepares one process. It says where it listens, in a line of its own, and
// then what it believes.
func (j *job) node(sys *model.System, starts bool) (run func(context.Context) error, err error) {
	if j.addresses == "" || j.keyFile == "" || j.dir == "" {
		return nil, errors.New("one process of a cluster (id) needs addresses, a key file and a directory")
	}
	key, err := os.ReadFile(j.keyFile)
	if err != nil {
		return nil, err
	}
	p, err := runtime.New(sys, runtime.Config{
		Self: model.ID(j.id), Network: j.network, Addresses: strings.Split(j.addresses, ","), Listen: j.listen, Key: bytes.TrimSpace(key),
		Tick: j.tick, Silence: j.silence, Start: starts, Dir: j.dir,
		EventFile: filepath.Join(j.dir, fmt.Sprintf("events-%d.ndjson", j.id)), Log: slog.New(slog.NewTextHandler(j.Err, nil)),
	})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(j.Out, "listens at", p.Addr()); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if !j.supervised {
		return p.Run, nil
	}
	return func(ctx context.Context) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			_, _ = io.Copy(io.Discard, j.In)
			stop()
		}()
		return p.Run(ctx)
	}, nil
}
