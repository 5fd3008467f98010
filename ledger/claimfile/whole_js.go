package claimfile

// questionsAlone says that files have the open questions of their sources alone, as those of the
// explorer in a page do: a site leaves out the claims (site/explorer.go).
const questionsAlone = true
