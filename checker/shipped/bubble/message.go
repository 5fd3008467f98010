package bubble

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Message is what one process sends to another.
type Message struct {
	// Form is what the message is for.
	Form Form
	// Call is the call or the connection that it belongs to, zero of a message that is on its own.
	Call Call
	// Part is the place of data, or of the end, within what one side of a connection sends, from 1.
	Part int
	// Text is what is said.
	Text string
}

// A Call identifies a call or a connection: by how often the process that began it had restarted,
// and a number. By is that process, of a connection, and 0 of a call.
type Call struct{ By, Boot, Number int }

// A Form is what a message is for.
type Form int

// The forms of messages.
const (
	Plain   Form = iota // a message on its own
	Request             // it wants an answer
	Answer
	Dial   // it opens a connection
	Accept // the connection is open
	Data
	Close // no more data comes
	Reset // there is no such connection
)

var forms = [...]string{"", "request", "answer", "dial", "accept", "data", "close", "reset"}

// String shows a message: "answer #1: 200". Behind a restart the number of restarts stands before
// that of the call: "answer #1.2: 200".
func (m Message) String() string {
	text := strings.TrimSuffix(strings.NewReplacer("\r\n", " | ", "\n", " | ").Replace(m.Text), " | ")
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(text) {
		text = strconv.Quote(text)
	}
	if m.Form == Plain {
		return text
	}
	number := fmt.Sprint(m.Call.Number)
	if m.Call.Boot > 0 {
		number = fmt.Sprintf("%d.%d", m.Call.Boot, m.Call.Number)
	}
	if m.Call.By > 0 {
		number += fmt.Sprintf(" of P%d", m.Call.By)
	}
	if m.Part > 0 {
		number += fmt.Sprintf(", part %d", m.Part)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s #%s: %s", forms[m.Form], number, text), ": ")
}

// A sent is a message and the process to which it goes.
type sent struct {
	to int
	Message
}
