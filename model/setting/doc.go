// Package setting says in which circumstances a protocol is looked at: how many
// processes, what the protocol takes for granted (Needs), and what the world
// does to it (World). A setting has one text, which is read and printed
// everywhere:
//
//	n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1
//
// The author of a protocol hardly ever imports this package: model.NewFrom and
// checker.Verify take the text.
package setting
