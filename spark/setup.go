package spark

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Setup makes a virtual environment of Python with Spark in Home, in place of one that is
// there in part, and returns where. The output of pip goes to out.
func Setup(ctx context.Context, out io.Writer) (home string, err error) {
	if home, err = Home(); err != nil {
		return "", err
	}
	if err := checkJava(); err != nil {
		return "", err
	}
	if found, _ := filepath.Glob(filepath.Join(home, "lib", "python*", "site-packages", "pyspark-"+Version+"*")); len(found) > 0 {
		return home, nil
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", errors.New("no Python: python3 is not in PATH; Spark runs its driver by Python 3.9 or later")
	}
	for _, args := range [][]string{
		{python, "-m", "venv", home},
		{filepath.Join(home, "bin", "pip"), "install", "--disable-pip-version-check", "pyspark==" + Version},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Run(); err != nil {
			return "", errors.Join(fmt.Errorf("%s %s: %w", filepath.Base(args[0]), args[1], err), os.RemoveAll(home))
		}
	}
	return home, nil
}
