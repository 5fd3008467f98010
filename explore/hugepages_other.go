//go:build !linux

package explore

func adviseHuge([]entry) {}
