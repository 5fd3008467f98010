package ledger

import (
	"errors"
	"fmt"
	"io/fs"

	"bullyproof/checker/relation"
	"bullyproof/model"
)

// Relations are an algorithm for any number of processes. Its Files have relations.txt, a
// description as relation.Parse reads it, with which the protocol agrees in small instances,
// and proofs.txt, the proofs that are kept, as induction.Text writes them.
type Relations struct {
	// Variant names the variant that is described; empty is the first. Also names others of
	// which the description is one as well.
	Variant string
	Also    []string
	// Facts says what is true of a state of the protocol.
	Facts func(v *model.View, f *relation.Facts)
	// Quorums are the sets of which any two meet, among so many processes; nil for the
	// smallest majorities.
	Quorums func(n int) []model.Set
}

// ErrNoRelations says that an algorithm has no description for any number of processes.
var ErrNoRelations = errors.New("it has no relations.txt")

// Described returns the description of an algorithm and its protocol. It returns
// ErrNoRelations where there is none, and the error of a text that cannot be read. It is no
// method: a program with templates keeps all methods of an algorithm, and the explorer in a
// page has no use for what reads descriptions.
func Described(a *Algorithm) (*relation.Model, error) {
	if a.Relations == nil {
		return nil, fmt.Errorf("%s: %w", a.Name, ErrNoRelations)
	}
	text, err := fs.ReadFile(a.Files, "relations.txt")
	if err != nil {
		return nil, fmt.Errorf("%s: field Files: %w", a.Name, err)
	}
	d, err := relation.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s/relations.txt: %w", a.Name, err)
	}
	m := &relation.Model{Description: d, Facts: a.Relations.Facts, Quorums: a.Relations.Quorums}
	for _, name := range append([]string{a.Relations.Variant}, a.Relations.Also...) {
		v, err := a.Variant(name)
		if err != nil {
			return nil, err
		}
		m.Systems = append(m.Systems, v.New)
	}
	return m, nil
}

// Proofs returns the text of the proofs of an algorithm that are kept, as
// induction.ReadProofs reads it. Errors are ErrNoRelations, and that of a text that is missing.
func (a *Algorithm) Proofs() (string, error) {
	if a.Relations == nil {
		return "", fmt.Errorf("%s: %w", a.Name, ErrNoRelations)
	}
	text, err := fs.ReadFile(a.Files, "proofs.txt")
	if err != nil {
		return "", fmt.Errorf("%s: field Files: %w", a.Name, err)
	}
	return string(text), nil
}
