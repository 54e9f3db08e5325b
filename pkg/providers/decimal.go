package providers

import (
	"bytes"
	"strconv"
	"strings"
)

// decimal is a number as JSON spells it, exact at any length: 0.DIGITS times ten to the power point. The zero value is 0.
type decimal struct {
	negative bool
	digits   string // without zeros at either end; empty: 0
	point    int
}

// maxExponent bounds exponents; numbers beyond are taken for the nearest that is within.
const maxExponent = 1 << 40

// parseDecimal reads a JSON number; ok is false for anything else.
func parseDecimal(raw []byte) (d decimal, ok bool) {
	rest, negative := bytes.CutPrefix(raw, []byte("-"))
	mantissa, exponent := rest, 0
	if i := bytes.IndexAny(rest, "eE"); i >= 0 {
		mantissa = rest[:i]
		if exponent, ok = parseExponent(rest[i+1:]); !ok {
			return decimal{}, false
		}
	}
	whole, fraction, dotted := bytes.Cut(mantissa, []byte("."))
	if !areDigits(whole) || len(whole) > 1 && whole[0] == '0' || dotted && !areDigits(fraction) {
		return decimal{}, false
	}
	digits := string(whole) + string(fraction)
	significant := strings.TrimLeft(digits, "0")
	d = decimal{negative, strings.TrimRight(significant, "0"), exponent + len(whole) - (len(digits) - len(significant))}
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

func parseExponent(raw []byte) (n int, ok bool) {
	rest := raw
	if len(rest) > 0 && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	if !areDigits(rest) {
		return 0, false
	}
	for _, c := range rest {
		n = min(n*10+int(c-'0'), maxExponent)
	}
	if raw[0] == '-' {
		n = -n
	}
	return n, true
}

func areDigits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0
}

// compare gives -1, 0 or 1 as d is less than, equal to or more than e.
func (d decimal) compare(e decimal) int {
	switch {
	case d.sign() != e.sign():
		if d.sign() < e.sign() {
			return -1
		}
		return 1
	case d.negative:
		d, e = e, d
	}
	switch {
	case d.digits == "":
		return 0
	case d.point != e.point:
		if d.point < e.point {
			return -1
		}
		return 1
	}
	return strings.Compare(d.digits, e.digits)
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// shift gives d times ten to the power n.
func (d decimal) shift(n int) decimal {
	if d.digits != "" {
		d.point += n
	}
	return d
}

// String writes d out without an exponent, unless that would take many zeros.
func (d decimal) String() string {
	const zeros = 20
	sign, whole, fraction := "", "0", ""
	if d.negative {
		sign = "-"
	}
	switch n := len(d.digits); {
	case n == 0:
	case d.point > n+zeros || d.point < -zeros:
		return sign + "0." + d.digits + "e" + strconv.Itoa(d.point)
	case d.point <= 0:
		fraction = strings.Repeat("0", -d.point) + d.digits
	case d.point >= n:
		whole = d.digits + strings.Repeat("0", d.point-n)
	default:
		whole, fraction = d.digits[:d.point], d.digits[d.point:]
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}
