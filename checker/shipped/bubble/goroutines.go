package bubble

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A goroutine is one of a listing of all stacks.
type goroutine struct {
	id, state string
	bubble    string // the number of its bubble, "" outside of any
	runs      string // its first function
	at        string // where it is, in the code that is not the standard library's
}

// durable reports whether it waits in a way that lets the time of its bubble pass.
func (g *goroutine) durable() bool {
	return strings.Contains(g.state, "(durable)") || strings.Contains(g.state, "synctest.Run") || strings.Contains(g.state, "synctest.Wait")
}

var (
	header   = regexp.MustCompile(`^goroutine (\d+)[^\[]*\[([^\]]*)\]:`)
	inBubble = regexp.MustCompile(`synctest bubble (\d+)`)
)

// bubbleOf returns the number of the caller's bubble.
func bubbleOf() string {
	var buf [128]byte
	n := runtime.Stack(buf[:], false)
	if m := inBubble.FindSubmatch(buf[:n]); m != nil {
		return string(m[1])
	}
	return ""
}

// goroutines lists all goroutines in bubbles.
func goroutines() (list []goroutine) {
	buf := make([]byte, 1<<16)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	for _, text := range strings.Split(string(buf), "\n\n") {
		m := header.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		in := inBubble.FindStringSubmatch(m[2])
		if in == nil {
			continue
		}
		g := goroutine{id: m[1], state: m[2], bubble: in[1]}
		lines := strings.Split(text, "\n")[1:]
		for i := 0; i+1 < len(lines); i += 2 {
			call, place := lines[i], strings.TrimSpace(lines[i+1])
			if strings.HasPrefix(call, "created by ") {
				break
			}
			if at := strings.LastIndex(call, "("); at > 0 {
				call = call[:at]
			}
			g.runs = call
			if first, _, _ := strings.Cut(call, "/"); g.at == "" && (strings.Contains(first, ".") && strings.Contains(call, "/") || strings.HasPrefix(call, "main.") || !standard(place)) {
				place, _, _ = strings.Cut(place, " +0x")
				g.at = place[strings.LastIndex(place, "/")+1:]
			}
		}
		list = append(list, g)
	}
	return list
}

// standard reports whether a place in a listing is in the standard library.
func standard(place string) bool {
	pc := reflect.ValueOf(strings.Index).Pointer()
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	if root := strings.TrimSuffix(file, "strings/strings.go"); root != "" && strings.HasPrefix(place, root) {
		return true
	}
	first, _, _ := strings.Cut(place, "/")
	switch first { // of a program that was built with -trimpath
	case "runtime", "internal", "sync", "time", "net", "testing", "context", "io", "os", "bufio":
		return true
	}
	return false
}

// leftIn returns the goroutines of a bubble whose main goroutine has ended.
func leftIn(bubble string) (list []goroutine) {
	for _, g := range goroutines() {
		if g.bubble == bubble {
			list = append(list, g)
		}
	}
	return list
}

// moving returns the goroutines in bubbles that keep the time of their bubble from passing: those
// that are so at two moments.
func moving() (list []goroutine) {
	before := map[string]bool{}
	for _, g := range goroutines() {
		before[g.id+g.state] = !g.durable()
	}
	time.Sleep(50 * time.Millisecond)
	for _, g := range goroutines() {
		if before[g.id+g.state] {
			list = append(list, g)
		}
	}
	return list
}

// named names goroutines by their first functions, with how many there are of each.
func named(list []goroutine, none string) string {
	if len(list) == 0 {
		return none
	}
	count := map[string]int{}
	for _, g := range list {
		state, _, _ := strings.Cut(g.state, ",")
		text := fmt.Sprintf("%s (%s", g.runs, state)
		if g.at != "" {
			text += " at " + g.at
		}
		count[text+")"]++
	}
	var parts []string
	for _, text := range slices.Sorted(maps.Keys(count)) {
		if n := count[text]; n > 1 {
			text = fmt.Sprintf("%d times %s", n, text)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}
