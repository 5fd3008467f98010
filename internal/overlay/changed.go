package overlay

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// changed returns the files of a standard library that change, by name, with their new texts.
func changed(src fs.FS) (map[string]string, error) {
	texts := map[string]string{"runtime/bullyproof_turns.go": turns}
	for _, p := range places {
		name, text, err := read(src, strings.Fields(p.file), texts)
		if err != nil {
			return nil, err
		}
		if n := strings.Count(text, p.old); n != 1 {
			return nil, fmt.Errorf("%s has %d places like %q: want one", name, n, p.old)
		}
		texts[name] = strings.Replace(text, p.old, p.new, 1)
	}
	return texts, nil
}

// read returns the first of some files that there is, as far as it has changed.
func read(src fs.FS, names []string, texts map[string]string) (name, text string, err error) {
	for _, name := range names {
		if text, ok := texts[name]; ok {
			return name, text, nil
		}
		b, err := fs.ReadFile(src, name)
		if err == nil {
			return name, string(b), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", err
		}
	}
	return "", "", fmt.Errorf("the standard library has no %s", strings.Join(names, ", nor "))
}
