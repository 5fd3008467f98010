package setting

import "fmt"

// AtMost returns an error if the setting has more than n processes, and says what has room
// for no more ("the store, for 3 clients"). Methods Fits of protocols return it
// (model.Optional).
func (s Setting) AtMost(n int, room string) error {
	if s.N <= n {
		return nil
	}
	return fmt.Errorf("n=%d: want n=2 to %d, for which there is room (%s)", s.N, n, room)
}

// AtLeast returns an error if the setting has fewer than n processes, and says what so many
// are ("the sentinels that were there before"). It is for methods Fits, as AtMost is.
func (s Setting) AtLeast(n int, what string) error {
	if s.N >= n {
		return nil
	}
	return fmt.Errorf("n=%d: want at least n=%d, %s", s.N, n, what)
}
