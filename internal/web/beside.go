package web

import (
	"errors"
	"fmt"
	"html/template"
	"strings"

	"bullyproof/trace"
	"bullyproof/trace/render"
)

// verbWith names the variant that a run is put beside.
const verbWith = "with"

// A besidePage shows the same steps in two variants, as far as both can take them.
type besidePage struct {
	frame
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

// beside answers with the run of a link, and the same steps in another variant.
func (s *Server) beside(a *Answer, r *Request) {
	v, query, ok := s.visit(a, r, verbWith)
	if !ok {
		return
	}
	if v.root == nil {
		s.fail(a, statusBadRequest, errNowhere)
		return
	}
	other, stuck, err := s.alike(v, query.Get(verbWith))
	if err != nil {
		s.fail(a, statusOf(err), err)
		return
	}
	p := &besidePage{frame: v.frame("Beside"), Setting: v.setting.String(), World: sentenceCase(v.setting.InWords()), At: v.at, Last: len(v.path)}
	for i, of := range []*visit{v, other} {
		one, err := newSide(of, fmt.Sprintf("side-%d", i+1))
		if err != nil {
			s.fail(a, statusFailed, err)
			return
		}
		p.Sides = append(p.Sides, one)
	}
	p.Parted = parted(p.Sides, stuck)
	to := func(at int) string { return besideOf(v.moved(at), other.variant) }
	p.First, p.Back, p.Forward, p.End = to(0), to(max(0, v.at-1)), to(min(v.at+1, len(v.path))), to(len(v.path))
	s.write(a, statusOK, "beside.html", p)
}

// Beside returns the address, within the server, of the beginning of a run of a variant
// beside another variant.
func Beside(algorithm, variant string, t *trace.Trace, other string) string {
	return besideOf(ending(algorithm, variant, t).moved(0), other)
}

// besideOf returns the address of a run beside another variant.
func besideOf(l *link, other string) string {
	at := strings.Replace(page(l.algorithm, l.variant), "/explore/", "/beside/", 1)
	return at + "?" + l.query([2]string{verbWith, other})
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

// parted says where two runs of the same steps part: where their processes believe
// different things, or one of them cannot take the next step.
func parted(sides []side, stuck error) string {
	a, b := sides[0].beliefs, sides[1].beliefs
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("They part %s: their processes believe different things.", atStep2(i))
		}
	}
	if len(a) > len(b) && stuck != nil {
		return fmt.Sprintf("They part %s: %s cannot take the next one.", atStep2(len(b)-1), sides[1].Name)
	}
	return ""
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
