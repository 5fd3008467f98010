//go:build linux

// Package sparktest starts a cluster of Spark on this machine, for tests.
package sparktest

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bullyproof/spark"
)

// required is set where a test that needs Spark is not to be skipped.
const required = "BULLYPROOF_SPARK"

// Need skips a test where there is no Spark, unless BULLYPROOF_SPARK is "required".
func Need(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes a cluster")
	}
	if _, err := spark.Class(); err != nil {
		if os.Getenv(required) == "required" {
			t.Fatal(err)
		}
		t.Skipf("%v (the command spark-setup)", err)
	}
	if _, ok := t.(*testing.B); !ok { // most of a test is the start of Java
		t.Setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
	}
}

// Standalone starts a master and so many workers of one core each, which listen on the
// loopback alone and end with the test. It returns the URL of the master.
func Standalone(t testing.TB, workers int) string {
	t.Helper()
	Need(t)
	url := start(t, regexp.MustCompile(`Starting Spark master at (spark://\S+)`),
		"org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")()
	ready := make([]func() string, workers)
	for i := range ready {
		ready[i] = start(t, regexp.MustCompile(`(Successfully registered) with master`),
			"org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g",
			"--work-dir", t.TempDir(), url)
	}
	for _, wait := range ready {
		wait()
	}
	return url
}

// start starts a process. It returns a function that waits until the process is ready,
// and returns its output until then.
func start(t testing.TB, ready *regexp.Regexp, args ...string) (wait func() string) {
	t.Helper()
	cmd, err := spark.Class(args...)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Env, "SPARK_LOCAL_IP=127.0.0.1", "SPARK_PUBLIC_DNS=127.0.0.1", "SPARK_LOCAL_DIRS="+t.TempDir(), "SPARK_NO_DAEMONIZE=1")
	out, to := io.Pipe()
	cmd.Stdout, cmd.Stderr = to, to
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is killed
		_ = to.Close()
		close(ended)
	}()
	t.Cleanup(func() {
		end(cmd, ended)
	})
	said := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := ready.FindStringSubmatch(lines.Text()); m != nil {
				said <- m[1]
			}
		}
	}()
	return func() string {
		t.Helper()
		select {
		case text := <-said:
			return text
		case <-ended:
		case <-time.After(time.Minute):
		}
		t.Fatalf("%s has not become ready", args[0])
		return ""
	}
}

// end has a process end by itself, so that it ends what it has started.
func end(cmd *exec.Cmd, ended <-chan struct{}) {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it may be gone
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		<-ended
	}
}

// KillWorker kills a process that does tasks, and reports whether there was one. Its
// program is in a directory of the test.
func KillWorker(t testing.TB, below string) bool {
	t.Helper()
	return killed(t, func(process string) bool {
		exe, err := os.Readlink(filepath.Join(process, "exe"))
		return err == nil && strings.HasPrefix(exe, below) && filepath.Base(exe) == "bullyproof-worker"
	})
}

// KillExecutor kills an executor of Standalone, and reports whether there was one. It runs
// in a directory of the test.
func KillExecutor(t testing.TB, below string) bool {
	t.Helper()
	return killed(t, func(process string) bool {
		dir, err := os.Readlink(filepath.Join(process, "cwd"))
		if err != nil || !strings.HasPrefix(dir, below) {
			return false
		}
		line, err := os.ReadFile(filepath.Join(process, "cmdline"))
		return err == nil && bytes.Contains(line, []byte("\x00org.apache.spark.executor.CoarseGrainedExecutorBackend\x00"))
	})
}

// killed kills a process of a kind, given by its directory in /proc.
func killed(t testing.TB, is func(process string) bool) bool {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		pid, err := strconv.Atoi(filepath.Base(process))
		if err == nil && is(process) && syscall.Kill(pid, syscall.SIGKILL) == nil {
			return true
		}
	}
	return false
}
