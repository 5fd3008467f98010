package scaffold

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"bullyproof/internal/gomod"
	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
)

// A library is this module: where it is, and what it is called.
type library struct {
	path string
	// dir is its directory on this machine; empty where it is one that the go
	// command finds by path and version.
	dir, version string
}

// A home is where a package goes.
type home struct {
	library library
	// module is the file of the module that the package belongs to, and root its
	// directory: empty where the module is one of its own, which begins with it.
	module *modfile.File
	root   string
	// path is the import path of the package.
	path string
}

// libraryPath is the path of this module, whatever it was published as.
func libraryPath() string {
	return strings.TrimSuffix(reflect.TypeFor[Options]().PkgPath(), "/command/internal/scaffold")
}

// homeOf finds the module and the library for a package in dir.
func homeOf(dir string, opt Options) (*home, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	if opt.Module != "" {
		if err := module.CheckImportPath(opt.Module); err != nil {
			return nil, fmt.Errorf("module path %q: want one like example.org/%s: %w", nearest.Clip(opt.Module), opt.Name, err)
		}
	}
	present, root, err := moduleOf(dir)
	if err != nil {
		return nil, err
	}
	lib, err := findLibrary(dir, root, present, opt.Library)
	if err != nil {
		return nil, err
	}
	if opt.Module == "" && present != nil && present.Module.Mod.Path != lib.path {
		within, err := filepath.Rel(root, filepath.Join(dir, opt.Name))
		if err != nil {
			return nil, err
		}
		return &home{library: lib, module: present, root: root, path: present.Module.Mod.Path + "/" + filepath.ToSlash(within)}, nil
	}
	h := &home{library: lib, module: new(modfile.File), path: opt.Module}
	if h.path == "" {
		h.path = opt.Name
	}
	if standard(h.path) {
		return nil, fmt.Errorf("module path %q is that of a package of Go: want another name, or --module example.org/%s", h.path, opt.Name)
	}
	return h, h.module.AddModuleStmt(h.path)
}

// moduleOf returns the module that a directory is in, and its root; nil if it is
// in none.
func moduleOf(dir string) (*modfile.File, string, error) {
	root, err := gomod.Root(dir)
	if err != nil || root == "" {
		return nil, "", err
	}
	name := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, "", err
	}
	f, err := modfile.Parse(name, data, nil)
	if err == nil && f.Module == nil {
		err = fmt.Errorf("%s names no module", name)
	}
	return f, root, err
}

// standard reports whether Go itself has a package of that path, if there is a go command.
func standard(path string) bool {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	goroot := strings.TrimSpace(string(out))
	if err != nil || goroot == "" {
		return false
	}
	_, err = os.Stat(filepath.Join(goroot, "src", filepath.FromSlash(path)))
	return err == nil
}

// findLibrary says where this library is: as told, or where the present module
// keeps it, or where this program was built from, or at the version of that.
func findLibrary(dir, root string, present *modfile.File, told string) (library, error) {
	lib := library{path: libraryPath()}
	if told != "" {
		told, err := filepath.Abs(told)
		if err == nil && !lib.in(told) {
			err = fmt.Errorf("directory %s does not have module %s: want the one with its go.mod", told, lib.path)
		}
		lib.dir = told
		return lib, err
	}
	if present != nil && present.Module.Mod.Path == lib.path {
		lib.dir = root
		return lib, nil
	}
	if present != nil && requires(present, lib.path) {
		list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", lib.path)
		list.Dir = dir
		if out, err := list.Output(); err == nil && lib.in(strings.TrimSpace(string(out))) {
			lib.dir = strings.TrimSpace(string(out))
			return lib, nil
		}
	}
	if _, name, _, ok := runtime.Caller(0); ok && filepath.IsAbs(name) {
		if built := filepath.Dir(filepath.Dir(filepath.Dir(name))); lib.in(built) {
			lib.dir = built
			return lib, nil
		}
	}
	if lib.version = builtFrom(lib.path); lib.version != "" {
		return lib, nil
	}
	return lib, fmt.Errorf("where the module %s is on this machine is not known: "+
		"say so by --library DIR, the directory of its clone", lib.path)
}

// requires reports whether a module requires another one.
func requires(f *modfile.File, path string) bool {
	return slices.ContainsFunc(f.Require, func(r *modfile.Require) bool { return r.Mod.Path == path })
}

// builtFrom returns the version of a module that this program was built from, ""
// if that is none that a go command finds.
func builtFrom(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range append(slices.Clone(info.Deps), &info.Main) {
		if m.Path == path && m.Replace == nil && module.Check(path, m.Version) == nil {
			return m.Version
		}
	}
	return ""
}

// in reports whether the library is in a directory.
func (l *library) in(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && modfile.ModulePath(data) == l.path
}

// settle has the module require the library, with what that requires itself, and
// writes it; it says what was done.
func (h *home) settle(target string) ([]string, error) {
	if requires(h.module, h.library.path) {
		return nil, nil
	}
	root := cmp.Or(h.root, target)
	said := []string{"go.mod requires " + h.library.path + "."}
	if h.library.dir == "" {
		if err := h.module.AddRequire(h.library.path, h.library.version); err != nil {
			return nil, err
		}
		return append(said, `"go mod tidy" fetches it.`), h.save(root, nil)
	}
	sums, err := h.replace(root)
	if err != nil {
		return nil, err
	}
	return append(said, fmt.Sprintf("Its replace directive says that this is the clone in %s: the path %s is one that no server has.",
		h.library.dir, h.library.path)), h.save(root, sums)
}

// replace has the module find the library in its directory, and require what the
// library does, in the same versions. It returns the library's sums.
func (h *home) replace(root string) ([]byte, error) {
	lib, _, err := moduleOf(h.library.dir)
	if err != nil {
		return nil, err
	}
	if h.module.Go == nil && lib.Go != nil {
		if err := h.module.AddGoStmt(lib.Go.Version); err != nil {
			return nil, err
		}
	}
	where := h.library.dir
	if near, err := filepath.Rel(root, where); err == nil && strings.Count(near, "..") < 4 {
		where = near
	}
	if !filepath.IsAbs(where) && !strings.HasPrefix(where, "..") {
		where = "." + string(filepath.Separator) + where
	}
	if err := h.module.AddReplace(h.library.path, "", filepath.ToSlash(where), ""); err != nil {
		return nil, err
	}
	// The comment is for whoever wonders.
	h.module.Replace[len(h.module.Replace)-1].Syntax.Before = []modfile.Comment{
		{Token: "// " + h.library.path + " is not on a server: this is where its clone is."},
	}
	const none = "v0.0.0-00010101000000-000000000000" // what the go command writes for a module that is replaced
	h.module.AddNewRequire(h.library.path, none, false)
	for _, r := range lib.Require {
		if !requires(h.module, r.Mod.Path) {
			h.module.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
		}
	}
	sums, err := os.ReadFile(filepath.Join(h.library.dir, "go.sum"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return sums, err
}

// save writes go.mod, and adds sums to go.sum.
func (h *home) save(root string, sums []byte) error {
	h.module.SetRequireSeparateIndirect(h.module.Require)
	h.module.Cleanup()
	data, err := h.module.Format()
	if err != nil {
		return err
	}
	name := filepath.Join(root, "go.sum")
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := slices.DeleteFunc(strings.Split(string(old)+"\n"+string(sums), "\n"), func(line string) bool { return line == "" })
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) > 0 {
		if err := wholefile.Write(name, []byte(strings.Join(lines, "\n")+"\n")); err != nil {
			return err
		}
	}
	return wholefile.Write(filepath.Join(root, "go.mod"), data)
}
