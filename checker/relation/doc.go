// Package relation has protocols as relations over processes, in the way that tools for
// parameterized verification read them, and sees to it that a description is as the protocol.
//
// A Description, which Parse reads, has relations such as pending(process, process), and steps
// that change them where a guard is true:
//
//	step pass(M, P, Q)
//	    when pending(M, P) & P < M & next(P, Q)
//	    drop pending(M, P)
//	    add pending(M, Q)
//
// It is of any number of processes. A Model adds the protocol, and which relations are true in
// a state of it. Model.Judge explores small instances, and compares both ways: each transition
// of the protocol is a step or changes nothing, and each step is a transition. So what is
// proved of the description (package induction) is about the code that was explored, as far
// as small instances can tell.
package relation
