// Package remotetest has an object store in memory, for tests.
package remotetest

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Store is an object store in memory, which speaks as much of the protocol of S3 as a
// client asks for that makes, reads, lists and removes objects. It believes every
// signature.
type Store struct {
	URL string
	// Before is called with each request, under a lock; what it returns, unless it is 0,
	// is the status of an answer that refuses it.
	Before func(r *http.Request) (status int)
	// After is called with each request that was carried out, under the same lock. It says
	// how the answer gets lost: not, in the middle, or all of it with its connection.
	After func(r *http.Request) Loss

	mu      sync.Mutex
	objects map[string][]byte         // by bucket/key
	parts   map[string]map[int][]byte // of uploads
	changed time.Time
}

// A Loss is what becomes of an answer on its way.
type Loss uint8

const (
	// Arrives loses nothing.
	Arrives Loss = iota
	// CutOff has the connection end in the middle of the answer.
	CutOff
	// Unheard has it end before the answer.
	Unheard
)

// lose sends as much of an answer as arrives.
func lose(w http.ResponseWriter, answer *httptest.ResponseRecorder, how Loss) {
	maps.Copy(w.Header(), answer.Header())
	body := answer.Body.Bytes()
	if how != Arrives && len(body) == 0 || how == Unheard {
		panic(http.ErrAbortHandler) // ends the connection
	}
	if how == Arrives {
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body) // the client notices
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body[:len(body)/2])
	panic(http.ErrAbortHandler)
}

// Bucket is the one bucket of a Store.
const Bucket = "bucket"

// S3 starts a store on the loopback, which ends with the test, and has the environment
// name it.
func S3(t testing.TB) *Store {
	t.Helper()
	s := &Store{objects: make(map[string][]byte), parts: make(map[string]map[int][]byte), changed: time.Now()}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": s.URL, "AWS_ENDPOINT_URL_S3": "", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
		"AWS_SESSION_TOKEN": "", "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	return s
}

// Do calls f while no request is answered.
func (s *Store) Do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Keys returns the keys of all objects.
func (s *Store) Keys() (keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.objects {
		keys = append(keys, strings.TrimPrefix(name, Bucket+"/"))
	}
	slices.Sort(keys)
	return keys
}

// Change has what an object holds changed.
func (s *Store) Change(key string, change func([]byte) []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[Bucket+"/"+key] = change(s.objects[Bucket+"/"+key])
}

// ServeHTTP answers a request.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := unchunked(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequest")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Before != nil {
		if status := s.Before(r); status != 0 {
			refuse(w, status, map[int]string{http.StatusForbidden: "AccessDenied"}[status])
			return
		}
	}
	if s.After != nil {
		whole := httptest.NewRecorder()
		s.carryOut(whole, r, body)
		how := s.After(r)
		if r.Method == http.MethodHead && how == CutOff {
			how = Unheard // there is no middle
		}
		if r.Method == http.MethodHead {
			whole.Body.Reset()
		}
		lose(w, whole, how)
		return
	}
	s.carryOut(w, r, body)
}

// carryOut does what a request asks for.
func (s *Store) carryOut(w http.ResponseWriter, r *http.Request, body []byte) {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case bucket != Bucket:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case key == "" && r.Method == http.MethodGet:
		s.list(w, r)
	case key == "": // there is a bucket
	case r.URL.Query().Has("uploads") || r.URL.Query().Has("uploadId"):
		s.upload(w, r, bucket+"/"+key, body)
	default:
		s.object(w, r, bucket+"/"+key, body)
	}
}

func (s *Store) object(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	object, there := s.objects[name]
	switch {
	case r.Method == http.MethodPut && there && r.Header.Get("If-None-Match") == "*":
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
	case r.Method == http.MethodPut:
		s.objects[name] = body
		w.Header().Set("ETag", tag(body))
	case r.Method == http.MethodDelete:
		delete(s.objects, name)
		w.WriteHeader(http.StatusNoContent)
	case !there:
		refuse(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", tag(object))
		http.ServeContent(w, r, "", s.changed, bytes.NewReader(object))
	}
}

func (s *Store) upload(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	id := r.URL.Query().Get("uploadId")
	switch {
	case id == "":
		id = strconv.Itoa(len(s.parts) + 1)
		s.parts[id] = make(map[int][]byte)
		answer(w, struct {
			XMLName  xml.Name `xml:"InitiateMultipartUploadResult"`
			UploadId string
		}{UploadId: id})
	case r.Method == http.MethodPut:
		n, _ := strconv.Atoi(r.URL.Query().Get("partNumber"))
		s.parts[id][n] = body
		w.Header().Set("ETag", tag(body))
	case r.Method == http.MethodDelete:
		s.parts[id] = nil
		w.WriteHeader(http.StatusNoContent)
	default:
		var whole []byte
		for n := range len(s.parts[id]) {
			whole = append(whole, s.parts[id][n+1]...)
		}
		s.objects[name] = whole
		answer(w, struct {
			XMLName      xml.Name `xml:"CompleteMultipartUploadResult"`
			Bucket, ETag string
		}{Bucket: Bucket, ETag: tag(whole)})
	}
}

func (s *Store) list(w http.ResponseWriter, r *http.Request) {
	type entry struct {
		Key          string
		Size         int
		LastModified time.Time
	}
	type common struct{ Prefix string }
	var found struct {
		XMLName        xml.Name `xml:"ListBucketResult"`
		Contents       []entry
		CommonPrefixes []common
	}
	prefix := r.URL.Query().Get("prefix")
	var dirs []string
	for name, object := range s.objects {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(name, Bucket+"/"), prefix)
		if dir, _, below := strings.Cut(rest, "/"); ok && below {
			dirs = append(dirs, prefix+dir+"/")
		} else if ok {
			found.Contents = append(found.Contents, entry{prefix + rest, len(object), s.changed})
		}
	}
	slices.SortFunc(found.Contents, func(a, b entry) int { return strings.Compare(a.Key, b.Key) })
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		found.CommonPrefixes = append(found.CommonPrefixes, common{dir})
	}
	answer(w, found)
}

func tag(b []byte) string { return fmt.Sprintf("\"%x\"", md5.Sum(b)) }

func answer(w http.ResponseWriter, what any) { _ = xml.NewEncoder(w).Encode(what) } // the client notices

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	answer(w, struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
	}{Code: code})
}

// unchunked returns the body of a request, which may be in chunks that are signed.
func unchunked(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body)
	}
	var whole []byte
	for in := bufio.NewReader(r.Body); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		digits, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		n, err := strconv.ParseUint(digits, 16, 31)
		if err != nil || n == 0 {
			return whole, err
		}
		chunk := make([]byte, n+2)
		if _, err := io.ReadFull(in, chunk); err != nil {
			return nil, errors.Join(errors.New("a chunk is cut off"), err)
		}
		whole = append(whole, chunk[:n]...)
	}
}
