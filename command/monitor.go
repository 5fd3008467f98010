//go:build !js

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
	"bullyproof/trace"
)

// A monitorCommand is the command monitor with its flags.
type monitorCommand struct {
	app *app
	look
	logLines
	leaderless span
	algorithm  string
	setting    string
	properties []string
	follow     bool
	timed      bool // --slack is given
	last       number
}

func (c *monitorCommand) command() *cobra.Command {
	c.last = 15
	cmd := &cobra.Command{
		Use:   "monitor LOG...",
		Short: "watch the logs of a running system for the first thing that goes wrong",
		Long: "Monitor reads logs while they are written, in the form that docs/event-log.md describes, and ends at the\n" +
			"first line that breaks a property. - is the input.\n\n" +
			"Without an algorithm it uses only what processes say that they believe. It checks one-leader-per-epoch on\n" +
			"everything that was ever said, and with --property uniqueness that no two lead at one instant, in the\n" +
			"order of the lines. With --algorithm it follows the model as well, like validate. It ends at a line that\n" +
			"the model does not allow, and checks the named properties on each state and step that the lines imply. No\n" +
			"log can break a property of what happens sooner or later, since more lines may come: such a property is\n" +
			"refused.\n\n" +
			"With --log-format the logs are those of another program, which docs/event-log.md says how to describe. It also\n" +
			"checks epochs-grow then, that the epoch of a process never falls, and uniqueness is by the times of the lines,\n" +
			"as it is with --slack.\n\n" +
			"It ends at the end of the logs, or with --follow at Ctrl-C, and then reports what it has seen. With --follow\n" +
			"it notices that a log is rotated: where another file takes the name, or the file becomes shorter, it says so\n" +
			"and reads that from its first line.\n\n" +
			"Exit status: 0 nothing wrong, 1 a property is broken or a line is refused, 3 no line tells what a property\n" +
			"needs, or the search was not complete, 2 bad usage or input.",
		Example:           c.app.examples("monitor node*.ndjson --follow", "monitor cluster.ndjson --algorithm ALGO --setting n=5"),
		Args:              wantArgs(1, -1, "one LOG or several"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE: func(cmd *cobra.Command, args []string) error {
			c.timed = cmd.Flags().Changed("slack")
			return c.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.algorithm, "algorithm", "", "follow the model of `ALGO[/VARIANT]` as well")
	flags.StringVar(&c.setting, "setting", "", "words of the model's setting, `TEXT`, in place of its usual number of processes and unlimited faults")
	flags.StringSliceVar(&c.properties, "property", nil, "watch these properties only (`NAME`, or several with commas)")
	c.logLines.add(flags)
	flags.Var(&c.leaderless, "leaderless", "how long nobody may lead or name a leader, by the times of the lines, like 10s; 0s is any time")
	flags.BoolVar(&c.follow, "follow", false, "wait for more at the end of a file")
	flags.Var(&c.last, "last", "draw this many steps before a line that the model does not allow; 0 draws none")
	c.look.add(flags)
	return cmd
}

// A monitored system is what a monitor has seen of it.
type monitored struct {
	asked   *monitorCommand
	subject *subject
	online  *validate.Online // nil without a model
	beliefs validate.Beliefs
	numbers []eventlog.Numbers // by file
	epochs  bool               // they are asked
	names   []string
	lines   int
}

// run watches logs.
func (c *monitorCommand) run(ctx context.Context, names []string) error {
	m := &monitored{asked: c, names: names, epochs: true, numbers: make([]eventlog.Numbers, len(names))}
	if err := c.begin(names); err != nil {
		return err
	}
	if err := m.prepare(); err != nil {
		return err
	}
	c.learn(names)
	lines, end := (&logs{c.app, names, c.follow, &c.logLines}).lines(ctx)
	defer end()
	c.app.searching.Store(true)
	for {
		select {
		case l, more := <-lines:
			switch {
			case !more:
				return m.end(ctx, "")
			case l.err != nil:
				return l.err
			}
			if c.reading == nil || l.event.Note != "" { // else no line tells it
				m.lines++
			}
			if done, err := m.add(ctx, l); done || err != nil {
				return err
			}
		case <-ctx.Done(): // a reader may wait for its input
			early := "an interrupt came before the end of the logs"
			if c.follow {
				early = ""
			}
			return m.end(ctx, early)
		}
	}
}

// epochsGrow is the property of beliefs that the epoch of a process never falls.
const epochsGrow = "epochs-grow"

// ofBeliefs are the properties that need no model.
var ofBeliefs = []string{checker.OneLeaderPerEpoch.Name, checker.Uniqueness.Name, epochsGrow}

// prepareTimes finds out what is asked of the times of the lines, and what of their words.
func (m *monitored) prepareTimes() error {
	c := m.asked
	foreign := c.reading != nil
	switch {
	case foreign && c.algorithm != "":
		return errors.New("flags --log-format and --algorithm: such a log tells too little to follow a model line by line; want validate, which looks for a run")
	case c.leaderless > 0 && c.follow && len(m.names) > 1:
		return errors.New("flags --leaderless and --follow: lines of several logs come in any order; want one log, or no --follow")
	}
	m.beliefs.Slack, m.beliefs.Leaderless = time.Duration(c.slack), time.Duration(c.leaderless)
	m.beliefs.Timed = foreign || c.timed
	m.beliefs.Grow = slices.Contains(c.properties, epochsGrow) || foreign && len(c.properties) == 0
	return nil
}

// prepare finds out what is to be watched.
func (m *monitored) prepare() error {
	of := m.asked.properties
	m.beliefs.Instant = slices.Contains(of, checker.Uniqueness.Name)
	m.epochs = len(of) == 0 || slices.Contains(of, checker.OneLeaderPerEpoch.Name)
	if err := m.prepareTimes(); err != nil {
		return err
	}
	if m.asked.algorithm == "" {
		if m.asked.setting != "" {
			return errors.New("flag --setting needs --algorithm: beliefs have no setting")
		}
		for _, name := range of {
			if !slices.Contains(ofBeliefs, name) {
				return fmt.Errorf("property %q needs a model: want --algorithm, or %s", name, prose.List(ofBeliefs))
			}
		}
		return nil
	}
	s, err := m.asked.app.findSubject(m.asked.algorithm)
	if err != nil {
		return err
	}
	properties, invariants, err := m.invariants(s)
	if err != nil {
		return err
	}
	in, err := validate.Endless(s.setting, m.highest(), m.asked.setting)
	if err != nil {
		return err
	}
	sys, err := s.build(in)
	if err == nil {
		sys, err = checker.Remembered(sys, properties...)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	m.subject, m.online = s, validate.NewOnline(sys, validate.Options{}, invariants)
	for _, name := range m.names {
		m.online.Open(shownLog(name))
	}
	return nil
}

// highest returns the highest process that the logs tell of as far as they are written.
// A stream that cannot be read twice tells of none, and a fault of a line is told when
// the monitor comes to it.
func (m *monitored) highest() (top model.ID) {
	for _, name := range m.names {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.Mode().IsRegular() {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			continue
		}
		r := eventlog.NewReader(file, name)
		for e, err := r.Next(); err == nil; e, err = r.Next() {
			top = max(top, validate.Highest(&e))
		}
		_ = file.Close() // it was only read
	}
	return top
}

// invariants returns the properties that are asked of an algorithm: those that are
// named, or one leader per epoch.
func (m *monitored) invariants(s *subject) (properties []*checker.Property, list []validate.Invariant, err error) {
	names := m.asked.properties
	if len(names) == 0 {
		names = []string{checker.OneLeaderPerEpoch.Name}
	}
	properties, err = s.properties(names)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range properties {
		switch w := p.Watch(); {
		case p.Temporal():
			return nil, nil, fmt.Errorf("property %q is about runs as a whole (%s): a log that goes on cannot break it; want one of states or steps", p.Name, p.Kind())
		case w.Met:
			return nil, nil, fmt.Errorf("property %q asks for a run: nothing breaks it; want one of states or steps that must not be", p.Name)
		case w.State == nil && w.Step == nil:
			return nil, nil, fmt.Errorf("property %q is about what handlers do, which a log does not tell; want one of states or steps", p.Name)
		default:
			list = append(list, validate.Invariant{Name: p.Name, Doc: p.Doc, Broken: w.State, BrokenBy: w.Step})
		}
	}
	return properties, list, nil
}

// add looks at a line. It reports whether it is the last one.
func (m *monitored) add(ctx context.Context, l logLine) (done bool, err error) {
	place := fmt.Sprintf("%s:%d", shownLog(m.names[l.file]), l.event.Line)
	if err := m.numbers[l.file].Next(&l.event); err != nil {
		return true, fmt.Errorf("%s: %w", place, err)
	}
	if l.event.Time.IsZero() && (m.beliefs.Timed || m.beliefs.Leaderless > 0) {
		return true, fmt.Errorf("%s: the line has no time, and --slack and --leaderless need one of each", place)
	}
	if b := m.beliefs.Add(place, &l.event); b != nil && (b.Name != checker.OneLeaderPerEpoch.Name || m.epochs) {
		return true, m.broken(b, nil)
	}
	if m.online == nil {
		return false, nil
	}
	r, b, err := m.online.Add(ctx, l.file, l.event)
	switch {
	case err != nil:
		return true, err
	case b != nil:
		return true, m.broken(b, r)
	case r != nil:
		return true, m.ended(r)
	}
	return false, nil
}

// broken tells of a property that is broken.
func (m *monitored) broken(b *validate.Broken, r *validate.Result) error {
	fmt.Fprintf(m.asked.app.out, "- %s is broken after %s\n  %s: %s\n  %s\n", b.Name, m.read(), b.Place, b.Text, b.Doc)
	m.tellLines(m.asked.called()) // how many lines there are depends on how far the readers are
	if r != nil {
		if err := m.draw(r); err != nil {
			return err
		}
	}
	return exit(statusBad)
}

// read says how much was read: lines of event logs, and events of other logs.
func (m *monitored) read() string {
	if m.asked.reading != nil {
		return fmt.Sprintf("%d events", m.lines)
	}
	return fmt.Sprintf("%d lines", m.lines)
}

// tellLines tells of logs that are no event logs.
func (m *monitored) tellLines(lines []string) {
	for _, line := range lines {
		fmt.Fprintf(m.asked.app.out, "  %s\n", line)
	}
}

// ended tells of a search that has come to its end.
func (m *monitored) ended(r *validate.Result) error {
	if r.Verdict == validate.Incomplete {
		fmt.Fprintf(m.asked.app.out, "? incomplete after %d lines: %s\n", m.lines, r.Why)
		return exit(statusIncomplete)
	}
	fmt.Fprintf(m.asked.app.out, "- refused after %d lines\n%s\n", m.lines, indented(r.Refusals[0].String()))
	if err := m.draw(r); err != nil {
		return err
	}
	return exit(statusBad)
}

// draw draws the last steps of the model.
func (m *monitored) draw(r *validate.Result) error {
	if m.asked.last == 0 || r.Told == 0 {
		return nil
	}
	t, run, err := r.Trace(int(m.asked.last), trace.Header{Algorithm: m.subject.algorithm, Variant: m.subject.variant})
	if err != nil {
		return err
	}
	return m.asked.draws(m.asked.app, lastSteps, t, run)
}

// end tells what there was to see, and what kept the monitor from seeing all.
func (m *monitored) end(ctx context.Context, early string) error {
	var seen []string
	if m.online != nil {
		r, b := m.online.End(context.WithoutCancel(ctx))
		switch {
		case b != nil:
			return m.broken(b, r)
		case r != nil && r.Verdict != validate.Accepted:
			return m.ended(r)
		}
		if m.lines > 0 {
			seen = append(seen, "the model of "+m.subject.name()+" allows them")
		}
		if r != nil && r.Beyond != "" {
			seen = append(seen, "they lead beyond the bound of searches, "+r.Beyond)
		}
	}
	if n := m.beliefs.Epochs(); n > 0 && m.epochs {
		seen = append(seen, fmt.Sprintf("no two led in any of %d epochs", n))
	}
	if m.beliefs.Told() > 0 {
		seen = append(seen, m.overTime()...)
	}
	defer func() { m.tellLines(m.asked.told()) }()
	switch {
	case m.lines == 0:
		fmt.Fprintf(m.asked.app.out, "? vacuous: the logs have no event\n")
		return exit(statusIncomplete)
	case len(seen) == 0:
		fmt.Fprintf(m.asked.app.out, "? vacuous: none of %s tells who leads in which epoch; --property %s needs no epoch\n", m.read(), checker.Uniqueness.Name)
		return exit(statusIncomplete)
	case early != "":
		fmt.Fprintf(m.asked.app.out, "? incomplete: %s; of %s: %s\n", early, m.read(), strings.Join(seen, "; "))
		return exit(statusIncomplete)
	}
	fmt.Fprintf(m.asked.app.out, "+ %s: %s\n", m.read(), strings.Join(seen, "; "))
	if id, epoch, ok := m.beliefs.Unnamed(); ok && m.asked.reading != nil {
		fmt.Fprintf(m.asked.app.out, "  in the end %s leads%s, and no other process names it\n", id.Name(), inEpoch(epoch))
	}
	return nil
}

func inEpoch(epoch uint64) string {
	if epoch == 0 {
		return ""
	}
	return fmt.Sprintf(" in epoch %d", epoch)
}

// overTime says what was asked of beliefs beside who leads in which epoch, and held.
func (m *monitored) overTime() (seen []string) {
	b := &m.beliefs
	if b.Instant {
		seen = append(seen, "no two led at one instant")
	}
	if b.Grow {
		seen = append(seen, "no epoch of a process fell")
	}
	if b.Leaderless > 0 {
		seen = append(seen, fmt.Sprintf("somebody led or named a leader within each %s", b.Leaderless))
	}
	switch n := b.Changes(); {
	case m.asked.reading == nil:
	case n == 1:
		seen = append(seen, "the leader changed once")
	default:
		seen = append(seen, fmt.Sprintf("the leader changed %d times", n))
	}
	return seen
}

// A logLine is a line of one of several logs.
type logLine struct {
	file  int
	event eventlog.Event
	err   error
}

// shownLog returns what a log is called.
func shownLog(name string) string {
	if name == "-" {
		return "input"
	}
	return name
}

// logs are read, and followed if that is asked for.
type logs struct {
	app    *app
	names  []string
	follow bool
	words  *logLines
}

// lines yields the lines of the logs: of one, and of files that are followed, as they
// come; of several otherwise by their clocks where every line has one, else file by
// file.
func (l *logs) lines(ctx context.Context) (lines <-chan logLine, end func()) {
	out := make(chan logLine)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(out)
		if !l.follow && len(l.names) > 1 {
			l.merge(ctx, out)
			return
		}
		var readers sync.WaitGroup
		for i := range l.names {
			readers.Go(func() { l.read(ctx, i, out) })
		}
		readers.Wait()
	}()
	return out, cancel
}

// read sends the lines of one log. One that is followed may be rotated: where it
// is replaced, or becomes shorter, its lines are read from the first again.
func (l *logs) read(ctx context.Context, file int, to chan<- logLine) {
	name := l.names[file]
	send := func(line logLine) bool {
		select {
		case to <- line:
			return line.err == nil
		case <-ctx.Done():
			return false
		}
	}
	for {
		in, err := l.open(name)
		if err != nil {
			send(logLine{file: file, err: err})
			return
		}
		goOn := l.readLog(ctx, in, name, func(e eventlog.Event, err error) bool { return send(logLine{file, e, err}) })
		_ = in.Close() // it was read, not written
		if !goOn || !l.follow || name == "-" || ctx.Err() != nil {
			return
		}
		l.app.complain("%s begins anew: another file has its name, or it was cut; lines may be missing", name)
	}
}

// readLog sends the lines of one file, and reports whether it came to its end.
func (l *logs) readLog(ctx context.Context, in io.Reader, name string, send func(eventlog.Event, error) bool) (ended bool) {
	const every = 50 * time.Millisecond
	from := in
	if f, isFile := in.(*os.File); l.follow && isFile {
		from = eventlog.Follow(ctx, f, every)
	}
	r := l.words.source(from, shownLog(name))
	for {
		e, err := r.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, eventlog.ErrTorn):
			return true
		case !send(e, err):
			return false
		}
	}
}

// open opens a log.
func (l *logs) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(l.app.stdin), nil
	}
	return os.Open(name)
}

// merge sends the lines of several logs that are read to their ends.
func (l *logs) merge(ctx context.Context, to chan<- logLine) {
	if l.words.reading != nil {
		l.mergeTimed(ctx, to)
		return
	}
	files, timed := make([][]logLine, len(l.names)), true
	for i := range l.names {
		lines := make(chan logLine)
		go func() {
			defer close(lines)
			l.read(ctx, i, lines)
		}()
		for line := range lines {
			timed = timed && !line.event.Time.IsZero()
			files[i] = append(files[i], line)
		}
	}
	for {
		next := -1
		for i := range files {
			if len(files[i]) > 0 && (next < 0 || timed && files[i][0].event.Time.Before(files[next][0].event.Time)) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		select {
		case to <- files[next][0]:
			files[next] = files[next][1:]
		case <-ctx.Done():
			return
		}
	}
}

// mergeTimed sends the lines of several logs by their times, which all of them have, and
// keeps one line of each log: of two at one time that of the first log comes first.
func (l *logs) mergeTimed(ctx context.Context, to chan<- logLine) {
	files, heads := make([]chan logLine, len(l.names)), make([]*logLine, len(l.names))
	for i := range files {
		files[i] = make(chan logLine)
		go func() {
			defer close(files[i])
			l.read(ctx, i, files[i])
		}()
	}
	for {
		next := -1
		for i := range files {
			if heads[i] == nil {
				if line, more := <-files[i]; more {
					heads[i] = &line
				}
			}
			if heads[i] != nil && (next < 0 || heads[i].event.Time.Before(heads[next].event.Time)) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		select {
		case to <- *heads[next]:
			heads[next] = nil
		case <-ctx.Done():
			return
		}
	}
}
