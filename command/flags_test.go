//go:build !js

package command

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"

	"bullyproof/internal/test/thorough"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
)

// everyFlag calls f with the words that lead to a command and each of its flags, of a
// command line that nothing was said to yet.
func everyFlag(f func(words []string, cmd *cobra.Command, name string)) {
	fresh := func() *cobra.Command { return newApp(ours.titled(), nil, new(bytes.Buffer), new(bytes.Buffer)).root() }
	var walk func(words []string, cmd *cobra.Command)
	walk = func(words []string, cmd *cobra.Command) {
		var names []string
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		for _, name := range names {
			again, _, err := fresh().Find(words)
			if err != nil {
				panic(err)
			}
			f(words, again, name)
		}
		for _, sub := range cmd.Commands() {
			walk(append(words[:len(words):len(words)], sub.Name()), sub)
		}
	}
	walk(nil, fresh())
}

// hostile are values that a number is given by mistake.
var hostile = []string{
	"-1", "0", "1", "x", "1x", "0x10", "1e99", "NaN", "1.5", " 1", "\u0661", "2147483647", "2147483648", "4294967296",
	"18446744073709551615", "18446744073709551616", "99999999999999999999999999", "9999999999999GiB", "9999999999G", "-1s", "9999999h", "99999999999h",
}

// Each flag that takes a number, a size or a duration takes a value, or refuses it by its name
// with what would be right; and what is a text takes it.
func TestNumbersOfFlags(t *testing.T) {
	looked, refused := 0, 0
	everyFlag(func(words []string, cmd *cobra.Command, name string) {
		for _, value := range hostile {
			err := cmd.ParseFlags([]string{"--" + name + "=" + value})
			looked++
			if err == nil {
				// A width is a number of bytes to be made.
				n, bad := strconv.ParseUint(value, 10, 64)
				assert.False(t, name == "width" && (bad != nil || n > mostColumns), "%s --%s=%s", words, name, value)
				continue
			}
			refused++
			assert.Contains(t, err.Error(), "--"+name, "%s --%s=%s", words, name, value)
			if flag := cmd.Flags().Lookup(name); flag != nil && flag.Value.Type() != "bool" {
				assert.Regexp(t, "want |did you mean|out of range|unknown", err.Error(), "%s --%s=%s", words, name, value)
			}
		}
	})
	t.Logf("%d values of flags, of which %d are refused", looked, refused)
}

// An empty value is refused by the name of the flag, whatever the flag and the command.
func TestEmptyFlags(t *testing.T) {
	thorough.Only(t)
	looked := 0
	everyFlag(func(words []string, cmd *cobra.Command, name string) {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || flag.Value.Type() == "bool" {
			return
		}
		args := append(words[:len(words):len(words)], "--"+name+"=")
		for range len(strings.Fields(cmd.Use)) - 1 {
			args = append(args, "bully")
		}
		var out, said bytes.Buffer
		status := newApp(ours.titled(), nil, &out, &said).run(context.Background(), args)
		assert.Equal(t, statusUsage, status, args)
		assert.Contains(t, said.String(), "-"+name, args)
		assert.Regexp(t, "want |did you mean", said.String(), args)
		assert.Empty(t, out.String(), args)
		looked++
	})
	t.Logf("%d flags", looked)
}
