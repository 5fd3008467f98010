package checker

import (
	"errors"
	"fmt"
	"slices"

	"bullyproof/explore"
	"bullyproof/model"
)

// Remembering returns the property with the monitors that it asks (Monitor.Of),
// in its own function or in its Explained: a check takes them into the system by
// itself, as do Verify and whatever replays a trace. A check of a property that
// asks another one is an error.
func (p *Property) Remembering(monitors ...model.Memory) *Property {
	q := *p
	q.monitors = slices.Concat(p.monitors, monitors)
	return &q
}

// Remembered returns the system with the monitors that the properties ask, the
// system itself where they ask none. It fails if a monitor's value is not flat.
func Remembered(sys *model.System, props ...*Property) (*model.System, error) {
	var all []model.Memory
	for _, p := range props {
		if i := slices.Index(p.monitors, nil); i >= 0 {
			return nil, fmt.Errorf("property %q: monitor %d of its Remembering is nil", p.Name, i+1)
		}
		all = append(all, p.monitors...)
	}
	if len(all) == 0 {
		return sys, nil
	}
	return sys.Monitored(all...)
}

// lacksMonitor makes an error of the panic of a property that asks a monitor
// which it does not name. Use it deferred.
func lacksMonitor(err *error) {
	value := recover()
	if value == nil {
		return
	}
	asked, ok := value.(error)
	if !ok || !errors.Is(asked, model.ErrNoMonitor) {
		panic(value)
	}
	var raised *explore.PanicError
	if errors.As(asked, &raised) {
		asked = raised.Unwrap()
	}
	*err = fmt.Errorf("a property asks what it does not name by Remembering: %w", asked)
}
