//go:build browser

package browsertest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A Package is a package of the npm registry that a test measures something
// by, in one version with one content.
type Package struct {
	Name, Version string
	// Integrity is the hash of the package's archive as in the registry:
	// "sha512-" and the hash in base 64.
	Integrity string
}

// File returns a file of the package, by its path in it. The archive is kept
// in the cache of the user, and checked each time. Where it cannot be had the
// test is skipped, or fails if it is required.
func (p Package) File(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(p.archive(t))
	if err != nil {
		t.Fatal(err)
	}
	content, err := unpack(data, "package/"+path)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	return content
}

// Install returns a directory in which the package and what it depends on are
// installed, without running any of their scripts.
func (p Package) Install(t testing.TB) string {
	t.Helper()
	archive := p.archive(t)
	dir := strings.TrimSuffix(archive, ".tgz")
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	work, err := os.MkdirTemp(filepath.Dir(archive), "install-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	if err := npm(work, "install", "--ignore-scripts", "--no-audit", "--no-fund", archive); err != nil {
		Skip(t, err.Error())
	}
	if err := os.Rename(work, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, other := os.Stat(dir); other != nil { // nobody else has made it meanwhile
			t.Fatal(err)
		}
	}
	return dir
}

// archive returns the name of the package's archive.
func (p Package) archive(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		Skip(t, err.Error())
	}
	dir := filepath.Join(cache, "bullyproof", "npm")
	name := filepath.Join(dir, strings.NewReplacer("@", "", "/", "-").Replace(p.Name)+"-"+p.Version+".tgz")
	if p.check(name) == nil {
		return name
	}
	if testing.Short() && os.Getenv(Variable) != Required {
		t.Skip("needs " + p.Name + " of npm: not with -short")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(dir, "pack-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	if err := npm(work, "pack", p.Name+"@"+p.Version); err != nil {
		Skip(t, err.Error())
	}
	found, err := filepath.Glob(filepath.Join(work, "*.tgz"))
	if err != nil || len(found) != 1 {
		t.Fatalf("npm pack %s made %q (%v)", p.Name, found, err)
	}
	if err := p.check(found[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(found[0], name); err != nil {
		t.Fatal(err)
	}
	return name
}

// check compares an archive with what the package ought to be.
func (p Package) check(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	sum := sha512.Sum512(data)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != p.Integrity {
		return fmt.Errorf("%s@%s is %s, not %s", p.Name, p.Version, got, p.Integrity)
	}
	return nil
}

// npm runs npm in a directory.
func npm(dir string, args ...string) error {
	path, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("no npm for the test: %w", err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("npm %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// unpack returns a file of a compressed archive.
func unpack(archive []byte, path string) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		header, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("there is no %s in it", path)
		case err != nil:
			return nil, err
		case header.Name == path:
			return io.ReadAll(r)
		}
	}
}
