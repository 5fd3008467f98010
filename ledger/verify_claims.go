package ledger

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/gomod"
	"bullyproof/internal/quantity"
	"bullyproof/internal/wholefile"
)

// claimsFile is the file of an algorithm's package in which VerifyClaims keeps
// what its claims came to. The package embeds it: Algorithm.Files.
const claimsFile = "claims.lock"

// ClaimOptions say how VerifyClaims goes about it.
type ClaimOptions struct {
	// Deep looks at everything, the deep scopes included.
	Deep bool
	// Update writes the record instead of comparing with it. A short test that does looks
	// only at evidence that is not on record, or whose record is out of date.
	Update bool
	// Dir is the directory of the record; empty for that of the test.
	Dir string
	// Again is the command that a failing test names, which judges again what is out of
	// date and writes it down; empty for go test with -short and -update.
	Again string
}

// VerifyClaims judges the claims of an algorithm in a go test. The test fails where a claim
// does not say what its outcome needs (a run, a note), where what a claim is about did not
// happen, where the checklist of a source in claims.txt lacks an item, and where anything,
// outcomes included, is not as it is on record.
//
// Unless it is deep, or an update, it believes what is on record of searches of more than
// 1,000 states, while that is of the code as it is: while the fingerprints on record are
// those of the package's code (Algorithm.Files) and of what a sample of the system's states
// leads to. Otherwise it judges it again if it took up to 200,000 states, and if it took
// more it fails, and names the command that judges it again.
func VerifyClaims(t testing.TB, a *Algorithm, opt ClaimOptions) {
	t.Helper()
	if err := errors.Join(a.validateClaims()...); err != nil {
		t.Fatalf("the claims on %s: %v", a.Name, err)
	}
	if a.checks() {
		for _, err := range a.Unchecked() {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
	judge := JudgeOptions{Deep: opt.Deep, Believe: !opt.Deep && !opt.Update, Renew: opt.Update && testing.Short()}
	if opt.Update {
		judge.Progress = reporting(t, a.Name)
	}
	found, err := Judgements(t.Context(), a, judge)
	if err != nil {
		t.Fatalf("the claims on %v", err)
	}
	for i := range found {
		a.verify(t, &a.Claims()[i], &found[i])
	}
	for _, stale := range (&Ledger{Entries: []Entry{{Algorithm: a, Judgements: found}}}).Stale() {
		t.Errorf("%s\nTo judge that again and write it down: %s", stale, opt.again(t, found))
	}
	if judge.Believe {
		opt.unsign(t, a, found)
	}
	text := a.locked(found).text()
	if opt.Update {
		if err := wholefile.Write(filepath.Join(opt.Dir, claimsFile), text); err != nil {
			t.Fatal(err)
		}
		return
	}
	record, err := a.record()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, record) {
		t.Errorf("%s: the record of its claims, %s, is not what they come to (%s writes it):\n%s",
			a.Name, claimsFile, opt.again(t, found), firstDifference(text, record))
	}
}

// unsign gives what was judged again, since its record is out of date, the fingerprint
// that it has on record: what it comes to is compared, and not of which code it is.
func (o *ClaimOptions) unsign(t testing.TB, a *Algorithm, found []Judgement) {
	recorded, err := a.lock()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for i := range found {
		for k := range found[i].Exhibits {
			x := &found[i].Exhibits[k]
			old := recorded.searches[a.Claims()[i].Evidence[k].asksLocked(x)]
			if x.Fingerprint != old.Fingerprint {
				x.Fingerprint = old.Fingerprint
				count++
			}
		}
	}
	if count > 0 {
		t.Logf("%s: %s of evidence judged again, since the record is out of date (%s mends that)",
			a.Name, quantity.Plural(count, "piece"), o.again(t, found))
	}
}

// reporting returns a function that logs, now and then, how far a long search is.
func reporting(t testing.TB, algorithm string) func(what string, p explore.Progress) {
	const every = 10 * time.Second
	said := time.Now()
	return func(what string, p explore.Progress) {
		if time.Since(said) >= every {
			said = time.Now()
			t.Logf("%s: %s: %s states", algorithm, what, quantity.Count(p.Distinct))
		}
	}
}

// again returns the command that judges again what is out of date.
func (o *ClaimOptions) again(t testing.TB, found []Judgement) string {
	if o.Again != "" {
		return o.Again
	}
	dir := "."
	if here, err := filepath.Abs("."); err == nil {
		if root, err := gomod.Root("."); err == nil && root != "" && root != here {
			if below, err := filepath.Rel(root, here); err == nil {
				dir = "./" + filepath.ToSlash(below)
			}
		}
	}
	command := "go test " + dir + " -run " + t.Name() + " -short -update"
	for i := range found {
		for _, x := range found[i].Exhibits {
			if x.stale != "" && x.Deep {
				return command + " -deep"
			}
		}
	}
	return command
}

// verify fails the test where a claim does not say what goes with its outcome.
func (a *Algorithm) verify(t testing.TB, c *Claim, j *Judgement) {
	t.Helper()
	if err := a.validOutcome(c, j); err != nil {
		t.Errorf("%s: %v", c.named(), err)
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
