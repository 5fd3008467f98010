package web

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// Limits of a check.
const (
	// checkTime is how long a check takes at most if the options say nothing.
	checkTime = 10 * time.Minute
	// checkStates is about how many states it visits.
	checkStates = 3_000_000
	// reportWidth is how many columns the whole report has.
	reportWidth = 100
)

// A checkPage shows what a check found.
type checkPage struct {
	frame
	Subject  string
	Doc      string
	Setting  settingForm
	Compose  ruleForm
	Explore  string // the runs of the setting
	Map      string // of its states
	World    string // the setting in words
	Headline string
	Verdict  string // for the style sheet
	Counted  string
	Why      string // something was not seen
	Rows     []checkRow
	Live     *liveForm // the check goes on
	Report   string
}

// A checkRow is the answer to one question.
type checkRow struct {
	Name, Doc string
	Verdict   string // in a word
	Why       string
	Steps     string
	Link      string // the run; empty if there is none
}

// check answers with the verdicts on the properties in a setting: those of the
// command of that name. While the search goes on it answers with what is found so far. A
// search ends where its readers have gone away.
func (s *Server) check(a *Answer, r *Request) {
	sub, err := findSubject(s.algorithms, r.values["algorithm"], r.values["variant"])
	if err != nil {
		s.fail(a, statusNotFound, err)
		return
	}
	query, _ := url.ParseQuery(r.Query)
	if sub, err = sub.asking(query.Get(verbAsk)); err != nil {
		s.fail(a, statusBadRequest, err)
		return
	}
	if s.byHand(a, r, sub) || s.composing(a, r, sub) {
		return
	}
	in, sys, err := checked(sub, r.Query)
	if err != nil {
		text := query.Get("setting")
		s.badSetting(a, sub, &settingError{text[:min(len(text), maxSetting)], err})
		return
	}
	address := CheckAsking(sub.algorithm.Name, sub.name, in, sub.asks())
	if !query.Has(verbLive) {
		c := &liveCheck{address: address, sub: sub, in: in, sys: sys, opt: s.checkOptions(sub, in)}
		if err := s.live.begin(c); err != nil {
			s.fail(a, statusBusy, err)
			return
		}
		if s.answerLive(a, r, c); r.ctx.Err() != nil {
			c.end()
		}
		return
	}
	c := s.live.find(query.Get(verbLive), address)
	switch {
	case c == nil: // of long ago
		a.lead(address)
	case query.Has(verbStop):
		c.end()
		a.lead(address + "&" + verbLive + "=" + query.Get(verbLive))
	case query.Has(verbRun):
		if !s.checks.take(r.ctx) {
			return
		}
		defer s.checks.leave()
		to, err := c.run(r.ctx, query.Get(verbRun))
		if err != nil {
			s.fail(a, statusUnprocessable, err)
			return
		}
		a.lead(to)
	default:
		s.answerLive(a, r, c)
	}
}

// answerLive answers with how far a check is, or with what it found.
func (s *Server) answerLive(a *Answer, r *Request, c *liveCheck) {
	c.wait(r.ctx, s.glance)
	page, err := c.page()
	if err != nil {
		s.fail(a, statusUnprocessable, err)
		return
	}
	s.write(a, statusOK, "check.html", page)
}

// checked returns the setting of a request for a check, and its system.
func checked(sub *subject, text string) (in setting.Setting, sys *model.System, err error) {
	in = sub.usual
	query, err := url.ParseQuery(text)
	if err == nil && query.Has("setting") {
		in, err = parseSetting(query.Get("setting"))
	}
	if err == nil {
		sys, err = sub.build(in)
	}
	return in, sys, err
}

// checkOptions returns the options of a check, which are those of the command
// within limits.
func (s *Server) checkOptions(sub *subject, in setting.Setting) checker.Options {
	return checker.Options{
		Algorithm: sub.algorithm.Name, Variant: sub.name, Properties: checker.InSetting(sub.questions(), in),
		Reduce: checker.ReduceAuto, ReduceBeyond: checker.DefaultReduceBeyond, MaxStates: checkStates, MaxTime: s.checkTime,
	}
}

// newCheckFrame returns the page of a check in a setting, without what was found.
func newCheckFrame(sub *subject, in setting.Setting) *checkPage {
	v, explored := &visit{subject: sub}, Start(sub.algorithm.Name, sub.name, in)
	return &checkPage{
		frame: v.frame("Check"), Subject: sub.algorithm.Name + "/" + sub.name, Doc: sub.doc, World: sentenceCase(in.InWords()),
		Setting: newSettingForm(sub, in.String(), nil), Compose: newRuleForm(sub, in.String()),
		Explore: explored, Map: strings.Replace(explored, "/explore/", "/map/", 1),
	}
}

// newCheckPage returns the page of a report.
func newCheckPage(sub *subject, in setting.Setting, r *checker.Report) (*checkPage, error) {
	p := newCheckFrame(sub, in)
	p.Headline, p.Verdict, p.Why = r.Headline(), r.Verdict().String(), r.Why
	p.Counted = fmt.Sprintf("%s, %s deep, in %s.", quantity.Plural(r.Distinct, "state"), quantity.Plural(r.Depth, "step"), quantity.Duration(r.Duration))
	for i := range r.Findings {
		p.Rows = append(p.Rows, newCheckRow(sub, &r.Findings[i]))
	}
	var text bytes.Buffer
	err := r.WriteText(&text, render.TextOptions{Width: reportWidth})
	p.Report = text.String()
	return p, err
}

func newCheckRow(sub *subject, f *checker.Finding) checkRow {
	row := checkRow{
		Name: f.Property.Name, Doc: f.Property.Doc, Verdict: f.Verdict.String(),
		Why: prose.Capital(cmp.Or(f.Explanation, f.Why)),
	}
	if f.Trace == nil {
		return row
	}
	row.Steps = quantity.Plural(len(f.Trace.Steps), "step")
	if f.Trace.Lasso > 0 {
		row.Steps += ", then a loop without end"
	}
	if to := ending(sub.algorithm.Name, sub.name, f.Trace); len(to.query()) <= maxQuery {
		row.Link = to.url()
	}
	return row
}

// Ending returns the address, within the server, of the end of a run of a variant.
func Ending(algorithm, variant string, t *trace.Trace) string {
	return ending(algorithm, variant, t).url()
}

func ending(algorithm, variant string, t *trace.Trace) *link {
	return &link{
		algorithm: algorithm, variant: variant, setting: t.Setting, origin: t.Origin, choices: t.Choices,
		path: newFollow("", t).actions, at: len(t.Steps),
	}
}

// Check returns the address, within the server, of the check of a variant in a
// setting.
func Check(algorithm, variant string, in setting.Setting) string {
	l := &link{algorithm: algorithm, variant: variant, setting: in, origin: in}
	return checkPath(algorithm, variant) + "?" + l.query()
}

// CheckAsking returns that of a check that also asks the properties of these names, with commas
// between.
func CheckAsking(algorithm, variant string, in setting.Setting, names string) string {
	if names == "" {
		return Check(algorithm, variant, in)
	}
	return Check(algorithm, variant, in) + "&" + url.Values{verbAsk: {names}}.Encode()
}

// checkPath returns the address of the checks of a variant, without a setting.
func checkPath(algorithm, variant string) string {
	return "/check/" + url.PathEscape(algorithm) + "/" + url.PathEscape(variant)
}
