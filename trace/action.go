package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// validateAction checks that a has what its kind needs, within bounds, and
// nothing that its kind has not.
func validateAction(a *model.Action) error {
	f := a.Kind
	if int(f) >= len(model.ActionKinds()) {
		return fmt.Errorf("unknown kind of action %d", a.Kind)
	}
	bare := model.Action{Kind: a.Kind}
	if f.Has(model.AtProcess) {
		bare.Process = a.Process
		if err := checkProcess("process", a.Process); err != nil {
			return err
		}
	}
	if f.Has(model.OfMessage) {
		bare.Port, bare.Message, bare.Due = a.Port, a.Message, a.Due
		if err := checkPort(a.Port); err != nil {
			return err
		}
		if err := checkNumber("due", a.Due, maxNumber); err != nil {
			return err
		}
		if err := checkText("message", a.Message); err != nil {
			return err
		}
	}
	if f.Has(model.OfTimer) {
		bare.Timer, bare.Premature = a.Timer, a.Premature
		if err := checkText("timer", a.Timer); err != nil {
			return err
		}
	}
	if f.Has(model.AboutAnother) {
		bare.Who = a.Who
		if err := checkProcess("who", a.Who); err != nil {
			return err
		}
	}
	if f.Has(model.OfClock) {
		bare.Ahead = a.Ahead
		if err := checkNumber("ahead", a.Ahead, clock.MostSkew); err != nil {
			return err
		}
	}
	if f.Has(model.OfRequest) {
		bare.Request = a.Request
		if err := checkText("request", a.Request); err != nil {
			return err
		}
	}
	if err := validateCut(a, &bare); err != nil {
		return err
	}
	if f.Has(model.WithHandler) {
		bare.Choices, bare.Crash, bare.Out = a.Choices, a.Crash, a.Out
		if err := validateHandler(a); err != nil {
			return err
		}
	}
	if !SameAction(bare, *a) || !f.Has(model.WithHandler) && len(a.Outcomes) > 0 {
		return fmt.Errorf("a %s has a field that means nothing to it: %+v", a.Kind, *a)
	}
	return nil
}

// validateCut checks what is cut, or heals, and puts it into bare.
func validateCut(a, bare *model.Action) error {
	if a.Kind.Has(model.OfSide) {
		bare.Side = a.Side
		if a.Side.Empty() == (a.Link == setting.CutLink{}) {
			return fmt.Errorf("a cut has a side or a link, one of them")
		}
	}
	if a.Kind.Has(model.MayHaveLink) && a.Link != (setting.CutLink{}) {
		bare.Link = a.Link
		if _, err := setting.ParseCutLink(a.Link.String()); err != nil {
			return err
		}
	}
	return nil
}

func checkPort(p model.Port) error {
	if p >= model.Next {
		return nil
	}
	return checkProcess("from", p.ID())
}

func validateHandler(a *model.Action) error {
	if !a.Crash && len(a.Out) > 0 {
		return fmt.Errorf("sends %v are out before a crash that does not happen", a.Out)
	}
	if err := checkNumbers("a choice", a.Choices); err != nil {
		return err
	}
	if len(a.Outcomes) > 0 && len(a.Outcomes) != len(a.Choices) {
		return fmt.Errorf("%d outcomes of %d choices", len(a.Outcomes), len(a.Choices))
	}
	for _, text := range a.Outcomes {
		if err := checkText("outcome", text); err != nil {
			return err
		}
	}
	return checkNumbers("a send that is out", a.Out)
}

// SameAction reports whether a and b are the same action: all their fields are
// equal, except for Outcomes, which follow from Choices.
func SameAction(a, b model.Action) bool {
	return a.Kind == b.Kind && a.Process == b.Process && a.Port == b.Port &&
		a.Message == b.Message && a.Due == b.Due && a.Timer == b.Timer &&
		a.Who == b.Who && a.Side == b.Side && a.Link == b.Link && a.Crash == b.Crash &&
		a.Premature == b.Premature && a.Ahead == b.Ahead && a.Request == b.Request &&
		slices.Equal(a.Choices, b.Choices) && slices.Equal(a.Out, b.Out)
}

// Chosen returns the outcomes of an action's choices: "timeout=long", or "1" where
// the choice has no name.
func Chosen(a *model.Action) string {
	if len(a.Outcomes) > 0 {
		return strings.Join(a.Outcomes, ",")
	}
	return numbers(a.Choices)
}

// Links lists links for people: "between P1 and P2, from P1 to P3".
func Links(links []setting.CutLink) string {
	texts := make([]string, len(links))
	for i, l := range links {
		texts[i] = l.Between()
	}
	return strings.Join(texts, ", ")
}

// ActionText returns an action in one line: "P2->P1 COORDINATOR(2)",
// "P3 crashes".
// The actions that are enabled in one state have different texts.
func ActionText(a model.Action) string {
	var b strings.Builder
	b.WriteString(actionPhrase(&a))
	if a.Due > 0 {
		fmt.Fprintf(&b, " (due in %d)", a.Due)
	}
	if len(a.Choices) > 0 {
		b.WriteString(", choosing " + Chosen(&a))
	}
	if a.Crash {
		b.WriteString(", and crashes with " + sendsOut(a.Out) + " out")
	}
	return b.String()
}

func actionPhrase(a *model.Action) string {
	p, who := a.Process.Name(), a.Who.Name()
	link := fmt.Sprintf("%s->%s %s", a.Port.Name(), p, a.Message)
	switch a.Kind {
	case model.Delivers:
		return link
	case model.Drops:
		return link + " is dropped"
	case model.Loses:
		return link + " is lost"
	case model.Duplicates:
		return link + " is duplicated"
	case model.Expires:
		if a.Premature {
			return fmt.Sprintf("%s times out too early (%s)", p, a.Timer)
		}
		return fmt.Sprintf("%s times out (%s)", p, a.Timer)
	case model.Suspects:
		return fmt.Sprintf("%s suspects %s", p, who)
	case model.Misreports:
		return fmt.Sprintf("%s wrongly suspects %s", p, who)
	case model.SetsClock:
		return fmt.Sprintf("%s has its clock set (%s)", p, clock.Ahead(a.Ahead))
	case model.Requests:
		return fmt.Sprintf("an operator asks %s to %s", p, a.Request)
	case model.Resumes:
		return fmt.Sprintf("%s resumes", p)
	case model.Ticks:
		return "tick"
	case model.CutsOff:
		if a.Link != (setting.CutLink{}) {
			return fmt.Sprintf("the link %s is cut", a.Link.Between())
		}
		return fmt.Sprintf("the network cuts off %s", prose.List(a.Side.Names()))
	case model.Heals:
		if a.Link != (setting.CutLink{}) {
			return fmt.Sprintf("the link %s heals", a.Link.Between())
		}
		return "the network heals"
	}
	return p + " " + a.Kind.Verb()
}

// sendsOut names the sends that are out before a crash: "sends 1,2".
func sendsOut(out []int) string {
	if len(out) == 0 {
		return "no send"
	}
	from1 := make([]int, len(out))
	for i, o := range out {
		from1[i] = o + 1
	}
	if len(out) == 1 {
		return "send " + numbers(from1)
	}
	return "sends " + numbers(from1)
}

func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}
