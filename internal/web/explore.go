package web

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/trace"
)

// The requests besides showing the place of a link.
const (
	verbDo   = "do"   // take the action with this text
	verbGo   = "go"   // go to the moment after so many steps
	verbNext = "next" // take the next step of the recording
	verbPage = "page" // of the list of initial states
	verbFind = "find" // in the list of initial states
	verbWay  = "way"  // take the shortest way to where this property breaks
	verbAs   = "as"   // of an export: the property that it is evidence of
)

// A visit is a link with what it leads to.
type visit struct {
	*link
	subject *subject
	sys     *model.System
	root    *moment
	end     *moment // of the path
	now     *moment
	follow  *follow // nil where no recording is followed
	lost    string  // why a recording that the link names is not followed
	typed   typed
}

// algorithm leads to the default variant of an algorithm.
func (s *Server) algorithm(a *Answer, r *Request) {
	sub, err := findSubject(s.algorithms, r.values["algorithm"], "")
	if err != nil {
		s.fail(a, statusNotFound, err)
		return
	}
	to := page(sub.algorithm.Name, sub.name)
	if r.Query != "" {
		to += "?" + r.Query
	}
	a.lead(to)
}

// explore answers with the page of a link, or carries out what is asked for
// and leads to the page of the link that comes of it.
func (s *Server) explore(a *Answer, r *Request) {
	if asks(r) {
		s.ask(a, r)
		return
	}
	s.turns.inTurn(s.step)(a, r)
}

// step is explore where no expression is asked about.
func (s *Server) step(a *Answer, r *Request) {
	v, query, ok := s.visit(a, r, verbDo, verbGo, verbNext, verbPage, verbFind, verbWay, verbDrop, verbPass)
	switch {
	case !ok:
	case v.root == nil:
		s.starts(a, v, query, (*link).url)
	case query.Has(verbWay):
		s.takeWay(a, v, query.Get(verbWay))
	default:
		to, err := v.act(query)
		if err != nil {
			s.refuse(a, v, err)
			return
		}
		if to != nil {
			a.lead(to.url())
			return
		}
		s.show(a, v)
	}
}

// visit finds out where a request leads. If that is nowhere it answers with what
// is wrong, and reports false. The root of a visit is nil where the setting has
// several initial states and the link names none.
func (s *Server) visit(a *Answer, r *Request, also ...string) (*visit, url.Values, bool) {
	sub, err := findSubject(s.algorithms, r.values["algorithm"], r.values["variant"])
	if err != nil {
		s.fail(a, statusNotFound, err)
		return nil, nil, false
	}
	if s.byHand(a, r, sub) || s.composing(a, r, sub) {
		return nil, nil, false
	}
	if len(r.Query) > maxQuery {
		s.fail(a, statusLinkTooLong, tooLong{fmt.Sprintf("the link has %d bytes: at most %d", len(r.Query), maxQuery)})
		return nil, nil, false
	}
	query, err := url.ParseQuery(r.Query)
	if err != nil {
		s.fail(a, statusBadRequest, fmt.Errorf("the link cannot be read: %w", err))
		return nil, nil, false
	}
	l, err := parseLink(sub.algorithm.Name, sub.name, sub.usual, query, also...)
	v := &visit{link: l, subject: sub}
	if err == nil {
		err = s.enter(v)
	}
	var wrong *settingError
	switch {
	case errors.As(err, &wrong):
		s.badSetting(a, sub, wrong)
	case errors.Is(err, errNowhere) && len(l.path) == 0:
		return v, query, true
	case err != nil:
		s.refuse(a, v, err)
	default:
		return v, query, true
	}
	return nil, nil, false
}

// enter makes the system of a visit and walks along its path.
func (s *Server) enter(v *visit) (err error) {
	s.attend(v)
	if v.sys, err = v.subject.build(v.origin); err != nil {
		return &settingError{v.setting.String(), err}
	}
	asked, more := v.asked()
	if v.sys, err = checker.Remembered(v.sys, asked...); err != nil {
		return err
	}
	name := v.subject.algorithm.Name + "/" + v.subject.name + " " + v.origin.String() + " " + encodeNumbers(v.choices) + " " + more
	root, err := s.tree.root(name, func() (*moment, error) {
		state, err := begin(v.sys, v.choices)
		if err != nil {
			return nil, err
		}
		return newRoot(v.sys, state, asked), nil
	})
	if err != nil {
		return err
	}
	v.end, err = s.tree.walk(root, v.path)
	if err != nil {
		return err
	}
	v.root, v.now = root, v.end
	for v.now.depth > v.at {
		v.now = v.now.before
	}
	return nil
}

// asked returns the properties that the pages of a visit tell of: what a check
// of the algorithm asks, the algorithm's own, and what the recording is about
// that is followed. That one is named if it is none of the others.
func (v *visit) asked() (list []*checker.Property, more string) {
	a := v.subject.algorithm
	list = a.Questions()
	add := func(p *checker.Property) bool {
		known := slices.ContainsFunc(list, func(q *checker.Property) bool { return q.Name == p.Name })
		if !known {
			list = append(list, p)
		}
		return !known
	}
	for _, p := range a.Properties {
		add(p)
	}
	if v.follow != nil && v.follow.Kind == trace.Violation && v.follow.Property != trace.Misuse {
		if p, err := a.Property(v.follow.Property); err == nil && add(p) {
			more = p.Name
		}
	}
	return list, more
}

// rule returns how every property stands at the moment that is shown. At the
// end of a recording, what it breaks breaks: it was found by more than one run
// can show.
func (v *visit) rule() []ruling {
	list := slices.Clone(v.now.rule())
	f := v.follow
	if f == nil || f.Kind != trace.Violation || v.at != len(f.actions) || f.along(v.path[:v.at]) < v.at {
		return list
	}
	for i := range list {
		if r := &list[i]; r.property.Name == f.Property && r.standing != breaks {
			run := v.now.run()
			*r = ruling{property: r.property, standing: breaks, why: r.property.ExplainRun(run, f.Lasso), lasso: f.Lasso, fresh: true}
		}
	}
	return list
}

// attend finds the recording that a link names.
func (s *Server) attend(v *visit) {
	if v.trace == "" {
		return
	}
	t, err := s.recorded.find(v.trace)
	if err != nil {
		v.lost = err.Error()
		return
	}
	f := newFollow(v.trace, t)
	if !f.belongs(v.link) {
		v.lost = fmt.Sprintf("the recording %q is of another algorithm, setting or start", v.trace)
		return
	}
	v.follow = f
}

// next returns the next action of the recording that is followed, if the run
// has not left it.
func (v *visit) next() (model.Action, bool) {
	if v.follow == nil || v.follow.along(v.path[:v.at]) < v.at {
		return model.Action{}, false
	}
	return v.follow.action(v.at)
}

// coming returns the actions of the recording that is followed behind the end of the path,
// if the path has not left it. Of one without end they are those that were recorded.
func (v *visit) coming() []model.Action {
	if v.follow == nil || v.follow.along(v.path) < len(v.path) {
		return nil
	}
	return v.follow.actions[min(len(v.path), len(v.follow.actions)):]
}

// act carries out what a request asks for and returns the link that comes of
// it, nil if it asks for nothing.
func (v *visit) act(query url.Values) (*link, error) {
	var a model.Action
	var err error
	switch {
	case query.Has(verbDo):
		if a, err = decodeAction(query.Get(verbDo)); err != nil {
			return nil, fmt.Errorf("action %q: %w", query.Get(verbDo), err)
		}
	case query.Has(verbNext):
		var ok bool
		if a, ok = v.next(); !ok {
			return nil, errors.New("there is no next step of a recording here: none is followed, the run has left it, or it has ended")
		}
	case query.Has(verbGo):
		n, err := strconv.Atoi(query.Get(verbGo))
		if last := len(v.path) + len(v.coming()); err != nil || n < 0 || n > last {
			return nil, fmt.Errorf("%s=%q: want a number from 0 to %d, the steps of the path and of the recording", verbGo, query.Get(verbGo), last)
		}
		to := v.moved(n)
		if more := n - len(v.path); more > 0 {
			to.path = append(slices.Clip(v.path), v.coming()[:more]...)
		}
		return to, to.fits()
	case query.Has(verbPass):
		return v.passing()
	case query.Has(verbDrop):
		return v.without(query.Get(verbDrop))
	default:
		return nil, nil
	}
	if _, err := v.now.after(a); err != nil {
		return nil, err
	}
	to := v.taking(a)
	return to, to.fits()
}

// fits returns an error if the path is too long for a link.
func (l *link) fits() error {
	if text := encodePath(l.path); len(text) > maxPath || len(l.path) > maxSteps {
		return tooLong{fmt.Sprintf("the run would have %d steps, and its link %d bytes: at most %d and %d", len(l.path), len(text), maxSteps, maxPath)}
	}
	return nil
}

// A refusal says that an action is not enabled, and what is.
type refusal struct {
	Action string
	Step   int
	Form   form
	Groups []group
	None   bool
}

// refuse answers a request that leads nowhere.
func (s *Server) refuse(a *Answer, v *visit, err error) {
	var not *notEnabled
	if !errors.As(err, &not) {
		s.fail(a, statusOf(err), err)
		return
	}
	reached := *v.link
	reached.path, reached.at = pathTo(not.at), not.at.depth
	page := &errorPage{
		frame: v.frame("Not enabled"), Status: statusUnprocessable, Name: "Not enabled", Message: sentence(err),
		Refused: &refusal{
			Action: trace.ActionText(not.action), Step: not.step, Form: reached.form(),
			Groups: s.groups(not.at, nil, nil, nil),
		},
	}
	page.Refused.None = len(page.Refused.Groups) == 0
	s.write(a, page.Status, "error.html", page)
}

// pathTo returns the actions that led to a moment.
func pathTo(m *moment) []model.Action {
	path := make([]model.Action, m.depth)
	for ; m.before != nil; m = m.before {
		path[m.depth-1] = m.step.Action
	}
	return path
}

// frame returns the frame of a page of a visit.
func (v *visit) frame(title string) frame {
	return frame{
		Title: title + " · " + v.subject.algorithm.Name + "/" + v.subject.name,
		Where: []crumb{{v.subject.algorithm.Name + "/" + v.subject.name, page(v.subject.algorithm.Name, v.subject.name)}},
	}
}

// A form is a link as the hidden fields of a form.
type form struct {
	Action string
	Fields [][2]string
}

func (l *link) form() form { return form{page(l.algorithm, l.variant), l.params()} }
