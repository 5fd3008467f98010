// Package simulate walks through the runs of a system at random, for what no
// search can see all of: up to 64 processes, many faults, long runs.
//
// A walk begins in an initial state and takes one action after the other, as a
// schedule says: at random, or by priorities that change a few times on the way
// (PCT, after Burckhardt, Kothari, Musuvathi and Nagarakatte: A Randomized
// Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). Walk n
// depends on the seed and on n alone, whatever the number of workers.
//
// A hunt (Hunt) is for nothing but what breaks: a portfolio of such walks and of
// searches that deviate from a default schedule more and more often, within a
// budget of steps.
//
// A walk that breaks a property is shrunk to a short run that does, in the form
// of every other trace. A property that no walk breaks may break nevertheless:
// nothing is shown to hold. Of what walks send, and how long they take, there are
// statistics.
package simulate
