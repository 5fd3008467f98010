package remote

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path"
	"sync"
	"time"

	"github.com/colinmarc/hdfs/v2"
	"github.com/colinmarc/hdfs/v2/hadoopconf"

	"bullyproof/internal/runfile"
)

// closing is how long the last block of a file may take to have its copies.
const closing = time.Minute

// hadoopDir is a directory of HDFS.
type hadoopDir struct {
	client *hdfs.Client
	dir    string
}

// openHDFS opens a directory. Without a host, the name nodes are those of the
// configuration in HADOOP_CONF_DIR, as are those of a name service.
func openHDFS(host, below string) (*hadoopDir, error) {
	conf, err := hadoopconf.LoadFromEnvironment()
	if err != nil {
		return nil, fmt.Errorf("HDFS: HADOOP_CONF_DIR is %q: %w", os.Getenv("HADOOP_CONF_DIR"), err)
	}
	opt := hdfs.ClientOptionsFromConf(conf)
	if host != "" && conf["dfs.ha.namenodes."+host] == "" {
		opt.Addresses = []string{host}
	}
	if len(opt.Addresses) == 0 {
		return nil, errors.New("HDFS: no name node is known: want hdfs://HOST:PORT/PATH, or HADOOP_CONF_DIR with a core-site.xml that names one")
	}
	if opt.KerberosClient == nil && opt.KerberosServicePrincipleName != "" {
		return nil, fmt.Errorf("HDFS %s asks for Kerberos, which this program does not speak: mount it and name a path", opt.Addresses[0])
	}
	if opt.User = os.Getenv("HADOOP_USER_NAME"); opt.User == "" {
		u, err := user.Current()
		if err != nil {
			return nil, fmt.Errorf("HDFS: HADOOP_USER_NAME is not set: %w", err)
		}
		opt.User = u.Username
	}
	client, err := hdfs.NewClient(opt)
	if err != nil {
		return nil, fmt.Errorf("HDFS %s: %w", opt.Addresses[0], err)
	}
	return &hadoopDir{client, "/" + below}, nil
}

func (d *hadoopDir) path(name string) string { return path.Join(d.dir, name) }

// Create makes a file, in place of one that is there (runfile.FS).
func (d *hadoopDir) Create(name string) (runfile.File, error) {
	if err := d.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	w, err := d.client.Create(d.path(name))
	if err != nil {
		return nil, err
	}
	return &writer{w}, nil
}

// Open opens a file for reading (runfile.FS).
func (d *hadoopDir) Open(name string) (runfile.File, error) {
	f, err := d.client.Open(d.path(name))
	if err != nil {
		return nil, err
	}
	return &reader{at: &seeker{f: f}, size: f.Stat().Size(), end: f.Close}, nil
}

// Size returns how many bytes a file has (runfile.FS).
func (d *hadoopDir) Size(name string) (int64, error) {
	info, err := d.client.Stat(d.path(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Remove removes a file (runfile.FS).
func (d *hadoopDir) Remove(name string) error { return d.client.Remove(d.path(name)) }

// Names lists the files (runfile.FS).
func (d *hadoopDir) Names() ([]string, error) { return d.list(fs.FileMode.IsRegular) }

// Directories lists the directories in this one (cluster.Directory).
func (d *hadoopDir) Directories() ([]string, error) { return d.list(fs.FileMode.IsDir) }

func (d *hadoopDir) list(wanted func(fs.FileMode) bool) (names []string, err error) {
	entries, err := d.client.ReadDir(d.dir)
	for _, e := range entries {
		if wanted(e.Mode()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Replace makes data what a file holds (runfile.FS).
func (d *hadoopDir) Replace(name string, data []byte) error {
	part := name + ".part"
	w, err := d.Create(part)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	if err = cmp.Or(err, w.Close()); err == nil {
		err = d.client.Rename(d.path(part), d.path(name))
	}
	if err != nil {
		_ = d.Remove(part)
	}
	return err
}

// Commit makes a file that is not there yet (cluster.Directory). A search that makes it
// between the look and the renaming is not noticed.
func (d *hadoopDir) Commit(name string, data []byte) error {
	switch _, err := d.Size(name); {
	case err == nil:
		return &fs.PathError{Op: "create", Path: d.path(name), Err: fs.ErrExist}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return d.Replace(name, data)
}

// Sync has nothing to do: a file that is closed is on its data nodes (runfile.FS).
func (d *hadoopDir) Sync() error { return nil }

// Make makes the directory (cluster.Directory).
func (d *hadoopDir) Make() (made bool, err error) {
	_, err = d.client.Stat(d.dir)
	return errors.Is(err, fs.ErrNotExist), d.client.MkdirAll(d.dir, 0o777)
}

// Lock has nothing to lock: Commit finds another search (cluster.Directory).
func (d *hadoopDir) Lock() (release func(), err error) { return func() {}, nil }

// Drop removes the directory, unless there is something in it (cluster.Directory).
func (d *hadoopDir) Drop() {
	if entries, err := d.client.ReadDir(d.dir); err == nil && len(entries) == 0 {
		_ = d.client.Remove(d.dir)
	}
}

// A seeker reads a file at offsets, one read at a time.
type seeker struct {
	mu sync.Mutex
	f  *hdfs.FileReader
}

func (s *seeker) ReadAt(b []byte, off int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, err := s.f.Seek(0, io.SeekCurrent); err != nil || at != off {
		if _, err := s.f.Seek(off, io.SeekStart); err != nil {
			return 0, err
		}
	}
	return io.ReadFull(s.f, b)
}

// A writer is a file that is written.
type writer struct{ *hdfs.FileWriter }

// Close makes the file one that others can read: it waits until the last block has its
// copies.
func (w *writer) Close() error {
	wait := time.Millisecond
	for end := time.Now().Add(closing); ; wait *= 2 {
		err := w.FileWriter.Close()
		if !hdfs.IsErrReplicating(err) || time.Now().After(end) {
			return err
		}
		time.Sleep(min(wait, time.Second))
	}
}

func (w *writer) ReadAt([]byte, int64) (int, error) { return 0, errWritten }
func (w *writer) Sync() error                       { return nil }
