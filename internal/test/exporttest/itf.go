// Package exporttest reads what package trace exports: strictly after the
// descriptions of the formats, and with the tools that the exports are for.
package exporttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An ITF is a trace as in the description of the Informal Trace Format.
type ITF struct {
	// States have the values of Go that the expressions stand for: an int, a bool,
	// a string, a slice for lists, tuples and sets, a map for records and maps.
	States []map[string]any
	// Loop is -1 without one.
	Loop int
}

// ReadITF reads a trace, strictly after the description (Apalache's ADR-015): it
// refuses what is not in there.
func ReadITF(data []byte) (*ITF, error) {
	var top struct {
		Meta   map[string]any               `json:"#meta"`
		Params []string                     `json:"params"`
		Vars   []string                     `json:"vars"`
		States []map[string]json.RawMessage `json:"states"`
		Loop   *int                         `json:"loop"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&top); err != nil {
		return nil, err
	}
	if d.More() || !utf8.Valid(data) {
		return nil, fmt.Errorf("more than one object, or not UTF-8")
	}
	tr := &ITF{Loop: -1}
	if top.Loop != nil {
		tr.Loop = *top.Loop
		if tr.Loop < 0 || tr.Loop >= len(top.States) {
			return nil, fmt.Errorf("loop %d of %d states", tr.Loop, len(top.States))
		}
	}
	for i, fields := range top.States {
		delete(fields, "#meta")
		names := slices.Sorted(maps.Keys(fields))
		if want := slices.Sorted(slices.Values(top.Vars)); !slices.Equal(names, want) {
			return nil, fmt.Errorf("state %d has %q, not %q", i, names, want)
		}
		state := map[string]any{}
		for name, raw := range fields {
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				return nil, err
			}
			value, err := itfValue(v)
			if err != nil {
				return nil, fmt.Errorf("state %d: %s: %w", i, name, err)
			}
			state[name] = value
		}
		tr.States = append(tr.States, state)
	}
	return tr, nil
}

// itfValue returns what an expression stands for: an int, a bool, a string, a
// slice for lists, tuples and sets, a map for records and maps.
func itfValue(v any) (any, error) {
	switch v := v.(type) {
	case string, bool:
		return v, nil
	case json.Number:
		return strconv.Atoi(v.String())
	case []any:
		return itfList(v)
	case map[string]any:
		for name, inner := range v {
			if strings.HasPrefix(name, "#") {
				if len(v) != 1 {
					return nil, fmt.Errorf("%s beside other fields", name)
				}
				return itfSpecial(name, inner)
			}
		}
		record := map[any]any{}
		for name, inner := range v {
			value, err := itfValue(inner)
			if err != nil {
				return nil, err
			}
			record[name] = value
		}
		return record, nil
	}
	return nil, fmt.Errorf("no expression: %v", v)
}

func itfList(list []any) (any, error) {
	values := []any{}
	for _, inner := range list {
		value, err := itfValue(inner)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

func itfSpecial(name string, v any) (any, error) {
	text, isText := v.(string)
	list, isList := v.([]any)
	switch {
	case name == "#bigint" && isText && regexp.MustCompile(`^-?[0-9]+$`).MatchString(text):
		return strconv.Atoi(text)
	case (name == "#tup" || name == "#set") && isList:
		return itfList(list)
	case name == "#map" && isList:
		m := map[any]any{}
		for _, pair := range list {
			p, ok := pair.([]any)
			if !ok || len(p) != 2 {
				return nil, fmt.Errorf("%v is no pair", pair)
			}
			key, err := itfValue(p[0])
			if err != nil {
				return nil, err
			}
			if _, twice := m[key]; twice {
				return nil, fmt.Errorf("%v is there twice", key)
			}
			if m[key], err = itfValue(p[1]); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	return nil, fmt.Errorf("no expression: %s %v", name, v)
}
