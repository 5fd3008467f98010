package web

import (
	"errors"
	"fmt"
	"html/template"
	"strings"

	"bullyproof/trace"
	"bullyproof/trace/render"
)

// The requests of a page with two runs.
const (
	verbWith  = "with"  // the variant that the steps are put beside
	verbOther = "other" // the steps of another run of the same variant
	verbPart  = "part"  // open it where the two part
)

// A besidePage shows two runs: the same steps in two variants, as far as both can take
// them, or other steps of the same variant.
type besidePage struct {
	frame
	Title                     string
	Setting, World            string // as text, and in words
	At, Last                  int
	First, Back, Forward, End string // addresses
	Parted                    string // where the two part, and how; empty if they do not so far
	Sides                     []side
}

// A side is a run in one of the variants.
type side struct {
	Name, Doc, Link string
	At              int
	Now, Beliefs    string
	Broken          []propertyRow
	Diagram         template.HTML
	beliefs         []string // after each step
}

// beside answers with the run of a link, and beside it the same steps in another variant or
// other steps.
func (s *Server) beside(a *Answer, r *Request) {
	v, query, ok := s.visit(a, r, verbWith, verbOther, verbPart)
	if !ok {
		return
	}
	if v.root == nil {
		s.fail(a, statusBadRequest, errNowhere)
		return
	}
	beside := [2]string{verbWith, query.Get(verbWith)}
	look, title := s.alike, "The same steps in two variants"
	if query.Has(verbOther) {
		beside = [2]string{verbOther, query.Get(verbOther)}
		look, title = s.otherwise, "Two runs"
	}
	if query.Has(verbPart) {
		v.link = v.moved(len(v.path))
		v.now = v.end
	}
	other, stuck, err := look(v, beside[1])
	if err != nil {
		s.fail(a, statusOf(err), err)
		return
	}
	last := max(len(v.path), len(other.path))
	p := &besidePage{frame: v.frame("Beside"), Setting: v.setting.String(), World: sentenceCase(v.setting.InWords()), At: max(v.at, other.at), Last: last}
	p.frame.Title, p.Title = title+" · "+v.algorithm, title
	for i, of := range []*visit{v, other} {
		one, err := newSide(of, fmt.Sprintf("side-%d", i+1))
		if err != nil {
			s.fail(a, statusFailed, err)
			return
		}
		p.Sides = append(p.Sides, one)
	}
	var where int
	p.Parted, where = parted(p.Sides, stuck)
	if query.Has(verbOther) {
		where = common(v.path, other.path)
		p.Parted = fmt.Sprintf("They part %s.", atStep2(where))
		where++
	}
	to := func(at int) string { return besideOf(v.moved(at), beside) }
	if query.Has(verbPart) {
		a.lead(to(min(where, len(v.path))))
		return
	}
	p.First, p.Back, p.Forward, p.End = to(0), to(max(0, v.at-1)), to(min(v.at+1, len(v.path))), to(len(v.path))
	s.write(a, statusOK, "beside.html", p)
}

// Beside returns the address, within the server, of a run of a variant beside another
// variant, where the two part.
func Beside(algorithm, variant string, t *trace.Trace, other string) string {
	return besideOf(ending(algorithm, variant, t), [2]string{verbWith, other}, [2]string{verbPart, "1"})
}

// besideOf returns the address of a run beside another variant, or other steps.
func besideOf(l *link, beside ...[2]string) string {
	at := strings.Replace(page(l.algorithm, l.variant), "/explore/", "/beside/", 1)
	return at + "?" + l.query(beside...)
}

// otherwise returns the visit of other steps of the same variant, as far as those of the
// first have come.
func (s *Server) otherwise(v *visit, path string) (other *visit, stuck, err error) {
	l := *v.link
	if l.path, err = decodePath(path); err != nil {
		return nil, nil, fmt.Errorf("parameter %s: %w", verbOther, err)
	}
	l.at, l.trace = min(l.at, len(l.path)), ""
	if v.at == len(v.path) {
		l.at = len(l.path)
	}
	other = &visit{link: &l, subject: v.subject}
	return other, nil, s.enter(other)
}

// alike returns the visit of the same steps in another variant, up to where that cannot
// take them, and why it cannot.
func (s *Server) alike(v *visit, name string) (other *visit, stuck, err error) {
	sub, err := findSubject(s.algorithms, v.algorithm, name)
	if err != nil {
		return nil, nil, err
	}
	l := *v.link
	l.variant, l.trace = sub.name, ""
	other = &visit{link: &l, subject: sub}
	err = s.enter(other)
	var not *notEnabled
	if errors.As(err, &not) {
		stuck = not
		l.path = l.path[:not.at.depth]
		l.at = min(l.at, len(l.path))
		err = s.enter(other)
	}
	if err != nil {
		err = fmt.Errorf("%s/%s: %w", v.algorithm, sub.name, err)
	}
	return other, stuck, err
}

// newSide returns a side, whose drawing has an id.
func newSide(v *visit, id string) (side, error) {
	run := v.now.run()
	layout, err := trace.Lay(v.record(run, nil), run)
	if err != nil {
		return side{}, err
	}
	var drawing strings.Builder
	if err := render.SVG(&drawing, layout, render.SVGOptions{Bare: true, Unstyled: true, ID: id, Selected: v.at}); err != nil {
		return side{}, err
	}
	one := side{
		Name: v.algorithm + "/" + v.variant, Doc: v.subject.doc, Link: v.url(), At: v.at,
		Now: tell(layout, v.at), Diagram: template.HTML(drawing.String()),
	}
	for i := range layout.Rows {
		one.beliefs = append(one.beliefs, sentenceCase(layout.BeliefText(i)))
	}
	one.Beliefs = one.beliefs[v.at]
	for _, row := range propertyRows(v.rule()) {
		if row.Broken {
			one.Broken = append(one.Broken, row)
		}
	}
	return one, nil
}

// parted says where two runs of the same steps part, and after which step: where their
// processes believe different things, or one of them cannot take the next step.
func parted(sides []side, stuck error) (words string, where int) {
	a, b := sides[0].beliefs, sides[1].beliefs
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("They part %s: their processes believe different things.", atStep2(i)), i
		}
	}
	if len(a) > len(b) && stuck != nil {
		return fmt.Sprintf("They part %s: %s cannot take the next one.", atStep2(len(b)-1), sides[1].Name), len(b)
	}
	return "", len(a) - 1
}

// others lists the variants beside which a run can be put.
func (v *visit) others() (list []string) {
	for _, sub := range subjects(v.subject.algorithm) {
		if sub.name != v.variant {
			list = append(list, sub.name)
		}
	}
	return list
}

// A besideForm lets people choose what a run is put beside.
type besideForm struct {
	form
	Others []string
}

func (v *visit) besideForm() besideForm {
	f := v.form()
	f.Action = strings.Replace(f.Action, "/explore/", "/beside/", 1)
	return besideForm{f, v.others()}
}
