package cluster

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"bullyproof/model"
)

// launcher prepares all processes of a cluster, which are processes of this
// program. They are run until all have ended.
func (j *job) launcher(sys *model.System) (run func(context.Context) error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := j.provide(); err != nil {
		return nil, err
	}
	out, log := &sharedWriter{w: j.Out}, &sharedWriter{w: j.Err}
	return func(ctx context.Context) error {
		fmt.Fprintf(out, "%s in %q\nstable storage and event logs are in %s\n", j.of.Name, sys.Setting(), j.dir)
		var group sync.WaitGroup
		var failed atomic.Int32
		for i := range j.n {
			group.Go(func() {
				if err := j.supervise(ctx, self, i+1, out); err != nil && ctx.Err() == nil {
					fmt.Fprintf(log, "process %d has ended: %v\n", i+1, err)
					if !killed(err) {
						failed.Add(1)
					}
				}
			})
		}
		group.Wait()
		fmt.Fprintf(out, "the event logs are %s\n", filepath.Join(j.dir, "events-*.ndjson"))
		if n := failed.Load(); n > 0 {
			return fmt.Errorf("%d of %d processes could not go on", n, j.n)
		}
		return nil
	}, nil
}

// killed reports whether it was somebody else who ended a process.
func killed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && !exit.Exited()
}

// provide fills in what all processes share, unless flags do.
func (o *Options) provide() (err error) {
	if o.dir == "" {
		o.dir, err = os.MkdirTemp("", "cluster-")
	} else {
		err = os.MkdirAll(o.dir, 0o777)
	}
	if err != nil {
		return err
	}
	if o.keyFile == "" {
		o.keyFile = filepath.Join(o.dir, "key")
		if err := makeKey(o.keyFile); err != nil {
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

// makeKey writes a key to a file, unless it is there: those who run may have it.
func makeKey(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(rand.Text())
	return errors.Join(err, f.Close())
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
func (j *job) supervise(ctx context.Context, program string, id int, out io.Writer) error {
	args := append(append([]string{}, j.Again...),
		"--id", strconv.Itoa(id), "--n", strconv.Itoa(j.n), "--network", j.network, "--addresses", j.addresses,
		"--key-file", j.keyFile, "--dir", j.dir, "--tick", j.tick.String(), "--silence", j.silence.String(), "--supervised")
	for flag, text := range map[string]string{"--setting": j.setting, "--start": j.start} {
		if text != "" { // which no flag takes
			args = append(args, flag, text)
		}
	}
	args = append(args, j.of.Name)
	c := exec.Command(program, args...)
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
	fmt.Fprintf(out, "P%d is process %d of this machine\n", id, c.Process.Pid)
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
	return c.Wait()
}

// A sharedWriter is one that several goroutines write tj.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
