package remote_test

import (
	"bytes"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore/cluster"
	"bullyproof/internal/runfile"
	"bullyproof/spark/internal/remotetest"
	"bullyproof/spark/remote"
)

// hdfsEnv names a directory of an HDFS that is there, hdfs://HOST:PORT/PATH: tests use
// directories below it.
const hdfsEnv = "BULLYPROOF_HDFS"

// places are the directories that the tests are made in, each new.
func places(t *testing.T) map[string]string {
	remotetest.S3(t)
	all := map[string]string{"local": t.TempDir() + "/found", "s3": "s3://" + remotetest.Bucket + "/some/where"}
	if uri := os.Getenv(hdfsEnv); uri != "" {
		all["hdfs"] = uri + "/" + t.Name()
	}
	return all
}

// open opens a place, makes it, and has it empty at the end of the test.
func open(t *testing.T, name string) cluster.Directory {
	t.Helper()
	d, err := remote.Open(name)
	require.NoError(t, err)
	_, err = d.Make()
	require.NoError(t, err)
	t.Cleanup(func() {
		names, err := d.Names()
		assert.NoError(t, err)
		for _, name := range names {
			assert.NoError(t, d.Remove(name))
		}
		d.Drop()
	})
	return d
}

func write(t *testing.T, d runfile.FS, name string, data []byte, piece int) {
	t.Helper()
	f, err := d.Create(name)
	require.NoError(t, err)
	for len(data) > 0 {
		n, err := f.Write(data[:min(piece, len(data))])
		require.NoError(t, err)
		data = data[n:]
	}
	require.NoError(t, f.Sync())
	require.NoError(t, f.Close())
}

// A file holds what was written, whatever its length, and is read at any offset by any
// number at once.
func TestFiles(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for kind, name := range places(t) {
		d := open(t, name)
		for _, size := range []int{0, 1, 1 << 16, 1_000_003, 20_000_007} {
			data := make([]byte, size)
			_, _ = random.Read(data) // it does not fail
			write(t, d, "file", []byte("what was there before"), 100)
			write(t, d, "file", data, 1+size/7)
			n, err := d.Size("file")
			require.NoError(t, err)
			assert.EqualValues(t, size, n, kind)
			f, err := d.Open("file")
			require.NoError(t, err)
			var all sync.WaitGroup
			for i := range 3 {
				all.Go(func() { readAnywhere(t, f, data, rand.New(rand.NewPCG(3, uint64(i)))) })
			}
			all.Wait()
			require.NoError(t, f.Close())
		}
	}
}

// readAnywhere reads pieces, some of which go beyond the end, and some on from the last.
func readAnywhere(t *testing.T, f io.ReaderAt, data []byte, r *rand.Rand) {
	off := 0
	for range 60 {
		if r.IntN(3) == 0 {
			off = r.IntN(len(data) + 10)
		}
		b := make([]byte, r.IntN(1<<uint(r.IntN(20))))
		n, err := f.ReadAt(b, int64(off))
		want := data[min(off, len(data)):min(off+len(b), len(data))]
		if !assert.True(t, bytes.Equal(want, b[:n]), "%d bytes at %d of %d", len(b), off, len(data)) {
			return
		}
		if n < len(b) {
			assert.ErrorIs(t, err, io.EOF)
		} else if off+n < len(data) {
			assert.NoError(t, err)
		}
		off += n
	}
}

func TestDirectories(t *testing.T) {
	for kind, name := range places(t) {
		t.Run(kind, func(t *testing.T) {
			d := open(t, name)
			for _, name := range []string{"one", "two"} {
				write(t, d, name, []byte(name), 2)
			}
			below, err := remote.Open(name + "/3")
			require.NoError(t, err)
			_, err = below.Make()
			require.NoError(t, err)
			release, err := below.Lock()
			require.NoError(t, err)
			require.NoError(t, below.Commit("table", []byte("first")))
			if kind != "local" { // which is locked
				assert.ErrorIs(t, below.Commit("table", []byte("second")), fs.ErrExist)
			}
			require.NoError(t, below.Replace("table", []byte("third")))
			require.NoError(t, below.Sync())
			names, err := d.Names()
			require.NoError(t, err)
			assert.ElementsMatch(t, []string{"one", "two"}, names)
			dirs, err := d.Directories()
			require.NoError(t, err)
			assert.Equal(t, []string{"3"}, dirs)
			size, err := below.Size("table")
			require.NoError(t, err)
			assert.EqualValues(t, 5, size)

			require.NoError(t, below.Remove("table"))
			release()
			below.Drop()
			dirs, err = d.Directories()
			require.NoError(t, err)
			assert.Empty(t, dirs)
			for _, gone := range []string{"table", "none"} {
				_, err = below.Size(gone)
				assert.ErrorIs(t, err, fs.ErrNotExist)
				_, err = below.Open(gone)
				assert.ErrorIs(t, err, fs.ErrNotExist)
			}
			_, err = below.Names()
			assert.True(t, err == nil || os.IsNotExist(err), "%v", err)
		})
	}
}

// A file that is written cannot be read before it is there, and one that is read cannot be
// written.
func TestFilesHaveOneUse(t *testing.T) {
	for kind, name := range places(t) {
		if kind == "local" {
			continue
		}
		d := open(t, name)
		f, err := d.Create("file")
		require.NoError(t, err)
		_, err = f.ReadAt(make([]byte, 1), 0)
		assert.EqualError(t, err, "the file is written and cannot be read before it is closed")
		require.NoError(t, f.Close())
		f, err = d.Open("file")
		require.NoError(t, err)
		_, err = f.Write([]byte{1})
		assert.EqualError(t, err, "the file is read and cannot be written")
		require.NoError(t, f.Close())
	}
}

// A service that fails for a while is asked again; one that goes on failing is an error,
// also where a large file is under way.
func TestServiceFails(t *testing.T) {
	store := remotetest.S3(t)
	d, err := remote.Open("s3://" + remotetest.Bucket + "/found")
	require.NoError(t, err)
	write(t, d, "file", make([]byte, 1000), 1000)
	failures := 0
	store.Before = func(*http.Request) int {
		if failures--; failures >= 0 {
			return http.StatusServiceUnavailable
		}
		return 0
	}
	failures = 2
	n, err := d.Size("file")
	require.NoError(t, err)
	assert.EqualValues(t, 1000, n)
	f, err := d.Open("file")
	require.NoError(t, err)

	store.Before = func(*http.Request) int { return http.StatusForbidden }
	_, err = f.ReadAt(make([]byte, 10), 0)
	assert.ErrorContains(t, err, "s3://bucket/found/file: ")
	large, err := d.Create("large")
	require.NoError(t, err)
	for range 20 {
		if _, err = large.Write(make([]byte, 1<<20)); err != nil {
			break
		}
	}
	assert.Error(t, err)
	assert.ErrorContains(t, large.Close(), "s3://bucket/found/large: ")
}

func TestBadInput(t *testing.T) {
	remotetest.S3(t)
	t.Setenv("HADOOP_CONF_DIR", "")
	t.Setenv("HADOOP_HOME", "")
	for name, want := range map[string]string{
		"ftp://host/found":         `directory "ftp://host/found": the scheme is "ftp"; want s3 or hdfs, or the path of a directory below which the store is mounted`,
		"s3://bucket":              `directory "s3://bucket": want a path in it, such as s3://bucket/found`,
		"s3://bucket/../":          `directory "s3://bucket/../": want a path in it, such as s3://bucket/../found`,
		"s3:///found":              `directory "s3:///found": want the name of a bucket, such as s3://BUCKET/found`,
		"s3://me:secret@bucket/f":  `directory "s3://me:xxxxx@bucket/f": want no user, query or fragment: credentials come from the environment`,
		"s3://bucket/f?x=y":        `directory "s3://bucket/f?x=y": want no user, query or fragment: credentials come from the environment`,
		"hdfs://%zz/found":         `directory "hdfs://%zz/found": parse "hdfs://%zz/found": invalid URL escape "%zz"`,
		"hdfs:///found":            `HDFS: no name node is known: want hdfs://HOST:PORT/PATH, or HADOOP_CONF_DIR with a core-site.xml that names one`,
		"hdfs://127.0.0.1:1/found": `HDFS 127.0.0.1:1: no available namenodes: dial tcp 127.0.0.1:1: connect: connection refused`,
	} {
		_, err := remote.Open(name)
		assert.EqualError(t, err, want)
	}
	d, err := remote.Open("s3://nowhere/found")
	require.NoError(t, err)
	_, err = d.Make()
	assert.EqualError(t, err, "there is no such bucket")
	t.Setenv("AWS_ENDPOINT_URL", "localhost:9000")
	_, err = remote.Open("s3://bucket/found")
	assert.EqualError(t, err, `AWS_ENDPOINT_URL is "localhost:9000": want http://HOST:PORT or https://HOST:PORT`)
}
