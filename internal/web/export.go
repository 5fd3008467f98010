package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A format is a form in which a run can be taken away.
type format struct {
	name, what, end, contentType string
	write                        func(w io.Writer, t *trace.Trace, l *trace.Layout) error
}

// formats are the files of a run.
var formats = []format{
	{"json", "a trace file, which replay executes again", ".json", "application/json", writeTrace},
	{"html", "a page that walks through the run, for readers without this program", ".html", "text/html; charset=utf-8",
		func(w io.Writer, _ *trace.Trace, l *trace.Layout) error {
			return render.Page(w, l, render.PageOptions{})
		}},
	{"svg", "the diagram as a picture", ".svg", "image/svg+xml",
		func(w io.Writer, _ *trace.Trace, l *trace.Layout) error { return render.SVG(w, l, render.SVGOptions{}) }},
	{"txt", "the diagram as text", ".txt", "text/plain; charset=utf-8",
		func(w io.Writer, _ *trace.Trace, l *trace.Layout) error {
			return render.Text(w, l, render.TextOptions{})
		}},
	{"mermaid", "a sequence diagram for Mermaid", ".mmd", "text/plain; charset=utf-8",
		func(w io.Writer, _ *trace.Trace, l *trace.Layout) error { return render.Mermaid(w, l) }},
	{"itf", "the states, as Apalache and Quint have them", ".itf.json", "application/json",
		func(w io.Writer, _ *trace.Trace, l *trace.Layout) error { return render.ITF(w, l) }},
	{"shiviz", "a log with vector clocks for ShiViz", ".log", "text/plain; charset=utf-8",
		func(w io.Writer, _ *trace.Trace, l *trace.Layout) error { return render.ShiViz(w, l) }},
}

func writeTrace(w io.Writer, t *trace.Trace, _ *trace.Layout) error {
	data, err := t.Encode()
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// asPlain says that a file is of a run that shows nothing in particular.
const asPlain = "run"

// record returns the trace of a run, the one to the moment shown. It is one
// about the first property of which the run is evidence, if there is one; at
// the end of a recording it is the recording.
func (v *visit) record(run *trace.Run, found []ruling) *trace.Trace {
	h := trace.Header{Algorithm: v.subject.algorithm.Name, Variant: v.subject.name}
	lasso := 0
	if len(found) > 0 {
		h.Property, h.Kind, lasso = found[0].property.Name, trace.Violation, found[0].lasso
	}
	if v.now.over() {
		h.Property, h.Kind, lasso = trace.Misuse, trace.Violation, 0
	}
	if f := v.follow; f != nil && v.at == len(f.actions) && f.along(v.path[:v.at]) == v.at {
		h, lasso = f.Header, f.Lasso
		h.Variant = v.subject.name
	}
	t := run.Record(h)
	t.Setting, t.Origin, t.Lasso = v.setting, v.origin, lasso
	return t
}

// An exportItem is a file that can be had of a run.
type exportItem struct {
	Link, Name, What string
}

// exports lists the files of a run.
func (v *visit) exports(t *trace.Trace) []exportItem {
	here := *v.link
	here.path = here.path[:here.at]
	base := strings.TrimSuffix(t.FileName(), ".json")
	var list []exportItem
	for _, f := range formats {
		list = append(list, exportItem{
			Link: page(v.algorithm, v.variant) + "/run." + f.name + "?" + here.query(),
			Name: base + f.end, What: f.what,
		})
	}
	return list
}

// export answers with a file of the run that a link shows.
func (s *Server) export(a *Answer, r *Request) {
	v, query, ok := s.visit(a, r, verbAs)
	if !ok {
		return
	}
	if v.root == nil {
		s.fail(a, statusBadRequest, errNowhere)
		return
	}
	name, found := strings.CutPrefix(r.values["file"], "run.")
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if !found || i < 0 {
		s.fail(a, statusNotFound, nearest.Unknown("format", name, formatNames()))
		return
	}
	rulings := v.rule()
	shows, err := chosen(evidence(rulings), query.Get(verbAs), v.now.over())
	if err != nil {
		s.fail(a, statusBadRequest, err)
		return
	}
	run := v.now.run()
	if query.Has(verbAs) {
		v.follow = nil
	}
	t := v.record(run, shows)
	run.Demand = demand(rulings, t.Property)
	l, err := trace.Lay(t, run)
	var b bytes.Buffer
	if err == nil {
		err = formats[i].write(&b, t, l)
	}
	if err != nil {
		s.fail(a, statusFailed, err)
		return
	}
	a.Type, a.Body = formats[i].contentType, b.Bytes()
	a.File = strings.TrimSuffix(t.FileName(), ".json") + formats[i].end
}

// demand says what a property of those that are ruled on demands.
func demand(rulings []ruling, property string) string {
	for _, r := range rulings {
		if r.property.Name == property {
			return r.property.Doc
		}
	}
	return ""
}

func formatNames() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// chosen returns of what a run is evidence the part that a request asks for by
// the name of a property; "run" asks for nothing in particular, and "" for
// anything.
func chosen(list []ruling, as string, over bool) ([]ruling, error) {
	switch as {
	case "":
		return list, nil
	case asPlain:
		if over {
			return nil, errors.New("the run ends with a misuse, and is evidence of that")
		}
		return nil, nil
	}
	for _, r := range list {
		if r.property.Name == as {
			return []ruling{r}, nil
		}
	}
	return nil, fmt.Errorf("%s=%q: the run is no evidence of that: the property does not break in its last step, or did before", verbAs, nearest.Clip(as))
}
