package silence

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Mistaken returns the source with a fault of its searches: where a reading leaves a silence
// open, the search that is to answer it in one way answers it in another.
func (s *Source) Mistaken(was, is Answering) *Source {
	wrong := *s
	wrong.system = func(in setting.Setting, r Reading, open Answering) (*model.System, error) {
		if open == was {
			open = is
		}
		return s.system(in, r, open)
	}
	return &wrong
}
