package kabashi

import (
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// answer is what may happen in a silence.
type answer = silence.Answer[P, M]

// silences are what section IV is silent about. What the code does stands first.
func silences(a Limited) []silence.Silence[P, M] {
	announces := func(p *P, net *model.Net[M], _ *event) { a.announceItself(p, net) }
	follows := func(p *P, _ *model.Net[M], e *event) { p.Coordinator = e.Message.ID }
	objects := func(p *P, net *model.Net[M], _ *event) {
		p.Coordinator = net.Self()
		net.Broadcast(M{COORDINATOR, net.Self()})
	}
	nothing := silence.Nothing[P, M]
	return []silence.Silence[P, M]{
		{
			Name: "no-cid", Cells: []string{"T: mode waits for CID"},
			Answers: []answer{{Name: "notices"}, {Name: "waits", Do: nothing}, {Name: "leads", Do: announces}},
		},
		{
			Name: "told-itself", Cells: []string{"COORDINATOR: id=self, mode idle, follows nobody|follows a lower|follows a higher"},
			Answers: []answer{{Name: "leads"}, {Name: "announces", Do: announces}, {Name: "nothing", Do: nothing}},
		},
		{
			Name: "told-what-it-is", Cells: []string{"COORDINATOR: id=self, mode idle, follows itself"},
			Answers: []answer{{Name: "nothing"}, {Name: "announces", Do: announces}},
		},
		{
			Name: "told-itself-electing", Cells: []string{"COORDINATOR: id=self, mode waits for responses|mode has an answer"},
			Answers: []answer{{Name: "leads"}, {Name: "announces", Do: announces}, {Name: "goes-on", Do: follows}, {Name: "nothing", Do: nothing}},
		},
		{
			Name: "told-itself-joining", Cells: []string{"COORDINATOR: id=self, mode waits for CID"},
			Answers: []answer{{Name: "leads"}, {Name: "announces", Do: announces}, {Name: "nothing", Do: nothing}},
		},
		{
			Name: "told", Cells: []string{"COORDINATOR: id<self, mode waits for responses|mode has an answer"},
			Answers: []answer{{Name: "stops"}, {Name: "goes-on", Do: follows}},
		},
		{
			Name: "told-joining", Cells: []string{"COORDINATOR: id<self, mode waits for CID"},
			Answers: []answer{{Name: "follows"}, {Name: "waits", Do: nothing}},
		},
		{
			Name: "follows", Cells: []string{"COORDINATOR: id<self, mode idle, follows a lower"},
			Answers: []answer{{Name: "the-announced"}, {Name: "the-smaller", Do: nothing}},
		},
		{
			Name: "objects", Cells: []string{"COORDINATOR: id>self, mode waits for responses|mode has an answer"},
			Answers: []answer{{Name: "stops"}, {Name: "goes-on", Do: objects}},
		},
		{
			Name: "objects-joining", Cells: []string{"COORDINATOR: id>self, mode waits for CID"},
			Answers: []answer{{Name: "stops"}, {Name: "waits", Do: objects}},
		},
		{
			Name: "late-cid", Cells: []string{"CID: mode idle|mode waits for responses|mode has an answer"},
			Answers: []answer{{Name: "nothing"}, {Name: "takes-it", Do: func(p *P, net *model.Net[M], e *event) { a.cid(p, net, e.Message.ID) }}},
		},
		{
			Name: "starts", Cells: []string{"start: mode idle, is other|is second"},
			Answers: []answer{
				{Name: "as-if-it-noticed"},
				{Name: "as-if-it-joined", Do: func(p *P, net *model.Net[M], _ *event) {
					a.asksForCoordinator(p, net)
					net.SetTimer(T, 2*net.Bound())
				}},
				{Name: "nothing", Do: nothing},
			},
		},
	}
}

// sorter tells apart what section IV does: whether an answer has come, and whose ID is the
// minimum or the second one.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string {
		if p.Smallest != model.None {
			return "has an answer"
		}
		return p.Mode.String()
	},
	Own: func(self model.ID, _ int) string {
		switch self {
		case MIN:
			return "minimum"
		case MIN + 1:
			return "second"
		}
		return "other"
	},
}

// Silences is the prose of section IV with its silences.
func Silences() (*silence.Source, error) { return silence.New(prose, sorter, silences(prose)...) }
