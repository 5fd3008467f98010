package ledger

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// An Algorithm is a leader-election algorithm that is in the catalogue: whose
// it is, how it can be read, and what must go wrong when it is broken on
// purpose. It is a plain value; a list of them is checked by Validate.
type Algorithm struct {
	// Name is the name on the command line: lower case, "bully".
	Name string
	// Title is the name in prose: "Bully algorithm".
	Title string
	// Source says where it is from: authors, title, year, place.
	Source string
	// Doc says in one paragraph how it elects.
	Doc string
	// Reconstruction says, where we do not have the paper, from what the rules
	// were reconstructed. Claims on it are undecided then, whatever the evidence.
	Reconstruction string
	// Assumptions are what its source takes for granted of the world. They hold for
	// variants without their own. A run that breaks one does not speak against a claim.
	Assumptions []Assumption
	// Variants are its readings and repairs; the first is the default.
	Variants []Variant
	// Store says that the process with the highest id is a store that others elect by, and
	// not one of those that are elected: comparisons have no fault happen to it.
	Store bool
	// Mutants are faults that the properties must catch.
	Mutants []Mutant

	// Written has what sources say of it, and the stories of its counterexamples, each
	// time the same: a file that is read when it is first asked for (claimfile.In), or
	// claims in Go (Listed). Nil stands for neither.
	Written func() (*Text, error)
	// Silent have, for sources, the systems in which what they do not say of events is answered.
	Silent []Silent
	// Relations describe it for any number of processes, with relations.txt and proofs.txt
	// in Files; nil where nobody has.
	Relations *Relations
	// Properties are its own, beside the standard ones.
	Properties []*checker.Property
	// Asked are the properties of a check that names none; empty stands for
	// Standard and Properties. An election without names is not asked whom anybody
	// names.
	Asked []*checker.Property
	// Files are the package's own, embedded by "*.go claims.*": its code, what its
	// sources claim (claims.txt, which claimfile.In reads), and the record of what judging
	// that came to, as VerifyClaims keeps it (claims.lock). Without them nothing is on record.
	Files fs.FS
}

// A Text is what is written of an algorithm.
type Text struct {
	// Claims are what sources say of it.
	Claims []Claim
	// Stories are the runs that are recorded as counterexamples.
	Stories []Story
	// Questions are what the sources leave open.
	Questions []Question
	// Sentences say what a process does in which events.
	Sentences []Sentence
	// Checklists say of each source what answers CheckItems.
	Checklists []Checklist
}

// Claims returns what sources say of the algorithm; none where Written cannot be
// read, which Validate and VerifyClaims report.
func (a *Algorithm) Claims() []Claim {
	t, _ := a.written()
	return t.Claims
}

// Stories returns the runs that are recorded as counterexamples, as Claims does.
func (a *Algorithm) Stories() []Story {
	t, _ := a.written()
	return t.Stories
}

func (a *Algorithm) written() (*Text, error) {
	t := new(Text)
	if a.Written == nil {
		return t, nil
	}
	written, err := a.Written()
	if written != nil {
		t = written
	}
	return t, err
}

// Listed has claims that are written in Go be those of an algorithm.
func Listed(claims ...Claim) func() (*Text, error) {
	t := &Text{Claims: claims}
	return func() (*Text, error) { return t, nil }
}

// A Variant is a reading of an algorithm's source, or a repair of it.
type Variant struct {
	// Name is the name on the command line: lower case, "coulouris".
	Name string
	// Doc says what this reading does that others do not.
	Doc string
	// Source says where the reading is from; empty stands for the algorithm's.
	Source string
	// Literal lists the sources, as Claim.Source names them, that are judged in it first:
	// it has what stands there. Own is the algorithm's source. The first variant is that of
	// all sources that no variant lists. A claim of a source is judged in each of its
	// admissible readings; see Admissible.
	Literal []string
	// Adds says what the source does not have: "a limit to the wait for CID". Empty
	// stands for nothing: what a source leaves open is read in one way or another.
	Adds string
	// Repair says that what it adds or changes is to mend a fault.
	Repair bool
	// Reconstruction is as Algorithm.Reconstruction, for this reading alone.
	Reconstruction string
	// Assumes says in words what the source assumes: topology, channels,
	// failures, timing.
	Assumes string
	// Assumptions are what this reading takes for granted, where that is not what
	// the algorithm does; nil stands for the algorithm's.
	Assumptions []Assumption
	// Setting is what the source assumes, and the default of a check.
	Setting setting.Setting
	// New returns the system that the variant is in a setting.
	New func(setting.Setting) (*model.System, error)
	// Figures are what sources say that its elections cost. May be empty.
	Figures []cost.Figure
}

// Usually returns a list of variants with what is usual for them: where a variant has no
// Source, Assumes, Assumptions, Setting or Figures, it has those of usual. A list of no
// figures that is not nil stands for none.
func Usually(usual Variant, variants []Variant) []Variant {
	filled := slices.Clone(variants)
	for i := range filled {
		v := &filled[i]
		v.Source, v.Assumes = cmp.Or(v.Source, usual.Source), cmp.Or(v.Assumes, usual.Assumes)
		if v.Setting.N == 0 {
			v.Setting = usual.Setting
		}
		if v.Assumptions == nil {
			v.Assumptions = usual.Assumptions
		}
		if v.Figures == nil {
			v.Figures = usual.Figures
		}
	}
	return filled
}

// A Mutant is a variant with one fault, a line of it as a rule, which a
// property must catch: otherwise the property, or the setting, is too weak.
type Mutant struct {
	// Name is the name on the command line, which no variant has.
	Name string
	// Doc says what the fault is.
	Doc string
	// Of names the variant that it was made from.
	Of string
	// Caught names the property that must catch it.
	Caught string
	// Setting is where it is caught.
	Setting setting.Setting
	// New returns the system that the mutant is in a setting.
	New func(setting.Setting) (*model.System, error)
}

// Questions returns what a check asks that names no property: Asked, or else the
// standard properties and the algorithm's own.
func (a *Algorithm) Questions() []*checker.Property {
	if len(a.Asked) > 0 {
		return slices.Clone(a.Asked)
	}
	return append(checker.Standard(), a.Properties...)
}

// Own is the algorithm's own source, as Claim.Source and Variant.Literal name it.
const Own = ""

// Literal returns the variant in which a source is judged first: its literal reading. It is
// nil without variants.
func (a *Algorithm) Literal(source string) *Variant {
	for i := range a.Variants {
		if slices.Contains(a.Variants[i].Literal, source) {
			return &a.Variants[i]
		}
	}
	if len(a.Variants) == 0 {
		return nil
	}
	return &a.Variants[0]
}

// System returns the system that the variant is in its default setting.
func (v *Variant) System() (*model.System, error) { return v.New(v.Setting) }

// System returns the system that the mutant is in its default setting.
func (m *Mutant) System() (*model.System, error) { return m.New(m.Setting) }

// In returns the system that the variant is in a setting. Unlike New it refuses
// a topology on which the variant has no channels to send by: a ring algorithm
// needs a ring.
func (v *Variant) In(s setting.Setting) (*model.System, error) {
	if err := fits(v.Setting, s); err != nil {
		return nil, err
	}
	return v.New(s)
}

// In returns the system that the mutant is in a setting, as Variant.In does.
func (m *Mutant) In(s setting.Setting) (*model.System, error) {
	if err := fits(m.Setting, s); err != nil {
		return nil, err
	}
	return m.New(s)
}

// fits checks that a setting has the channels that another one has. A protocol
// that sends only to the next process can also do so on a bidirectional ring.
func fits(source, s setting.Setting) error {
	want, got := source.Topology, s.Topology
	if want == got || want == setting.Ring && got == setting.BiRing {
		return nil
	}
	kind := map[setting.Topology]string{
		setting.Complete: "sends to any process", setting.Ring: "is a ring algorithm", setting.BiRing: "sends both ways round a ring",
	}[want]
	return fmt.Errorf("setting: topology=%s: the algorithm %s (want topology=%s)", got, kind, want)
}

// yearIn matches a year in a source.
var yearIn = regexp.MustCompile(`\b(19[7-9]\d|20[0-2]\d)\b`)

// YearOf returns the first year that a source names, as text; empty without one.
func YearOf(source string) string { return yearIn.FindString(source) }

// Variant returns the variant of a name; "" is the name of the default. The
// error suggests the name that was probably meant.
func (a *Algorithm) Variant(name string) (*Variant, error) {
	if name == "" {
		return &a.Variants[0], nil
	}
	for i := range a.Variants {
		if a.Variants[i].Name == name {
			return &a.Variants[i], nil
		}
	}
	return nil, nearest.Unknown("variant of "+a.Name, name, a.variantNames())
}

// Mutant returns the mutant of a name. The error suggests the name that was
// probably meant.
func (a *Algorithm) Mutant(name string) (*Mutant, error) {
	for i := range a.Mutants {
		if a.Mutants[i].Name == name {
			return &a.Mutants[i], nil
		}
	}
	return nil, nearest.Unknown("mutant of "+a.Name, name, a.mutantNames())
}

func (a *Algorithm) variantNames() []string {
	names := make([]string, len(a.Variants))
	for i := range a.Variants {
		names[i] = a.Variants[i].Name
	}
	return names
}

func (a *Algorithm) mutantNames() []string {
	names := make([]string, len(a.Mutants))
	for i := range a.Mutants {
		names[i] = a.Mutants[i].Name
	}
	return names
}

// Find returns the algorithm of a name. The error suggests the name that was
// probably meant.
func Find(all []*Algorithm, name string) (*Algorithm, error) {
	names := make([]string, len(all))
	for i, a := range all {
		if a.Name == name {
			return a, nil
		}
		names[i] = a.Name
	}
	return nil, nearest.Unknown("algorithm", name, names)
}
