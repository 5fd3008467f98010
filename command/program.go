//go:build !js

package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/trace"
)

// callOf returns the name by which a program was called, and what to type to call
// it again. Where go run made it, in a directory that is gone afterwards, that is
// the package of the module which it was made from.
func callOf(arg0 string, info *debug.BuildInfo) (name, again string) {
	name = strings.TrimSuffix(filepath.Base(filepath.ToSlash(arg0)), ".exe")
	if !strings.Contains(filepath.ToSlash(arg0), "/go-build") {
		return name, name
	}
	if info != nil && info.Main.Path != "" {
		if rest, ok := strings.CutPrefix(info.Path, info.Main.Path+"/"); ok {
			return name, "go run ./" + rest
		}
	}
	return name, "go run ."
}

// called is callOf this program.
func called() (name, again string) {
	info, _ := debug.ReadBuildInfo()
	return callOf(os.Args[0], info)
}

// examples returns the lines of help that show how a command is called. Among
// the words of each, ALGO stands for the first algorithm, ALGO/VARIANT for one of
// its other variants, ALGO2 for the second algorithm, RUN for a recorded run of it, and PROPERTY for something to
// ask. A line about what is not there is left out.
func (a *app) examples(lines ...string) string {
	var known []string
	for _, line := range lines {
		words := strings.Fields(line)
		there := true
		for i, word := range words {
			switch word {
			case "ALGO", "ALGO/VARIANT", "ALGO2", "RUN", "PROPERTY":
				words[i] = a.example(word)
				there = there && words[i] != ""
			}
		}
		if there {
			known = append(known, "  "+a.name+" "+strings.Join(words, " "))
		}
	}
	return strings.Join(known, "\n")
}

// example returns an example of what a word of help stands for, "" if there is
// none.
func (a *app) example(word string) string {
	if len(a.Algorithms) == 0 {
		return ""
	}
	first := a.Algorithms[0]
	switch word {
	case "ALGO":
		return first.Name
	case "ALGO/VARIANT":
		return first.Name + "/" + first.Variants[len(first.Variants)-1].Name
	case "ALGO2":
		if len(a.Algorithms) < 2 {
			return ""
		}
		return a.Algorithms[1].Name
	case "PROPERTY":
		return first.Questions()[0].Name
	}
	for _, name := range a.Recorded.Names() {
		if strings.HasPrefix(name, first.Name+"-") {
			return name
		}
	}
	return ""
}

// subjects says what an argument that names a variant looks like.
func (a *app) subjects() string {
	return "ALGO[/VARIANT] (like " + cmp.Or(a.example("ALGO"), "bully") + ": " + a.name + " list shows them)"
}

// A version says which program this is. Fields are empty where the build does
// not tell.
type version struct {
	Version  string `json:"version"`            // of the main module: "v1.2.0", "(devel)"
	Revision string `json:"revision,omitempty"` // of its repository
	Modified bool   `json:"modified,omitempty"` // since that revision
	Go       string `json:"go"`
}

// versionOf returns the version of a build; nil is one of which nothing is known.
func versionOf(info *debug.BuildInfo) version {
	v := version{Version: "(unknown)", Go: runtime.Version()}
	if info == nil {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	if info.GoVersion != "" {
		v.Go = info.GoVersion
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// thisVersion is versionOf this program.
func thisVersion() version {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// String returns "v1.2.0, revision 4bead8f1c22e (modified), go1.26.0".
func (v version) String() string {
	text := v.Version
	if v.Revision != "" {
		text += ", revision " + v.Revision[:min(len(v.Revision), 12)]
	}
	if v.Modified {
		text += " (modified)"
	}
	return text + ", " + v.Go
}

// release is the version of the checker. CHANGELOG.md says what may change between two.
const release = "0.17.0"

// A versionCommand says which program this is, and which forms of files it reads and writes.
type versionCommand struct{ app *app }

func (c *versionCommand) command() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "say which version this is",
		Long: "Version says which version of the checker this program has, how it was built, and which forms of reports and\n" +
			"files it writes. CHANGELOG.md says what may change between two versions.",
		Args: wantArgs(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(c.app.out, "bullyproof %s\nbuild: %s %s\nforms: JSON %d, recorded runs %d\n",
				release, c.app.name, thisVersion(), jsonSchema, trace.Schema)
			return err
		},
	}
}
