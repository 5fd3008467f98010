// Package otherwise gives an algorithm an answer that its checklist says matters to no row, and
// finds the rows that turn.
package otherwise

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Protocol is one whose handlers are followed by something else.
type Protocol[P any, M model.Message] struct {
	model.Protocol[P, M]
	// After runs behind each handler, with the state as it was before, and with the message
	// that arrived, or nil.
	After func(before, p *P, net *model.Net[M], arrived *M)
}

// Init runs as a process comes up.
func (o Protocol[P, M]) Init(p *P, net *model.Net[M], why model.Boot) {
	before := *p
	o.Protocol.Init(p, net, why)
	o.After(&before, p, net, nil)
}

// Start runs as somebody asks for an election.
func (o Protocol[P, M]) Start(p *P, net *model.Net[M]) {
	before := *p
	o.Protocol.Start(p, net)
	o.After(&before, p, net, nil)
}

// Suspect runs as the detector reports a process.
func (o Protocol[P, M]) Suspect(p *P, net *model.Net[M], who model.ID) {
	before := *p
	o.Protocol.Suspect(p, net, who)
	o.After(&before, p, net, nil)
}

// Receive runs as a message arrives.
func (o Protocol[P, M]) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := *p
	o.Protocol.Receive(p, net, from, m)
	o.After(&before, p, net, &m)
}

// Timeout runs as a timer expires.
func (o Protocol[P, M]) Timeout(p *P, net *model.Net[M], t model.Timer) {
	before := *p
	o.Protocol.Timeout(p, net, t)
	o.After(&before, p, net, nil)
}

// An Answer is what an algorithm does by another answer, in each variant that gives it.
type Answer map[string]func(setting.Setting) (*model.System, error)

// TurnsNoRow fails for a row of a source that turns if the algorithm answers otherwise: a
// confirmed one of which a piece of evidence comes out not as claimed, and a refuted one of which
// none does any more. An open row stays open, whatever else it depends on. It asks what took up to
// so many states, and returns how many rows it asked.
func TurnsNoRow(t *testing.T, a *ledger.Algorithm, source string, by Answer, most uint64) (rows int) {
	t.Helper()
	turned, rows := Turns(t, a, source, by, most)
	assert.Empty(t, turned, "the checklist says that this answer turns no row: write it down as a question, with both answers")
	assert.Positive(t, rows, "no row is asked")
	return rows
}

// Turns returns the rows that turn, each with what it came to, and how many it asked.
func Turns(t *testing.T, a *ledger.Algorithm, source string, by Answer, most uint64) (turned []string, rows int) {
	t.Helper()
	l, err := ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	require.NoError(t, err)
	var asks []ledger.Claim
	var was []*ledger.Judgement
	var broke []bool // whether a piece is kept that was not as claimed
	claims := a.Claims()
	for i := range claims {
		j := &l.Entries[0].Judgements[i]
		if claims[i].Source != source || j.Outcome != ledger.Confirmed && j.Outcome != ledger.Refuted && j.Outcome != ledger.RefutedBeyond {
			continue
		}
		c, fails := kept(a, &claims[i], j, by, most)
		if len(c.Evidence) > 0 {
			asks, was, broke = append(asks, c), append(was, j), append(broke, fails)
		}
	}
	for i, found := range judged(t, a, asks, by) {
		fails := 0
		for k := range found.Exhibits {
			if found.Exhibits[k].Ruling == ledger.NotAsClaimed {
				fails++
			}
		}
		if holds := was[i].Outcome == ledger.Confirmed; holds && fails > 0 || !holds && broke[i] && fails == 0 {
			turned = append(turned, fmt.Sprintf("%s, which is %s: %d of %d pieces are not as claimed", found.Claim, was[i].Outcome, fails, len(found.Exhibits)))
		}
		rows++
	}
	return turned, rows
}

// kept returns a claim with the evidence that is asked again, and whether some of it was not as
// claimed.
func kept(a *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement, by Answer, most uint64) (out ledger.Claim, fails bool) {
	out = *c
	out.Evidence = nil
	for k := range c.Evidence {
		e, x := &c.Evidence[k], &j.Exhibits[k]
		variant := cmp.Or(e.Variant, a.Variants[0].Name)
		judges := variant == cmp.Or(c.Judged(), a.Variants[0].Name)
		for _, v := range a.Admissible(c.Source) {
			judges = judges || v == variant
		}
		if by[variant] == nil || !judges || e.Aside != "" || e.Setting == "" || x.States > most || x.States == 0 {
			continue
		}
		out.Evidence = append(out.Evidence, *e)
		fails = fails || x.Ruling == ledger.NotAsClaimed
	}
	return out, fails
}

// judged judges claims of an algorithm that answers otherwise.
func judged(t *testing.T, a *ledger.Algorithm, claims []ledger.Claim, by Answer) []ledger.Judgement {
	other := *a
	other.Silent = nil
	other.Written = ledger.Listed(claims...)
	other.Variants = nil
	for _, v := range a.Variants {
		if by[v.Name] != nil {
			v.New = by[v.Name]
		}
		other.Variants = append(other.Variants, v)
	}
	found, err := ledger.Judgements(t.Context(), &other, ledger.JudgeOptions{Deep: true})
	require.NoError(t, err)
	return found
}
