package main

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

// runNode runs one process. It says where it listens, in a line of its own, and
// then what it believes.
func runNode(ctx context.Context, o *options, in io.Reader, out, log io.Writer) error {
	if o.addresses == "" || o.keyFile == "" || o.dir == "" {
		return errors.New("-id needs -addresses, -key-file and -dir")
	}
	sys, err := o.system()
	if err != nil {
		return err
	}
	key, err := os.ReadFile(o.keyFile)
	if err != nil {
		return err
	}
	starters, err := o.starters()
	if err != nil {
		return err
	}
	self := model.ID(o.id)
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return err
	}
	p, err := runtime.New(sys, runtime.Config{
		Self: self, Network: o.network, Addresses: strings.Split(o.addresses, ","), Listen: o.listen, Key: bytes.TrimSpace(key),
		Tick: o.tick, Silence: o.silence, Start: starters.Has(self), Dir: o.dir,
		EventFile: eventFile(o.dir, o.id), Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "listens at", p.Addr()); err != nil {
		return err
	}
	if o.supervised {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		go func() {
			_, _ = io.Copy(io.Discard, in)
			stop()
		}()
	}
	return p.Run(ctx)
}

// eventFile returns the name of the event log of a process.
func eventFile(dir string, id int) string {
	return filepath.Join(dir, fmt.Sprintf("events-%d.ndjson", id))
}
