package viewstamped

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart what sections 4.1 to 4.3 do: the status, whether a replica has sent its log
// in a view change, and of which view, or of which recovery, a message is.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string {
		if p.Status == ViewChange && p.Sent {
			return "has sent its log"
		}
		return p.Status.String()
	},
	Message: func(p *P, m model.Message) string { return standing(p, m.(M)) },
}

// standing says how a message stands to the view of a replica, or to its recovery.
func standing(p *P, m M) string {
	switch {
	case m.Type == Recovery, p.Status == Recovering && m.Type != RecoveryResponse:
		return ""
	case m.Type == RecoveryResponse && m.Nonce == p.Nonce:
		return "of its recovery"
	case m.Type == RecoveryResponse:
		return "of an earlier recovery"
	case m.View < p.View:
		return "of an earlier view"
	case m.View > p.View:
		return "of a later view"
	}
	return "of its view"
}

// does has the answers that the code does not give. With three replicas a message of one other is
// one of f others.
func does(r *VR) silence.Does[P, M] {
	return silence.Does[P, M]{
		"log-of-a-started-view/sends": func(p *P, net *model.Net[M], _ *event) {
			if to := primary(net.N(), p.View); to != net.Self() {
				net.SendTo(to, M{Type: DoViewChange, View: p.View, Logged: Logged{p.Normal, p.Log, p.Commit}})
			}
		},
		"started-late/takes-its-log": func(p *P, net *model.Net[M], e *event) {
			p.Log = e.Message.Log
			r.Receive(p, net, e.From, e.Message)
		},
	}
}

// open is the paper, in which its silences are answered. An operation of view 2 can be missing from
// view 3 alone, which is explored where nobody crashes.
var open = []ledger.Silent{{Source: ledger.Own, New: func(list []silence.Silence) (*silence.Source, error) {
	src, err := silence.New[P, M](paper, sorter, does(paper), list...)
	if err != nil {
		return nil, err
	}
	three := &VR{Views: 3, Requests: true}
	calm, err := silence.New[P, M](three, sorter, does(three), list...)
	if err != nil {
		return nil, err
	}
	return src.Where(func(in setting.Setting) bool { return in.Crashes == 0 }, calm), nil
}}}
