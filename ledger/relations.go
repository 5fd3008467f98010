package ledger

import (
	"errors"
	"fmt"

	"bullyproof/checker/induction"
	"bullyproof/checker/relation"
	"bullyproof/model"
)

// Relations are an algorithm for any number of processes: a description that the protocol
// agrees with in small instances, and proofs from it.
type Relations struct {
	// Variant names the variant that is described; empty is the first.
	Variant string
	// Text is the description, as relation.Parse reads it: relations.txt.
	Text string
	// Facts says what is true of a state of the protocol.
	Facts func(v *model.View, f *relation.Facts)
	// Proofs are those that are kept, as induction.Text writes them: proofs.txt. It is empty
	// where nothing is proved.
	Proofs string
}

// ErrNoRelations says that an algorithm has no description for any number of processes.
var ErrNoRelations = errors.New("it has no relations.txt")

// Described returns the description of an algorithm and its protocol. It returns
// ErrNoRelations where there is none, and the error of a text that cannot be read.
func (a *Algorithm) Described() (*relation.Model, error) {
	if a.Relations == nil {
		return nil, fmt.Errorf("%s: %w", a.Name, ErrNoRelations)
	}
	d, err := relation.Parse(a.Relations.Text)
	if err != nil {
		return nil, fmt.Errorf("%s/relations.txt: %w", a.Name, err)
	}
	v, err := a.Variant(a.Relations.Variant)
	if err != nil {
		return nil, err
	}
	return &relation.Model{Description: d, System: v.New, Facts: a.Relations.Facts}, nil
}

// Proofs returns the proofs of an algorithm that are kept, none where it has none.
func (a *Algorithm) Proofs() ([]induction.Proof, error) {
	if a.Relations == nil || a.Relations.Proofs == "" {
		return nil, nil
	}
	m, err := a.Described()
	if err != nil {
		return nil, err
	}
	list, err := induction.ReadProofs(m.Description, a.Relations.Proofs)
	if err != nil {
		return nil, fmt.Errorf("%s/proofs.txt: %w", a.Name, err)
	}
	return list, nil
}
