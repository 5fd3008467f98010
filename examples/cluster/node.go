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

	"bullyproof/eventlog"
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
	events, err := openLog(eventFile(o.dir, o.id))
	if err != nil {
		return err
	}
	defer func() { _ = events.Close() }()
	p, err := runtime.New(sys, runtime.Config{
		Self: self, Network: o.network, Addresses: strings.Split(o.addresses, ","), Listen: o.listen, Key: bytes.TrimSpace(key),
		Tick: o.tick, Silence: o.silence, Start: starters.Has(self), Dir: o.dir,
		Log: slog.New(slog.NewTextHandler(log, nil)), Events: eventlog.NewWriter(events),
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

// openLog opens an event log to write at its end. If whoever wrote it was killed
// in the middle of a line, that line goes.
func openLog(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	if err := cutTorn(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// cutTorn cuts off what follows the last end of a line.
func cutTorn(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	from := max(0, end-eventlog.MaxLine)
	tail := make([]byte, end-from)
	if _, err := f.ReadAt(tail, from); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	if whole == 0 && from > 0 {
		return fmt.Errorf("%s is no event log: it ends in a line of more than %d bytes", f.Name(), eventlog.MaxLine)
	}
	return f.Truncate(from + int64(whole))
}
