package algorithms

// solved returns nothing: the explorer in a page shows no lectures, and carries no source text.
func solved(string) string { return "" }
