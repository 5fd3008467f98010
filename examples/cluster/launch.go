package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// launch runs all processes of a cluster, as processes of this program, and waits
// for their end.
func launch(ctx context.Context, o *options, out, log io.Writer) error {
	sys, err := o.system()
	if err != nil {
		return err
	}
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "cluster-"); err != nil {
			return err
		}
	}
	if err := o.provide(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s in %q\nstable storage and event logs are in %s\n", o.algorithm, sys.Setting(), o.dir)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	shared := &sharedWriter{w: out}
	var group sync.WaitGroup
	errs := make([]error, o.n)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for i := range errs {
		group.Go(func() {
			errs[i] = o.supervise(ctx, self, i+1, shared, log)
		})
	}
	group.Wait()
	fmt.Fprintf(out, "the event logs are %s\n", filepath.Join(o.dir, "events-*.ndjson"))
	return errors.Join(errs...)
}

// provide fills in what all processes share, unless flags do.
func (o *options) provide() error {
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return err
	}
	if o.keyFile == "" {
		o.keyFile = filepath.Join(o.dir, "key")
		if err := os.WriteFile(o.keyFile, []byte(rand.Text()), 0o600); err != nil {
			return err
		}
	}
	if o.addresses == "" {
		list, err := freeAddresses(o.network, o.n)
		if err != nil {
			return err
		}
		o.addresses = strings.Join(list, ",")
	}
	return nil
}

// freeAddresses returns addresses of this machine at which nobody listens now.
func freeAddresses(network string, n int) (list []string, err error) {
	for range n {
		var end io.Closer
		var address net.Addr
		if network == "udp" {
			c, bad := net.ListenPacket(network, "127.0.0.1:0")
			if bad != nil {
				return nil, bad
			}
			end, address = c, c.LocalAddr()
		} else {
			l, bad := net.Listen("tcp", "127.0.0.1:0")
			if bad != nil {
				return nil, bad
			}
			end, address = l, l.Addr()
		}
		defer func() { err = errors.Join(err, end.Close()) }()
		list = append(list, address.String())
	}
	return list, nil
}

// supervise runs one process until ctx is done, or until it ends.
func (o *options) supervise(ctx context.Context, program string, id int, out, log io.Writer) error {
	c := exec.Command(program,
		"-id", strconv.Itoa(id), "-n", strconv.Itoa(o.n), "-setting", o.setting, "-network", o.network, "-addresses", o.addresses,
		"-key-file", o.keyFile, "-dir", o.dir, "-tick", o.tick.String(), "-silence", o.silence.String(), "-start", o.start,
		"-supervised", o.algorithm)
	c.Env = append(os.Environ(), nodeVariable+"=1")
	life, err := c.StdinPipe()
	if err != nil {
		return err
	}
	said, err := c.StderrPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	fmt.Fprintf(out, "process %d is process %d of this machine\n", id, c.Process.Pid)
	done := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-done:
		}
		_ = life.Close() // which ends it
	}()
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		fmt.Fprintln(out, lines.Text())
	}
	close(done)
	if err := c.Wait(); err != nil && ctx.Err() == nil {
		fmt.Fprintf(log, "process %d has ended: %v\n", id, err)
	}
	return nil
}

// nodeVariable is set in the environment of what supervise starts. The tests'
// own program looks at it.
const nodeVariable = "CLUSTER_PROCESS"

// A sharedWriter is one that several goroutines write to.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
