package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestCurlHidesSecretsOfTheAddress(t *testing.T) {
	const address = "https://user:KEYMARK@host/v1?api-version=2&sig=KEYMARK%2B&x=a'b&api-key=KEYMARK"
	code, stdout, stderr := runWith(t.Context(), strings.NewReader(""), "--base-url", address, "--curl", "hi")
	if code != 0 || stderr != "" || strings.Contains(stdout, "KEYMARK") {
		t.Fatalf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	command, _, _ := strings.Cut(stdout, " \\\n")
	out, err := exec.Command("sh", "-c", "SIG=s%2B API_KEY=k; set -- "+command+`; eval "echo \"\${$#}\""`).Output()
	if want := "https://host/v1/chat/completions?api-version=2&sig=s%2B&x=a'b&api-key=k\n"; err != nil || string(out) != want {
		t.Errorf("%s\ngave %s, %v; want %s", command, out, err, want)
	}
}
