// Package spark has the tasks of package cluster carried out by Apache Spark. It submits
// a driver in Python, which is packed with the program, and ships the program itself to
// the executors.
package spark

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bullyproof/explore/cluster"
	"bullyproof/internal/quantity"
)

//go:embed bullyproof_spark.py
var driver []byte

// Options say on what Spark a search runs, and what runs there.
type Options struct {
	// Master is what spark-submit takes: local[2], spark://host:7077, yarn, k8s://...
	Master string
	// Conf are settings of Spark, each KEY=VALUE.
	Conf []string
	// Program is the file that is shipped; it has the command worker.
	Program string
	// Name is what is searched, for people.
	Name string
	// Say is called with a line when Spark is there. May be nil.
	Say func(line string)
}

// A Cluster is Spark, as a cluster.Scheduler. It begins when there is a task.
type Cluster struct {
	opt   Options
	in    installation
	dir   string
	cmd   *exec.Cmd
	said  tail
	ended chan struct{} // closed when spark-submit has ended

	conn    net.Conn
	tasks   int // at a time
	threads int // of each
	subject string
}

// About says what is searched from now on, as the command worker takes it.
func (c *Cluster) About(subject []byte) { c.subject = string(subject) }

// New returns Spark, after checking that there is one and that its master answers.
func New(opt Options) (*Cluster, error) {
	c := &Cluster{opt: opt}
	err := cmp.Or(checkSystem(), checkMaster(opt.Master))
	if err == nil {
		c.in, err = find()
	}
	if err != nil {
		return nil, err
	}
	for _, conf := range opt.Conf {
		if !strings.Contains(conf, "=") {
			return nil, fmt.Errorf("setting %q of Spark: want KEY=VALUE", conf)
		}
	}
	if err := checkJava(); err != nil {
		return nil, err
	}
	if info, err := os.Stat(opt.Program); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the program %s, which workers run, is not there", opt.Program)
	}
	return c, nil
}

// Parts starts Spark, and returns how many tasks it does at a time, and how many cores it
// keeps for each (cluster.Scheduler).
func (c *Cluster) Parts(ctx context.Context) (tasks, threads int, err error) {
	if c.conn != nil {
		return c.tasks, c.threads, nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	defer listener.Close()
	var secret [16]byte
	_, _ = rand.Read(secret[:]) // it does not fail
	token := fmt.Sprintf("%x", secret)
	if err := c.submit(listener.Addr().String(), token); err != nil {
		return 0, 0, err
	}
	if err := c.meet(ctx, listener, token); err != nil {
		return 0, 0, errors.Join(err, c.Close())
	}
	return c.tasks, c.threads, nil
}

// submit starts spark-submit.
func (c *Cluster) submit(address, token string) (err error) {
	if c.dir, err = os.MkdirTemp("", "bullyproof-spark-"); err != nil {
		return err
	}
	script, program := filepath.Join(c.dir, "bullyproof_spark.py"), filepath.Join(c.dir, shipped)
	if err := cmp.Or(os.WriteFile(script, driver, 0o600), copyFile(program, c.opt.Program)); err != nil {
		return errors.Join(err, os.RemoveAll(c.dir))
	}
	args := []string{"--master", c.opt.Master, "--name", "bullyproof " + c.opt.Name, "--files", program, "--py-files", script}
	conf := []string{"spark.ui.showConsoleProgress=false", "spark.log.level=OFF", "spark.python.worker.reuse=true"}
	env := append(os.Environ(), c.in.env...)
	if here(c.opt.Master) {
		conf = append(conf, "spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1", "spark.local.dir="+c.dir)
		env = append(env, "SPARK_LOCAL_IP=127.0.0.1")
	}
	for _, setting := range append(conf, c.opt.Conf...) {
		args = append(args, "--conf", setting)
	}
	c.cmd = exec.Command(c.in.submit, append(args, script)...)
	c.cmd.Dir, c.cmd.Stdout, c.cmd.Stderr = c.dir, &c.said, &c.said
	c.cmd.Env = append(env, "BULLYPROOF_DRIVER="+address, "BULLYPROOF_TOKEN="+token)
	apart(c.cmd)
	if err := c.cmd.Start(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", c.in.submit, err), os.RemoveAll(c.dir))
	}
	c.ended = make(chan struct{})
	go func() {
		_ = c.cmd.Wait() // what it said tells why it ended
		close(c.ended)
	}()
	return nil
}

// shipped is what executors know the program by.
const shipped = "bullyproof-worker"

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

// meet waits until the driver has connected and says that it is ready.
func (c *Cluster) meet(ctx context.Context, listener net.Listener, token string) error {
	met := make(chan struct{})
	defer close(met)
	go func() {
		select {
		case <-met:
		case <-ctx.Done():
		case <-c.ended:
		}
		_ = listener.Close()
	}()
	for c.conn == nil {
		conn, err := listener.Accept()
		if err != nil {
			return c.gone(ctx)
		}
		if kind, data, err := cluster.ReadFrame(conn); err == nil && kind == 'H' && subtle.ConstantTimeCompare(data, []byte(`"`+token+`"`)) == 1 {
			c.conn = conn
		} else {
			_ = conn.Close() // a stranger
		}
	}
	data, err := c.await(ctx, 'R', nil)
	if err != nil {
		return err
	}
	var ready struct {
		Version, UI    string
		Cores, Threads int
	}
	if err := json.Unmarshal(data, &ready); err != nil {
		return err
	}
	c.threads = max(1, ready.Threads)
	c.tasks = max(1, ready.Cores/c.threads)
	if c.opt.Say != nil {
		where := ""
		if ready.UI != "" {
			where = ", " + ready.UI
		}
		c.opt.Say(fmt.Sprintf("Spark %s on %s: %s at a time, %s each%s", ready.Version, c.opt.Master,
			quantity.Plural(c.tasks, "task"), quantity.Plural(c.threads, "core"), where))
	}
	return nil
}

// await returns the frame of a kind, or what the driver says is wrong.
func (c *Cluster) await(ctx context.Context, want byte, told func(done int)) ([]byte, error) {
	defer context.AfterFunc(ctx, func() { _ = c.conn.Close() })()
	for {
		kind, data, err := cluster.ReadFrame(c.conn)
		switch {
		case err != nil:
			return nil, c.gone(ctx)
		case kind == want:
			return data, nil
		case kind == 'E':
			var text string
			err := json.Unmarshal(data, &text)
			return nil, cmp.Or(err, errors.New("Spark: "+strings.TrimSpace(text)))
		case kind == 'P' && told != nil:
			var done int
			if json.Unmarshal(data, &done) == nil {
				told(done)
			}
		}
	}
}

// gone says why the driver is.
func (c *Cluster) gone(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-c.ended:
	case <-time.After(10 * time.Second): // it goes on without its driver
	}
	return fmt.Errorf("the driver of Spark has ended: %s", c.said.reason())
}

// Run has tasks carried out as one job (cluster.Scheduler).
func (c *Cluster) Run(ctx context.Context, level int, tasks []cluster.Task, told func(done int)) ([]cluster.Answer, error) {
	job := struct {
		Name    string   `json:"name"`
		Program string   `json:"program"`
		Subject string   `json:"subject"`
		Tasks   []string `json:"tasks"`
	}{Name: fmt.Sprintf("%s: level %d", c.opt.Name, level), Program: shipped, Subject: c.subject}
	for _, t := range tasks {
		text, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		job.Tasks = append(job.Tasks, string(text))
	}
	data, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	if err := cluster.WriteFrame(c.conn, 'J', data); err != nil {
		return nil, c.gone(ctx)
	}
	if data, err = c.await(ctx, 'A', told); err != nil {
		return nil, err
	}
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		return nil, err
	}
	answers := make([]cluster.Answer, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal([]byte(text), &answers[i]); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// Close ends Spark, if it has begun, and leaves nothing of it.
func (c *Cluster) Close() error {
	if c.cmd == nil {
		return nil
	}
	if c.conn == nil {
		kill(c.cmd)
	} else {
		_ = cluster.WriteFrame(c.conn, 'J', []byte("null")) // where it is gone it has ended
	}
	select {
	case <-c.ended:
	case <-time.After(closing):
		kill(c.cmd)
		<-c.ended
	}
	if c.conn != nil {
		_ = c.conn.Close()
	}
	c.cmd, c.conn = nil, nil
	return os.RemoveAll(c.dir)
}

// closing is how long Spark may take to end.
const closing = 10 * time.Second

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, b...); len(t.text) > 1<<17 {
		t.text = bytes.Clone(t.text[len(t.text)-1<<16:])
	}
	return len(b), nil
}

var _ io.Writer = (*tail)(nil)

// reason returns the line that says most about what went wrong.
func (t *tail) reason() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := "it says nothing"
	for line := range strings.Lines(string(t.text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "at ") {
			continue
		}
		if last = line; strings.Contains(line, "Exception") || strings.Contains(line, "Error") {
			break
		}
	}
	return last
}
