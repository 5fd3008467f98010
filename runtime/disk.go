package runtime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bullyproof/internal/wholefile"
	"bullyproof/model"
)

// diskFormat is the first field of what is stored.
const diskFormat = "bullyproof stable storage 1"

// maxStored is the size of a file at the most: more is not read.
const maxStored = 8 << 20

// stored is what a file of stable storage holds.
type stored struct {
	Format string `json:"format"`
	// Process is whose it is, and Layout what its state means.
	Process model.ID `json:"process"`
	Layout  string   `json:"layout"`
	// Session is the last one that the process had.
	Session uint64 `json:"session"`
	// State is what survives a crash, hexadecimal; empty of a protocol that has
	// no stable storage.
	State string `json:"state"`
	// Unlogged is what the event log has from its byte At on, unless the process
	// went down before it had written that: the event that led to State.
	Unlogged string `json:"unlogged"`
	At       int64  `json:"at"`
	// Sum is a checksum of all that.
	Sum string `json:"sum"`
}

func (s *stored) sum() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s\n%d\n%s\n%q\n%d\n",
		s.Format, s.Process, s.Layout, s.Session, s.State, s.Unlogged, s.At))
	return hex.EncodeToString(sum[:])
}

// A disk is the stable storage of one process: a file, which is whole at every
// moment and is there for good once write has returned.
type disk struct {
	file    string
	process model.ID
	layout  string // of what the file holds
	session uint64
	last    []byte // what it holds of the state
	written bool
}

// openDisk returns the stable storage of a process in a directory, and what is in
// it: nil if nothing is. A file that is torn, or of another process or protocol,
// is an error that names it.
func openDisk(dir string, process model.ID, layout string) (*disk, *stored, error) {
	sum := sha256.Sum256([]byte(layout))
	d := &disk{file: filepath.Join(dir, fmt.Sprintf("process-%v.json", process)), process: process, layout: hex.EncodeToString(sum[:])}
	f, err := os.Open(d.file)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxStored+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, nil, err
	}
	s, err := d.decode(data)
	if err != nil {
		return nil, nil, fmt.Errorf("stable storage %s: %w", d.file, err)
	}
	d.session = s.Session
	return d, s, nil
}

// decode returns what the bytes of a file store.
func (d *disk) decode(data []byte) (*stored, error) {
	if len(data) > maxStored {
		return nil, fmt.Errorf("more than %d bytes", maxStored)
	}
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	var s stored
	if err := in.Decode(&s); err != nil {
		return nil, fmt.Errorf("torn, or no stable storage: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows after its end")
	}
	switch {
	case s.Format != diskFormat:
		return nil, fmt.Errorf("its format is %q; want %q", s.Format, diskFormat)
	case s.Sum != s.sum():
		return nil, errors.New("torn: its checksum is not that of what it holds")
	case s.Process != d.process:
		return nil, fmt.Errorf("it is of process %v; this is %v", s.Process, d.process)
	case s.Layout != d.layout:
		return nil, errors.New("it is of another protocol, or of another version of it: states have another layout")
	}
	return &s, nil
}

// state returns the bytes of the state, nil of a protocol without stable storage.
func (s *stored) state() ([]byte, error) {
	if s.State == "" {
		return nil, nil
	}
	return hex.DecodeString(s.State)
}

// begin begins a session: the next write stores it, whatever it writes.
func (d *disk) begin(session uint64) { d.session, d.written = session, false }

// write stores a state, and the lines about it that the event log is to have at a
// place. It returns when that is on the disk.
func (d *disk) write(state, lines []byte, at int64) error {
	if d.written && bytes.Equal(state, d.last) {
		return nil
	}
	s := stored{
		Format: diskFormat, Process: d.process, Layout: d.layout, Session: d.session,
		State: hex.EncodeToString(state), Unlogged: string(lines), At: at,
	}
	s.Sum = s.sum()
	data, err := json.MarshalIndent(&s, "", "  ")
	if err != nil {
		return err
	}
	if err := wholefile.Write(d.file, append(data, '\n')); err != nil {
		return fmt.Errorf("stable storage: %w", err)
	}
	if err := syncDir(filepath.Dir(d.file)); err != nil {
		return fmt.Errorf("stable storage: %w", err)
	}
	d.last, d.written = bytes.Clone(state), true
	return nil
}

// syncDir puts the names in a directory on the disk: a rename outlasts a loss of
// power only then.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
