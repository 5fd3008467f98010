package genleader

import (
	"bullyproof/model"
	"bullyproof/model/list"
)

// Candidates is candidate_nodes, in their order.
type Candidates = list.Of[model.ID, [4]model.ID]

// pos is the place of a candidate, from 1; 0 if it is none.
func (p *P) pos(id model.ID) int { return p.Cands.Index(id) + 1 }

// lesser are the candidates before one.
func (p *P) lesser(id model.ID) (before model.Set) {
	for i := range p.Cands.Len() {
		if p.Cands.At(i) == id {
			break
		}
		before = before.With(p.Cands.At(i))
	}
	return before
}

// others are the candidates without the process itself.
func (p *P) others(self model.ID) (all model.Set) {
	for i := range p.Cands.Len() {
		all = all.With(p.Cands.At(i))
	}
	return all.Without(self)
}
