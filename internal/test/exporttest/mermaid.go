package exporttest

import (
	"fmt"
	"regexp"
)

var code = regexp.MustCompile(`#(\d+);`)

// Decode returns the text that Mermaid makes of one with codes of characters.
func Decode(text string) string {
	return code.ReplaceAllStringFunc(text, func(code string) string {
		var r rune
		_, _ = fmt.Sscanf(code, "#%d;", &r)
		return string(r)
	})
}
