package ledger

// A Row is a claim with what it came to, in the words that tables have for that.
// What the claim says of itself stands in the claim.
type Row struct {
	Claim     *Claim
	Judgement *Judgement
	// Place is where the claim stands: the publication, where that is not the
	// algorithm's, and the place.
	Place string
	// Reading is the variant in which it is judged.
	Reading string
	// Found is in brief what was found: the scope, or what refutes the claim.
	Found string
	// Delays says what it came to under each bound on delays; empty where that is
	// no question.
	Delays string
	// Answers are what was asked and found, for each exhibit of the judgement.
	Answers []string
	// Ran says what ran where it was judged; empty where nothing was searched.
	Ran string
}

// Rows returns the claims of an entry, in their order.
func (e *Entry) Rows() []Row {
	list := make([]Row, len(e.Judgements))
	for i := range list {
		c, j := &e.Algorithm.Claims[i], &e.Judgements[i]
		list[i] = Row{
			Claim: c, Judgement: j, Place: place(c), Reading: judged(e.Algorithm, c),
			Found: found(c, j), Delays: timings(c, j), Ran: ran(j),
		}
		for k := range j.Exhibits {
			list[i].Answers = append(list[i].Answers, answer(&j.Exhibits[k]))
		}
	}
	return list
}
