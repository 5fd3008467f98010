// Package induction proves properties of relational descriptions (package relation) for every
// number of processes.
//
// An inductive invariant is a sentence that is true in every initial state and that each step
// keeps. Candidates has the short clauses that are true in all states of small instances.
// Prove drops those that a solver can break, until the rest keep each other (C. Flanagan and
// K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001), and sees which
// properties are left:
//
//	seen, err := m.Judge(ctx) // m is a relation.Model: the protocol agrees with its description
//	list := induction.Candidates(m.Description, seen.Seen, induction.Sizes{Literals: 2, Things: 3})
//	r, err := induction.Prove(ctx, m.Description, list, induction.Solvers(ctx)[0])
//
// The queries are of effectively propositional logic as a rule (no function, all things in
// finitely many sorts), which solvers decide. They are SMT-LIB texts, for z3 or cvc5 where one
// is installed. A Proof is a few sentences: Check asks a solver again, and Obligations writes
// its queries for whoever has another one.
package induction
