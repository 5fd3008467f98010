package raftmembers

import (
	"embed"
	"fmt"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// sameCommitted is State Machine Safety, of configurations.
var sameCommitted = checker.Always("same-committed",
	"Two servers know the same configuration to be committed at an index, if both know one there.",
	func(v *model.View) bool { return differs(v) == "" },
).Explained(differs)

// differs says which servers know different configurations to be committed at an index, "" if none do.
func differs(v *model.View) string {
	for a := v.Up; a != 0; a &= a - 1 {
		for b := a & (a - 1); b != 0; b &= b - 1 {
			p, q := model.State[P](v, a.Min()), model.State[P](v, b.Min())
			for i := range int(min(p.Commit, q.Commit)) {
				if e, f := entry(p, i), entry(q, i); e != f {
					return fmt.Sprintf("%s has committed %v as entry %d, and %s %v", a.Min().Name(), e, i+1, b.Min().Name(), f)
				}
			}
		}
	}
	return ""
}

// entry returns an entry of a log, the zero one if it is not there any more.
func entry(p *P, i int) Entry {
	if i < p.Log.Len() {
		return p.Log.At(i)
	}
	return Entry{}
}

// Algorithm is Raft's change of members for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "raftmembers",
	Title:  "Raft while its members change",
	Source: paper,
	Doc: "The members of the cluster are an entry of the log, and a server uses the last one that it has. Joint consensus goes from one set of members to another " +
		"through a configuration in which decisions take majorities of both. A change of one server at a time needs no such step.",
	Assumptions: ledger.Tacit(ledger.SyncedWrites),
	Variants: ledger.Usually(ledger.Variant{Assumes: world, Setting: in("n=3")}, []ledger.Variant{
		{
			Name: "joint", Doc: "Changes to any other members, by joint consensus. Three entries and two terms are explored.", New: of(joint),
		},
		{
			Name: "single", Source: dissertation + ", chapter 4", Adds: "changes of one server", New: of(single),
			Doc: "Changes of one server at a time. A leader changes nothing before it has committed an entry of its term. Two entries and two terms are explored.",
		},
		{
			Name: "published", Source: dissertation + ", chapter 4", Adds: "changes of one server, as first published", New: of(published),
			Doc:     "As single, but a leader changes members before it has committed an entry of its term. Two entries and three terms are explored, the timeouts of P1 and P4, and three sets of members.",
			Assumes: inOrder, Setting: in("n=4 timing=async:2 channels=fifo"),
		},
		{
			Name: "amended", Source: raftDev, Adds: "changes of one server, as amended", New: of(amended),
			Doc:     "As published, but a leader changes nothing before it has committed an entry of its term.",
			Assumes: inOrder, Setting: in("n=4 timing=async:2 channels=fifo"),
		},
		{
			Name: "direct", Source: paper + ", section 6", Adds: "changes at once", New: of(&Server{How: Direct, Terms: 2, Entries: 2}),
			Doc: "Changes to any other members at once, which section 6 excludes.",
		},
		{
			Name: "four-terms", Source: paper + ", section 5.4.2", Adds: "more terms, and no changes", New: of(fourTerms),
			Doc:     "Nobody asks for a change, and a log holds one entry. Four terms are explored, in which P1 and P3 may lead, as in figure 8.",
			Assumes: inOrder + " A link holds one.", Setting: in("n=3 channels=fifo capacity=1"),
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{sameCommitted},
	Asked:      []*checker.Property{sameCommitted, checker.OneLeaderPerEpoch},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

const (
	paper        = "D. Ongaro and J. Ousterhout, In search of an understandable consensus algorithm (extended version), 2014"
	dissertation = "D. Ongaro, Consensus: bridging theory and practice, 2014"
	raftDev      = "D. Ongaro, Bug in single-server membership changes, raft-dev, 2015"

	world = "Servers that keep their term, vote and log on disk. No bound on delays: any server may time out at any moment."
	// inOrder is that of four servers, and of four terms.
	inOrder = world + " Messages may arrive in any order; here they keep theirs, so that there are fewer states."
)

var (
	joint     = &Server{How: Joint, Terms: 2, Entries: 3}
	single    = &Server{How: Single, Terms: 2, Entries: 2}
	published = ofFour(&Server{AnyTerm: true, Entries: 2})
	amended   = ofFour(&Server{Entries: 2})

	// fourTerms is the world of figure 8: what a leader of the third term has of the first one, it
	// may not commit.
	fourTerms = &Server{How: Joint, Terms: 4, Entries: 1, Candidates: model.SetOf(1, 3)}
)

// ofFour has four servers be in the world of Ongaro's example of two removals.
func ofFour(s *Server) *Server {
	s.How, s.Terms, s.Candidates = Single, 3, model.SetOf(1, 4)
	s.Asked = []model.Set{model.SetOf(1, 2, 3), model.SetOf(2, 3, 4), model.SetOf(1, 2)}
	return s
}

var of = ledger.SystemOf[P, M]

// in returns a setting in which P1 leads in term 1.
var in = setting.Must("n=3 start=settled detector=off timing=async").MustWith
