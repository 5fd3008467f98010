package silberschatz

import "bullyproof/model"

// The rules of the book.
var (
	bookRules model.Rules

	rule1  = bookRules.Add("1: create an active list, send elect(i)")
	rule2a = bookRules.Add("2a: the first elect message: create an active list, send elect(i) and elect(j)")
	rule2b = bookRules.Add("2b: i ≠ j: add j to the active list and forward elect(j)")
	rule2c = bookRules.Add("2c: i = j: the active list is complete, its largest number is the coordinator")
)

var namesBook = model.Names{
	Kinds: []string{"elect"},
	Rules: bookRules,
}

// Book is the algorithm as in B: not a packet collects numbers, but each
// process, and everybody sends its own round the ring.
type Book struct{ model.Passive[P, M] }

// Start begins an election at a cold start, as if the coordinator had failed.
func (b *Book) Start(p *P, net *model.Net[M]) { b.create(p, net) }

// Suspect, rule 1: "If process Pi detects a coordinator failure, it creates a new
// active list that is initially empty. It then sends a message elect(i) to its
// right neighbor, and adds the number i to its active list."
func (b *Book) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Elected {
		b.create(p, net)
	}
}

func (*Book) create(p *P, net *model.Net[M]) {
	if !p.List.Empty() {
		return
	}
	net.Rule(rule1)
	p.List = model.SetOf(net.Self())
	net.Send(model.Next, M{Informer: net.Self()})
}

// Receive, rule 2: "If Pi receives a message elect(j) from the process on the
// left, it must respond in one of three ways."
func (*Book) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	i, j := net.Self(), m.Informer
	switch {
	case i != j && p.List.Empty():
		// 2a: "If this is the first elect message it has seen or sent, Pi creates a
		// new active list with the numbers i and j. It then sends the message
		// elect(i), followed by the message elect(j)."
		net.Rule(rule2a)
		p.List = model.SetOf(i, j)
		net.Send(model.Next, M{Informer: i})
		net.Send(model.Next, m)

	case i != j:
		// 2b: "the message received does not contain Pi's number": it "adds j to its
		// active list and forwards the message to its right neighbor".
		net.Rule(rule2b)
		p.List = p.List.With(j)
		net.Send(model.Next, m)

	case !p.List.Empty():
		// 2c: "the active list for Pi now contains the numbers of all the active
		// processes in the system", whose largest identifies the new coordinator.
		net.Rule(rule2c)
		p.Elected = p.List.Max()
		p.List = 0
	}
}

// Settle makes coordinator known to the process.
func (*Book) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief is the coordinator, and whether the process has an active list.
func (*Book) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: !p.List.Empty()}
}

// Names returns the vocabulary of B.
func (*Book) Names() model.Names { return namesBook }

// Format returns m as "elect(3)".
func (*Book) Format(m M) string { return "elect(" + m.Informer.String() + ")" }
