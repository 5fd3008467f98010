//go:build !js

package web

import (
	"bullyproof/checker/expression"
	"bullyproof/model"
)

// expressions says that the explorer has expressions. In a page it has none: the language
// would make it larger by a third.
const expressions = true

// condition compiles an expression that is true or false in each state of a system.
func condition(sys *model.System, text string) (func(*model.View) (bool, error), error) {
	x, err := expression.Condition(sys, text)
	if err != nil {
		return nil, err
	}
	return x.Is, nil
}

// valued compiles an expression that has a value in each state of a system
// (expression.Expression.Value).
func valued(sys *model.System, text string) (func(*model.View) (any, error), error) {
	x, err := expression.Of(sys, text)
	if err != nil {
		return nil, err
	}
	return x.Value, nil
}
