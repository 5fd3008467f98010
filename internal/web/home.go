package web

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
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
func (s *Server) home(w http.ResponseWriter, r *http.Request) {
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
	s.write(w, r, http.StatusOK, "home.html", p)
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
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	file, header, err := r.FormFile("file")
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		s.fail(w, r, http.StatusRequestEntityTooLarge, fmt.Errorf("the file is larger than %d MiB", trace.MaxBytes>>20))
		return
	case err != nil:
		s.fail(w, r, http.StatusBadRequest, errors.New("no file was chosen"))
		return
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	data, err := io.ReadAll(file) // sent and here: what follows waits for nobody
	var rec Recording
	if !s.turns.take(r.Context()) {
		return
	}
	defer s.turns.leave()
	if err == nil {
		rec, err = s.take(header.Filename, data)
	}
	if err != nil {
		s.fail(w, r, http.StatusUnprocessableEntity, fmt.Errorf("%s is no run that can be followed: %s", nearest.Clip(header.Filename), sentence(err)))
		return
	}
	l, err := s.linkTo(rec)
	if err != nil {
		s.fail(w, r, http.StatusUnprocessableEntity, err)
		return
	}
	http.Redirect(w, r, l.url(), http.StatusSeeOther)
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

// diagramSheet is the style sheet of the diagrams that package trace draws.
const diagramSheet = "diagram.css"

// Style returns the style sheets of the pages, for who shows them without a server.
func Style() string { return render.SVGStyle() + embedded("style.css") }

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
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind, ok := contentTypes[path.Ext(name)]
	data, err := assets.ReadFile("assets/" + name)
	if name == diagramSheet {
		data, err = []byte(render.SVGStyle()), nil
	}
	if err != nil || !ok {
		s.fail(w, r, http.StatusNotFound, fmt.Errorf("there is no file %s", name))
		return
	}
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256(data))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(data) // who asked may have gone
	}
}
