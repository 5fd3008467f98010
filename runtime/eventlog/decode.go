package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bullyproof/internal/nearest"
	"bullyproof/model"
)

// Decode reads a line, with or without its end. It refuses whatever it does not
// know: an error names what is wrong, and what would be right.
func Decode(data []byte) (Event, error) {
	var e Event
	switch data = bytes.TrimSuffix(data, []byte("\n")); {
	case len(data) >= MaxLine:
		return e, fmt.Errorf("the line has %d bytes: at most %d", len(data)+1, MaxLine)
	case !utf8.Valid(data):
		return e, errors.New("the line is not UTF-8")
	case len(bytes.TrimSpace(data)) == 0:
		return e, errors.New("the line is empty: want an event")
	}
	given, err := object("an event", data, func(name string, value []byte) error { return e.set(name, value) }, eventFields)
	if err != nil {
		return Event{}, err
	}
	if !slices.Contains(given, "event") {
		return Event{}, errors.New(`an event lacks the field "event"`)
	}
	for _, name := range given {
		if !e.Kind.has(name) {
			return Event{}, fmt.Errorf("the field %q means nothing to a %s", name, e.Kind)
		}
	}
	if e.Kind == Boot && !slices.Contains(given, "why") {
		return Event{}, errors.New(`a boot lacks the field "why": want "cold", "join" or "restart"`)
	}
	if err := e.Validate(); err != nil {
		return Event{}, err
	}
	return e, nil
}

var (
	eventFields = []string{
		"process", "event", "why", "from", "to", "message", "id", "timer", "who", "link", "side", "choices", "rules",
		"belief", "state", "seq", "clock", "time", "note",
	}
	beliefFields = []string{"elected", "participant", "epoch"}
	bootNames    = []string{model.Cold.String(), model.Join.String(), model.Restart.String()}
)

// object reads a JSON object, each field at most once, and returns the names of
// those that it has. Where any name will do, known is nil.
func object(what string, data []byte, set func(name string, value []byte) error, known []string) (given []string, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return nil, fmt.Errorf("%s is %q: want a JSON object", what, clip(data))
	}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, notJSON(err)
		}
		name, _ := tok.(string)
		if known != nil && !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s has no field %q: %s", what, clip([]byte(name)), nearest.Hint(name, known))
		}
		if slices.Contains(given, name) {
			return nil, fmt.Errorf("%s has the field %q twice", what, name)
		}
		if given = append(given, name); len(given) > MaxItems {
			return nil, fmt.Errorf("%s has more than %d fields", what, MaxItems)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, notJSON(err)
		}
		if err := set(name, value); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, notJSON(err)
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("unexpected text %q after %s", clip(rest), what)
	}
	return given, nil
}

// notJSON says what an error of the JSON decoder is about.
func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTorn
	}
	return fmt.Errorf("not JSON: %w", err)
}

// errTorn is the error of a line that ends too early.
var errTorn = errors.New("the line ends in the middle of an event")

// set sets a field from its JSON.
func (e *Event) set(name string, value []byte) (err error) {
	switch name {
	case "process":
		e.Process, err = process(name, value)
	case "event":
		e.Kind, err = word[Kind]("kind of event", value, kindNames[:])
	case "why":
		e.Why, err = word[model.Boot]("why", value, bootNames)
	case "from":
		e.From, err = portOf(name, value)
	case "to":
		e.To, err = portOf(name, value)
	case "message":
		e.Message, err = text(name, value)
	case "id":
		e.ID, err = text(name, value)
	case "timer":
		e.Timer, err = text(name, value)
	case "who":
		e.Who, err = process(name, value)
	case "link":
		e.Link, err = text(name, value)
	case "note":
		err = get(name, value, "a text", &e.Note)
	case "seq":
		e.Seq, err = positive(name, value)
	case "clock":
		e.Clock, err = positive(name, value)
	case "time":
		err = e.setTime(value)
	case "belief":
		e.Belief = new(Belief)
		_, err = object("belief", value, e.Belief.set, beliefFields)
	default:
		err = e.setList(name, value)
	}
	return err
}

// setList sets a field that has several values.
func (e *Event) setList(name string, value []byte) error {
	switch name {
	case "choices":
		return list(name, value, "whole numbers", &e.Choices)
	case "rules":
		return list(name, value, "texts", &e.Rules)
	case "side":
		var ids []int
		if err := list(name, value, "processes", &ids); err != nil {
			return err
		}
		for _, id := range ids {
			if id < 1 || id > int(model.MaxID) || e.Side.Has(model.ID(id)) {
				return fmt.Errorf("side has %d: want processes, 1 to %d, each once", id, model.MaxID)
			}
			e.Side = e.Side.With(model.ID(id))
		}
		return nil
	}
	e.State = []Field{}
	_, err := object("state", value, func(name string, value []byte) error {
		f := Field{Name: name}
		err := get("state "+name, value, "a text", &f.Value)
		e.State = append(e.State, f)
		return err
	}, nil)
	if len(e.State) == 0 {
		e.State = nil
	}
	slices.SortFunc(e.State, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return err
}

func (e *Event) setTime(value []byte) error {
	var s string
	err := get("time", value, "a text", &s)
	if err != nil {
		return err
	}
	if e.Time, err = time.Parse(time.RFC3339Nano, s); err != nil || e.Time.IsZero() {
		return fmt.Errorf("time is %q: want one like \"2026-01-31T23:59:59.123456Z\"", clip([]byte(s)))
	}
	return nil
}

// set sets a field of a belief.
func (b *Belief) set(name string, value []byte) error {
	switch name {
	case "elected":
		id := model.Me
		if string(value) != `"me"` {
			n, err := whole(name, value, uint64(model.MaxID))
			if err != nil {
				return fmt.Errorf("elected is %s: want a process, 1 to %d, 0 for none, or \"me\"", clip(value), model.MaxID)
			}
			id = model.ID(n)
		}
		b.Elected = &id
		return nil
	case "participant":
		b.Participant = new(bool)
		return get(name, value, "true or false", b.Participant)
	}
	b.Epoch = new(uint64)
	return get(name, value, "a whole number, 0 or more", b.Epoch)
}

// get reads a value of one type.
func get(name string, value []byte, want string, to any) error {
	if string(value) == "null" || json.Unmarshal(value, to) != nil {
		return fmt.Errorf("%s is %s: want %s", name, clip(value), want)
	}
	return nil
}

// list reads a list, which may be empty.
func list[T any](name string, value []byte, of string, to *[]T) error {
	var values []*T // nil where one is null
	err := get(name, value, "a list of "+of, &values)
	if err != nil {
		return err
	}
	*to = make([]T, len(values))
	for i, v := range values {
		if v == nil {
			return fmt.Errorf("%s has null: want a list of %s", name, of)
		}
		(*to)[i] = *v
	}
	return nil
}

// whole reads a whole number from 0 to most.
func whole(name string, value []byte, most uint64) (n uint64, err error) {
	want := fmt.Sprintf("a whole number, 0 to %d", most)
	if err = get(name, value, want, &n); err == nil && n > most {
		err = fmt.Errorf("%s is %d: want %s", name, n, want)
	}
	return n, err
}

// positive reads a number that counts from 1.
func positive(name string, value []byte) (n uint64, err error) {
	if err = get(name, value, "a whole number, 1 or more", &n); err == nil && n == 0 {
		err = fmt.Errorf("%s is 0: want a whole number, 1 or more", name)
	}
	return n, err
}

func process(name string, value []byte) (model.ID, error) {
	n, err := whole(name, value, uint64(model.MaxID))
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s is %s: want a process, 1 to %d", name, clip(value), model.MaxID)
	}
	return model.ID(n), nil
}

func portOf(name string, value []byte) (model.Port, error) {
	switch string(value) {
	case `"next"`:
		return model.Next, nil
	case `"prev"`:
		return model.Prev, nil
	}
	id, err := process(name, value)
	if err != nil {
		return 0, fmt.Errorf("%s is %s: want a process, 1 to %d, or \"next\" or \"prev\"", name, clip(value), model.MaxID)
	}
	return model.Peer(id), nil
}

// text reads a text that is not empty.
func text(name string, value []byte) (s string, err error) {
	if err = get(name, value, "a text", &s); err == nil && s == "" {
		err = fmt.Errorf("%s is empty: leave it out, or say it", name)
	}
	return s, err
}

// word reads one of a few words, and returns its number.
func word[T ~uint8](name string, value []byte, words []string) (T, error) {
	s, err := text(name, value)
	if err != nil {
		return 0, err
	}
	i := slices.Index(words, s)
	if i < 0 {
		return 0, nearest.Unknown(name, s, words)
	}
	return T(i), nil
}

// clip shortens what an error shows.
func clip(data []byte) string { return nearest.Clip(string(data)) }
