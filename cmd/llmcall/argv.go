package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// canonical rewrites a command line into the one form that package flag reads as meant: every flag by its first name with
// its value attached, then "--", then the prompt words. Flags may stand before, between and after words; what follows a
// "--" is words. The order of flags and the order of words are kept.
func canonical(flags []flag, args []string) ([]string, error) {
	var settings, words []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case arg == "-":
			return nil, usageError{msg: `"-" is no prompt`, hint: "piped stdin is read without it; to send a dash as text, write: llmcall -- -"}
		case strings.HasPrefix(arg, "--"):
			name, value, attached := strings.Cut(arg[2:], "=")
			f := findFlag(flags, name)
			if f == nil {
				return nil, unknownFlag(flags, "--"+name)
			}
			taken, err := f.canonical("--"+name, value, attached, args[i+1:], &settings)
			if err != nil {
				return nil, err
			}
			i += taken
		case len(arg) > 1 && arg[0] == '-' && !isText(flags, arg):
			taken, err := cluster(flags, arg, args[i+1:], &settings)
			if err != nil {
				return nil, err
			}
			i += taken
		default:
			words = append(words, arg)
		}
	}
	return append(append(settings, "--"), words...), nil
}

// canonical appends the setting of f and tells how many of the arguments that follow it took.
func (f *flag) canonical(typed, value string, attached bool, rest []string, settings *[]string) (taken int, err error) {
	switch {
	case f.arg == "" && !attached:
		if len(rest) > 0 && (rest[0] == "true" || rest[0] == "false") {
			return 0, usageError{
				msg:  typed + " " + rest[0] + ": a switch takes its value only by =",
				hint: "write --" + f.name + "=" + rest[0] + "; for the word " + rest[0] + " as prompt, put it after --",
			}
		}
		value = "true"
	case f.arg == "" && value != "true" && value != "false":
		return 0, usageError{msg: typed + "=" + value + ": want true or false"}
	case f.arg != "" && !attached:
		if len(rest) == 0 {
			return 0, usageError{msg: typed + " needs a value", hint: "write --" + f.name + " " + f.arg}
		}
		value, taken = rest[0], 1
	}
	if value == "" {
		return 0, usageError{msg: typed + ": the value is empty", hint: "leave the flag out to use the default"}
	}
	*settings = append(*settings, "--"+f.name+"="+value)
	return taken, nil
}

// cluster reads a word of short flags: switches, of which the last may be a flag that takes the rest of the word, or the
// next argument, as its value.
func cluster(flags []flag, arg string, rest []string, settings *[]string) (taken int, err error) {
	for i, c := range arg[1:] {
		f := findShort(flags, c)
		if f == nil {
			return 0, unknownFlag(flags, arg)
		}
		after := arg[1+i+len(string(c)):]
		if f.arg == "" && !strings.HasPrefix(after, "=") {
			next := rest
			if after != "" {
				next = nil
			}
			if _, err := f.canonical("-"+string(c), "", false, next, settings); err != nil {
				return 0, err
			}
			continue
		}
		value, equals := strings.CutPrefix(after, "=")
		return f.canonical("-"+string(c), value, after != "" || equals, rest, settings)
	}
	return 0, nil
}

// isText tells whether a word that starts with a dash is text all the same: a number that no flag has as its name.
func isText(flags []flag, arg string) bool {
	c := arg[1]
	if c == '.' && len(arg) > 2 {
		c = arg[2]
	}
	return c >= '0' && c <= '9' && !(len(arg) == 2 && findShort(flags, rune(c)) != nil)
}

func findFlag(flags []flag, name string) *flag {
	for i := range flags {
		if flags[i].name == name {
			return &flags[i]
		}
	}
	return nil
}

func findShort(flags []flag, c rune) *flag {
	for i := range flags {
		if flags[i].short == string(c) {
			return &flags[i]
		}
	}
	return nil
}

// unknownFlag names the nearest flag there is.
func unknownFlag(flags []flag, typed string) error {
	var known []cli.Flag
	for _, f := range flags {
		if len(f.name) > 1 { // a name of one letter is near to all that hold it
			known = append(known, &cli.BoolFlag{Name: f.name})
		}
	}
	e := usageError{msg: "unknown flag " + typed}
	name := strings.TrimLeft(typed, "-")
	if near := cli.SuggestFlag(known, name, true); near != "" && len(name) > 1 {
		e.hint = "did you mean " + near + "? "
	} else if f := findFlag(flags, name); f != nil {
		e.hint = "did you mean --" + name + "? "
	}
	e.hint += "llmcall --help lists the flags; text that starts with a dash goes after --"
	return e
}
