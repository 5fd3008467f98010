package setting

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullyproof/model/process"
)

// CutBy is what a cut takes apart.
type CutBy uint8

const (
	// CutSides has a cut divide the processes into two sides: one at a time, and
	// a heal makes the network whole.
	CutSides CutBy = iota
	// CutLinks has a cut take one link in both directions: several add up, to
	// partitions of any shape (a bridge between two sides, say), and a heal mends
	// one.
	CutLinks
	// CutOneWay is CutLinks with each direction of a link by itself.
	CutOneWay
)

var cutByNames = []string{CutSides: "side", CutLinks: "link", CutOneWay: "one-way"}

// String returns "side", "link" or "one-way".
func (c CutBy) String() string { return nameOf(cutByNames, c) }

// A CutLink is a link between two processes that a cut takes: from one to the
// other, or in both directions, with From the lower of the two.
type CutLink struct {
	From, To process.ID
	Both     bool
}

// String returns "1-2" for a link in both directions and "1->2" for one way.
func (l CutLink) String() string {
	sign := "->"
	if l.Both {
		sign = "-"
	}
	return l.From.String() + sign + l.To.String()
}

// ParseCutLink reads the text of a link.
func ParseCutLink(text string) (CutLink, error) {
	from, to, both := strings.Cut(text, "-")
	to, oneWay := strings.CutPrefix(to, ">")
	id := func(text string) process.ID {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n > uint64(process.MaxID) {
			return process.None
		}
		return process.ID(n)
	}
	l := CutLink{id(from), id(to), both && !oneWay}
	if l.String() != text || l.From == process.None || l.To == process.None || l.From == l.To || l.Both && l.From > l.To {
		return CutLink{}, fmt.Errorf("link %.20q: want two processes like 1-2 (both ways) or 2->1", text)
	}
	return l, nil
}

// Between says for people what the link is: "between P1 and P2", "from P1 to
// P2".
func (l CutLink) Between() string {
	if l.Both {
		return fmt.Sprintf("between %s and %s", l.From.Name(), l.To.Name())
	}
	return fmt.Sprintf("from %s to %s", l.From.Name(), l.To.Name())
}

// Links are some of the links of a complete graph, those in one direction by themselves. None
// stands for all.
type Links []CutLink

// Has reports whether the link from one process to another is one of them.
func (l Links) Has(from, to process.ID) bool {
	return len(l) == 0 || slices.ContainsFunc(l, func(one CutLink) bool {
		return one.From == from && one.To == to || one.Both && one.From == to && one.To == from
	})
}

// String returns the links as a setting has them: "1-2,3->1".
func (l Links) String() string {
	texts := make([]string, len(l))
	for i, one := range l {
		texts[i] = one.String()
	}
	return strings.Join(texts, ",")
}

// beyond returns the first link of a process that is none of n.
func (l Links) beyond(n int) (one CutLink, ok bool) {
	for _, one := range l {
		if int(max(one.From, one.To)) > n {
			return one, true
		}
	}
	return one, false
}

// linksWord is the word of links to which a fault happens.
func linksWord(key string, field func(s *Setting) *Links) settingWord {
	return settingWord{
		key: key, of: ofWorld,
		print: func(s *Setting) string { return field(s).String() },
		parse: func(s *Setting, value string) error {
			if *field(s) = nil; value == "all" {
				return nil
			}
			for _, text := range strings.Split(value, ",") {
				link, err := ParseCutLink(text)
				if err != nil {
					return fmt.Errorf("%s: %w, or all", key, err)
				}
				*field(s) = append(*field(s), link)
			}
			slices.SortFunc(*field(s), func(a, b CutLink) int { return strings.Compare(a.String(), b.String()) })
			*field(s) = slices.Compact(*field(s))
			return nil
		},
	}
}
