package command

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
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
// its other variants, RUN for a recorded run of it, and PROPERTY for something to
// ask. A line about what is not there is left out.
func (a *app) examples(lines ...string) string {
	var known []string
	for _, line := range lines {
		words := strings.Fields(line)
		there := true
		for i, word := range words {
			switch word {
			case "ALGO", "ALGO/VARIANT", "RUN", "PROPERTY":
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
	return "ALGO[/VARIANT], like " + cmp.Or(a.example("ALGO"), "bully") + "; " + a.name + " list shows them"
}
