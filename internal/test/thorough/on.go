//go:build thorough

package thorough

// On reports whether the build has the tag thorough.
const On = true
