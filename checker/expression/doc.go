// Package expression has questions that are typed and not compiled: expressions over the states
// of a system, in the language of expr-lang (all(live, .Term <= 3)).
//
//	sys, err := model.New(&upstart.Protocol{}, setting.Must("n=3 start=settled crashes=1"))
//	x, err := expression.Condition(sys, "leaders <= 1")
//	report, err := checker.Check(ctx, sys, checker.Options{Properties: []*checker.Property{x.Always("always")}})
//
// Its names are those of the world and of the protocol: who is up and whom each process follows,
// the fields of its state by their own names, the messages in flight, timers, budgets.
// The help of the command lists them (help expressions). An expression is checked
// against the types of the system before any state is seen, so that a name that is not there, or
// a comparison that can never be true, is an error with its place in the text.
//
// The cost of an expression is bounded: a text has at most MostBytes, no loop is deeper than three,
// and its lists are those of a state, or have 64 elements at most. Nothing in it knows the time of
// day or is random: a state has one value.
//
// How it is made: shape.go says how a type of the protocol looks to the language, and reads
// values of it; state.go does so for a whole state; rules.go says what is refused, and finds out
// what an expression reads; expression.go compiles and asks; property.go makes properties.
package expression
