package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"bullyproof": main}) }

// TestScripts runs the scripts under testdata/script: "status N ARGS" runs bullyproof,
// which has to exit with status N, and after "oneline" its error stream is one line and
// its output empty.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				got := 0
				var failed *exec.ExitError
				switch err := ts.Exec("bullyproof", args[1:]...); {
				case errors.As(err, &failed):
					got = failed.ExitCode()
				case err != nil:
					ts.Fatalf("%v", err)
				}
				if got != want {
					ts.Fatalf("exit status %d, want %d", got, want)
				}
			},
			"oneline": func(ts *testscript.TestScript, _ bool, _ []string) {
				if said := ts.ReadFile("stderr"); ts.ReadFile("stdout") != "" || strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "bullyproof: ") {
					ts.Fatalf("want one line on the error stream that begins with bullyproof: and no output, got %q", said)
				}
			},
		},
	})
}
