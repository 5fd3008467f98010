package ledger

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
