package ledger

import (
	"io/fs"
	"testing/fstest"
)

// Record returns the record among the algorithm's files.
func (a *Algorithm) Record() []byte {
	record, _ := a.record()
	return record
}

// Keep has a record, or none, be among the algorithm's files.
func (a *Algorithm) Keep(record []byte) {
	if a.Files == nil {
		a.Files = fstest.MapFS{}
	}
	a.Files = unrecorded(a.Files)
	if record != nil {
		a.Files = recorded{a.Files, record}
	}
}

// Recode has other code be among the algorithm's files; the record stays.
func (a *Algorithm) Recode(code fs.FS) {
	record := a.Record()
	a.Files = code
	a.Keep(record)
}

type recorded struct {
	fs.FS
	record []byte
}

func (f recorded) Open(name string) (fs.File, error) {
	if name == claimsFile {
		return fstest.MapFS{name: {Data: f.record}}.Open(name)
	}
	return f.FS.Open(name)
}

// Lock returns the record of judgements, as VerifyClaims writes it.
func (a *Algorithm) Lock(found []Judgement) []byte { return a.locked(found).text() }

// Relock reads a record and writes it again.
func Relock(record []byte) ([]byte, error) {
	l, err := parseLock(record)
	if err != nil {
		return nil, err
	}
	return l.text(), nil
}

// TurnedByDelays is for tests.
func TurnedByDelays(c *Claim, j *Judgement) bool { return turnedByDelays(c, j) }

// ValidDelays is for tests.
func (a *Algorithm) ValidDelays(c *Claim, j *Judgement) error { return a.validDelays(c, j) }
