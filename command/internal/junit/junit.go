// Package junit writes what a run of tests found as JUnit XML, which most servers
// of continuous integration read.
//
// There is no standard of it. This is the part on which readers agree: suites with
// their counts, and cases that fail, or are skipped, with a message and a text.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// A Suite is a list of cases that were decided together.
type Suite struct {
	Name string
	// Properties say under which circumstances.
	Properties []Property
	Cases      []Case
	// Took is the time for all of them.
	Took time.Duration
	// Output is what else there is to say; empty for nothing.
	Output string
}

// A Property is a circumstance.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A Case is one question and its answer.
type Case struct {
	// Class is what the question is about, by which readers group cases.
	Class, Name string
	Result      Result
	// Message is a line that says why; of a case that passed it is left out.
	Message string
	// Text is the long form, of a case that failed.
	Text string
}

// A Result is what became of a case.
type Result uint8

// The results.
const (
	Passed Result = iota
	Failed
	Skipped // nothing was shown
)

// Write writes suites as one XML document. Characters that XML does not have (most
// control characters, and bytes that are no UTF-8) become U+FFFD.
func Write(w io.Writer, program string, suites ...Suite) error {
	all := document{Name: program}
	var took time.Duration
	for i := range suites {
		s := suites[i].element()
		all.Suites = append(all.Suites, s)
		all.counts = all.counts.and(s.counts)
		took += suites[i].Took
	}
	all.Time = seconds(took)
	data, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	return err
}

type document struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	counts
	Time   string    `xml:"time,attr"`
	Suites []element `xml:"testsuite"`
}

type counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

func (c counts) and(d counts) counts {
	return counts{c.Tests + d.Tests, c.Failures + d.Failures, c.Errors + d.Errors, c.Skipped + d.Skipped}
}

type element struct {
	Name string `xml:"name,attr"`
	counts
	Time       string      `xml:"time,attr"`
	Properties *properties `xml:"properties"`
	Cases      []testcase  `xml:"testcase"`
	Output     string      `xml:"system-out,omitempty"`
}

type properties struct {
	List []Property `xml:"property"`
}

type testcase struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Time    string  `xml:"time,attr"`
	Failure *reason `xml:"failure"`
	Skipped *reason `xml:"skipped"`
}

type reason struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// element returns a suite as it is written. Its cases share its time equally, so
// that readers who add it up come to the whole.
func (s *Suite) element() element {
	e := element{Name: s.Name, Time: seconds(s.Took), Output: s.Output}
	if len(s.Properties) > 0 {
		e.Properties = &properties{s.Properties}
	}
	share := seconds(s.Took / time.Duration(max(len(s.Cases), 1)))
	for _, c := range s.Cases {
		one := testcase{Class: c.Class, Name: c.Name, Time: share}
		e.Tests++
		switch c.Result {
		case Failed:
			e.Failures++
			one.Failure = &reason{c.Message, c.Text}
		case Skipped:
			e.counts.Skipped++
			one.Skipped = &reason{Message: c.Message}
		}
		e.Cases = append(e.Cases, one)
	}
	return e
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
