package claimfile

import (
	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
)

// The words with which the lines of a question and of an answer begin.
var (
	questionWords = []string{"source", "cells", "asks", "open", "answer"}
	saidWords     = []string{"source", "says", "cells"}
	answerWords   = []string{"says", "in", "excluded"}
)

// question reads what a source leaves open.
func (r *reader) question(l *line) {
	word, name := l.own().cut()
	q := ledger.Question{Name: name.text, At: r.at(word.start())}
	if err := naming.Valid(name.text); err != nil {
		r.failf(name.start(), "question: %v", err)
	}
	for i := range r.questions {
		if old := &r.questions[i]; old.Name == q.Name {
			r.failf(name.start(), "there is a question %q already: %s", q.Name, old.At)
		}
	}
	texts := map[string]*string{"asks": &q.Asks, "open": &q.Open}
	for _, sub := range l.below {
		key, value := sub.passage().cut()
		switch field, ok := texts[key.text]; {
		case key.text == "answer":
			q.Answers = append(q.Answers, r.answer(sub))
		case key.text == "source":
			q.Source = r.publication(value)
		case key.text == "cells":
			q.Cells = cells(value)
		case !ok:
			r.failf(key.start(), "unknown word %q of a question: %s", nearest.Clip(key.text), nearest.Hint(key.text, questionWords))
		default:
			*field = r.fill(value, nil)
		}
	}
	if q.Asks == "" || q.Open == "" || len(q.Answers) < 2 {
		r.failf(word.start(), "question %s has not all of its lines: want asks, open, and two answers at least", q.Name)
	}
	r.questions = append(r.questions, q)
}

// cells reads patterns of events, set apart by semicolons.
func cells(p *passage) (list []string) {
	for _, pattern := range p.split(";") {
		list = append(list, pattern.text)
	}
	return list
}

// said reads which events a sentence of the source is about.
func (r *reader) said(l *line) {
	word, place := l.own().cut()
	s := ledger.Sentence{Place: r.fill(place, nil), At: r.at(word.start())}
	for _, sub := range l.below {
		key, value := sub.passage().cut()
		switch key.text {
		case "source":
			s.Source = r.publication(value)
		case "says":
			s.Says = r.fill(value, nil)
		case "cells":
			s.Cells = cells(value)
		default:
			r.failf(key.start(), "unknown word %q of what is said: %s", nearest.Clip(key.text), nearest.Hint(key.text, saidWords))
		}
	}
	if s.Place == "" || len(s.Cells) == 0 {
		r.failf(word.start(), "said: want a place, and below it cells, the events that its sentence is about")
	}
	r.sentences = append(r.sentences, s)
}

// answer reads an answer to a question.
func (r *reader) answer(l *line) (n ledger.Answer) {
	word, name := l.own().cut()
	n.Name = name.text
	if err := naming.Valid(name.text); err != nil {
		r.failf(name.start(), "answer: %v", err)
	}
	for _, sub := range l.below {
		key, value := sub.passage().cut()
		switch key.text {
		case "says":
			n.Says = r.fill(value, nil)
		case "in":
			for _, v := range value.split(",") {
				n.Variants = append(n.Variants, v.text)
			}
		case "excluded":
			n.Excluded = r.fill(value, nil)
		default:
			r.failf(key.start(), "unknown word %q of an answer: %s", nearest.Clip(key.text), nearest.Hint(key.text, answerWords))
		}
	}
	if n.Says == "" {
		r.failf(word.start(), "answer %s says nothing: want says, and in (its readings) or excluded (the sentence against it)", n.Name)
	}
	return n
}
