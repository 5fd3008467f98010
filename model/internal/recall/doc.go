// Package recall has what makes the steps of a search happen again fast that have happened
// before: numbers for keys that are met often, an index of what handlers did by what
// decides it, and copies of a state with one record less. It knows no protocol; package
// model says what is kept, and when it may be.
package recall
