package model

// drifted returns how many ticks a timer of so many takes at least and at most,
// on a clock that is up to so many percent too fast or too slow.
func drifted(ticks, percent int) (least, most int) {
	least = max(1, ticks*100/(100+percent))
	most = (ticks*100 + 99 - percent) / (100 - percent)
	return least, most
}

// maxDrifted returns the highest number of ticks to which a timer can be set
// under a drift: the one that takes maxTicks at most.
func maxDrifted(percent int) int { return maxTicks * (100 - percent) / 100 }
