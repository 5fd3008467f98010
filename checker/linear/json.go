package linear

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxHistoryBytes is the size of a history that ReadHistory takes.
const MaxHistoryBytes = 32 << 20

// historyJSON is a history in JSON.
type historyJSON struct {
	Spec       string          `json:"spec"`
	Initial    uint64          `json:"initial,omitempty"`
	Operations []operationJSON `json:"operations"`
}

// operationJSON is an operation in JSON. One without a return is pending.
type operationJSON struct {
	Client int    `json:"client,omitempty"`
	Op     string `json:"op"`
	Value  uint64 `json:"value,omitempty"`
	Token  uint64 `json:"token,omitempty"`
	OK     *bool  `json:"ok,omitempty"`
	Via    int    `json:"via,omitempty"`
	Call   *int64 `json:"call"`
	Return *int64 `json:"return,omitempty"`
}

// MarshalJSON returns the history as ReadHistory reads it.
func (h *History) MarshalJSON() ([]byte, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	j := historyJSON{Spec: h.Spec.Name, Initial: h.Initial, Operations: []operationJSON{}}
	for _, o := range h.Operations {
		one := operationJSON{Client: o.Client, Op: o.Op.String(), Value: o.Value, Token: o.Token, Via: o.Via, Call: &o.Call}
		if !o.Pending {
			one.Return = &o.Return
		}
		if o.Op == Acquire && !o.Pending {
			one.OK = &o.OK
		}
		j.Operations = append(j.Operations, one)
	}
	return json.Marshal(j)
}

// ReadHistory reads a history in JSON:
//
//	{"spec": "register", "operations": [
//	  {"client": 1, "op": "write", "value": 3, "call": 10, "return": 25},
//	  {"client": 2, "op": "read", "value": 3, "call": 12, "return": 20, "via": 2},
//	  {"client": 2, "op": "write", "value": 4, "call": 30}]}
//
// The specifications and their operations: leader (ask, elect), instant (ask,
// reign), register (read, write), lock (acquire with "ok" and "token", release).
// An operation without "return" is pending: whether it had its effect is not
// known. Anything else that it does not know is an error.
func ReadHistory(r io.Reader) (*History, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxHistoryBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("history: %w", err)
	case len(data) > MaxHistoryBytes:
		return nil, fmt.Errorf("history: more than %d bytes", MaxHistoryBytes)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var j historyJSON
	if err := d.Decode(&j); err != nil {
		return nil, fmt.Errorf("history: not as JSON should be: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("history: something follows the JSON object; one history is one object")
	}
	return j.history()
}

func (j *historyJSON) history() (*History, error) {
	spec, err := FindSpec(j.Spec)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	h := &History{Spec: spec, Initial: j.Initial}
	for i, one := range j.Operations {
		o, err := one.operation()
		if err != nil {
			return nil, fmt.Errorf("history: operation %d: %w", i+1, err)
		}
		h.Operations = append(h.Operations, o)
	}
	return h, h.Validate()
}

func (j *operationJSON) operation() (Operation, error) {
	o := Operation{Client: j.Client, Value: j.Value, Token: j.Token, Via: j.Via, OK: true}
	for i, name := range opNames {
		if i > 0 && name == j.Op {
			o.Op = Op(i)
		}
	}
	switch {
	case o.Op == 0:
		return o, fmt.Errorf("unknown op %q", j.Op)
	case j.Call == nil:
		return o, errors.New("it has no call")
	case j.OK == nil && o.Op == Acquire && j.Return != nil:
		return o, errors.New(`an acquire that has returned needs "ok": true or false`)
	case j.OK != nil && o.Op != Acquire:
		return o, fmt.Errorf(`"ok" is for acquire, not for %v`, o.Op)
	}
	o.Call = *j.Call
	if j.OK != nil {
		o.OK = *j.OK
	}
	if o.Pending = j.Return == nil; !o.Pending {
		o.Return = *j.Return
	} else {
		o.OK = false
	}
	return o, nil
}
