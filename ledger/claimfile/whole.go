//go:build !js

package claimfile

// questionsAlone says that files have the open questions of their sources alone.
const questionsAlone = false
