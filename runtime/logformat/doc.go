// Package logformat reads what programs log in words of their own as an event log
// (package eventlog). A description of a log's format has a regular expression for each
// line that tells something of an election: who leads in which term, who is a
// candidate, whom somebody follows, who comes up and goes down. Descriptions of the logs
// of etcd, of hashicorp/raft and of NATS are here, by what their sources write.
//
// Such a log tells a part. It has no messages, no timers and no crashes, and all that
// stays open: an event is an observation of a belief, a boot or a crash. A line that
// matches nothing is counted. One that matches two expressions is an error, and so are a
// time that cannot be read, a name that nobody has, and a clock that runs backwards; the
// error names file and line.
package logformat
