package providers

import (
	"math/big"
	"testing"
)

func TestDecimalCompare(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"0", "-0", 0},
		{"0.70", "0.7", 0},
		{"1e2", "100", 0},
		{"1E+2", "100.0", 0},
		{"100e-2", "1", 0},
		{"1e-7", "0.0000001", 0},
		{"0e99", "0", 0},
		{"2.0000000000000000000000000000000000000001", "2", 1},
		{"9007199254740993", "9007199254740992", 1},
		{"0.0009999999999999999999", "0.001", -1},
		{"-2.000000000000000000001", "-2", -1},
		{"-1", "0", -1},
		{"0", "-1e-400", 1},
		{"1e-400", "0", 1},
		{"1e999999999999", "1e400", 1},
		{"-1e999999999999999999999", "1", -1},
		{"10", "9", 1},
		{"0.1", "0.09", 1},
		{"12", "1.2e1", 0},
	} {
		t.Run(test.a+" and "+test.b, func(t *testing.T) {
			a, ok1 := parseDecimal([]byte(test.a))
			b, ok2 := parseDecimal([]byte(test.b))
			if !ok1 || !ok2 {
				t.Fatalf("read %v, %v", ok1, ok2)
			}
			if got := a.compare(b); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
			if got := b.compare(a); got != -test.want {
				t.Errorf("the other way %d, want %d", got, -test.want)
			}
		})
	}
}

func TestDecimalTakesJSONNumbersOnly(t *testing.T) {
	for _, s := range []string{"", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "NaN", "1 ", `"1"`, "1e1.5", "true", "1_0"} {
		if d, ok := parseDecimal([]byte(s)); ok {
			t.Errorf("%q is read as %v", s, d)
		}
	}
}

func TestDecimalString(t *testing.T) {
	for _, test := range []struct {
		in    string
		shift int
		want  string
	}{
		{"0.0000002", 6, "0.2"},
		{"2e-7", 6, "0.2"},
		{"0.00000125", 6, "1.25"},
		{"0.3", 0, "0.3"},
		{"15", 0, "15"},
		{"1500", 0, "1500"},
		{"0", 6, "0"},
		{"0.000", 6, "0"},
		{"-0.5", 1, "-5"},
		{"12.50", 0, "12.5"},
		{"1e30", 0, "0.1e31"},
		{"1e-30", 0, "0.1e-29"},
	} {
		d, ok := parseDecimal([]byte(test.in))
		if got := d.shift(test.shift).String(); !ok || got != test.want {
			t.Errorf("%s times 10^%d is %s, want %s", test.in, test.shift, got, test.want)
		}
	}
}

// FuzzDecimal holds the order of numbers against that of math/big, and what is written out against what was read.
func FuzzDecimal(f *testing.F) {
	f.Add("0.70", "7e-1")
	f.Add("-9007199254740993", "9007199254740992")
	f.Add("1e-7", "0.0000001")
	f.Fuzz(func(t *testing.T, s, u string) {
		a, ok1 := parseDecimal([]byte(s))
		b, ok2 := parseDecimal([]byte(u))
		if !ok1 || !ok2 || len(s)+len(u) > 200 || a.point > 1000 || a.point < -1000 || b.point > 1000 || b.point < -1000 {
			return
		}
		x, ok1 := new(big.Rat).SetString(s)
		y, ok2 := new(big.Rat).SetString(u)
		if !ok1 || !ok2 { // 0e99999999999 is beyond math/big
			return
		}
		if a.compare(b) != x.Cmp(y) {
			t.Errorf("%s and %s: %d, want %d", s, u, a.compare(b), x.Cmp(y))
		}
		again, ok := parseDecimal([]byte(a.String()))
		if !ok || again.compare(a) != 0 {
			t.Errorf("%s is written as %s", s, a)
		}
	})
}
