package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// Decode reads a trace file. It refuses whatever it does not know: an error
// names the line, what is wrong there, and what would be right.
func Decode(data []byte) (*Trace, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("trace: the file is too large: at most %d bytes", MaxBytes)
	}
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return nil, errors.New("trace: the file begins with a byte-order mark (EF BB BF): save it as UTF-8 without one")
	case !utf8.Valid(data):
		return nil, errors.New("trace: the file is not UTF-8")
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("trace: the file is empty: want a trace file")
	}
	d := decoder{data: data, json: json.NewDecoder(bytes.NewReader(data))}
	d.json.UseNumber()
	t := d.trace()
	if d.err == nil {
		d.end()
	}
	if d.err != nil {
		return nil, d.err
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return t, nil
}

// A decoder reads JSON piece by piece, and knows at each moment what may come.
// After the first error it reads no more; its methods return zero then.
type decoder struct {
	data []byte
	json *json.Decoder
	err  error
	step int // the step that is being read, from 1
}

// fail notes what is wrong, with the place.
func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.failAt(int(d.json.InputOffset()), format, args...)
	}
}

// failAt notes what is wrong at an offset.
func (d *decoder) failAt(offset int, format string, args ...any) {
	where := fmt.Sprintf("line %d", 1+bytes.Count(d.data[:offset], []byte("\n")))
	if d.step > 0 {
		where += fmt.Sprintf(", step %d", d.step)
	}
	d.err = fmt.Errorf("trace: %s: "+format, append([]any{where}, args...)...)
}

// token returns the next token, nil after an error.
func (d *decoder) token() json.Token {
	if d.err != nil {
		return nil
	}
	tok, err := d.json.Token()
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		d.fail("the file ends in the middle of the trace: it was cut off")
	case errors.As(err, &syntax):
		d.fail("not JSON: %v", err)
	case err != nil:
		d.fail("%v", err)
	}
	return tok
}

// end checks that nothing follows the trace.
func (d *decoder) end() {
	rest := bytes.TrimSpace(d.data[d.json.InputOffset():])
	if len(rest) > 0 {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		d.failAt(bytes.LastIndex(d.data, rest), "unexpected text %q after the end of the trace", clip(string(line)))
	}
}

// A field reads the value of a field of an object.
type field struct {
	read     func(name string)
	required bool
}

// object reads an object, each field at most once, in any order.
func (d *decoder) object(what string, known map[string]field) {
	if !d.delim('{', what, "an object") {
		return
	}
	seen := make(map[string]bool)
	for d.err == nil && d.json.More() {
		name, _ := d.token().(string)
		if d.err != nil {
			return
		}
		f, ok := known[name]
		switch {
		case !ok:
			d.fail("%s has no field %q%s", what, clip(name), suggestion(name, known))
			return
		case seen[name]:
			d.fail("%s has the field %q twice", what, name)
			return
		}
		seen[name] = true
		f.read(name)
	}
	lacks := ""
	for name, f := range known {
		if f.required && !seen[name] && (lacks == "" || name < lacks) {
			lacks = name
		}
	}
	if lacks != "" && d.more() {
		d.fail("%s lacks the field %q", what, lacks)
	}
	d.token()
}

// more reports whether the file goes on where an object or list may end: what
// is missing in a file that was cut off is not the file's fault.
func (d *decoder) more() bool {
	return len(bytes.TrimSpace(d.data[d.json.InputOffset():])) > 0
}

// suggestion names the known field that was probably meant, or all of them.
func suggestion(name string, known map[string]field) string {
	names := slices.Sorted(maps.Keys(known))
	if near := nearest.Name(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ": want one of " + strings.Join(names, ", ")
}

// list reads a list of at most most items.
func (d *decoder) list(what string, most int, item func()) {
	if !d.delim('[', what, "a list") {
		return
	}
	for n := 1; d.err == nil && d.json.More(); n++ {
		if n > most {
			d.fail("%s has more than %d entries", what, most)
			return
		}
		item()
	}
	d.token()
}

// delim reads the beginning of an object or a list.
func (d *decoder) delim(want json.Delim, what, kind string) bool {
	tok := d.token()
	if d.err == nil && tok != want {
		d.fail("%s is %s: want %s", what, tokenText(tok), kind)
	}
	return d.err == nil
}

func tokenText(tok json.Token) string {
	switch tok := tok.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(clip(tok))
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "a list"}[tok]
	case json.Number:
		return clip(tok.String())
	}
	return fmt.Sprint(tok)
}

// text reads a text.
func (d *decoder) text(to *string) func(string) {
	return func(name string) {
		tok := d.token()
		s, ok := tok.(string)
		if d.err == nil && !ok {
			d.fail("%s is %s: want a text", name, tokenText(tok))
		}
		*to = s
	}
}

// number reads a whole number from lo to hi.
func (d *decoder) number(name string, lo, hi int) int {
	tok := d.token()
	number, _ := tok.(json.Number)
	n, err := strconv.Atoi(number.String())
	if d.err == nil && (err != nil || n < lo || n > hi) {
		d.fail("%s is %s: want a whole number from %d to %d", name, tokenText(tok), lo, hi)
	}
	return n
}

// integer reads a whole number from lo to hi into a variable.
func (d *decoder) integer(to *int, lo, hi int) func(string) {
	return func(name string) { *to = d.number(name, lo, hi) }
}

// process reads the id of a process.
func (d *decoder) process(to *model.ID) func(string) {
	return func(name string) { *to = model.ID(d.number(name, 1, int(model.MaxID))) }
}

// yes reads true: what is false is left out.
func (d *decoder) yes(to *bool) func(string) {
	return func(name string) {
		tok := d.token()
		if d.err == nil && tok != true {
			d.fail("%s is %s: want true, or no such field", name, tokenText(tok))
		}
		*to = true
	}
}

// ringPort reads a port of a ring.
func (d *decoder) ringPort(to *model.Port) func(string) {
	return func(name string) {
		switch tok := d.token(); tok {
		case "next":
			*to = model.Next
		case "prev":
			*to = model.Prev
		default:
			d.fail("%s is %s: want \"next\" or \"prev\"", name, tokenText(tok))
		}
	}
}

// setting reads the text of a setting.
func (d *decoder) setting(to *setting.Setting) func(string) {
	return func(name string) {
		var text string
		d.text(&text)(name)
		if d.err != nil {
			return
		}
		s, err := setting.Parse(text)
		if err == nil {
			err = s.Validate()
		}
		if err != nil {
			// It says itself that a setting is wrong: here which one is.
			if rest, ok := strings.CutPrefix(err.Error(), "setting"); ok {
				d.fail("%s%s", name, rest)
			}
			d.fail("%s: %v", name, err)
		}
		*to = s
	}
}

// trace reads a whole trace. The schema comes first: what follows can only be
// understood by those who know it.
func (d *decoder) trace() *Trace {
	var t Trace
	version := 0
	after := func(read func(string)) func(string) {
		return func(name string) {
			if version == 0 {
				d.fail("the trace begins with %q: want \"schema\": %d first", name, Schema)
				return
			}
			read(name)
		}
	}
	d.object("the trace", map[string]field{
		"schema": {func(name string) {
			if version = d.number(name, 1, 1<<30); d.err == nil && version != Schema {
				d.fail("schema is %d: this program reads schema %d", version, Schema)
			}
		}, true},
		"algorithm":   {after(d.text(&t.Algorithm)), true},
		"variant":     {after(d.text(&t.Variant)), true},
		"property":    {after(d.text(&t.Property)), true},
		"kind":        {after(func(name string) { t.Kind = d.kind(name) }), true},
		"title":       {after(d.text(&t.Title)), true},
		"story":       {after(d.text(&t.Story)), true},
		"setting":     {after(d.setting(&t.Setting)), true},
		"origin":      {after(d.setting(&t.Origin)), true},
		"choices":     {after(d.numbers(&t.Choices)), false},
		"lasso_start": {after(d.integer(&t.Lasso, 1, MaxSteps)), false},
		"steps": {after(func(name string) {
			d.list(name, MaxSteps, func() {
				d.step = len(t.Steps) + 1
				t.Steps = append(t.Steps, d.readStep())
			})
			if d.err == nil {
				d.step = 0
			}
		}), true},
	})
	return &t
}

// kind reads what a trace is evidence of.
func (d *decoder) kind(name string) Kind {
	var text string
	d.text(&text)(name)
	i := slices.Index(kindNames, text)
	if i < 0 {
		d.fail("%s is %q: want one of %s", name, clip(text), strings.Join(kindNames, ", "))
		return Plain
	}
	return Kind(i)
}

// readStep reads a step. Which fields its action may and must have depends on
// the kind, which need not come first: they are checked at the end.
func (d *decoder) readStep() Step {
	var s Step
	var given []string
	a := &s.Action
	note := func(read func(string)) field {
		return field{func(name string) { given = append(given, name); read(name) }, false}
	}
	var from model.ID
	d.object("a step", map[string]field{
		"action":    {func(name string) { a.Kind = d.actionKind(name) }, true},
		"process":   note(d.process(&a.Process)),
		"from":      note(func(name string) { d.process(&from)(name); a.Port = model.Peer(from) }),
		"port":      note(d.ringPort(&a.Port)),
		"message":   note(d.text(&a.Message)),
		"request":   note(d.text(&a.Request)),
		"due":       note(d.integer(&a.Due, 1, maxNumber)),
		"timer":     note(d.text(&a.Timer)),
		"premature": note(d.yes(&a.Premature)),
		"who":       note(d.process(&a.Who)),
		"ahead":     note(d.integer(&a.Ahead, 0, clock.MostSkew)),
		"side": note(func(name string) {
			d.list(name, int(model.MaxID), func() {
				var id model.ID
				if d.process(&id)(name); id != model.None {
					a.Side = a.Side.With(id)
				}
			})
		}),
		"link": note(func(name string) {
			var text string
			d.text(&text)(name)
			link, err := setting.ParseCutLink(text)
			if a.Link = link; err != nil {
				d.fail("%w", err)
			}
		}),
		"choices":  note(d.numbers(&a.Choices)),
		"outcomes": note(d.texts(&a.Outcomes, "an outcome")),
		"crash":    note(d.yes(&a.Crash)),
		"out":      note(d.numbers(&a.Out)),
		"rules":    {d.texts(&s.Rules, "a rule"), false},
		"sent":     {d.messages(&s.Sent, true), false},
		"dropped":  {d.messages(&s.Dropped, false), false},
		"changes":  {d.changes(&s.Changes), false},
		"misuse":   {d.text(&s.Misuse), false},
	})
	d.checkGiven(a.Kind, given)
	return s
}

func (d *decoder) actionKind(name string) model.ActionKind {
	var text string
	d.text(&text)(name)
	var names []string
	for _, k := range model.ActionKinds() {
		if k.String() == text {
			return k
		}
		names = append(names, k.String())
	}
	slices.Sort(names)
	hint := ": want one of " + strings.Join(names, ", ")
	if near := nearest.Name(text, names); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	d.fail("unknown action %q%s", clip(text), hint)
	return 0
}

// numbers reads a list of whole numbers.
func (d *decoder) numbers(to *[]int) func(string) {
	return func(name string) {
		d.list(name, maxItems, func() { *to = append(*to, d.number("an entry of "+name, 0, maxNumber)) })
	}
}

// texts reads a list of texts, each of which is an item.
func (d *decoder) texts(to *[]string, item string) func(string) {
	return func(name string) {
		d.list(name, maxItems, func() {
			var text string
			d.text(&text)(item)
			*to = append(*to, text)
		})
	}
}

// checkGiven checks that the fields of an action are those of its kind.
func (d *decoder) checkGiven(k model.ActionKind, given []string) {
	may := map[string]bool{}
	f := k
	need := func(on model.Parts, names ...string) {
		for _, name := range names {
			if may[name] = may[name] || f.Has(on); f.Has(on) && !slices.Contains(given, name) {
				d.fail("a %s lacks the field %q", k, name)
			}
		}
	}
	allow := func(on model.Parts, names ...string) {
		for _, name := range names {
			may[name] = may[name] || f.Has(on)
		}
	}
	need(model.AtProcess, "process")
	need(model.OfMessage, "message")
	need(model.OfTimer, "timer")
	need(model.AboutAnother, "who")
	need(model.OfClock, "ahead")
	need(model.OfRequest, "request")
	if slices.Contains(given, "link") {
		allow(model.MayHaveLink, "link")
	} else {
		need(model.OfSide, "side")
	}
	allow(model.OfMessage, "from", "port", "due")
	allow(model.OfTimer, "premature")
	allow(model.WithHandler, "choices", "outcomes", "crash", "out")
	for _, name := range given {
		if !may[name] {
			d.fail("a %s has no field %q", k, name)
		}
	}
	if from, port := slices.Contains(given, "from"), slices.Contains(given, "port"); f.Has(model.OfMessage) && from == port {
		d.fail("a %s needs \"from\" on a complete graph or \"port\" on a ring, and not both", k)
	}
	if crash, out := slices.Contains(given, "crash"), slices.Contains(given, "out"); crash != out {
		d.fail("\"crash\" and \"out\" (the sends that are out before it) go together")
	}
}

// messages reads messages: those that were sent, or those that were dropped.
func (d *decoder) messages(to *[]Message, sent bool) func(string) {
	return func(name string) {
		d.list(name, maxItems, func() {
			var m Message
			known := map[string]field{
				"from":    {d.process(&m.From), false},
				"to":      {d.process(&m.To), true},
				"port":    {d.ringPort(&m.Port), false},
				"message": {d.text(&m.Text), true},
				"due":     {d.integer(&m.Due, 1, maxNumber), false},
			}
			if sent {
				known["broadcast"] = field{d.integer(&m.Broadcast, 1, maxNumber), false}
				known["lost"] = field{d.yes(&m.Lost), false}
			}
			d.object("a message in "+name, known)
			if m.Port == 0 {
				m.Port = model.Peer(m.From)
			}
			*to = append(*to, m)
		})
	}
}

// changes reads the changes of a step.
func (d *decoder) changes(to *[]Change) func(string) {
	return func(name string) {
		d.list(name, maxItems, func() {
			var c Change
			d.object("a change", map[string]field{
				"process": {d.process(&c.Process), true},
				"field":   {d.text(&c.Field), true},
				"from":    {d.text(&c.From), true},
				"to":      {d.text(&c.To), true},
			})
			*to = append(*to, c)
		})
	}
}
