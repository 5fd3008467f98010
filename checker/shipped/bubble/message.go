package bubble

import (
	"fmt"
	"strings"
)

// A Message is what one process sends to another.
type Message struct {
	// Form is what the message is for.
	Form Form
	// Call is the call that it belongs to, zero of a message that is on its own.
	Call Call
	// Text is what is said.
	Text string
}

// A Call identifies a call of a process: by how often the process had restarted, and a number.
type Call struct{ Boot, Number int }

// A Form is what a message is for.
type Form int

// The forms of messages.
const (
	Plain   Form = iota // a message on its own
	Request             // it wants an answer
	Answer
)

var forms = [...]string{"", "request", "answer"}

// String shows a message: "answer #1: 200". Behind a restart the number of restarts stands before
// that of the call: "answer #1.2: 200".
func (m Message) String() string {
	text := strings.TrimSuffix(strings.ReplaceAll(m.Text, "\n", " | "), " | ")
	if m.Form == Plain {
		return text
	}
	number := fmt.Sprint(m.Call.Number)
	if m.Call.Boot > 0 {
		number = fmt.Sprintf("%d.%d", m.Call.Boot, m.Call.Number)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s #%s: %s", forms[m.Form], number, text), ": ")
}

// A sent is a message and the process to which it goes.
type sent struct {
	to int
	Message
}
