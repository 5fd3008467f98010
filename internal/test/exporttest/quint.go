//go:build browser

package exporttest

import (
	"encoding/json"
	"os/exec"
	"testing"

	"bullyproof/internal/test/browsertest"
)

// quintPackage is the Quint that the exports are tried on.
var quintPackage = browsertest.Package{
	Name: "@informalsystems/quint", Version: "0.33.0",
	Integrity: "sha512-1hr+l+3wyKimjNXNl9lovpwmH5C9Ck898FL4yGbuEmFPiz7YRqvFvsB9hlHsaYukXqdUY5nuFKn/qiCon0O88g==",
}

// QuintReads has Quint's own reader read the traces in a directory, and returns
// for each file how many states it finds. Where there is no Quint to be had the
// test is skipped, or fails if it is required.
func QuintReads(t testing.TB, dir string) map[string]int {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		browsertest.Skip(t, "no node for the test")
	}
	cmd := exec.Command(node, "-e", `
		const fs = require("fs"), path = require("path"), { ofItfNormalized } = require("@informalsystems/quint/dist/src/itf")
		const counts = {}
		for (const name of fs.readdirSync(process.argv[1]))
			counts[name] = ofItfNormalized(JSON.parse(fs.readFileSync(path.join(process.argv[1], name)))).length
		console.log(JSON.stringify(counts))`, dir)
	cmd.Dir = quintPackage.Install(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("quint: %v", err)
	}
	states := map[string]int{}
	if err := json.Unmarshal(out, &states); err != nil {
		t.Fatal(err)
	}
	return states
}
