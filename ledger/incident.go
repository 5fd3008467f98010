package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
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
	// Products are what somebody runs who may meet it: the system by the name that people know,
	// and what it is built on. Damage is what it did to them, and Year that of the report, 0
	// where it is not known.
	Products []string
	Damage   Damage
	Year     int
	// Broke says in one clause what users saw: "nobody was elected".
	Broke string
	// Text says in a few sentences what happens and why.
	Text string
	// Fix says in one clause what the fix changed, and Origin whose it is.
	Fix    string
	Origin FixOrigin
	// Algorithm names the algorithm, and Faulty the mutant or variant of it that does
	// what the program did. Property is what breaks, in Setting.
	Algorithm, Faulty, Property, Setting string
	// Fixed names the variant in which the property holds in the same setting.
	Fixed string
	// Absent says of a report that no run shows where was looked for one, and why there
	// is none, as far as known. Fixed is then empty, and the property holds in the faulty
	// one.
	Absent string
	// Chapters divide the run, where it is long and somebody divided it.
	Chapters []trace.Chapter
}

// When returns the year of the report, and "year unknown" where no source tells it.
func (c *Incident) When() string {
	if c.Year == 0 {
		return "year unknown"
	}
	return strconv.Itoa(c.Year)
}

// A FixOrigin says whose the fix of an incident is.
type FixOrigin uint8

const (
	// NoFix is that of a report that no run shows: "none".
	NoFix FixOrigin = iota
	// MergedFix is one that the project has taken into its program: "merged". Fix names the
	// change, as in "#8288", by its commit, or by its first version.
	MergedFix
	// ProposedFix is one that a report or a pull request proposes, and that the project has not
	// taken, as far as its public record says: "proposed".
	ProposedFix
	// AdvisedFix is another configuration or use of the program, which its documentation, the
	// report or an answer to it advises: "advised".
	AdvisedFix
	// OurFix is one of the model's: "ours".
	OurFix
)

// origins are the texts of the origins.
var origins = [...]string{NoFix: "none", MergedFix: "merged", ProposedFix: "proposed", AdvisedFix: "advised", OurFix: "ours"}

// String returns the origin as in "merged".
func (o FixOrigin) String() string {
	if int(o) < len(origins) {
		return origins[o]
	}
	return fmt.Sprintf("FixOrigin(%d)", uint8(o))
}

// MarshalText returns what String does, and an error unless o is one of the constants.
func (o FixOrigin) MarshalText() ([]byte, error) {
	if int(o) >= len(origins) {
		return nil, fmt.Errorf("origin of a fix: %v: want one of %s", o, strings.Join(origins[:], ", "))
	}
	return []byte(o.String()), nil
}

// UnmarshalText reads what MarshalText returns.
func (o *FixOrigin) UnmarshalText(text []byte) error {
	at := slices.Index(origins[:], string(text))
	if at < 0 {
		return fmt.Errorf("origin of a fix: %q: want one of %s", nearest.Clip(string(text)), strings.Join(origins[:], ", "))
	}
	*o = FixOrigin(at)
	return nil
}

// Damage is what an incident did to those who ran the program.
type Damage uint8

const (
	// TwoLeaders: two processes led, or could. It is the first one, so that 0 is none.
	TwoLeaders Damage = iota + 1
	// NoLeader: nobody led, or nobody could reach who did.
	NoLeader
	// Disagreement: processes named different leaders.
	Disagreement
	// LeaderChanges: a leader that was well was replaced, or stepped down.
	LeaderChanges
	// LeftOut: there was a leader, and a process could not join it.
	LeftOut
)

// damages are the texts of the kinds of damage.
var damages = [...]string{
	TwoLeaders: "two leaders", NoLeader: "no leader", Disagreement: "different leaders", LeaderChanges: "a good leader lost", LeftOut: "a process left out",
}

// Damages returns the kinds of damage, in order.
func Damages() []Damage { return []Damage{TwoLeaders, NoLeader, Disagreement, LeaderChanges, LeftOut} }

// String returns the damage as in "two leaders".
func (d Damage) String() string {
	if d == 0 || int(d) >= len(damages) {
		return fmt.Sprintf("Damage(%d)", uint8(d))
	}
	return damages[d]
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
		naming.Filled("Text", c.Text), naming.Filled("Fix", c.Fix), c.originated(),
	}
	if len(c.Products) == 0 || slices.Contains(c.Products, "") {
		errs = append(errs, fmt.Errorf("field Products is %q: want the names of what people run", c.Products))
	}
	if !slices.Contains(Damages(), c.Damage) {
		errs = append(errs, fmt.Errorf("field Damage is %v: want one like %v", c.Damage, TwoLeaders))
	}
	if c.Year != 0 && (c.Year < 1970 || c.Year > 2100) {
		errs = append(errs, fmt.Errorf("field Year is %d: want that of the report, or 0 where it is not known", c.Year))
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

// changed is how a text names a change of a program: "#8288", "pull request 703", a commit, or a version.
var changed = regexp.MustCompile(`#[0-9]+|pull request [0-9]+|\b[0-9a-f]{7,40}\b|\b[0-9]+\.[0-9]+`)

// originated returns an error unless the origin of the fix is one of its constants and goes with
// the rest of the incident.
func (c *Incident) originated() error {
	none := c.Origin == NoFix
	switch {
	case c.Origin > OurFix:
		return fmt.Errorf("field Origin is %v: want one of %s", c.Origin, strings.Join(origins[:], ", "))
	case c.Absent != "" && !none:
		return fmt.Errorf("field Origin is %v, and no run shows the incident: want %v", c.Origin, NoFix)
	case c.Absent == "" && none:
		return fmt.Errorf("field Origin is %v, and a run shows the incident: want %v, %v, %v or %v", c.Origin, MergedFix, ProposedFix, AdvisedFix, OurFix)
	case c.Origin == MergedFix && !changed.MatchString(c.Fix):
		return fmt.Errorf("field Origin is %v, and field Fix %q names no change: want one like #123, a commit, or a version", c.Origin, nearest.Clip(c.Fix))
	}
	return nil
}

// Asked returns the property that an incident is about.
func (c *Incident) Asked(all []*Algorithm) (*checker.Property, error) {
	a, err := Find(all, c.Algorithm)
	if err != nil {
		return nil, err
	}
	return a.Property(c.Property)
}
