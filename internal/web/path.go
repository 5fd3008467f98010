package web

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// The text of a path is what happened, step by step, with ~ between steps. A
// step is a letter for its kind, and what the kind needs with dots between:
//
//	c3                    3 crashes
//	k                     a unit of time passes
//	d2.1.COORDINATOR_282_29.1   2 receives COORDINATOR(2) from 1, a tick before it is due
//	t1.answer-p           the timer "answer" of 1 expires, prematurely
//	s1-h0.1               1 starts an election, and chooses 0 and then 1
//	d2.n.election-c0.2    2 receives election from the next, and crashes with its first and third send out
//
// All of it is characters that a link carries as they are. An action has one
// text, and a text one action.

// maxSteps is how many steps a path has at most, and maxPath how many bytes its
// text: what fits into the address of a request.
const (
	maxSteps = 2_000
	maxPath  = 32 << 10
)

// kindOf finds a kind by its letter.
func kindOf(letter byte) (model.ActionKind, bool) {
	i := slices.IndexFunc(model.ActionKinds(), func(k model.ActionKind) bool { return k.Letter() == letter })
	return model.ActionKind(max(i, 0)), i >= 0
}

// encodeAction returns the text of an action in a path.
func encodeAction(a *model.Action) string {
	k := a.Kind
	var fields []string
	if k.Has(model.AtProcess) {
		fields = append(fields, strconv.Itoa(int(a.Process)))
	}
	if k.Has(model.OfMessage) {
		fields = append(fields, encodePort(a.Port), encodeText(a.Message))
		if a.Due > 0 {
			fields = append(fields, strconv.Itoa(a.Due))
		}
	}
	if k.Has(model.OfTimer) {
		fields = append(fields, encodeText(a.Timer))
	}
	if k.Has(model.AboutAnother) {
		fields = append(fields, strconv.Itoa(int(a.Who)))
	}
	if k.Has(model.OfClock) {
		fields = append(fields, strconv.Itoa(a.Ahead))
	}
	if k.Has(model.OfRequest) {
		fields = append(fields, encodeText(a.Request))
	}
	if k.Has(model.OfSide) {
		for id := range a.Side.All() {
			fields = append(fields, strconv.Itoa(int(id)))
		}
	}
	var b strings.Builder
	b.WriteByte(k.Letter())
	b.WriteString(strings.Join(fields, "."))
	if a.Premature {
		b.WriteString("-p")
	}
	if a.Link != (setting.CutLink{}) {
		b.WriteString("-l" + encodeNumbers([]int{int(a.Link.From), int(a.Link.To)}))
		if a.Link.Both {
			b.WriteString(".b")
		}
	}
	if len(a.Choices) > 0 {
		b.WriteString("-h" + encodeNumbers(a.Choices))
	}
	if a.Crash {
		b.WriteString("-c" + encodeNumbers(a.Out))
	}
	return b.String()
}

// encodePath returns the text of a path.
func encodePath(path []model.Action) string {
	steps := make([]string, len(path))
	for i := range path {
		steps[i] = encodeAction(&path[i])
	}
	return strings.Join(steps, "~")
}

func encodePort(p model.Port) string {
	switch p {
	case model.Next:
		return "n"
	case model.Prev:
		return "p"
	}
	return strconv.Itoa(int(p))
}

func encodeNumbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ".")
}

// encodeText writes letters and digits as they are, and any other byte as _
// and two hexadecimal digits.
func encodeText(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02X", c)
		}
	}
	return b.String()
}

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// decodePath reads the text of a path. It accepts what encodePath writes and
// nothing else; the error names the step.
func decodePath(text string) ([]model.Action, error) {
	if text == "" {
		return nil, nil
	}
	if len(text) > maxPath {
		return nil, tooLong{fmt.Sprintf("the path has %d bytes: at most %d", len(text), maxPath)}
	}
	if n := strings.Count(text, "~") + 1; n > maxSteps {
		return nil, tooLong{fmt.Sprintf("the path has %d steps: at most %d", n, maxSteps)}
	}
	var path []model.Action
	for i, step := range strings.Split(text, "~") {
		a, err := decodeAction(step)
		if err != nil {
			return nil, fmt.Errorf("step %d of the path, %q: %w", i+1, nearest.Clip(step), err)
		}
		path = append(path, a)
	}
	return path, nil
}

// decodeAction reads the text of an action.
func decodeAction(text string) (model.Action, error) {
	var a model.Action
	if text == "" {
		return a, errors.New("the action is missing")
	}
	kind, ok := kindOf(text[0])
	if !ok {
		return a, fmt.Errorf("no kind of action has the letter %q", text[:1])
	}
	a.Kind = kind
	parts := strings.Split(text[1:], "-")
	if err := decodeFields(&a, parts[0]); err != nil {
		return a, err
	}
	for _, mark := range parts[1:] {
		if err := decodeMark(&a, mark); err != nil {
			return a, err
		}
	}
	if again := encodeAction(&a); again != text {
		return a, fmt.Errorf("it would be written %q", nearest.Clip(again))
	}
	return a, nil
}

// decodeFields reads what stands between the letter of a kind and the first
// mark.
func decodeFields(a *model.Action, text string) error {
	k := a.Kind
	var fields []string
	if text != "" {
		fields = strings.Split(text, ".")
	}
	var err error
	next := func() (field string) {
		if len(fields) == 0 {
			err = cmp.Or(err, errors.New("it ends too early"))
			return "0"
		}
		field, fields = fields[0], fields[1:]
		return field
	}
	id := func() model.ID {
		n, bad := decodeNumber(next(), int(model.MaxID))
		err = cmp.Or(err, bad)
		return model.ID(n)
	}
	if k.Has(model.AtProcess) {
		a.Process = id()
	}
	if k.Has(model.OfMessage) {
		port, bad := decodePort(next())
		err = cmp.Or(err, bad)
		a.Port = port
		a.Message, bad = decodeText(next())
		err = cmp.Or(err, bad)
		if len(fields) > 0 {
			a.Due, bad = decodeNumber(next(), 255)
			err = cmp.Or(err, bad)
		}
	}
	if k.Has(model.OfTimer) {
		timer, bad := decodeText(next())
		err = cmp.Or(err, bad)
		a.Timer = timer
	}
	if k.Has(model.AboutAnother) {
		a.Who = id()
	}
	if k.Has(model.OfClock) {
		ahead, bad := decodeNumber(next(), clock.MostSkew)
		err = cmp.Or(err, bad)
		a.Ahead = ahead
	}
	if k.Has(model.OfRequest) {
		request, bad := decodeText(next())
		err = cmp.Or(err, bad)
		a.Request = request
	}
	for k.Has(model.OfSide) && len(fields) > 0 && err == nil {
		who := id()
		if who == model.None {
			return errors.New("0 is no process")
		}
		a.Side = a.Side.With(who)
	}
	if err == nil && len(fields) > 0 {
		err = fmt.Errorf("%q is too much", fields[0])
	}
	return err
}

// decodeMark reads what stands behind a hyphen.
func decodeMark(a *model.Action, mark string) (err error) {
	switch {
	case mark == "p":
		a.Premature = true
	case strings.HasPrefix(mark, "l"):
		sign, text := "->", mark[1:]
		if text, a.Link.Both = strings.CutSuffix(text, ".b"); a.Link.Both {
			sign = "-"
		}
		a.Link, err = setting.ParseCutLink(strings.Replace(text, ".", sign, 1))
	case strings.HasPrefix(mark, "h"):
		a.Choices, err = decodeNumbers(mark[1:])
	case strings.HasPrefix(mark, "c"):
		a.Crash = true
		a.Out, err = decodeNumbers(mark[1:])
	default:
		err = fmt.Errorf("unknown mark %q", mark)
	}
	return err
}

func decodePort(text string) (model.Port, error) {
	switch text {
	case "n":
		return model.Next, nil
	case "p":
		return model.Prev, nil
	}
	n, err := decodeNumber(text, int(model.MaxID))
	return model.Port(n), err
}

func decodeNumbers(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var list []int
	for _, word := range strings.Split(text, ".") {
		n, err := decodeNumber(word, 255)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

func decodeNumber(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("%q is not a number from 0 to %d", nearest.Clip(text), most)
	}
	return n, nil
}

func decodeText(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case plain(c):
			b.WriteByte(c)
			continue
		case c != '_' || i+2 >= len(text):
			return "", fmt.Errorf("%q is not a text: letters, digits, and _ with two hexadecimal digits", nearest.Clip(text))
		}
		n, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q is not a text: letters, digits, and _ with two hexadecimal digits", nearest.Clip(text))
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), nil
}

// common returns how many steps two paths have in common from their beginnings.
func common(a, b []model.Action) int {
	n := 0
	for n < min(len(a), len(b)) && trace.SameAction(a[n], b[n]) {
		n++
	}
	return n
}
