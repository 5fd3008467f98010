package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A bad case is a command line, where FILE stands for a trace file that is
// spoiled as the case says, with the status and a part of the line that tells
// what is wrong. All bad input that somebody has met belongs here; scripts
// (testdata/script/bad.txtar) tell the same as a story.
type badCase struct {
	name, args string
	old, new   string // in the file; "" leaves it whole
	status     int
	says       string
}

// Words of a command line are divided by spaces; _ stands for a space in a word.
var badCases = []badCase{
	// Commands and flags.
	{"no such command", "chek bully", "", "", 2, `unknown command "chek": did you mean check?`},
	{"help with no command", "help chek", "", "", 2, `unknown command "chek": did you mean check?`},
	{"a shell that is not known", "completion bashh", "", "", 2, `unknown command "bashh": did you mean bash?`},
	{"a flag of no command", "--frobnicate", "", "", 2, `bullyproof: unknown flag --frobnicate: bullyproof --help lists them`},
	{"a flag that is near", "check bully --crahses 1", "", "", 2, `check: unknown flag --crahses: did you mean --crashes?`},
	{"a short flag", "check bully -z", "", "", 2, `check: unknown flag -z: bullyproof check --help lists them`},
	{"a flag without a value", "check bully --crashes", "", "", 2, `check: flag needs an argument: --crashes`},
	{"a long word", "check " + strings.Repeat("x", 5000), "", "", 2, `unknown algorithm "xxx`},
	{"control characters", "check \x1b[31mbully", "", "", 2, `unknown algorithm "\x1b[31mbully"`},
	{"no workers", "check bully --workers -1", "", "", 2, `want a number from 1 to 1024, or 0 for one per processor`},
	{"too many workers", "check bully --workers 1025", "", "", 2, `invalid argument "1025" for "--workers" flag: want a number from 1 to 1024`},
	{"as many workers as there are numbers", "messages bully --workers 2147483647", "", "", 2, `want a number from 1 to 1024`},
	{"workers of claims", "claims --workers 1000000", "", "", 2, `want a number from 1 to 1024`},
	{"no number of states", "check bully --max-states 1e6", "", "", 2, `want a number like 500000 or 20M`},
	{"a size without a unit that is", "check bully --max-bytes 2XiB", "", "", 2, `want a size like 500MiB or 2GiB`},
	{"two directories", "check bully --disk a --resume b", "", "", 2, `flags --disk "a" and --resume "b": a check goes on in the directory of its checkpoint`},
	{"checkpoints nowhere", "check bully --checkpoint-every 30s", "", "", 2, `flag --checkpoint-every needs --disk or --resume`},
	{"depth first on disk", "check bully --disk d --order dfs", "", "", 2, `flag --order is dfs: a check on disk is breadth first`},
	{"whole states on disk", "check bully --disk d --exact", "", "", 2, `flag --exact keeps whole states in memory`},
	{"no checkpoint", "check bully --resume nowhere", "", "", 2, `there is no checkpoint (checkpoint.json) to resume`},
	{"a negative time", "check bully --max-time -1s", "", "", 2, `want a duration like 30s, 5m or 2h`},
	{"a depth beyond any", "check bully --max-depth 100000", "", "", 2, `depth limit 100000 is out of range`},
	{"a property that is not there", "check bully --property uniquenes", "", "", 2, `unknown property "uniquenes": did you mean uniqueness?`},
	{"the second of two properties that is not there", "check bully --property validity,uniquenes", "", "", 2, `unknown property "uniquenes": did you mean uniqueness?`},
	{"an algorithm's own property, misspelt", "check consul --property kpt", "", "", 2, `unknown property "kpt": did you mean kept?`},
	{"a property twice", "check bully --property e2 --property e2", "", "", 2, `property "e2" is asked for twice`},
	{"a port beyond any", "explore bully --no-open --port 65536", "", "", 2, `flag --port is 65536: want a port, 0 to 65535`},
	{"runs to save and none", "messages bully --save found", "", "", 2, `flag --save is "found", and no run is asked for`},
	{"saved under no name", "check bully --save=", "", "", 2, `flag --save is empty: want a name`},
	{"a checkpoint that is no path", "check bully --resume s3a://bucket/found", "", "", 2, `directory "s3a://bucket/found": a search on this machine (--engine local) has its files in a path of it: this command searches on this machine; the one of module spark also searches on Apache Spark: go run -C spark ./cmd/bullyproof`},
	{"a file that is no path", "check bully --disk file:/found", "", "", 2, `directory "file:/found": a search on this machine (--engine local) has its files in a path of it`},
	{"a disk of no name", "check bully --disk=", "", "", 2, `flag --disk is empty: want a name`},
	{"a picture of no name", "simulate bully --svg=", "", "", 2, `flag --svg is empty: want a name`},
	{"saved under a long name", "check bully --save " + strings.Repeat("x", 300), "", "", 2, `file name too long`},
	{"a picture in no directory", "simulate bully --svg FILE/deeper.svg", "", "", 2, `flag --svg is `},
	{"a picture in place of a directory", "simulate bully --svg .", "", "", 2, `flag --svg is ".": that is a directory: want the name of a file`},
	{"a site of this command", "site pages", "", "", 2, `site: this command makes no web site; the one of module site does: go run -C site ./cmd/bullyproof site ../DIR`},
	{"saved where nobody writes", "check bully --save FILE/deeper", "", "", 2, `is not a directory`},
	{"a run in another setting", "explore bully-duplicate-coordinator -n 4 --no-open", "", "", 2, `a trace has a setting of its own`},
	{"two things at once", "claims --recorded --deep", "", "", 2, `flags --recorded and --deep: want one of them`},
	{"one process more, deep", "claims --larger 1k --deep", "", "", 2, `flag --larger: nothing is on record of one process more, nor deep: want neither --recorded nor --deep`},
	{"a limit for nothing", "claims --max-time 1s", "", "", 2, `flag --max-time: want it with --larger`},

	// Settings.
	{"nobody", "check bully -n 0", "", "", 2, `bullyproof: n=0: want 2 to 16 processes`},
	{"an empty number", "check bully -n ", "", "", 2, `bullyproof: -n is empty: want a whole number from 2 to 16`},
	{"an empty budget", "check bully --crashes ", "", "", 2, `bullyproof: --crashes is empty: want a whole number`},
	{"one more than a search sees", "check bully -n 17", "", "", 2, `bullyproof: n=17: an exhaustive search takes from 2 to 16 processes`},
	{"as many as an id can name", "check bully -n 64", "", "", 2, `n=64: an exhaustive search takes from 2 to 16 processes`},
	{"more than that", "messages bully -n 65", "", "", 2, `n=65: want 2 to 16 processes`},
	{"absent ones among 64", "check bully -n 64 --joins 32", "", "", 2, `n=64: `},
	{"anybody among 64", "check bully -n 64 --start cold --initiators any", "", "", 2, `n=64: `},
	{"no number", "check bully --crashes one", "", "", 2, `crashes=one: want a number from 0 to 255`},
	{"a word of no setting", "check bully --setting n=3_foo=1", "", "", 2, `setting has no word "foo": want n, `},
	{"a word twice", "check bully --setting n=3_n=4", "", "", 2, `n is given twice`},
	{"no word", "check bully --setting n=3_crashes", "", "", 2, `"crashes" is not of the form key=value`},
	{"restarts without crashes", "check bully --crashes 0 --restarts 1", "", "", 2, `restarts=1 without crashes: nobody is ever down (add crashes=1)`},
	{"another topology", "check bully --topology ring", "", "", 2, `topology=ring: the algorithm sends to any process (want topology=complete)`},
	{"somebody who is not there", "messages bully -n 3 --detect 4", "", "", 2, `there is no process 4 among 3`},

	// Trace files.
	{"another schema", "replay FILE", `"schema": 1`, `"schema": 2`, 2, `schema is 2: this program reads schema 1`},
	{"65 processes in a file", "replay FILE", `"setting": "n=3`, `"setting": "n=65`, 2, `line 9: setting: n=65: want 2 to 16 processes`},
	{"65 processes to draw", "trace FILE", `"setting": "n=3`, `"setting": "n=65`, 2, `n=65: want 2 to 16 processes`},
	{"65 processes to explore", "explore --no-open --trace FILE", `"setting": "n=3`, `"setting": "n=65`, 2, `n=65: want 2 to 16 processes`},
	{"a word of no setting in a file", "replay FILE", `"setting": "n=3`, `"setting": "n=3 foo=1`, 2, `line 9: setting has no word "foo"`},
	{"another setting than the origin's", "replay FILE", `"setting": "n=3`, `"setting": "n=4`, 2, `is not setting`},
	{"an algorithm that is not here", "replay FILE", `"algorithm": "bully"`, `"algorithm": "buly"`, 2, `cannot be read: trace: unknown algorithm "buly": did you mean bully?`},
	{"a variant that is not here", "replay FILE", `"variant": "coulouris"`, `"variant": "coulour"`, 2, `cannot be read: trace: unknown variant of bully "coulour": did you mean coulouris?`},
	{"a property that is not here", "trace FILE", `"property": "uniqueness"`, `"property": "fame"`, 2, `cannot be read: trace: unknown property "fame"`},
	{"a violation that is called a witness", "replay FILE", `"kind": "violation"`, `"kind": "witness"`, 2, `uniqueness is a property that breaks, and the trace is a witness`},
	{"a process that is not there", "replay FILE", `"process": 3`, `"process": 17`, 1, `step 1: P17 crashes: there is no process 17, only 1 to 3. What can happen, the nearest first: P1 crashes; P2 crashes; P3 crashes`},
	{"another step", "replay FILE", `"who": 3`, `"who": 1`, 1, `not as recorded: trace: step 2: P2 suspects P1 cannot happen here`},
	{"another property", "replay FILE", `"property": "uniqueness"`, `"property": "validity"`, 1, `validity is not broken`},
	{"a field that is not", "replay FILE", `"variant"`, `"varient"`, 2, `the trace has no field "varient"; did you mean "variant"?`},
	{"a byte-order mark", "replay FILE", "{\n", "\ufeff{\n", 2, `the file begins with a byte-order mark (EF BB BF): save it as UTF-8 without one`},
	{"text after the end", "replay FILE", "\n}\n", "\n}\nxyz\n", 2, `unexpected text "xyz" after the end of the trace`},
	{"half a file", "replay FILE", "\n}\n", "\n", 2, `the file ends in the middle of the trace: it was cut off`},
	{"what a terminal obeys", "replay FILE", `"title": "`, `"title": "\u001b[2J`, 2, `holds U+001B, which cannot be printed`},
	{"onto itself", "trace FILE --format svg -o FILE", "", "", 2, `the file that is read: want another`},
	{"no such format", "trace FILE --format svgg", "", "", 2, `did you mean svg?`},
	{"a file that is not there", "replay FILE.json", "", "", 2, `no file "`},
	{"a name like none", "trace bully-duplicate-cordinator", "", "", 2, `did you mean bully-duplicate-coordinator?`},
	{"a device", "replay " + os.DevNull, "", "", 2, `it is a device: want a regular file`},
	{"a name of 5,000 bytes", "replay " + strings.Repeat("x/", 2500), "", "", 2, `…`},
}

func TestBadInput(t *testing.T) {
	good, err := ours.Recorded.Open("bully-duplicate-coordinator")
	require.NoError(t, err)
	whole, err := good.Encode()
	require.NoError(t, err)
	for _, c := range badCases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "file.json")
			data := whole
			if c.old != "" {
				require.Contains(t, string(whole), c.old)
				data = bytes.Replace(whole, []byte(c.old), []byte(c.new), 1)
			}
			require.NoError(t, os.WriteFile(file, data, 0o666))
			args := strings.Split(strings.ReplaceAll(c.args, "FILE", file), " ")
			for i := range args {
				if !strings.Contains(args[i], dir) {
					args[i] = strings.ReplaceAll(args[i], "_", " ")
				}
			}
			var errors watched
			// A server that should not have begun ends.
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			status, out := runApp(ctx, &errors, args...)
			said := out + errors.b.String()
			assert.Equal(t, c.status, status, said)
			assert.Contains(t, said, c.says)
			assert.Equal(t, 1, strings.Count(said, "\n"), said)
			assert.Less(t, len(said), 700, said)
			assert.NotContains(t, said, "\x1b")
			if c.status == statusUsage {
				assert.Empty(t, out)
				assert.True(t, strings.HasPrefix(said, "bullyproof: "), said)
			}
			now, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(data), string(now), "the file is as it was")
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Len(t, entries, 1, "nothing is left behind")
		})
	}
}

// The same for programs: an object with the same message.
func TestBadInputAsJSON(t *testing.T) {
	for _, c := range badCases {
		words := strings.Split(c.args, " ")
		if c.status != statusUsage || strings.Contains(c.args, "FILE") || (words[0] != "check" && words[0] != "messages") || strings.HasSuffix(c.args, "--crashes") {
			continue
		}
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		status, out := runApp(context.Background(), &watched{}, append(words, "--json")...)
		assert.Equal(t, statusUsage, status, c.name)
		var o struct {
			Error struct {
				Status  int
				Message string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &o), "%s: %s", c.name, out)
		assert.Equal(t, statusUsage, o.Error.Status)
		assert.Contains(t, "bullyproof: "+o.Error.Message, c.says, c.name)
	}
}
