package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"bullyproof/internal/runfile"
)

const (
	// partBytes is the size of the parts of a large object: 10,000 of them are allowed.
	partBytes = 1 << 24
	// tries of a request, before the service counts as lost.
	tries = 4
)

// bucketDir is a directory of an object store: objects whose names have a prefix.
type bucketDir struct {
	client *minio.Client
	bucket string
	prefix string // without a slash at its end
}

// openS3 opens a directory in a bucket. The service, its region and the credentials are
// those of the variables that Amazon's tools read.
func openS3(bucket, prefix string) (*bucketDir, error) {
	endpoint, err := endpointOf(cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com"))
	if err != nil {
		return nil, err
	}
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" {
		providers = append(providers, &credentials.IAM{})
	}
	transport, err := newPersistent(endpoint.Scheme == "https")
	if err != nil {
		return nil, fmt.Errorf("object store %s: %w", endpoint, err)
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:      credentials.NewChainCredentials(providers),
		Secure:     endpoint.Scheme == "https",
		Region:     cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		MaxRetries: tries,
		Transport:  transport,
	})
	if err != nil {
		return nil, fmt.Errorf("object store %s: %w", endpoint, err)
	}
	return &bucketDir{client, bucket, prefix}, nil
}

func endpointOf(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("AWS_ENDPOINT_URL is %q: want http://HOST:PORT or https://HOST:PORT", text)
	}
	return u, nil
}

func (d *bucketDir) key(name string) string { return d.prefix + "/" + name }

// explained has an error of the service say which object it is about, and whether it is
// there.
func (d *bucketDir) explained(name string, err error) error {
	if err == nil {
		return nil
	}
	about := "s3://" + path.Join(d.bucket, d.prefix, name)
	switch code := minio.ToErrorResponse(err).Code; code {
	case minio.NoSuchKey:
		return fmt.Errorf("%s: %w", about, fs.ErrNotExist)
	case minio.PreconditionFailed:
		return fmt.Errorf("%s: %w", about, fs.ErrExist)
	}
	return fmt.Errorf("%s: %w", about, err)
}

// Create makes an object, which is there when it is closed (runfile.FS).
func (d *bucketDir) Create(name string) (runfile.File, error) { return &upload{d: d, name: name}, nil }

// Open opens an object for reading (runfile.FS).
func (d *bucketDir) Open(name string) (runfile.File, error) {
	size, err := d.Size(name)
	if err != nil {
		return nil, err
	}
	return &reader{at: &ranges{d, name}, size: size}, nil
}

// Size returns how many bytes an object has (runfile.FS).
func (d *bucketDir) Size(name string) (int64, error) {
	info, err := d.client.StatObject(context.Background(), d.bucket, d.key(name), minio.StatObjectOptions{})
	return info.Size, d.explained(name, err)
}

// Remove removes an object, if it is there (runfile.FS).
func (d *bucketDir) Remove(name string) error {
	return d.explained(name, d.client.RemoveObject(context.Background(), d.bucket, d.key(name), minio.RemoveObjectOptions{}))
}

// Names lists the objects (runfile.FS).
func (d *bucketDir) Names() (names []string, err error) {
	err = d.list(func(name string) {
		if !strings.HasSuffix(name, "/") {
			names = append(names, name)
		}
	})
	return names, err
}

// Directories lists the prefixes below this one (cluster.Directory).
func (d *bucketDir) Directories() (names []string, err error) {
	err = d.list(func(name string) {
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			names = append(names, dir)
		}
	})
	return names, err
}

func (d *bucketDir) list(f func(name string)) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for o := range d.client.ListObjects(ctx, d.bucket, minio.ListObjectsOptions{Prefix: d.prefix + "/"}) {
		if o.Err != nil {
			return d.explained("", o.Err)
		}
		f(strings.TrimPrefix(o.Key, d.prefix+"/"))
	}
	return nil
}

// Replace makes data what an object holds (runfile.FS).
func (d *bucketDir) Replace(name string, data []byte) error {
	return d.put(name, data, minio.PutObjectOptions{})
}

// Commit makes an object that is not there yet (cluster.Directory). One that is there and
// holds the same was made by a request whose answer was lost.
func (d *bucketDir) Commit(name string, data []byte) error {
	var opt minio.PutObjectOptions
	opt.SetMatchETagExcept("*")
	err := d.put(name, data, opt)
	if errors.Is(err, fs.ErrExist) && d.holds(name, data) {
		return nil
	}
	return err
}

// holds reports whether an object is there and holds data.
func (d *bucketDir) holds(name string, data []byte) bool {
	f, err := d.Open(name)
	if err != nil {
		return false
	}
	found, err := io.ReadAll(io.NewSectionReader(f, 0, int64(len(data))+1))
	return err == nil && bytes.Equal(found, data)
}

func (d *bucketDir) put(name string, data []byte, opt minio.PutObjectOptions) error {
	_, err := d.client.PutObject(context.Background(), d.bucket, d.key(name), bytes.NewReader(data), int64(len(data)), opt)
	return d.explained(name, err)
}

// Sync has nothing to do: an object that is there stays (runfile.FS).
func (d *bucketDir) Sync() error { return nil }

// Make finds out whether the bucket is there: a prefix needs not be made
// (cluster.Directory).
func (d *bucketDir) Make() (made bool, err error) {
	there, err := d.client.BucketExists(context.Background(), d.bucket)
	if err == nil && !there {
		err = errors.New("there is no such bucket")
	}
	return true, err
}

// Lock has nothing to lock: Commit finds another search (cluster.Directory).
func (d *bucketDir) Lock() (release func(), err error) { return func() {}, nil }

// Drop has nothing to do: a prefix is there while objects have it (cluster.Directory).
func (d *bucketDir) Drop() {}

// ranges reads an object, each time a range of it.
type ranges struct {
	d    *bucketDir
	name string
}

// ReadAt reads a range that there is (io.ReaderAt).
func (r *ranges) ReadAt(b []byte, off int64) (n int, err error) {
	var opt minio.GetObjectOptions
	if err := opt.SetRange(off, off+int64(len(b))-1); err != nil {
		return 0, err
	}
	for range tries {
		if n, err = r.get(b, opt); err == nil {
			return n, nil
		}
	}
	return 0, r.d.explained(r.name, err)
}

func (r *ranges) get(b []byte, opt minio.GetObjectOptions) (int, error) {
	core := minio.Core{Client: r.d.client}
	body, _, _, err := core.GetObject(context.Background(), r.d.bucket, r.d.key(r.name), opt)
	if err != nil {
		return 0, err
	}
	defer body.Close()
	return io.ReadFull(body, b)
}

// An upload is an object that is written. A small one is sent as a whole when it is
// closed, a large one in parts.
type upload struct {
	d    *bucketDir
	name string
	buf  []byte

	pipe *io.PipeWriter
	sent chan error
}

func (u *upload) Write(b []byte) (int, error) {
	if u.pipe == nil {
		if u.buf = append(u.buf, b...); len(u.buf) >= partBytes {
			u.stream()
		}
		return len(b), nil
	}
	if _, err := u.pipe.Write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// stream begins to send the object in parts, the first of which is what there is.
func (u *upload) stream() {
	var from *io.PipeReader
	from, u.pipe = io.Pipe()
	u.sent = make(chan error, 1)
	first := u.buf
	u.buf = nil
	go func() {
		_, err := u.d.client.PutObject(context.Background(), u.d.bucket, u.d.key(u.name),
			io.MultiReader(bytes.NewReader(first), from), -1, minio.PutObjectOptions{PartSize: partBytes})
		err = u.d.explained(u.name, err)
		_ = from.CloseWithError(err)
		u.sent <- err
	}()
}

// Close makes the object.
func (u *upload) Close() error {
	if u.pipe == nil {
		return u.d.Replace(u.name, u.buf)
	}
	_ = u.pipe.Close() // it does not fail
	return <-u.sent
}

func (u *upload) ReadAt([]byte, int64) (int, error) { return 0, errWritten }
func (u *upload) Sync() error                       { return nil }
