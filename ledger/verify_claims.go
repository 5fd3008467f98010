package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"bullyproof/internal/wholefile"
)

// claimsFile is the file of an algorithm's package in which VerifyClaims keeps
// what its claims came to. The package embeds it: Algorithm.Record.
const claimsFile = "claims.json"

// ClaimOptions say how VerifyClaims goes about it.
type ClaimOptions struct {
	// Deep looks at everything, the deep scopes included.
	Deep bool
	// Update writes the record instead of comparing with it. A short test that
	// does looks only at evidence that is not on record.
	Update bool
	// Dir is the directory of the record; empty for that of the test.
	Dir string
}

// VerifyClaims judges the claims of an algorithm in a go test. The test fails where the
// ruling on a claim is not the outcome that the claim has, where what a claim is about
// did not happen, and where anything is not as it is on record. Unless it is deep it
// believes the record of what took more than 1,000 states.
func VerifyClaims(t *testing.T, a *Algorithm, opt ClaimOptions) {
	t.Helper()
	if err := errors.Join(a.validateClaims()...); err != nil {
		t.Fatalf("the claims on %s: %v", a.Name, err)
	}
	judge := JudgeOptions{Deep: opt.Deep}
	switch {
	case testing.Short() && opt.Update:
		judge.Known = true
	case !opt.Deep && !opt.Update:
		judge.MostStates = 1_000
	}
	found, err := a.Judge(t.Context(), judge)
	if err != nil {
		t.Fatalf("the claims on %v", err)
	}
	for i := range found {
		a.Claims()[i].verify(t, &found[i])
	}
	record, err := json.MarshalIndent(found, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	record = append(record, '\n')
	if opt.Update {
		if err := wholefile.Write(filepath.Join(opt.Dir, claimsFile), record); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(record, a.Record) {
		t.Errorf("%s: the record of its claims, %s, is not what they come to (go test -update writes it):\n%s",
			a.Name, claimsFile, firstDifference(record, a.Record))
	}
}

// verify fails the test where a claim does not come to what it says.
func (c *Claim) verify(t *testing.T, j *Judgement) {
	t.Helper()
	if j.Outcome != c.Outcome {
		t.Errorf("%s is said to be %s, and is %s", c.named(), c.Outcome, j.Outcome)
		for _, x := range j.Exhibits {
			t.Logf("  %s [%s %s] %s: %s", x.Ruling, x.Variant, x.Setting, x.Asked, x.Found)
		}
	}
	for _, idle := range c.Vacuous(j) {
		t.Errorf("%s is judged where this did not happen: %s", c.named(), idle)
	}
}

// named returns the name of the claim, and where it is written.
func (c *Claim) named() string {
	if c.At == "" {
		return "claim " + c.Name
	}
	return c.At + ": claim " + c.Name
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return "- " + string(w[i]) + "\n+ " + string(g[i])
		}
	}
	return "one is longer"
}
