package logformat_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/logformat"
)

var update = flag.Bool("update", false, "rewrite golden files")

func reading(t require.TestingT, description, group string) *logformat.Reading {
	f, err := logformat.Parse("store.txt", []byte(description))
	require.NoError(t, err)
	r, err := logformat.New(f, group)
	require.NoError(t, err)
	return r
}

// shown reads a log to its end, a line for each event.
func shown(r eventlog.Source) (list []string, err error) {
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		line := fmt.Sprintf("%d %s %s", e.Line, e.Time.UTC().Format("05.999999"), &e)
		if b := e.Belief; b != nil {
			who := b.Elected.Name()
			if *b.Elected == eventlog.NotMe {
				who = "not itself"
			}
			line += ": " + who
			if b.Participant != nil {
				line += fmt.Sprintf(", participant %t", *b.Participant)
			}
			if b.Epoch != nil {
				line += fmt.Sprintf(", epoch %d", *b.Epoch)
			}
		}
		list = append(list, line)
	}
}

// The example logs are read as they were written: golden files show the events.
func TestExamples(t *testing.T) {
	for _, name := range logformat.Shipped() {
		t.Run(name, func(t *testing.T) {
			f, _ := logformat.Named(name)
			r, err := logformat.New(f, "")
			require.NoError(t, err)
			logs, err := filepath.Glob("testdata/" + name + "*.log")
			require.NoError(t, err)
			require.NotEmpty(t, logs)
			var b bytes.Buffer
			for _, log := range logs {
				file, err := os.Open(log)
				require.NoError(t, err)
				list, err := shown(r.Reader(file, log))
				require.NoError(t, err)
				require.NoError(t, file.Close())
				fmt.Fprintf(&b, "%s\n  %s\n", filepath.Base(log), strings.Join(list, "\n  "))
			}
			fmt.Fprintf(&b, "%s\nbase %d, %+v\n", strings.Join(r.Names(), "\n"), r.Base(), r.Counts())
			golden := "testdata/" + name + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, b.Bytes(), 0o666))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), b.String())
		})
	}
}

// at returns lines with times, a second apart.
func at(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "2026-01-31T10:00:%02dZ %s\n", i, line)
	}
	return b.String()
}

func TestReader(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a life", at("a starts", "chatter", "a asks for term 3", "a leads term 3", "a follows", "a follows b", "a is lost", "a stops", "a starts"), []string{
			"1 00 P1 comes up (cold)", "3 02 P1 is observed: not itself, participant true, epoch 3", "4 03 P1 is observed: P1, epoch 3",
			"5 04 P1 is observed: ⊥, participant false", "6 05 P1 is observed: P2, participant false", "7 06 P1 is observed: ⊥",
			"8 07 P1 crashes", "9 08 P1 comes up (restart)",
		}},
		{"up before its log", at("a leads term 1"), []string{"1 00 P1 comes up (cold)", "1 00 P1 is observed: P1, epoch 1"}},
		{"last words", at("a starts", "a stops", "a is lost", "a follows"), []string{"1 00 P1 comes up (cold)", "2 01 P1 crashes"}},
		{"up again without a line", at("a starts", "a stops", "a leads term 2"), []string{
			"1 00 P1 comes up (cold)", "2 01 P1 crashes", "3 02 P1 comes up (restart)", "3 02 P1 is observed: P1, epoch 2"}},
		{"a line without a process", at("begins", "a follows b"), []string{"1 00 P1 comes up (cold)", "2 01 P1 is observed: P2, participant false"}},
		{"and after one that has it", at("a starts", "begins"), []string{"1 00 P1 comes up (cold)", "2 01 P1 comes up (restart)"}},
		{"of nobody", at("begins"), nil},
		{"nothing", "", nil},
		{"no event", "chatter\n\n\xff\n", nil},
		{"long lines", strings.Repeat("x", 3*eventlog.MaxLine) + "\n" + at("a starts"), []string{"2 00 P1 comes up (cold)"}},
		{"a line without an end", at("a starts") + "2026-01-31T10:01:00Z a leads term 1", []string{"1 00 P1 comes up (cold)"}},
		{"ends of lines of other systems", strings.ReplaceAll(at("a follows b"), "\n", "\r\n"), []string{"1 00 P1 comes up (cold)", "1 00 P1 is observed: P2, participant false"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := shown(reading(t, small, "").Reader(strings.NewReader(c.text), "log"))
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestReaderRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"two events", at("a starts", "a stops and b starts"), "log:2: the line matches two events, up (line 12 of the format) and down (line 14): want expressions of which one matches"},
		{"a time", "2026-01-31T10:60:00Z a starts\n", `log:1: the time is "2026-01-31T10:60:00Z": want one like "2006-01-02T15:04:05Z07:00"`},
		{"no time", " a starts\n", "log:1: the line has an event and no time that the format reads"},
		{"a term", at("a leads term 99999999999999999999"), `log:1: the term is "99999999999999999999": want a whole number below 2^64`},
		{"a clock", at("a starts") + at("b starts") + "2026-01-31T09:59:59.5Z a stops\n", "log:3: the clock of P1 runs backwards, from 10:00:00.000000 to 09:59:59.500000"},
		{"nobody of several", at("a starts", "b starts", "begins"), "log:3: the line names no process, and the file names several"},
		{"nobody, too often", strings.Repeat(at("begins"), 65), "log:65: 65 lines name no process: say with --as whose log this is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reading(t, small, "").Reader(strings.NewReader(c.text), "log")
			_, err := shown(r)
			require.ErrorContains(t, err, c.want)
			_, again := r.Next()
			assert.Equal(t, err, again)
		})
	}
}

func TestTooManyProcesses(t *testing.T) {
	var b strings.Builder
	for i := range 65 {
		fmt.Fprintf(&b, "2026-01-31T10:00:00Z n%d starts\n", i)
	}
	_, err := shown(reading(t, small, "").Reader(strings.NewReader(b.String()), "log"))
	assert.EqualError(t, err, `log:65: "n64" is one process too many: at most 64`)
}

// Seconds since 1970 are a time as well.
func TestUnixTime(t *testing.T) {
	r := reading(t, "format x\ntime ^(?P<time>\\S+)\nlayout unix\nevent up (?P<process>\\w+) starts\n", "")
	got, err := shown(r.Reader(strings.NewReader("1531181998.7567253 a starts\n1531181999 b starts\nnoon a starts\n"), "log"))
	assert.Equal(t, []string{"1 58.756725 P1 comes up (cold)", "2 59 P2 comes up (cold)"}, got)
	assert.EqualError(t, err, `log:3: the time is "noon": want one like "unix"`)
}

// Journals write no year, and know the day that only some years have.
func TestTimeWithoutYear(t *testing.T) {
	r := reading(t, "format x\ntime ^(?P<time>.{15})\nlayout Jan _2 15:04:05\nevent up (?P<process>\\w+) starts\n", "")
	got, err := shown(r.Reader(strings.NewReader("Feb 29 23:59:58 a starts\nMar  1 00:00:01 a starts\n"), "log"))
	require.NoError(t, err)
	assert.Equal(t, []string{"1 58 P1 comes up (cold)", "2 01 P1 comes up (restart)"}, got)
}

// Names are given, or taken in the order in which they appear.
func TestNames(t *testing.T) {
	r := reading(t, small, "")
	require.NoError(t, r.File(3, "c.log"))
	r.Learn(strings.NewReader(at("b follows a")), "b.log")
	_, err := shown(r.Reader(strings.NewReader(at("begins", "c starts")), "c.log"))
	require.NoError(t, err)
	assert.Equal(t, []string{"P1 is b", "P2 is a", "P3 is c"}, r.Names())
	assert.Equal(t, logformat.Counts{Lines: 2, Events: 2}, r.Counts())
	_, err = shown(r.Reader(strings.NewReader(at("a starts")), "c.log"))
	assert.EqualError(t, err, `c.log:1: the name "a" is that of P2: it is not that of P3 as well`)

	r = reading(t, small, "")
	require.NoError(t, r.Name(2, "alpha"))
	require.NoError(t, r.Name(2, "a"))
	assert.EqualError(t, r.Name(1, "a"), `the name "a" is that of P2: it is not that of P1 as well`)
	_, err = shown(r.Reader(strings.NewReader(at("a starts", "beta starts")), "log"))
	assert.EqualError(t, err, `log:2: unknown process "beta": want a or alpha`)
	require.NoError(t, r.File(1, "x"))
	assert.ErrorContains(t, r.File(2, "x"), "the log x is that of P1")
}

func TestGroups(t *testing.T) {
	text := strings.ReplaceAll(small, "event   leads      ", "event   leads      (?P<group>[ab])/")
	r := reading(t, text, "b")
	got, err := shown(r.Reader(strings.NewReader(at("a/x leads term 1", "b/x leads term 2")), "log"))
	require.NoError(t, err)
	assert.Equal(t, []string{"2 01 P1 comes up (cold)", "2 01 P1 is observed: P1, epoch 2"}, got)
	assert.Equal(t, logformat.Counts{Lines: 2, Events: 1, Groups: 1}, r.Counts())

	f, err := logformat.Parse("f", []byte(small))
	require.NoError(t, err)
	_, err = logformat.New(f, "b")
	assert.EqualError(t, err, "lines of the format store tell no group: want none")
}

// The terms of a model begin right before what the lines tell.
func TestBase(t *testing.T) {
	for text, want := range map[string]uint64{
		at("a starts"): 0, at("a leads term 57"): 56, at("a asks for term 1"): 0, at("a leads term 0"): 0,
		at("a asks for term 9", "b leads term 5"): 4,
	} {
		r := reading(t, small, "")
		_, err := shown(r.Reader(strings.NewReader(text), "log"))
		require.NoError(t, err)
		assert.Equal(t, want, r.Base(), text)
	}
}

// Other lines between the events of a log change none of them.
func TestChatterChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfN(rapid.SampledFrom([]string{"a leads term 1", "b follows a", "c starts", "a stops", "b is lost"}), 0, 8).Draw(t, "events")
		var quiet, loud strings.Builder
		for i, e := range events {
			fmt.Fprintf(&quiet, "2026-01-31T10:00:%02dZ %s\n", i, e)
			for range rapid.IntRange(0, 3).Draw(t, "chatter") {
				loud.WriteString(rapid.SampledFrom([]string{"\n", "chatter\n", "2026-01-31T09:00:00Z hello\n", strings.Repeat("y", eventlog.MaxLine+1) + "\n"}).Draw(t, "line"))
			}
			fmt.Fprintf(&loud, "2026-01-31T10:00:%02dZ %s\n", i, e)
		}
		strip := func(text string) (list []string) {
			got, err := shown(reading(t, small, "").Reader(strings.NewReader(text), "log"))
			require.NoError(t, err)
			for _, line := range got {
				_, rest, _ := strings.Cut(line, " ")
				list = append(list, rest)
			}
			return list
		}
		assert.Equal(t, strip(quiet.String()), strip(loud.String()))
	})
}

// Lines are read or refused; each event is one that an event log can hold, except for
// beliefs that only say that a process does not lead.
func FuzzReader(f *testing.F) {
	for _, name := range logformat.Shipped() {
		logs, err := filepath.Glob("testdata/" + name + "*.log")
		require.NoError(f, err)
		for _, log := range logs {
			text, err := os.ReadFile(log)
			require.NoError(f, err)
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		format, ok := logformat.Named(name)
		if !ok {
			return
		}
		r, err := logformat.New(format, "")
		require.NoError(t, err)
		reader := r.Reader(bytes.NewReader(text), "log")
		for {
			e, err := reader.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				assert.True(t, strings.HasPrefix(err.Error(), "log:"), "%v names the line", err)
				return
			}
			if b := e.Belief; b != nil && *b.Elected == eventlog.NotMe {
				*b.Elected = model.None
			}
			_, err = e.Encode()
			require.NoError(t, err)
		}
	})
}
