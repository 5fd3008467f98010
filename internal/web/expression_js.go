package web

import "bullyproof/model"

// expressions says that the explorer in a page has no expressions.
const expressions = false

func condition(*model.System, string) (func(*model.View) (bool, error), error) {
	return nil, errNoExpressions
}

func valued(*model.System, string) (func(*model.View) (any, error), error) {
	return nil, errNoExpressions
}
