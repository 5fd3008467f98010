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

// historiesFlags are the flags of histories.
type historiesFlags struct {
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

func (a *app) historiesCommand() *cobra.Command {
	var f historiesFlags
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
		Example: a.examples("histories ALGO", "histories ALGO --spec register --fence writes --pages found",
			"histories --read history.json"),
		Args:              wantArgs(0, 1, "one "+a.subjects()),
		ValidArgsFunction: a.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.histories(cmd, args, &f) },
	}
	cmd.Flags().SortFlags = false
	addSettingFlags(cmd.Flags())
	f.add(cmd)
	return cmd
}

// add declares the flags except for those of the setting.
func (f *historiesFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.spec = choice{"all", append([]string{"all"}, linear.SpecNames()...)}
	flags.Var(&f.spec, "spec", "what clients ask for")
	flags.BoolVar(&f.claims, "claims", false, "who leads: only processes that believe themselves coordinator answer")
	flags.BoolVar(&f.settled, "settled", false, "instant: clients ask only in settled states")
	f.fence = choice{"none", linear.FenceNames()}
	flags.Var(&f.fence, "fence", "the store refuses old tokens: never, to writes, to reads as well")
	f.tokens = choice{"store", []string{"store", "epoch"}}
	flags.Var(&f.tokens, "tokens", "where tokens come from: the store, or the epochs of beliefs")
	flags.Var(&f.clients, "clients", "clients, 1 to 4; 0 is what suffices to break it")
	flags.Var(&f.operations, "operations", "operations of each client, 1 to 4; 0 is what suffices")
	flags.Var(&f.walks, "walks", "make this many random walks instead of a search")
	flags.Var(&f.seed, "seed", "of the random walks")
	f.limits.add(flags)
	flags.StringVar(&f.read, "read", "", "decide the history in this `file`")
	flags.StringArrayVar(&f.logs, "log", nil, "decide who leads in the event log of a running system in this `file`; may be repeated, for logs of one system")
	flags.Var(&f.slack, "slack", "how far the clocks of logs may be off, like 5ms")
	flags.StringVar(&f.pages, "pages", "", "write pages of runs and histories into `DIR`")
	flags.BoolVar(&f.json, "json", false, "write JSON, which help json describes")
	f.look.add(flags)
}

func (a *app) histories(cmd *cobra.Command, args []string, f *historiesFlags) error {
	switch {
	case f.read != "" && len(args) > 0:
		return fmt.Errorf("histories: want an algorithm or --read FILE, and not both")
	case len(f.logs) > 0 && (f.read != "" || len(args) > 0):
		return fmt.Errorf("histories: want an algorithm, --read FILE or --log FILE, and one of them")
	case f.read != "":
		h, err := a.historyOf(f.read)
		if err != nil {
			return err
		}
		return a.decideHistory(h, f)
	case len(f.logs) > 0:
		h, err := a.historyOfLogs(f)
		if err != nil {
			return err
		}
		return a.decideHistory(h, f)
	case len(args) == 0:
		return fmt.Errorf("histories: want one %s, --read FILE or --log FILE", a.subjects())
	case f.exact:
		return fmt.Errorf("histories: flag --exact is not for this search")
	}
	questions, err := f.questions(cmd)
	if err != nil {
		return err
	}
	s, err := a.findSubject(args[0])
	if err != nil {
		return err
	}
	setting, err := settingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	if err := canSave(f.pages); err != nil {
		return err
	}
	sys, err := s.build(setting)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	opt := linear.Options{
		Workers: int(f.workers.number), MaxStates: uint64(f.maxStates), MaxBytes: int64(f.maxBytes), MaxTime: time.Duration(f.maxTime),
		Walks: uint64(f.walks), Seed: uint64(f.seed),
	}
	p := a.progress()
	opt.Progress, opt.ProgressEvery = f.report(a, p)
	a.searching.Store(true)
	answers, err := linear.Summarize(cmd.Context(), sys, opt, questions...)
	p.end()
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	return a.tellHistories(s, answers, f)
}

// questions returns what is asked: all questions, or the one of the flags.
func (f *historiesFlags) questions(cmd *cobra.Command) ([]linear.Question, error) {
	if f.spec.value == "all" {
		for _, name := range []string{"claims", "settled", "fence", "tokens", "clients", "operations"} {
			if cmd.Flags().Changed(name) {
				return nil, fmt.Errorf("histories: flag --%s goes with --spec, which says what clients ask for", name)
			}
		}
		return linear.Questions(), nil
	}
	spec, err := linear.FindSpec(f.spec.value)
	if err != nil {
		return nil, err
	}
	fence, err := linear.ParseFence(f.fence.value)
	if err != nil {
		return nil, err
	}
	most := func(n number) int { return int(min(n, 1000)) }
	work := linear.Workload{
		Spec: spec, Claims: f.claims, Settled: f.settled, Fence: fence, Epochs: f.tokens.value == "epoch",
		Clients: most(f.clients), Operations: most(f.operations),
	}.Usual()
	return []linear.Question{{Name: spec.Name, Doc: spec.Doc, Work: work}}, work.Validate()
}

// tellHistories writes the answers, then the run of a single one that is not
// linearizable, and the pages.
func (a *app) tellHistories(s *subject, answers linear.Summary, f *historiesFlags) error {
	var err error
	if f.json {
		err = a.writeHistoriesJSON(s, answers)
	} else {
		err = a.writeHistories(s, answers, f)
	}
	if err != nil {
		return err
	}
	if err := a.writeHistoryPages(s, answers, f); err != nil {
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
// found; the workload stands behind it.
func (s *subject) historyHeader(one linear.Answer) trace.Header {
	return trace.Header{Algorithm: s.algorithm, Variant: s.variant, Title: "no order of their operations explains what clients were told (" + one.Report.Workload.String() + ")"}
}

func (a *app) writeHistories(s *subject, answers linear.Summary, f *historiesFlags) error {
	fmt.Fprintf(a.out, "%s: what clients can expect\nsetting: %v\n\n", s.name(), answers[0].Report.Setting)
	for _, one := range answers {
		r := one.Report
		result := r.Verdict.String()
		switch {
		case r.Verdict == linear.Linearizable:
			result = "holds: every history is linearizable"
		case r.Run != nil:
			result = "violated in " + quantity.Plural(r.Run.Steps, "step")
		}
		fmt.Fprintf(a.out, "%-17s %s\n", one.Question.Name, result)
		detail := fmt.Sprintf("%d histories decided, %d distinct states", r.Histories, r.States)
		if r.Walks > 0 {
			detail = fmt.Sprintf("%d histories decided, on %d random walks", r.Histories, r.Walks)
		}
		for _, text := range []string{one.Question.Doc, r.Why, detail} {
			if text != "" {
				fmt.Fprintf(a.out, "                  %s\n", text)
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
	fmt.Fprintln(a.out)
	if err := render.Text(a.out, l, f.text(a)); err != nil {
		return err
	}
	fmt.Fprintln(a.out, "\nThe history:")
	return writeOperations(a.out, run.History)
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

func (a *app) writeHistoriesJSON(s *subject, answers linear.Summary) error {
	out := historiesJSON{Schema: jsonSchema, Algorithm: s.algorithm, Variant: s.variant}
	for _, one := range answers {
		data, err := one.Report.JSON(s.historyHeader(one))
		if err != nil {
			return err
		}
		out.Questions = append(out.Questions, data)
	}
	return a.writeJSON(out, map[string]runJSON{"run": a.runJSON()})
}

// writeHistoryPages writes for each answer with a run a page to walk through it,
// which leads to porcupine's page of the history.
func (a *app) writeHistoryPages(s *subject, answers linear.Summary, f *historiesFlags) error {
	if f.pages == "" {
		return nil
	}
	if err := os.MkdirAll(f.pages, 0o777); err != nil {
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
		if err := wholefile.Fill(filepath.Join(f.pages, base+".html"), func(w io.Writer) error { return render.Page(w, l, render.PageOptions{}) }); err != nil {
			return err
		}
		if err := a.historyPage(filepath.Join(f.pages, base+"-history.html"), run.History); err != nil {
			return err
		}
		written = append(written, filepath.Join(f.pages, base+".html"))
	}
	if len(written) > 0 && !f.json {
		fmt.Fprintf(a.out, "\nPages:\n  %s\n", strings.Join(written, "\n  "))
	}
	return nil
}

// historyPage writes porcupine's page of a history.
func (a *app) historyPage(name string, h *linear.History) error {
	return wholefile.Fill(name, func(w io.Writer) error {
		_, err := h.WritePage(w, historyLimit)
		return err
	})
}

// historyLimit is how long porcupine may take for a history from a file where no
// limit is given: the problem is NP-complete.
const historyLimit = time.Minute

// historyOf reads a history.
func (a *app) historyOf(name string) (*linear.History, error) {
	if name == "-" {
		return linear.ReadHistory(a.stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("no file %q: want a history in JSON", nearest.Path(name))
	}
	defer file.Close()
	return linear.ReadHistory(file)
}

// historyOfLogs makes a history of the event logs of a system.
func (a *app) historyOfLogs(f *historiesFlags) (*linear.History, error) {
	logged, err := linear.NewLogged(time.Duration(f.slack))
	if err != nil {
		return nil, err
	}
	for _, name := range f.logs {
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

// decideHistory decides a history that was read.
func (a *app) decideHistory(h *linear.History, f *historiesFlags) error {
	limit := time.Duration(f.maxTime)
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
	if f.pages != "" {
		if err := os.MkdirAll(f.pages, 0o777); err != nil {
			return err
		}
		if err := a.historyPage(filepath.Join(f.pages, "history.html"), h); err != nil {
			return err
		}
	}
	if f.json {
		out := map[string]any{"schema": jsonSchema, "verdict": v.String(), "history": h}
		if err := a.writeJSON(out, map[string]runJSON{"run": a.runJSON()}); err != nil {
			return err
		}
		return exit(statusOfHistory(v))
	}
	fmt.Fprintf(a.out, "%s of %d operations: %v\n%s\n", h.Spec.Name, len(h.Operations), v, h.Spec.Doc)
	if v == linear.NotLinearizable && len(h.Operations) <= 40 {
		if err := writeOperations(a.out, h); err != nil {
			return err
		}
	}
	return exit(statusOfHistory(v))
}
