// Package chance computes how likely an election comes to its end, and what it costs on average,
// where processes toss coins (Net.Toss): for the schedulers for which that is most and least.
//
// The explored graph is a Markov decision process. A scheduler takes the actions: which message
// arrives, which timer expires, who crashes, and what Net.Choose and Net.Pick return; chance takes
// the outcome of Net.Toss, and of a Net.Pick whose choice has weights. A scheduler sees the whole
// state and all that was before, what was tossed included, and not what will be. It is fair: it
// passes nobody over for good whom class.WeakFairness owes something. Exploration ends at the
// goal.
//
// Of answers with a Report: the probability that the goal is reached, and expected messages,
// ticks, steps and epochs until then, each for the best and the worst scheduler, with bounds
// below and above, as rational numbers where the graph is not too large; and the probability
// within so many ticks or steps. Bounds are those of optimistic value iteration in float64, sound
// up to its rounding.
//
//	sys, err := model.NewFrom(&itairodeh.Protocol{}, "n=3 topology=ring:anonymous channels=fifo timing=patient")
//	...
//	r, err := chance.Of(ctx, sys, chance.Options{})
//	fmt.Println(r.Reached.Least, r.Cost("messages").Most) // 1 163/16
//
// A test asks with Verify.
package chance
