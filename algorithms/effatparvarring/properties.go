package effatparvarring

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// onceElected is what section 1 says of elected states.
var onceElected = checker.AlwaysStep("once-elected",
	"A node that has entered the elected state remains in it while it is up.",
	func(from, to *model.View) bool { return from.Leaders&to.Up&^to.Leaders == 0 },
)
