//go:build !js

package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/logformat"
)

// logLines says in which words logs are written, with the flags for that.
type logLines struct {
	name  string // of the format, "" for event logs
	group string
	as    []string
	slack span

	format  *logformat.Format
	reading *logformat.Reading // nil for event logs
}

func (l *logLines) add(flags *pflag.FlagSet) {
	flags.StringVar(&l.name, "log-format", "", "the logs are in this `FORMAT`: "+strings.Join(logformat.Shipped(), ", ")+", or a file that describes one")
	flags.StringVar(&l.group, "log-group", "", "read the lines of this group (`NAME`), where a log is of several")
	l.slack = span(time.Second)
	flags.Var(&l.slack, "slack", "how far the clocks of the logs may be off, like 5ms")
	flags.StringArrayVar(&l.as, "as", nil, "which process a LOG is of, or a name in the logs: `P2=NAME`; may be repeated")
}

// begin finds the format for some logs; there is nothing to find for event logs.
func (l *logLines) begin(logs []string) (err error) {
	if l.name == "" {
		if l.group != "" || len(l.as) > 0 {
			return errors.New("flags --log-group and --as need --log-format: an event log numbers its processes")
		}
		return nil
	}
	if l.format, err = findFormat(l.name); err != nil {
		return fmt.Errorf("flag --log-format: %w", err)
	}
	if l.reading, err = logformat.New(l.format, l.group); err != nil {
		return fmt.Errorf("flag --log-group: %w", err)
	}
	for _, text := range l.as {
		if err := l.call(text, logs); err != nil {
			return fmt.Errorf("flag --as: %w", err)
		}
	}
	return nil
}

// findFormat returns the format of a name, or the one that a file describes.
func findFormat(name string) (*logformat.Format, error) {
	if f, ok := logformat.Named(name); ok {
		return f, nil
	}
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w; there is no file of the name either", nearest.Unknown("format", name, logformat.Shipped()))
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was read, not written
	text, err := io.ReadAll(io.LimitReader(file, logformat.MaxText+1))
	if err != nil {
		return nil, err
	}
	return logformat.Parse(name, text)
}

// call says which process a log is of, or which one has a name.
func (l *logLines) call(text string, logs []string) error {
	who, name, ok := strings.Cut(text, "=")
	n, err := strconv.ParseUint(strings.TrimPrefix(who, "P"), 10, 8)
	if !ok || name == "" || err != nil || n < 1 || n > uint64(model.MaxID) {
		return fmt.Errorf("%q: want P2=NAME, of a process, P1 to P%d, with the name of a LOG or one in the logs", nearest.Clip(text), model.MaxID)
	}
	if slices.Contains(logs, name) {
		return l.reading.File(model.ID(n), shownLog(name))
	}
	return l.reading.Name(model.ID(n), name)
}

// source returns what yields the events of a log.
func (l *logLines) source(in io.Reader, name string) eventlog.Source {
	if l.reading != nil {
		return l.reading.Reader(in, name)
	}
	return eventlog.NewReader(in, name)
}

// learn numbers the processes of the logs that can be read twice, log by log, such that
// their numbers do not depend on which log is read first.
func (l *logLines) learn(logs []string) {
	if l.reading == nil || len(logs) < 2 {
		return
	}
	for _, name := range logs {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if file, err := os.Open(name); err == nil {
			l.reading.Learn(file, name)
			_ = file.Close() // it was read, not written
		}
	}
}

// told says what was read of the logs, in lines.
func (l *logLines) told() (list []string) {
	if l.reading == nil {
		return nil
	}
	c := l.reading.Counts()
	list = append(list, fmt.Sprintf("%d of %d lines are events (%s)", c.Events, c.Lines, l.format.Lines))
	if c.Groups > 0 {
		list = append(list, fmt.Sprintf("%d more are events of other groups", c.Groups))
	}
	if c.Torn > 0 {
		list = append(list, fmt.Sprintf("%d logs end with a line without an end, which is left out", c.Torn))
	}
	return append(list, l.called()...)
}

// called says who is called how in the logs.
func (l *logLines) called() []string {
	if l.reading == nil {
		return nil
	}
	return l.reading.Names()
}
