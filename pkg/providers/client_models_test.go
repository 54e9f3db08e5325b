package providers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestModelsThatDoNotEnd reads a list that always claims more: what was read so far must not pass for the whole.
func TestModelsThatDoNotEnd(t *testing.T) {
	pages := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		pages++
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"status":true,"total":100000000,"data":[{"model_name":"m"}]}`)
	}))
	defer server.Close()
	row, _ := Find("exascale")
	base, err := ParseBaseURL(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := NewTransport(TransportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	_, models, err := (&Client{Provider: row, BaseURL: base, Transport: transport}).Models(context.Background())
	var protocol *ProtocolError
	if !errors.As(err, &protocol) || models != nil {
		t.Errorf("%d models, %v; want a protocol error and none", len(models), err)
	}
	if pages != maxModelPages {
		t.Errorf("%d pages were asked for, want %d", pages, maxModelPages)
	}
}
