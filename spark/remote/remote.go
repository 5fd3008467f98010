// Package remote opens directories that are not of this machine's file system, for the
// files of a search on several machines: in object stores that speak the protocol of S3,
// and in HDFS.
//
// Nothing locks such a directory. Two searches that use one at a time both go on until
// one finds that the level which it has done is there already, and ends with an error.
package remote

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"

	"bullyproof/explore/cluster"
)

// isURI matches what names a directory of a service and not a path, such as
// hdfs://HOST/PATH.
var isURI = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:/`)

// IsURI reports whether a name is one of a service and not a path of this machine.
func IsURI(name string) bool { return isURI.MatchString(name) }

// Open opens the directory of a name (cluster.Opener): s3://BUCKET/PREFIX (or s3a),
// hdfs://HOST:PORT/PATH, or a path of the file system. Credentials come from the
// environment, as docs/cluster.md says.
func Open(name string) (cluster.Directory, error) {
	if !IsURI(name) {
		return cluster.Local(name)
	}
	u, err := url.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("directory %q: %w", name, err)
	}
	below := strings.Trim(path.Clean("/"+u.Path), "/")
	switch {
	case u.Scheme != "s3" && u.Scheme != "s3a" && u.Scheme != "hdfs":
		return nil, fmt.Errorf("directory %q: the scheme is %q; want s3 or hdfs, or the path of a directory below which the store is mounted", name, u.Scheme)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("directory %q: want no user, query or fragment: credentials come from the environment", u.Redacted())
	case below == "":
		return nil, fmt.Errorf("directory %q: want a path in it, such as %s/found", name, strings.TrimRight(name, "/"))
	case u.Scheme == "hdfs":
		return openHDFS(u.Host, below)
	case u.Host == "":
		return nil, fmt.Errorf("directory %q: want the name of a bucket, such as s3://BUCKET/%s", name, below)
	}
	return openS3(u.Host, below)
}
