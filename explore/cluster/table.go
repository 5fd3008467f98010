package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"regexp"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"bullyproof/internal/runfile"
)

// A Range are the fingerprints from Lo to Hi.
type Range struct {
	Lo uint64 `json:"lo"`
	Hi uint64 `json:"hi"`
}

// everything is the range of all fingerprints.
var everything = Range{0, ^uint64(0)}

// divided returns n ranges of about the same size, which together are the range.
func (r Range) divided(n int) []Range {
	all := make([]Range, n)
	for i := range all {
		hi, lo := bits.Mul64(r.Hi-r.Lo, uint64(i))
		from, _ := bits.Div64(hi, lo, uint64(n))
		all[i] = Range{r.Lo + from, r.Hi}
		if i > 0 {
			all[i-1].Hi = all[i].Lo - 1
		}
	}
	return all
}

func (r Range) meets(o Range) bool { return r.Lo <= o.Hi && o.Lo <= r.Hi }
func (r Range) holds(o Range) bool { return r.Lo <= o.Lo && o.Hi <= r.Hi }

// A Run is a run of visited states, all of a range, with their origins.
type Run struct {
	Range
	Entries uint64       `json:"entries"`
	Keys    runfile.Info `json:"keys"`
	Values  runfile.Info `json:"values"`
}

// A Table is all that a search needs to go on from the beginning of a level.
type Table struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Identity string `json:"identity"`
	Targets  int    `json:"targets"`

	Level     int             `json:"level"`
	Runs      []Run           `json:"runs"`      // what was visited
	Exchanges []Exchange      `json:"exchanges"` // what was found for the level
	Search    json.RawMessage `json:"search"`    // the explore.Elsewhere
	Kept      []byte          `json:"kept,omitempty"`
	Bytes     int64           `json:"bytes"` // written so far
}

const (
	tableFormat  = "bullyproof cluster"
	tableVersion = 2
	sumDigits    = 16
)

// tableName returns the name of the table of a level.
func tableName(level int) string { return fmt.Sprintf("level-%06d.json", level) }

// ownName is what files of a search are called, lock aside.
var ownName = regexp.MustCompile(`^(level-[0-9]{6}\.json|(visited|states)-[0-9]{6}-[0-9a-f]{16,}\.(keys|values|log))$`)

// pending returns how many states there are for the level, some of them perhaps
// several times or visited before.
func (t *Table) pending() (n uint64) {
	for i := range t.Exchanges {
		n += t.Exchanges[i].Records
	}
	return n
}

// names returns the files that the table names.
func (t *Table) names() map[string]bool {
	names := make(map[string]bool)
	for i := range t.Runs {
		names[t.Runs[i].Keys.Name], names[t.Runs[i].Values.Name] = true, true
	}
	for i := range t.Exchanges {
		names[t.Exchanges[i].File.Name] = true
	}
	return names
}

// bytes returns how long these files are.
func (t *Table) bytes() (n int64) {
	for i := range t.Runs {
		n += t.Runs[i].Keys.Bytes + t.Runs[i].Values.Bytes
	}
	for i := range t.Exchanges {
		n += t.Exchanges[i].File.Bytes
	}
	return n
}

// write makes the table a file, with its checksum behind it.
func (t *Table) write(files Directory) error {
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return files.Commit(tableName(t.Level), fmt.Appendf(data, "\n%016x", xxh3.Hash(data)))
}

// readTable reads a table.
func readTable(files runfile.FS, name string) (*Table, error) {
	size, err := files.Size(name)
	if err != nil {
		return nil, err
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); n < len(data) {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	end := len(data) - sumDigits - 1
	if end < 0 {
		return nil, fmt.Errorf("%s is damaged: it has %d bytes", name, size)
	}
	if sum, err := strconv.ParseUint(string(data[end+1:]), 16, 64); err != nil || sum != xxh3.Hash(data[:end]) {
		return nil, fmt.Errorf("%s is damaged: its checksum is %016x, and was %q when it was written", name, xxh3.Hash(data[:end]), data[end+1:])
	}
	t := new(Table)
	if err := json.Unmarshal(data[:end], t); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", name, err)
	}
	if t.Format != tableFormat || t.Version != tableVersion {
		return nil, fmt.Errorf("%s is a %q of version %d; this program reads a %q of version %d", name, t.Format, t.Version, tableFormat, tableVersion)
	}
	return t, nil
}

// latest returns the name of the last table in a directory, "" where there is none.
func latest(files runfile.FS) (string, error) {
	names, err := files.Names()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !ownName.MatchString(name) || name[0] != 'l' })
	if len(names) == 0 {
		return "", nil
	}
	return slices.Max(names), nil
}

// sweep removes the files of a search except for some, and returns the first error.
func sweep(files runfile.FS, but map[string]bool) error {
	names, err := files.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if ownName.MatchString(name) && !but[name] {
			if e := files.Remove(name); err == nil && !errors.Is(e, fs.ErrNotExist) {
				err = e
			}
		}
	}
	return err
}
