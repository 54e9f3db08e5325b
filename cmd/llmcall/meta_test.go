package main

import (
	"testing"
	"time"
)

func TestAddUsage(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"nothing", "", "", ""},
		{"the first alone", `{"a":1}`, "", `{"a":1}`},
		{"the second alone", "", `{"a":1}`, `{"a":1}`},
		{"numbers", `{"a":1,"b":2}`, `{"a":10,"b":20}`, `{"a":11,"b":22}`},
		{"inside", `{"d":{"a":1}}`, `{"d":{"a":2,"b":3}}`, `{"d":{"a":3,"b":3}}`},
		{"fractions", `{"a":0.5}`, `{"a":0.25}`, `{"a":0.75}`},
		{"beyond exact doubles", `{"a":9007199254740993}`, `{"a":2}`, `{"a":9007199254740995}`},
		{"what is no number is the last", `{"s":"x","n":null,"t":true}`, `{"s":"y","n":1,"t":false}`, `{"s":"y","n":1,"t":false}`},
		{"names with dots", `{"a.b":1}`, `{"a.b":2}`, `{"a.b":3}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(addUsage([]byte(tt.a), []byte(tt.b))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestUsageLine(t *testing.T) {
	for _, tt := range []struct{ name, usage, want string }{
		{"none", "", "usage: unknown, the provider sent none"},
		{"all", `{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"completion_tokens_details":{"reasoning_tokens":1}}`, "usage: 1 prompt, 2 completion, 1 of it reasoning, 3 total tokens"},
		{"some", `{"prompt_tokens":1,"completion_tokens":null}`, "usage: 1 prompt tokens"},
		{"other members", `{"tokens":{"in":1}}`, `usage: {"tokens":{"in":1}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := usageLine([]byte(tt.usage)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMilliseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "null", time.Second: "1000.0", 1234567 * time.Nanosecond: "1.2", 90 * time.Second: "90000.0"} {
		if got := milliseconds(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
