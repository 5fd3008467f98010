// Package maker makes a web site of a catalogue: what was found, an index of the
// algorithms, a page for each with its rules, readings, claims, recorded runs and
// costs, a page to walk through each run, comparisons, a glossary, and how claims
// are judged.
//
// It is for reading without Go: plain files that link to each other, that need no
// network and no server, and that are complete without scripts. They are derived
// from the catalogue, its record and its recorded runs, so that the same
// catalogue makes the same bytes.
package maker
