package web

import (
	"slices"

	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// Limits of the paths that a link keeps of what was tried.
const (
	mostTried      = 8
	mostTriedBytes = 4 << 10 // of their texts together
)

// leave has a link keep a path that is left for its own, unless its own goes on with that. The
// oldest are forgotten.
func (l *link) leave(path []model.Action) {
	tried := slices.Insert(slices.Clone(l.tried), 0, path)
	l.tried = nil
	bytes := 0
	for _, old := range tried {
		ours := func(of []model.Action) bool { return common(of, old) == len(old) }
		bytes += len(encodePath(old))
		if len(l.tried) < mostTried && bytes <= mostTriedBytes && !ours(l.path) && !slices.ContainsFunc(l.tried, ours) {
			l.tried = append(l.tried, old)
		}
	}
}

// A branch is a part of the tree of what was tried: steps after which runs part, or the end
// of one.
type branch struct {
	Steps, Text string
	Here        bool   // the run that is shown goes along here
	Link        string // to the end of a run that was left
	Beside      string // of it and the run that is shown
	Words       string // on that run
	Broken      string // what it breaks
	Branches    []branch
}

// A route of a tree is a run from the beginning.
type routed struct {
	path  []model.Action
	chain []*moment
	link  *link // nil of the run that is shown
	words string
}

// triedTree returns the tree of what was tried; nil if that is one run.
func (s *Server) triedTree(v *visit) []branch {
	all := []routed{{path: v.path, chain: v.end.chain()}}
	add := func(path []model.Action, words, recording string) {
		end, err := s.tree.walk(v.root, path)
		if err != nil || common(path, v.path) == len(path) {
			return // of a link that somebody wrote
		}
		to := *v.link
		to.path, to.at, to.trace = path, len(path), recording
		to.leave(v.path)
		all = append(all, routed{path, end.chain(), &to, words})
	}
	if f := v.follow; f != nil && f.along(v.path) < len(v.path) {
		add(f.actions, "the recorded run, ", f.name)
	}
	for _, path := range v.tried {
		add(path, "", v.trace)
	}
	if len(all) == 1 {
		return nil
	}
	return v.branches(all, 0)
}

// branches returns how runs go on that have so many steps in common.
func (v *visit) branches(all []routed, from int) (list []branch) {
	for len(all) > 0 {
		first := all[0]
		if len(first.path) == from { // it ends here
			all = all[1:]
			continue
		}
		var with, rest []routed
		to := len(first.path)
		for _, r := range all {
			if n := common(r.path, first.path); n > from {
				with, to = append(with, r), min(to, n)
			} else {
				rest = append(rest, r)
			}
		}
		b := branch{Steps: stepRange(from+1, to), Text: trace.ActionText(first.path[from])}
		for _, r := range with {
			b.Here = b.Here || r.link == nil
			if r.link != nil && len(r.path) == to {
				end := r.chain[to]
				b.Link, b.Words = r.link.url(), r.words+quantity.Plural(to, "step")
				b.Beside = besideOf(v.moved(len(v.path)), [2]string{verbOther, encodePath(r.path)}, [2]string{verbPart, "1"})
				for i, p := range v.root.safety {
					if (end.broken|end.brokenBefore)>>i&1 != 0 {
						b.Broken = p.Name
						break
					}
				}
			}
		}
		b.Branches = v.branches(with, to)
		list, all = append(list, b), rest
	}
	return list
}

// stepRange names steps.
func stepRange(first, last int) string {
	if first == last {
		return itoa(first)
	}
	return itoa(first) + "–" + itoa(last)
}
