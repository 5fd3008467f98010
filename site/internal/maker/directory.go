package maker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
)

// manifestFile lists the files of a site in its directory. It tells a site from
// what else a directory may hold.
const manifestFile = "site.json"

// manifest is what the manifest says.
type manifest struct {
	Schema int      `json:"schema"`
	Files  []string `json:"files"`
}

// Usable returns an error unless a site can be written into a directory: one that
// is not there, or empty, or holds a site and nothing else. It returns the files
// of that site.
func Usable(dir string) (old []string, err error) {
	old, err = readManifest(dir)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir:
			return fs.SkipAll
		case err != nil:
			return err
		case name == dir && !d.IsDir():
			return fmt.Errorf("%s is not a directory", nearest.Path(dir))
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); rel == manifestFile || slices.Contains(old, rel) || wholefile.Temporary(path.Base(rel)) {
			return nil
		}
		return fmt.Errorf("%s holds %s, which is no part of a site: want a directory that is new, empty, or holds a site that was made before",
			nearest.Path(dir), nearest.Path(rel))
	})
	return old, err
}

// readManifest returns the files of the site in a directory, none where there is
// no site.
func readManifest(dir string) ([]string, error) {
	name := filepath.Join(dir, manifestFile)
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, nil //nolint:nilerr // WalkDir says what is wrong with the directory
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", nearest.Path(name))
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil || m.Schema != 1 {
		return nil, fmt.Errorf("%s does not say which files the site has: want the one that this command writes, or another directory", nearest.Path(name))
	}
	for _, f := range m.Files {
		if !filepath.IsLocal(f) {
			return nil, fmt.Errorf("%s names %s, which is outside of the directory", nearest.Path(name), nearest.Path(f))
		}
	}
	return m.Files, nil
}

// Write writes a site into a directory, which is made if it is not there, and
// takes away what a site that was there has beyond it. Each file is whole at every
// moment. Where ctx ends, it stops; whoever makes the site again goes on there.
func (s *Site) Write(ctx context.Context, dir string) error {
	old, err := Usable(dir)
	if err != nil {
		return err
	}
	names := s.names()
	both := slices.Compact(slices.Sorted(slices.Values(slices.Concat(old, names))))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := writeManifest(dir, both); err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if wholefile.Holds(file, s.Files[name]) {
			continue
		}
		if err := wholefile.Write(file, s.Files[name]); err != nil {
			return err
		}
	}
	for _, name := range old {
		if _, kept := s.Files[name]; !kept {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return writeManifest(dir, names)
}

// names returns the names of the files, sorted.
func (s *Site) names() []string {
	list := make([]string, 0, len(s.Files))
	for name := range s.Files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func writeManifest(dir string, files []string) error {
	data, err := json.MarshalIndent(manifest{1, files}, "", " ")
	if err != nil {
		return err
	}
	return wholefile.Write(filepath.Join(dir, manifestFile), append(data, '\n'))
}
