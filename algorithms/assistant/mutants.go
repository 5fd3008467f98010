package assistant

import "bullyproof/model"

// doesNotAnswer is Protocol with processes that nobody hears of.
type doesNotAnswer struct{ *Protocol }

// Receive ignores questions.
func (d doesNotAnswer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Query && m.Type != Election {
		d.Protocol.Receive(p, net, from, m)
	}
}

// waitsForEver is Protocol without an end to the wait for the assistant.
type waitsForEver struct{ *Protocol }

// Suspect sets no timer.
func (w waitsForEver) Suspect(p *P, net *model.Net[M], who model.ID) {
	w.Protocol.Suspect(p, net, who)
	if p.Mode == Reported {
		net.StopTimer(Patience)
	}
}

// appointsItself is Protocol with an election that whoever holds it wins.
type appointsItself struct{ *Protocol }

// Timeout decides for the process itself.
func (a appointsItself) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == Collect && p.Mode == Elects {
		a.announce(p, net, net.Self(), p.Answers.Max())
		return
	}
	a.Protocol.Timeout(p, net, t)
}

// alone is Protocol with an assistant that takes over and has none itself.
type alone struct{ *Protocol }

// Timeout forgets who answered.
func (a alone) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == TakesOver {
		p.Answers = 0
	}
	a.Protocol.Timeout(p, net, t)
}
