package web

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A homePage lists what can be explored.
type homePage struct {
	frame
	Algorithms []homeAlgorithm
	Opened     []homeRecording // runs that somebody brought
}

type homeAlgorithm struct {
	*ledger.Algorithm
	Variants, Mutants []homeSubject
	Recordings        []homeRecording
}

type homeSubject struct{ Name, Doc, Link, Setting string }

type homeRecording struct{ Name, Title, Subject, Property, Kind, Link string }

// home answers with the start page.
func (s *Server) home(a *Answer, r *Request) {
	p := &homePage{frame: frame{Title: "Explorer"}}
	recorded, opened := s.recorded.lists()
	for _, a := range s.algorithms {
		h := homeAlgorithm{Algorithm: a}
		for _, sub := range subjects(a) {
			item := homeSubject{sub.name, sub.doc, page(a.Name, sub.name), sub.usual.String()}
			if sub.mutant {
				h.Mutants = append(h.Mutants, item)
			} else {
				h.Variants = append(h.Variants, item)
			}
		}
		of := func(rec Recording) bool { return rec.Trace.Algorithm == a.Name }
		h.Recordings = s.listed(recorded, of)
		p.Algorithms = append(p.Algorithms, h)
	}
	p.Opened = s.listed(opened, func(Recording) bool { return true })
	s.write(a, statusOK, "home.html", p)
}

// listed returns those of some recordings that qualify, for the start page.
func (s *Server) listed(list []Recording, qualifies func(Recording) bool) (items []homeRecording) {
	for _, rec := range list {
		if !qualifies(rec) {
			continue
		}
		l, err := s.linkTo(rec)
		if err != nil {
			continue // of an algorithm that is not offered
		}
		items = append(items, homeRecording{
			Name: rec.Name, Title: rec.Trace.Title, Subject: l.algorithm + "/" + l.variant,
			Property: rec.Trace.Property, Kind: rec.Trace.Kind.String(), Link: l.url(),
		})
	}
	return items
}

// linkTo returns the link to the beginning of a recording.
func (s *Server) linkTo(rec Recording) (*link, error) {
	sub, err := findSubject(s.algorithms, rec.Trace.Algorithm, rec.Trace.Variant)
	if err != nil {
		return nil, err
	}
	return &link{
		algorithm: sub.algorithm.Name, variant: sub.name,
		setting: rec.Trace.Setting, origin: rec.Trace.Origin, choices: rec.Trace.Choices, trace: rec.Name,
	}, nil
}

// lookup finds what a trace is of (trace.Lookup).
func (s *Server) lookup(algorithm, variant, property string, in setting.Setting) (*model.System, model.Watch, error) {
	sub, err := findSubject(s.algorithms, algorithm, variant)
	if err != nil {
		return nil, model.Watch{}, err
	}
	if property == "" {
		sys, err := sub.build(in)
		return sys, model.Watch{}, err
	}
	p, err := sub.algorithm.Property(property)
	if err != nil {
		return nil, model.Watch{}, err
	}
	sys, err := sub.build(in)
	if err == nil {
		sys, err = checker.Remembered(sys, p)
	}
	return sys, p.Watch(), err
}

// open takes a trace file that somebody chose in the browser, and leads to its
// run.
func (s *Server) open(a *Answer, r *Request) {
	name, data, err := r.file("file") // sent and here: what follows waits for nobody
	switch {
	case errors.Is(err, errLarge):
		s.fail(a, statusTooLarge, fmt.Errorf("the file is larger than %d MiB", trace.MaxBytes>>20))
		return
	case err != nil:
		s.fail(a, statusBadRequest, errors.New("no file was chosen"))
		return
	}
	if !s.turns.take(r.ctx) {
		return
	}
	defer s.turns.leave()
	rec, err := s.take(name, data)
	if err != nil {
		s.fail(a, statusUnprocessable, fmt.Errorf("%s is no run that can be followed: %s", nearest.Clip(name), sentence(err)))
		return
	}
	l, err := s.linkTo(rec)
	if err != nil {
		s.fail(a, statusUnprocessable, err)
		return
	}
	a.lead(l.url())
}

// take keeps the trace of a file, which has to be as recorded.
func (s *Server) take(name string, data []byte) (Recording, error) {
	t, err := trace.Decode(data)
	if err != nil {
		return Recording{}, err
	}
	if _, err := trace.Replay(t, s.lookup); err != nil {
		return Recording{}, err
	}
	name = strings.TrimSuffix(filepath.Base(name), ".json")
	if name = nearest.Clip(name); strings.Trim(name, ". ") == "" {
		name = "opened"
	}
	name, err = s.recorded.add(name, t)
	return Recording{name, t}, err
}

// diagramSheet is the style sheet of the diagrams and stages that package trace draws.
const diagramSheet = "diagram.css"

// Style returns the style sheets of the pages, for who shows them without a server.
func Style() string { return drawnStyle() + embedded("style.css") }

// drawnStyle returns the style sheet of drawings.
func drawnStyle() string { return render.SVGStyle() + render.StageStyle() }

// Script returns the script of the pages. After a page has been replaced by another
// one it waits for the event explorer-page.
func Script() string { return embedded("explore.js") + embedded("dagre.js") + embedded("map.js") }

func embedded(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// asset answers with a file that pages use.
func (s *Server) asset(a *Answer, r *Request) {
	name := r.values["name"]
	kind, ok := contentTypes[path.Ext(name)]
	data, err := assets.ReadFile("assets/" + name)
	if name == diagramSheet {
		data, err = []byte(drawnStyle()), nil
	}
	if err != nil || !ok {
		s.fail(a, statusNotFound, fmt.Errorf("there is no file %s", name))
		return
	}
	a.Type, a.Body, a.Asset = kind, data, true
}
