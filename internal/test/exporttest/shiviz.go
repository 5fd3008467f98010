package exporttest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// An Event is an event of a ShiViz log.
type Event struct {
	Step  int
	Host  string
	Clock map[string]int
}

// ReadShiViz reads a log by the expression in its first line, and refuses what
// ShiViz refuses: lines that belong to no event, a clock that lacks its host,
// and one that does not count its host's events from 1.
func ReadShiViz(log string) ([]Event, error) {
	expression, rest, ok := strings.Cut(log, "\n\n")
	if !ok || strings.Contains(expression, "\n") {
		return nil, fmt.Errorf("no expression on a line of its own")
	}
	re, err := regexp.Compile(strings.ReplaceAll(expression, "(?<", "(?P<"))
	if err != nil {
		return nil, err
	}
	var events []Event
	count, left := map[string]int{}, rest
	for _, m := range re.FindAllStringSubmatch(rest, -1) {
		if !strings.HasPrefix(left, m[0]+"\n") {
			return nil, fmt.Errorf("no event: %q", left)
		}
		left = left[len(m[0])+1:]
		e := Event{Host: m[re.SubexpIndex("host")]}
		if e.Step, err = strconv.Atoi(m[re.SubexpIndex("step")]); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(m[re.SubexpIndex("clock")]), &e.Clock); err != nil {
			return nil, err
		}
		if count[e.Host]++; e.Clock[e.Host] != count[e.Host] {
			return nil, fmt.Errorf("event %d of %s has the clock %v", count[e.Host], e.Host, e.Clock)
		}
		events = append(events, e)
	}
	if left != "" {
		return nil, fmt.Errorf("no event: %q", left)
	}
	return events, nil
}
