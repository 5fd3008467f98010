package runfile

import (
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"
)

// Memory is an FS in memory, for tests. Fault decides its errors.
type Memory struct {
	// Fault, where it is not nil, is asked before each operation on a file and
	// may return an error in its place: of Create, Open, Write, Read, Sync,
	// Remove, or Replace. A Write that fails has written half of its bytes.
	Fault func(op, name string) error

	mu    sync.Mutex
	files map[string]*memoryFile
}

type memoryFile struct {
	fs   *Memory
	name string
	data []byte
}

func (m *Memory) fault(op, name string) error {
	if m.Fault == nil {
		return nil
	}
	if err := m.Fault(op, name); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// Create makes an empty file (FS).
func (m *Memory) Create(name string) (File, error) {
	if err := m.fault("create", name); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files == nil {
		m.files = make(map[string]*memoryFile)
	}
	f := &memoryFile{fs: m, name: name}
	m.files[name] = f
	return f, nil
}

// Open opens a file for reading (FS).
func (m *Memory) Open(name string) (File, error) {
	if err := m.fault("open", name); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.files[name]; f != nil {
		return f, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Size returns how many bytes a file has (FS).
func (m *Memory) Size(name string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.files[name]; f != nil {
		return int64(len(f.data)), nil
	}
	return 0, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// Remove removes a file (FS).
func (m *Memory) Remove(name string) error {
	if err := m.fault("remove", name); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(m.files, name)
	return nil
}

// Names lists the files (FS).
func (m *Memory) Names() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.files)), nil
}

// Replace makes data what a file holds (FS).
func (m *Memory) Replace(name string, data []byte) error {
	if err := m.fault("replace", name); err != nil {
		return err
	}
	f, err := m.Create(name)
	if err == nil {
		f.(*memoryFile).data = slices.Clone(data)
	}
	return err
}

// Sync does nothing: all is as lasting as it can be.
func (m *Memory) Sync() error { return nil }

// Clone returns a file system with the same files, and without faults: what is
// there after a process was killed.
func (m *Memory) Clone() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &Memory{files: make(map[string]*memoryFile)}
	for name, f := range m.files {
		c.files[name] = &memoryFile{c, name, slices.Clone(f.data)}
	}
	return c
}

// Data returns the bytes of a file, which may be changed; nil where there is
// none.
func (m *Memory) Data(name string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.files[name]; f != nil {
		return f.data
	}
	return nil
}

// Truncate cuts a file off.
func (m *Memory) Truncate(name string, size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name].data = m.files[name].data[:size]
}

func (f *memoryFile) Write(b []byte) (int, error) {
	err := f.fs.fault("write", f.name)
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err != nil {
		b = b[:len(b)/2]
	}
	f.data = append(f.data, b...)
	return len(b), err
}

func (f *memoryFile) ReadAt(b []byte, off int64) (int, error) {
	if err := f.fs.fault("read", f.name); err != nil {
		return 0, err
	}
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if off > int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) Sync() error  { return f.fs.fault("sync", f.name) }
func (f *memoryFile) Close() error { return nil }
