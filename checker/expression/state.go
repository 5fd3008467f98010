package expression

import (
	"reflect"
	"unsafe"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A vocabulary is what expressions over the states of a system can name.
type vocabulary struct {
	shapes
	sys *model.System
	top *record
	// The records in it, and what of them belongs to the protocol.
	process, message, timers, budgets *record
	state, mail                       []field
	kinds                             []any // names of kinds of messages
}

var (
	aNumber  = reflect.TypeFor[int]()
	aTruth   = reflect.TypeFor[bool]()
	aText    = reflect.TypeFor[string]()
	someIDs  = reflect.TypeFor[[]int]()
	processA = []part{ // what the world says of a process
		{"id", aNumber, nil}, {"up", aTruth, nil}, {"crashed", aTruth, nil}, {"paused", aTruth, nil},
		{"leads", aTruth, nil}, {"follows", aNumber, nil}, {"participant", aTruth, nil}, {"epoch", aNumber, nil}, {"owes", aTruth, nil},
		{"reaches", someIDs, nil},
	}
	messageA = []part{{"kind", aText, nil}, {"from", aNumber, nil}, {"to", aNumber, nil}, {"due", aNumber, nil}}
	topA     = []part{
		{"n", aNumber, nil}, {"leaders", aNumber, nil}, {"wanted", aNumber, nil}, {"settled", aTruth, nil}, {"quiet", aTruth, nil}, {"cut", aTruth, nil},
	}
)

// vocabularyOf returns the vocabulary of a system.
func vocabularyOf(sys *model.System) (v *vocabulary, err error) {
	v = &vocabulary{shapes: shapes{n: sys.Setting().N, records: make(map[reflect.Type]*record)}, sys: sys}
	p, m := sys.Types()
	var timers, budgets []part
	for _, t := range sys.Names().Timers {
		timers = append(timers, part{t.Name, aNumber, nil})
	}
	for _, b := range setting.Budgets() {
		budgets = append(budgets, part{b.Key, aNumber, nil})
	}
	for _, k := range sys.Names().Kinds {
		v.kinds = append(v.kinds, k)
	}
	v.timers, v.budgets = v.record("timers", timers), v.record("budgets", budgets)
	own := append(processA[:len(processA):len(processA)], part{"timers", v.timers.typ, v.timers})
	if v.state, err = v.fields(p, own); err != nil {
		return nil, err
	}
	if v.mail, err = v.fields(m, messageA); err != nil {
		return nil, err
	}
	v.process = v.record("process", append(own, v.partsOf(v.state)...))
	v.message = v.record("message", append(messageA[:len(messageA):len(messageA)], v.partsOf(v.mail)...))
	top := append(topA[:len(topA):len(topA)],
		part{"processes", reflect.ArrayOf(v.n, v.process.typ), nil}, part{"live", reflect.SliceOf(v.process.typ), nil},
		part{"messages", reflect.SliceOf(v.message.typ), nil}, part{"left", v.budgets.typ, v.budgets}, part{"used", v.budgets.typ, v.budgets})
	for id := 1; id <= v.n; id++ {
		top = append(top, part{model.ID(id).Name(), v.process.typ, v.process})
	}
	v.top = v.record("state", top)
	return v, nil
}

// A filler brings a part of what an expression sees up to date with a state.
type filler func(v *model.View)

// A scene is what an expression sees of a state, up to date in what it reads.
type scene struct {
	env  any
	fill []filler
}

// newScene returns a scene for what is read.
func (voc *vocabulary) newScene(read *reading) *scene {
	at := voc.top.place()
	s := &scene{env: at.value}
	process := at.records[len(at.records)-voc.n:]
	for i, p := range voc.top.parts {
		switch {
		case !read.names[p.name] || p.of == voc.process:
		case p.name == "left" || p.name == "used":
			s.fill = append(s.fill, voc.budget(p.name == "used", at.records[i]))
		case p.name == "processes":
			var l list
			*at.parts[i] = l.first(voc.n)
			for k := range process {
				l.elements[k] = process[k].value
			}
		case p.name == "live":
			s.fill = append(s.fill, live(process, at.parts[i]))
		case p.name == "messages":
			s.fill = append(s.fill, voc.messages(read, at.parts[i]))
		default:
			s.fill = append(s.fill, simple(p.name, at.parts[i]))
		}
	}
	for k, place := range process {
		if id := model.ID(k + 1); read.names["processes"] || read.names["live"] || read.names[id.Name()] {
			s.fill = append(s.fill, voc.fillProcess(id, read, place)...)
		}
	}
	return s
}

// simple returns the filler of a name that stands for a single value.
func simple(name string, into *any) filler {
	switch name {
	case "n":
		return func(v *model.View) { setInt(into, int(v.N)) }
	case "leaders":
		return func(v *model.View) { setInt(into, v.Leaders.Len()) }
	case "wanted":
		return func(v *model.View) { setInt(into, int(v.Wanted)) }
	case "settled":
		return func(v *model.View) { *into = v.Settled }
	case "quiet":
		return func(v *model.View) { *into = v.Quiet }
	}
	return func(v *model.View) { *into = anyCut(v) } // cut
}

func anyCut(v *model.View) bool {
	all := model.Upto(v.N)
	for id := range all.All() {
		if v.Reached(id, all) != all {
			return true
		}
	}
	return false
}

// live lists those that are up.
func live(process []*place, into *any) filler {
	var l list
	l.first(len(process))
	return func(v *model.View) {
		*into = l.first(v.Up.Len())
		i := 0
		for id := range v.Up.All() {
			l.elements[i] = process[id-1].value
			i++
		}
	}
}

// fillProcess returns the fillers of one process.
func (voc *vocabulary) fillProcess(id model.ID, read *reading, at *place) (all []filler) {
	for i := range processA {
		name := processA[i].name
		if read.parts[readPart{voc.process, name}] {
			all = append(all, said(id, name, at.parts[i]))
		}
	}
	first := len(processA)
	if read.parts[readPart{voc.process, "timers"}] {
		all = append(all, fillTimers(id, at.records[first]))
	}
	first++
	nobody := reflect.New(voc.stateType()).UnsafePointer() // of a process that is not up
	var some []func(of unsafe.Pointer)
	for i := range voc.state {
		if f := &voc.state[i]; read.parts[readPart{voc.process, f.name}] {
			some = append(some, f.reads(at, first+i))
		}
	}
	if len(some) == 0 {
		return all
	}
	return append(all, func(v *model.View) {
		p := nobody
		if state := v.StateOf(id); state != nil {
			p = reflect.ValueOf(state).UnsafePointer()
		}
		for _, read := range some {
			read(p)
		}
	})
}

func (voc *vocabulary) stateType() reflect.Type {
	p, _ := voc.sys.Types()
	return p
}

// said returns the filler of what the world says of a process.
func said(id model.ID, name string, into *any) filler {
	switch name {
	case "id":
		setInt(into, int(id))
		return func(*model.View) {}
	case "up":
		return func(v *model.View) { *into = v.Up.Has(id) }
	case "crashed":
		return func(v *model.View) { *into = v.Present.Has(id) && !v.Up.Has(id) }
	case "paused":
		return func(v *model.View) { *into = v.Paused.Has(id) }
	case "leads":
		return func(v *model.View) { *into = v.Leaders.Has(id) }
	case "follows":
		return func(v *model.View) { setInt(into, int(v.Elected(id))) }
	case "participant":
		return func(v *model.View) { *into = v.Participants.Has(id) }
	case "owes":
		return func(v *model.View) { *into = v.Owes(id) }
	case "epoch":
		return func(v *model.View) {
			epoch := v.Epoch(id)
			if int(epoch) < 0 {
				panic(tooLarge(epoch))
			}
			setInt(into, int(epoch))
		}
	}
	var l list // reaches
	return func(v *model.View) {
		var set model.Set
		for other := range model.Upto(v.N).All() {
			if !v.Severed(id, other) {
				set = set.With(other)
			}
		}
		readSet(set, &l, into)
	}
}

// fillTimers returns the filler of the timers of a process.
func fillTimers(id model.ID, at *place) filler {
	return func(v *model.View) {
		for t, into := range at.parts {
			setInt(into, v.Left(id, model.Timer(t)))
		}
	}
}

// budget returns the filler of what is left or used of the budgets of faults.
func (voc *vocabulary) budget(used bool, at *place) filler {
	s := voc.sys.Setting()
	granted := make([]int, len(at.parts))
	for i, b := range setting.Budgets() {
		granted[i] = *b.Of(&s)
	}
	return func(v *model.View) {
		for i, into := range at.parts {
			n := v.Budget(i)
			if used {
				n = granted[i] - n
			}
			setInt(into, n)
		}
	}
}

// messages returns the filler of the messages in flight.
func (voc *vocabulary) messages(read *reading, into *any) filler {
	var l list
	var mails []*mailed
	return func(v *model.View) {
		n := v.InFlight()
		*into = l.first(n)
		for i := len(mails); i < n; i++ {
			m := voc.newMailed(read)
			mails = append(mails, m)
		}
		for i := range n {
			l.elements[i] = mails[i].value
			mails[i].fill(v.Mailed(i))
		}
	}
}

// A mailed is the place of one message in flight.
type mailed struct {
	*place
	kinds []any
	some  []func(of unsafe.Pointer)
}

func (voc *vocabulary) newMailed(read *reading) *mailed {
	m := &mailed{place: voc.message.place(), kinds: voc.kinds}
	for i := range voc.mail {
		if f := &voc.mail[i]; read.parts[readPart{voc.message, f.name}] {
			m.some = append(m.some, f.reads(m.place, len(messageA)+i))
		}
	}
	return m
}

func (m *mailed) fill(from model.Mailed) {
	*m.parts[0] = m.kinds[from.Kind]
	setInt(m.parts[1], int(from.From))
	setInt(m.parts[2], int(from.To))
	setInt(m.parts[3], from.Due)
	if len(m.some) == 0 {
		return
	}
	p := reflect.ValueOf(from.Message).UnsafePointer()
	for _, read := range m.some {
		read(p)
	}
}
