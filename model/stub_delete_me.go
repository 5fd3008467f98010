package model

func (n *Net[M]) nobody(to Port) misuse { return "nobody" }
func badTimer(t, n, ticks int) misuse  { return "timer" }
func badChoice(k int) misuse           { return "choice" }
