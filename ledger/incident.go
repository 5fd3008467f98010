package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/internal/naming"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// An Incident is a fault of a program that people ran, as its public report tells it:
// what broke, the run that shows it in a model, and the variant in which the fix has
// ended it.
type Incident struct {
	// Name is a word in lower case: "etcd-8243".
	Name string
	// System is the program, and Report the address of the report, as text.
	System, Report string
	// Broke says in one clause what users saw: "nobody was elected".
	Broke string
	// Text says in a few sentences what happens and why.
	Text string
	// Fix says in one clause what the fix changed.
	Fix string
	// Algorithm names the algorithm, and Faulty the mutant or variant of it that does
	// what the program did. Property is what breaks, in Setting.
	Algorithm, Faulty, Property, Setting string
	// Fixed names the variant in which the property holds in the same setting.
	Fixed string
	// Absent says of a report that no run shows where was looked for one, and why there
	// is none, as far as known. Fixed is then empty, and the property holds in the faulty
	// one.
	Absent string
}

// An IncidentRecord is what searches for an incident came to: the length of the run, and
// the step with which it goes on after the last if it never ends, and how many states the
// search visited that found it and the one that found none after the fix.
type IncidentRecord struct {
	Name   string `json:"name"`
	Steps  int    `json:"steps,omitempty"`
	Lasso  int    `json:"lasso,omitempty"`
	States uint64 `json:"states"`
	Fixed  uint64 `json:"fixed,omitempty"`
	// Fingerprint is that of the searches (Algorithm.Fingerprint).
	Fingerprint string `json:"fingerprint"`
}

// Incidents are those that a catalogue tells of. The zero value has none.
type Incidents struct {
	List []Incident
	// Record is what the searches came to, as JSON: a list of IncidentRecord.
	Record []byte
	// Runs are the recorded runs, by the names of the incidents.
	Runs trace.Collection
}

// Records returns what the searches came to, of each incident in the order of the list.
func (in *Incidents) Records() ([]IncidentRecord, error) {
	var all []IncidentRecord
	if len(in.Record) > 0 {
		if err := json.Unmarshal(in.Record, &all); err != nil {
			return nil, fmt.Errorf("the record of incidents: %w", err)
		}
	}
	list := make([]IncidentRecord, len(in.List))
	for i := range in.List {
		at := slices.IndexFunc(all, func(r IncidentRecord) bool { return r.Name == in.List[i].Name })
		if at < 0 {
			return nil, fmt.Errorf("incident %q is not on record", in.List[i].Name)
		}
		list[i] = all[at]
	}
	return list, nil
}

// Validate returns an error unless every incident can be checked with the algorithms of
// a catalogue.
func (in *Incidents) Validate(all []*Algorithm) error {
	var errs []error
	names := make([]string, len(in.List))
	for i := range in.List {
		names[i] = in.List[i].Name
		if err := in.List[i].validate(all); err != nil {
			errs = append(errs, fmt.Errorf("incident %q: %w", names[i], err))
		}
	}
	for _, name := range naming.Repeated(names) {
		errs = append(errs, fmt.Errorf("two incidents are named %q", name))
	}
	return errors.Join(errs...)
}

func (c *Incident) validate(all []*Algorithm) error {
	errs := []error{
		naming.Valid(c.Name), naming.Filled("System", c.System), naming.Filled("Report", c.Report), naming.Filled("Broke", c.Broke),
		naming.Filled("Text", c.Text), naming.Filled("Fix", c.Fix),
	}
	if (c.Fixed == "") != (c.Absent != "") {
		errs = append(errs, fmt.Errorf("field Fixed is %q and field Absent %q: want one of them", c.Fixed, c.Absent))
	}
	for _, variant := range []string{c.Faulty, c.Fixed} {
		if variant == "" {
			continue
		}
		s, err := setting.Parse(c.Setting)
		if err == nil {
			_, _, err = Lookup(all, c.Algorithm, variant, c.Property, s)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Asked returns the property that an incident is about.
func (c *Incident) Asked(all []*Algorithm) (*checker.Property, error) {
	a, err := Find(all, c.Algorithm)
	if err != nil {
		return nil, err
	}
	return a.Property(c.Property)
}
