package site

// A Publisher has nothing to do in a page.
type Publisher struct{}
