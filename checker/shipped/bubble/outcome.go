package bubble

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An outcome is what an event comes to, as far as the world sees it.
type outcome struct {
	out    []sent // since the event before
	leader int
	epoch  uint64
	disk   *disk
	ended  bool   // Main has returned
	failed string // how the program has gone wrong, "" if it has not
}

func (o *outcome) equal(p *outcome) bool {
	return slices.Equal(o.out, p.out) && o.leader == p.leader && o.epoch == p.epoch && o.disk == p.disk && o.ended == p.ended && o.failed == p.failed
}

// text says what an outcome is, in one line.
func (o *outcome) text() string {
	var parts []string
	for _, m := range o.out {
		parts = append(parts, fmt.Sprintf("sends %q to P%d", m.Message.String(), m.to))
	}
	if o.leader > 0 {
		epoch := ""
		if o.epoch > 0 {
			epoch = fmt.Sprintf(" in %d", o.epoch)
		}
		parts = append(parts, fmt.Sprintf("follows P%d%s", o.leader, epoch))
	}
	if len(o.disk.values) > 0 {
		parts = append(parts, "has on disk "+o.disk.text())
	}
	if o.ended {
		parts = append(parts, "returns")
	}
	if o.failed != "" {
		parts = append(parts, o.failed)
	}
	if len(parts) == 0 {
		return "does nothing"
	}
	return strings.Join(parts, ", ")
}

// A disk is what a process has saved. There is one value for each content.
type disk struct {
	hash   [2]uint64
	values map[string]string
}

func (d *disk) text() string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(d.values)) {
		parts = append(parts, fmt.Sprintf("%s=%q", key, d.values[key]))
	}
	return strings.Join(parts, " ")
}

// An event is what happens to a process after some ticks: a message arrives, or nothing but time
// passes. The first one of each process is its boot.
type event struct {
	after   int // ticks since the event before
	from    int // whose message it is, 0 of none
	message Message
	took    string // the choices that the program had, one a byte, as far as they are given
}

func (e *event) text() string {
	var when string
	switch e.after {
	case 0:
	case 1:
		when = "a tick"
	default:
		when = fmt.Sprintf("%d ticks", e.after)
	}
	switch {
	case e.from > 0 && e.after > 0:
		return fmt.Sprintf("%q from P%d after %s", e.message.String(), e.from, when)
	case e.from > 0:
		return fmt.Sprintf("%q from P%d", e.message.String(), e.from)
	case e.after > 0:
		return when + " without a message"
	}
	return "the end of the tick"
}
