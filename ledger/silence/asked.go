package silence

import (
	"math"
	"reflect"
	"slices"
	"unsafe"

	"bullyproof/model"
)

// Answering says what becomes of a silence that a reading leaves open.
type Answering uint8

const (
	// AsCoded: it is what the code does.
	AsCoded Answering = iota
	// Free: each time any answer may be given.
	Free
	// Strict: it leads nowhere. The step is left out, and counts as one that is owed.
	Strict
)

// asked is a protocol whose silences are answered.
type asked[P any, M model.Message] struct {
	model.Protocol[P, M]
	*shared[P, M]
	reading Reading
	open    Answering
}

// An asking is a silence as a protocol has it: its patterns, and what each answer does; nil is
// the handler.
type asking[P any, M model.Message] struct {
	Silence
	cells []Pattern
	does  []func(p *P, net *model.Net[M], e *Event[M])
}

// shared is what all readings of a protocol with silences have.
type shared[P any, M model.Message] struct {
	at       *sorter[P, M]
	silences []asking[P, M]
	about    map[string][]int // by event: the silences that are about some of its cells
	first    model.Choice     // of the silences
	nowhere  P                // the state to which a strict silence leads, which is not explored
}

// Names has the silences as choices: traces say which answer was given.
func (a *asked[P, M]) Names() model.Names {
	names := a.Protocol.Names()
	if a.open != Free {
		return names
	}
	names.Choices = slices.Clip(names.Choices)
	for _, s := range a.silences {
		names.Choices = append(names.Choices, model.ChoiceName{Name: choicePrefix + s.Name, Outcomes: s.Answers})
	}
	return names
}

// choicePrefix begins the name of a choice that is a silence.
const choicePrefix = "silence "

// answer gives the answer to the silence that an event falls into, and reports false where
// the handler has to run: where there is none, and where the answer is what the code does.
func (a *asked[P, M]) answer(p *P, net *model.Net[M], e *Event[M]) bool {
	about := a.about[a.at.event(e)]
	if len(about) == 0 {
		return false
	}
	at := a.at.place(p, net.Self(), net.N(), e)
	for _, i := range about {
		s := &a.silences[i]
		if !at.in(s.cells) {
			continue
		}
		k := a.reading[i]
		switch {
		case k != Open:
		case a.open == AsCoded:
			k = 0
		case a.open == Free:
			k = net.Pick(a.first + model.Choice(i))
		case a.open == Strict:
			*p = a.nowhere
			return true
		}
		if s.does[k] == nil {
			return false
		}
		s.does[k](p, net, e)
		return true
	}
	return false
}

// Init runs as a process comes up.
func (a *asked[P, M]) Init(p *P, net *model.Net[M], why model.Boot) {
	if !a.answer(p, net, &Event[M]{Kind: booted(why)}) {
		a.Protocol.Init(p, net, why)
	}
}

// Start runs as somebody asks for an election.
func (a *asked[P, M]) Start(p *P, net *model.Net[M]) {
	if !a.answer(p, net, &Event[M]{Kind: model.Starts}) {
		a.Protocol.Start(p, net)
	}
}

// Suspect runs as the detector reports a process.
func (a *asked[P, M]) Suspect(p *P, net *model.Net[M], who model.ID) {
	if !a.answer(p, net, &Event[M]{Kind: model.Suspects, Who: who}) {
		a.Protocol.Suspect(p, net, who)
	}
}

// Receive runs as a message arrives.
func (a *asked[P, M]) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if !a.answer(p, net, &Event[M]{Kind: model.Delivers, From: from, Message: m}) {
		a.Protocol.Receive(p, net, from, m)
	}
}

// Timeout runs as a timer expires.
func (a *asked[P, M]) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if !a.answer(p, net, &Event[M]{Kind: model.Expires, Timer: t}) {
		a.Protocol.Timeout(p, net, t)
	}
}

// strictly is a protocol with silences that lead nowhere.
type strictly[P any, M model.Message] struct{ *asked[P, M] }

// Beyond is the bound of the protocol, and the end of what a strict search explores.
func (a strictly[P, M]) Beyond(p *P) string {
	if any(*p) == any(a.nowhere) {
		return "a silence of the source"
	}
	if b, ok := model.As[interface{ Beyond(p *P) string }](a.Protocol); ok {
		return b.Beyond(p)
	}
	return ""
}

// nowhere returns a state in which no process is: all of its numbers are the greatest.
func nowhere[P any]() (p P) {
	fill(reflect.ValueOf(&p).Elem())
	return p
}

func fill(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case !v.CanSet(): // an unexported field
		fill(reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem())
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanUint():
		v.SetUint(math.MaxUint64 >> (64 - v.Type().Bits()))
	case v.CanInt():
		v.SetInt(math.MaxInt64 >> (64 - v.Type().Bits()))
	}
}
