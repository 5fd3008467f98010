package command

import (
	"runtime"
	"runtime/debug"
)

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
