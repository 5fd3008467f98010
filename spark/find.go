package spark

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const (
	// Version is the version of Spark that Setup installs. From 3.5 on others do.
	Version = "4.0.1"
	// Java is the version of Java that it needs, or later.
	Java = 17
)

// Home returns the directory in which Setup makes an environment.
func Home() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "bullyproof", "spark-"+Version), nil
}

// An installation is a Spark that is there.
type installation struct {
	submit string
	env    []string // for it, beside ours
}

// find looks for Spark: in SPARK_HOME, in PATH, and where Setup makes one.
func find() (in installation, err error) {
	if home := os.Getenv("SPARK_HOME"); home != "" {
		in.submit = filepath.Join(home, "bin", "spark-submit")
		if _, err := os.Stat(in.submit); err != nil {
			return in, fmt.Errorf("no Spark: SPARK_HOME is %s, and there is no bin/spark-submit in it", home)
		}
		return in, nil
	}
	if in.submit, err = exec.LookPath("spark-submit"); err == nil {
		return in, nil
	}
	home, err := Home()
	if err != nil {
		return in, err
	}
	python := filepath.Join(home, "bin", "python")
	found, _ := filepath.Glob(filepath.Join(home, "lib", "python*", "site-packages", "pyspark"))
	if len(found) == 0 {
		return in, errors.New("no Spark: spark-submit is not in PATH and SPARK_HOME is not set; the command spark-setup installs Spark " + Version)
	}
	in.submit = filepath.Join(found[0], "bin", "spark-submit")
	in.env = []string{"SPARK_HOME=" + found[0]}
	if os.Getenv("PYSPARK_PYTHON") == "" {
		in.env = append(in.env, "PYSPARK_PYTHON="+python)
	}
	return in, nil
}

var javaVersion = regexp.MustCompile(`version "(\d+)(?:\.(\d+))?`)

// checkJava says what is wrong with Java.
func checkJava() error {
	name := "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		name = filepath.Join(home, "bin", "java")
	}
	out, err := exec.Command(name, "-version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("no Java: %s -version: %w; Spark %s runs on Java %d or 21", name, err, Version, Java)
	}
	m := javaVersion.FindStringSubmatch(string(out))
	if m == nil {
		return nil // another one, whose words are not known
	}
	major, _ := strconv.Atoi(m[1])
	if major == 1 {
		major, _ = strconv.Atoi(m[2])
	}
	if major < Java {
		return fmt.Errorf("%s is Java %d; Spark %s runs on Java %d or 21", name, major, Version, Java)
	}
	return nil
}

var masters = regexp.MustCompile(`^(local|local\[(\d+|\*)(,\d+)?\]|spark://[^/,]+:\d+(,[^/,]+:\d+)*|yarn|k8s://.+)$`)

// checkMaster says what is wrong with the name of a master, and that no standalone master
// answers. Spark would try for a minute.
func checkMaster(master string) error {
	if !masters.MatchString(master) {
		return fmt.Errorf("master %q: want local[N], spark://HOST:PORT, yarn or k8s://URL", master)
	}
	addresses, ok := strings.CutPrefix(master, "spark://")
	if !ok {
		return nil
	}
	var last error
	for address := range strings.SplitSeq(addresses, ",") {
		c, err := net.DialTimeout("tcp", address, 5*time.Second)
		if err == nil {
			return c.Close()
		}
		last = err
	}
	return fmt.Errorf("master %s does not answer: %w", master, last)
}

// here reports whether a master is on this machine, so that nothing needs to listen beyond
// it.
func here(master string) bool {
	address, ok := strings.CutPrefix(master, "spark://")
	if !ok {
		return strings.HasPrefix(master, "local")
	}
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// checkSystem says why this system makes no search on Spark.
func checkSystem() error {
	if runtime.GOOS == "windows" {
		return errors.New("the program that is shipped to workers is this one, and workers run Linux or macOS: run it there")
	}
	return nil
}

// Class returns the command that runs a class of the Spark that is found, such as a
// master of its own.
func Class(args ...string) (*exec.Cmd, error) {
	in, err := find()
	if err := cmp.Or(err, checkJava()); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(filepath.Dir(in.submit), "spark-class"), args...)
	cmd.Env = append(os.Environ(), in.env...)
	return cmd, nil
}
