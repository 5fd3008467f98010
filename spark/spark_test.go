//go:build linux

package spark_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/spark"
)

// A counter counts, from 0 up to a number, by one and by two.
type counter uint64

func (c counter) Initial(yield func([]byte) bool) { yield(binary.BigEndian.AppendUint64(nil, 0)) }
func (c counter) NewExpander() explore.Expander   { return c }

func (c counter) Expand(state []byte, out *explore.Successors) {
	n := binary.BigEndian.Uint64(state)
	if n == 77 && uint64(c) == 78 {
		panic("out of order")
	}
	for by := range uint64(2) {
		if n+by < uint64(c) {
			out.End(binary.BigEndian.AppendUint64(out.Begin(), n+by+1), explore.Code(by))
		}
	}
}

func subject(c counter) cluster.Subject {
	return cluster.Subject{New: func() (explore.System, error) { return c, nil }}
}

// TestMain makes this program one that executors run. With dyingEnv it ends before it
// does its first task, if the file of that name is not there yet, or always.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "worker" {
		os.Exit(m.Run())
	}
	switch name := os.Getenv(dyingEnv); name {
	case "":
	case "always":
		os.Exit(7)
	default:
		if f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_ = f.Close()
			os.Exit(7)
		}
	}
	err := cluster.Serve(os.Stdin, os.Stdout, func(text []byte) (cluster.Subject, error) {
		var c counter
		_, err := fmt.Sscan(string(text), &c)
		return subject(c), err
	})
	if err != nil {
		os.Exit(2)
	}
}

const dyingEnv = "BULLYPROOF_TEST_DYING"

// fake has Spark be one that is none: it needs neither Java nor a cluster, and something
// is wrong with it.
func fake(t *testing.T, what string) spark.Options {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("the driver is a program in Python: %v", err)
	}
	for name, dir := range map[string]string{"SPARK_HOME": "spark", "JAVA_HOME": "java", "FAKE_PYTHON": "python"} {
		full, err := filepath.Abs(filepath.Join("testdata", dir))
		require.NoError(t, err)
		t.Setenv(name, full)
	}
	t.Setenv("FAKE", what)
	t.Setenv("TMPDIR", t.TempDir())
	return spark.Options{Master: "local[2]", Program: os.Args[0], Name: "counter"}
}

// search counts to a number.
func search(t *testing.T, opt spark.Options, to counter) (*explore.Result, error) {
	t.Helper()
	c, err := spark.New(opt)
	require.NoError(t, err)
	c.About(fmt.Append(nil, uint64(to)))
	dir := filepath.Join(t.TempDir(), "files")
	r, err := cluster.Search(t.Context(), to, explore.Options{}, cluster.Options{Dir: dir, Small: -1, Scheduler: c, Subject: subject(to)})
	if err != nil {
		assert.NoDirExists(t, dir)
	}
	require.NoError(t, errors.Join(c.Close(), c.Close()))
	left, e := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, e)
	assert.Empty(t, left)
	return r, err
}

func TestDriver(t *testing.T) {
	for name, env := range map[string]string{"all is well": "", "a worker dies": filepath.Join(t.TempDir(), "died")} {
		t.Run(name, func(t *testing.T) {
			opt := fake(t, "")
			var said []string
			opt.Say = func(line string) { said = append(said, line) }
			t.Setenv(dyingEnv, env)
			want, err := explore.Search(t.Context(), counter(9), explore.Options{})
			require.NoError(t, err)
			got, err := search(t, opt, 9)
			require.NoError(t, err)
			assert.Equal(t, want.Levels, got.Levels)
			assert.Equal(t, want.Generated, got.Generated)
			assert.Equal(t, []string{"Spark 4.0.1 on local[2]: 1 task at a time, 2 cores each"}, said)
		})
	}
}

// Each fault is told in a line, and nothing is left behind.
func TestBadInput(t *testing.T) {
	text := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(text, []byte("\x00no program"), 0o600))
	for what, c := range map[string]struct {
		env, want string
		program   string
	}{
		"old":          {want: "Spark: Spark 2.4.8 is too old: want 3.5 or later"},
		"ends":         {want: `the driver of Spark has ended: Exception in thread "main" java.lang.UnsupportedOperationException: no such master`},
		"refused":      {want: "Spark: the queue is full"},
		"no executors": {want: "Spark: the master local[2] gives no executor"},
		"not shipped":  {want: "Spark: worker on HOST: the program is not there: /nowhere/bullyproof-worker"},
		"no program":   {program: text, want: "Spark: worker on HOST: [Errno 8] Exec format error: 'DIR/bullyproof-worker'"},
		"dying":        {env: "always", want: "Spark: a worker on HOST has ended, 4 times in a row: exit status 7"},
	} {
		t.Run(what, func(t *testing.T) {
			opt := fake(t, what)
			t.Setenv("BULLYPROOF_PATIENCE", "0.1")
			t.Setenv(dyingEnv, c.env)
			if c.program != "" {
				opt.Program = c.program
			}
			_, err := search(t, opt, 9)
			host, e := os.Hostname()
			require.NoError(t, e)
			require.Error(t, err)
			assert.Equal(t, c.want, anonymous(err.Error(), host))
		})
	}
	opt := fake(t, "")
	_, err := search(t, opt, 78)
	assert.ErrorContains(t, err, "an expander panicked: out of order (state 000000000000004d was expanded)")

	opt.Program = "nowhere"
	_, err = spark.New(opt)
	assert.EqualError(t, err, "the program nowhere, which workers run, is not there")
	opt.Program, opt.Conf = os.Args[0], []string{"spark.executor.memory"}
	_, err = spark.New(opt)
	assert.EqualError(t, err, `setting "spark.executor.memory" of Spark: want KEY=VALUE`)
}

// anonymous returns a text without what depends on the machine.
func anonymous(text, host string) string {
	text = strings.ReplaceAll(text, " on "+host, " on HOST")
	return regexp.MustCompile(`'/.*/bullyproof-worker'`).ReplaceAllString(text, "'DIR/bullyproof-worker'")
}
