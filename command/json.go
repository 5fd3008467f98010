//go:build !js

package command

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed help_json.txt
var helpJSON string

// jsonHelp is the help about JSON: bullyproof help json.
func jsonHelp() *cobra.Command {
	return &cobra.Command{Use: "json", Short: "what --json writes", Long: helpJSON}
}

//go:embed help_expressions.txt
var helpExpressions string

// expressionsHelp is the help about expressions: bullyproof help expressions.
func expressionsHelp() *cobra.Command {
	return &cobra.Command{Use: "expressions", Short: "what check --always EXPR and the like take", Long: helpExpressions}
}

// jsonSchema is the version of what --json adds to reports, and of what it writes
// where there is no report. Fields may be added without a new one; none changes
// its meaning or goes.
const jsonSchema = 1

// A runJSON says what made a report.
type runJSON struct {
	Program string `json:"program"`
	version
	Arguments []string `json:"arguments"`
}

func (a *app) runJSON() runJSON {
	return runJSON{a.name, thisVersion(), append([]string{}, a.args...)}
}

// An errorJSON is what --json writes where the status is 2.
type errorJSON struct {
	Schema int       `json:"schema"`
	Error  faultJSON `json:"error"`
	Run    runJSON   `json:"run"`
}

type faultJSON struct {
	Status  int    `json:"status"`
	Message string `json:"message"`
}

// writeJSON writes a value, which has to be an object, with the fields of more
// after its own: "run" and whatever the command knows beside the report.
func (a *app) writeJSON(value any, more any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	extra, err := json.Marshal(more)
	if err != nil {
		return err
	}
	if data, extra = bytes.TrimSuffix(data, []byte("}")), bytes.TrimPrefix(extra, []byte("{")); len(extra) > 1 && len(data) > 1 {
		data = append(data, ',')
	}
	var out bytes.Buffer
	if err := json.Indent(&out, append(data, extra...), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err = a.out.Write(out.Bytes())
	return err
}

// asksForJSON reports whether a command line asks for JSON, whether otherwise
// right or wrong.
func asksForJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	if slices.Contains(args, "--json") || slices.Contains(args, "--json=true") {
		return true
	}
	claims := len(args) > 0 && args[0] == "claims"
	return claims && strings.Contains(strings.Join(args, "\x00"), "--format\x00json") || claims && slices.Contains(args, "--format=json")
}
