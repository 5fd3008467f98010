// Package induction proves properties of relational descriptions (package relation) for every
// number of processes.
//
// An inductive invariant is a sentence that is true in every initial state and that each step
// keeps. Prove begins with the properties. Where a step breaks a sentence, short clauses join
// that are true in all states of small instances and that bar the state before; where there
// is none, the sentence goes, as in Houdini (C. Flanagan and K. R. M. Leino, "Houdini, an
// annotation assistant for ESC/Java", FME 2001). In the end the rest keep each other:
//
//	seen, err := m.Judge(ctx) // m is a relation.Model: the protocol agrees with its description
//	r, err := induction.Prove(ctx, m.Description, seen.Seen, induction.Sizes{Literals: 3, Things: 4}, induction.Solvers(ctx)[0])
//
// The queries are of effectively propositional logic as a rule (no function, all things in
// finitely many sorts), which solvers decide. They are SMT-LIB texts, for z3 or cvc5 where one
// is installed. A Proof is a few sentences: Check asks a solver again, and Obligations writes
// its queries for whoever has another one.
package induction
