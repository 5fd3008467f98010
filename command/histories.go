//go:build !js

package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/checker/linear"
	"bullyproof/internal/nearest"
	"bullyproof/internal/quantity"
	"bullyproof/internal/wholefile"
	"bullyproof/runtime/eventlog"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A historiesCommand is the command histories with its flags.
type historiesCommand struct {
	app *app
	look
	limits
	spec, fence, tokens choice
	claims, settled     bool
	clients, operations number
	walks, seed         number
	read                string
	logs                []string
	slack               span
	pages               string
	json                bool
}

func (c *historiesCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "histories [ALGO[/VARIANT]]",
		Short: "say what clients of an algorithm can expect; porcupine decides their histories",
		Long: "Histories adds clients to an algorithm: they ask who leads, take and release a lock, and write and read a\n" +
			"register through a process that believes itself coordinator. porcupine decides every history of every run:\n" +
			"it is linearizable if some order of the operations explains all answers. A shortest run to a history that\n" +
			"is not linearizable is drawn.\n\n" +
			"Without --spec all questions are asked in turn. Two ask who leads. \"instant\": the process that is named is\n" +
			"the only leader at that instant. \"leader\": all answers agree with one order of the elections. For\n" +
			"\"register\" and \"lock\" a coordinator answers from its copy of what a store keeps; with --fence the store\n" +
			"refuses tokens that are lower than one it has seen.\n\n" +
			"With --read a history is read from a file (- is the input): a JSON object, which help json describes. With\n" +
			"--log the question who leads is asked of the event logs of a running system: each line that tells what a\n" +
			"process believes is an answer of that process, at the line's time.\n\n" +
			"Exit status: 0 linearizable, 1 not, 3 undecided or vacuous, 2 bad usage or input. Without --spec, where no\n" +
			"answer is the right one, 0 if all questions are decided.",
		Example: c.app.examples("histories ALGO", "histories ALGO --spec register --fence writes --pages found",
			"histories --read history.json"),
		Args:              wantArgs(0, 1, "one "+c.app.subjects()),
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	cmd.Flags().SortFlags = false
	addSettingFlags(cmd.Flags())
	c.add(cmd)
	return cmd
}

// add declares the flags except for those of the setting.
func (c *historiesCommand) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	c.spec = choice{"all", append([]string{"all"}, linear.SpecNames()...)}
	flags.Var(&c.spec, "spec", "what clients ask for")
	flags.BoolVar(&c.claims, "claims", false, "who leads: only processes that believe themselves coordinator answer")
	flags.BoolVar(&c.settled, "settled", false, "instant: clients ask only in settled states")
	c.fence = choice{"none", linear.FenceNames()}
	flags.Var(&c.fence, "fence", "the store refuses old tokens: never, to writes, to reads as well")
	c.tokens = choice{"store", []string{"store", "epoch"}}
	flags.Var(&c.tokens, "tokens", "where tokens come from: the store, or the epochs of beliefs")
	flags.Var(&c.clients, "clients", "clients, 1 to 4; 0 is what suffices to break it")
	flags.Var(&c.operations, "operations", "operations of each client, 1 to 4; 0 is what suffices")
	flags.Var(&c.walks, "walks", "make this many random walks instead of a search")
	flags.Var(&c.seed, "seed", "of the random walks")
	c.limits.add(flags)
	flags.StringVar(&c.read, "read", "", "decide the history in this `file`")
	flags.StringArrayVar(&c.logs, "log", nil, "decide who leads in the event log of a running system in this `file`; may be repeated, for logs of one system")
	flags.Var(&c.slack, "slack", "how far the clocks of logs may be off, like 5ms")
	flags.StringVar(&c.pages, "pages", "", "write pages of runs and histories into `DIR`")
	flags.BoolVar(&c.json, "json", false, "write JSON, which help json describes")
	c.look.add(flags)
}

func (c *historiesCommand) run(cmd *cobra.Command, args []string) error {
	switch {
	case c.read != "" && len(args) > 0:
		return fmt.Errorf("histories: want an algorithm or --read FILE, and not both")
	case len(c.logs) > 0 && (c.read != "" || len(args) > 0):
		return fmt.Errorf("histories: want an algorithm, --read FILE or --log FILE, and one of them")
	case c.read != "":
		h, err := c.readHistory(c.read)
		if err != nil {
			return err
		}
		return c.decide(h)
	case len(c.logs) > 0:
		h, err := c.readLogs()
		if err != nil {
			return err
		}
		return c.decide(h)
	case len(args) == 0:
		return fmt.Errorf("histories: want one %s, --read FILE or --log FILE", c.app.subjects())
	case c.exact:
		return fmt.Errorf("histories: flag --exact is not for this search")
	}
	questions, err := c.questions(cmd)
	if err != nil {
		return err
	}
	s, err := c.app.findSubject(args[0])
	if err != nil {
		return err
	}
	setting, err := settingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	if err := canSave(c.pages); err != nil {
		return err
	}
	sys, err := s.build(setting)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	opt := linear.Options{
		Workers: int(c.workers.number), MaxStates: uint64(c.maxStates), MaxBytes: int64(c.maxBytes), MaxTime: time.Duration(c.maxTime),
		Walks: uint64(c.walks), Seed: uint64(c.seed),
	}
	p := c.app.progress()
	opt.Progress, opt.ProgressEvery = c.report(c.app, p)
	c.app.searching.Store(true)
	answers, err := linear.Summarize(cmd.Context(), sys, opt, questions...)
	p.end()
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	return c.tell(s, answers)
}

// questions returns what is asked: all questions, or the one of the flags.
func (c *historiesCommand) questions(cmd *cobra.Command) ([]linear.Question, error) {
	if c.spec.value == "all" {
		for _, name := range []string{"claims", "settled", "fence", "tokens", "clients", "operations"} {
			if cmd.Flags().Changed(name) {
				return nil, fmt.Errorf("histories: flag --%s goes with --spec, which says what clients ask for", name)
			}
		}
		return linear.Questions(), nil
	}
	spec, err := linear.FindSpec(c.spec.value)
	if err != nil {
		return nil, err
	}
	fence, err := linear.ParseFence(c.fence.value)
	if err != nil {
		return nil, err
	}
	most := func(n number) int { return int(min(n, 1000)) }
	work := linear.Workload{
		Spec: spec, Claims: c.claims, Settled: c.settled, Fence: fence, Epochs: c.tokens.value == "epoch",
		Clients: most(c.clients), Operations: most(c.operations),
	}.Usual()
	return []linear.Question{{Name: spec.Name, Doc: spec.Doc, Work: work}}, work.Validate()
}

// tell writes the answers, then the run of a single one that is not
// linearizable, and the pages.
func (c *historiesCommand) tell(s *subject, answers linear.Summary) error {
	var err error
	if c.json {
		err = c.writeJSON(s, answers)
	} else {
		err = c.write(s, answers)
	}
	if err != nil {
		return err
	}
	if err := c.writePages(s, answers); err != nil {
		return err
	}
	return exit(historiesStatus(answers))
}

// historiesStatus returns the exit status of answers. Several are a table, in
// which no answer is the wrong one.
func historiesStatus(answers linear.Summary) int {
	if len(answers) > 1 {
		for _, one := range answers {
			if one.Report.Verdict == linear.Undecided {
				return statusIncomplete
			}
		}
		return statusFine
	}
	return statusOfHistory(answers.Verdict())
}

// statusOfHistory returns the exit status of a verdict.
func statusOfHistory(v linear.Verdict) int {
	switch v {
	case linear.Linearizable:
		return statusFine
	case linear.NotLinearizable:
		return statusBad
	}
	return statusIncomplete
}

// historyHeader returns the header of the run of an answer. The title is what was
// found, and the story has what clients do.
func (s *subject) historyHeader(one linear.Answer) trace.Header {
	title := "no order of their operations explains what clients were told"
	if one.Report.Run != nil {
		title = one.Report.Run.History.Contradiction()
	}
	return trace.Header{Algorithm: s.algorithm, Variant: s.variant, Title: title, Story: "Clients: " + one.Report.Workload.String() + "."}
}

func (c *historiesCommand) write(s *subject, answers linear.Summary) error {
	fmt.Fprintf(c.app.out, "%s: what clients can expect\nsetting: %v\n\n", s.name(), answers[0].Report.Setting)
	for _, one := range answers {
		r := one.Report
		result := r.Verdict.String()
		switch {
		case r.Verdict == linear.Linearizable:
			result = "holds: every history is linearizable"
		case r.Run != nil:
			result = "violated in " + quantity.Plural(r.Run.Steps, "step")
		}
		fmt.Fprintf(c.app.out, "%-17s %s\n", one.Question.Name, result)
		detail := fmt.Sprintf("%d histories decided, %d distinct states", r.Histories, r.States)
		if r.Walks > 0 {
			detail = fmt.Sprintf("%d histories decided, on %d random walks", r.Histories, r.Walks)
		}
		for _, text := range []string{one.Question.Doc, r.Why, detail} {
			if text != "" {
				fmt.Fprintf(c.app.out, "                  %s\n", text)
			}
		}
	}
	if len(answers) > 1 || answers[0].Report.Run == nil {
		return nil
	}
	run := answers[0].Report.Run
	l, err := run.Layout(s.historyHeader(answers[0]))
	if err != nil {
		return err
	}
	fmt.Fprintln(c.app.out)
	if err := render.Text(c.app.out, l, c.text(c.app)); err != nil {
		return err
	}
	fmt.Fprintln(c.app.out, "\nThe history:")
	return writeOperations(c.app.out, run.History)
}

// writeOperations lists a history.
func writeOperations(w io.Writer, h *linear.History) error {
	if h.Initial > 0 {
		fmt.Fprintf(w, "  at first: %d\n", h.Initial)
	}
	for _, o := range h.Operations {
		end := fmt.Sprint(o.Return)
		if o.Pending {
			end = "..."
		}
		if _, err := fmt.Fprintf(w, "  %5d to %-5s %v\n", o.Call, end, o); err != nil {
			return err
		}
	}
	return nil
}

// historiesJSON is what histories writes of an algorithm.
type historiesJSON struct {
	Schema    int               `json:"schema"`
	Algorithm string            `json:"algorithm"`
	Variant   string            `json:"variant"`
	Questions []json.RawMessage `json:"questions"`
}

func (c *historiesCommand) writeJSON(s *subject, answers linear.Summary) error {
	out := historiesJSON{Schema: jsonSchema, Algorithm: s.algorithm, Variant: s.variant}
	for _, one := range answers {
		data, err := one.Report.JSON(s.historyHeader(one))
		if err != nil {
			return err
		}
		out.Questions = append(out.Questions, data)
	}
	return c.app.writeJSON(out, map[string]runJSON{"run": c.app.runJSON()})
}

// writePages writes for each answer with a run a page to walk through it,
// which leads to porcupine's page of the history.
func (c *historiesCommand) writePages(s *subject, answers linear.Summary) error {
	if c.pages == "" {
		return nil
	}
	if err := os.MkdirAll(c.pages, 0o777); err != nil {
		return err
	}
	var written []string
	for _, one := range answers {
		run := one.Report.Run
		if run == nil {
			continue
		}
		h := s.historyHeader(one)
		base := strings.TrimSuffix(h.FileName(), "run.json") + strings.ReplaceAll(strings.ReplaceAll(one.Question.Name, ",", ""), " ", "-")
		l, err := run.Layout(h)
		if err != nil {
			return err
		}
		l.Links = []trace.Link{{Text: "What clients asked and were told, and why no order explains it (porcupine)", File: base + "-history.html"}}
		if err := wholefile.Fill(filepath.Join(c.pages, base+".html"), func(w io.Writer) error { return render.Page(w, l, render.PageOptions{}) }); err != nil {
			return err
		}
		if err := writeHistoryPage(filepath.Join(c.pages, base+"-history.html"), run.History); err != nil {
			return err
		}
		written = append(written, filepath.Join(c.pages, base+".html"))
	}
	if len(written) > 0 && !c.json {
		fmt.Fprintf(c.app.out, "\nPages:\n  %s\n", strings.Join(written, "\n  "))
	}
	return nil
}

// writeHistoryPage writes porcupine's page of a history.
func writeHistoryPage(name string, h *linear.History) error {
	return wholefile.Fill(name, func(w io.Writer) error {
		_, err := h.WritePage(w, historyLimit)
		return err
	})
}

// historyLimit is how long porcupine may take for a history from a file where no
// limit is given: the problem is NP-complete.
const historyLimit = time.Minute

// readHistory reads a history.
func (c *historiesCommand) readHistory(name string) (*linear.History, error) {
	if name == "-" {
		return linear.ReadHistory(c.app.stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("no file %q: want a history in JSON", nearest.Path(name))
	}
	defer file.Close()
	return linear.ReadHistory(file)
}

// readLogs makes a history of the event logs of a system.
func (c *historiesCommand) readLogs() (*linear.History, error) {
	logged, err := linear.NewLogged(time.Duration(c.slack))
	if err != nil {
		return nil, err
	}
	for _, name := range c.logs {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("no file %q: want an event log", nearest.Path(name))
		}
		err = logged.Read(eventlog.NewReader(file, name))
		_ = file.Close() // it was only read
		if err != nil {
			return nil, err
		}
	}
	return logged.History(), nil
}

// decide decides a history that was read.
func (c *historiesCommand) decide(h *linear.History) error {
	limit := time.Duration(c.maxTime)
	if limit == 0 {
		limit = historyLimit
	}
	v, err := linear.Decide(h, limit)
	if err != nil {
		return err
	}
	if len(h.Operations) == 0 {
		v = linear.Vacuous // one without operations is linearizable, and says nothing
	}
	if c.pages != "" {
		if err := os.MkdirAll(c.pages, 0o777); err != nil {
			return err
		}
		if err := writeHistoryPage(filepath.Join(c.pages, "history.html"), h); err != nil {
			return err
		}
	}
	if c.json {
		out := map[string]any{"schema": jsonSchema, "verdict": v.String(), "history": h}
		if err := c.app.writeJSON(out, map[string]runJSON{"run": c.app.runJSON()}); err != nil {
			return err
		}
		return exit(statusOfHistory(v))
	}
	fmt.Fprintf(c.app.out, "%s of %d operations: %v\n%s\n", h.Spec.Name, len(h.Operations), v, h.Spec.Doc)
	if v == linear.NotLinearizable && len(h.Operations) <= 40 {
		if err := writeOperations(c.app.out, h); err != nil {
			return err
		}
	}
	return exit(statusOfHistory(v))
}
