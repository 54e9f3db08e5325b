package providers

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// TestCutAtEveryByte cuts replies after each of their bytes, by FIN and by RST, and checks that what was read is a prefix of the
// truth and that nothing that is missing passes for whole.
func TestCutAtEveryByte(t *testing.T) {
	events := []string{"data: " + chunk("a") + "\n\n", ": wait\n\ndata: " + chunk("é") + "\r\n\r\n", "data: [DONE]\n\n"}
	docs := []string{chunk("a"), chunk("é")}
	stream := strings.Join(events, "")
	const head = "HTTP/1.1 200 OK\r\nX-Request-Id: r-1\r\n"
	boundaries := 0
	for _, test := range []struct {
		name, reply string
		docs        []string
	}{
		{"chunked stream", head + "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(events...), docs},
		{"stream of a length", answer("200 OK", "Content-Type: text/event-stream\n", stream), docs},
		{"stream until the end", head + "Content-Type: text/event-stream\r\n\r\n" + stream, docs},
		{"chunked body", head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(okBody[:30], okBody[30:]), []string{okBody}},
		{"body of a length", answer("200 OK", "Content-Type: application/json\n", okBody), []string{okBody}},
		{"body until the end", head + "Content-Type: application/json\r\n\r\n" + okBody, []string{okBody}},
		{"packed body", answer("200 OK", "Content-Type: application/json\nContent-Encoding: gzip\n", string(pack(t, okBody))), []string{okBody}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, by := range []string{"FIN", "RST"} {
				c := clientOf(t, listen(t, func(c net.Conn, req *http.Request, _ []byte) {
					length, _ := strconv.Atoi(req.Header.Get("X-Cut"))
					io.WriteString(c, test.reply[:length])
					if by == "RST" {
						breakOff(c)
					}
				}))
				for length := range len(test.reply) {
					boundaries++
					c.Headers = http.Header{"X-Cut": {strconv.Itoa(length)}}
					got, r, err := ask(t, c)
					for i, doc := range got {
						if i >= len(test.docs) || doc != test.docs[i] {
							t.Fatalf("%s after %d bytes: document %d is %q", by, length, i, doc)
						}
					}
					// A stream that [DONE] ended, or whose documents are all there, its reader can tell whole or not; RST may also drop what was sent.
					var protocol *ProtocolError
					done := r != nil && r.Done
					switch {
					case err == nil && done:
						if len(got) != len(test.docs) {
							t.Fatalf("%s after %d bytes: done after %d documents", by, length, len(got))
						}
					case err == nil && test.name == "stream until the end" && by == "FIN":
					case errors.As(err, &protocol) && strings.HasSuffix(test.name, "until the end") && protocol.Message == "empty body":
					case !errors.Is(err, ErrTruncated):
						t.Fatalf("%s after %d of %d bytes: %q, error %v", by, length, len(test.reply), got, err)
					}
				}
			}
		})
	}
	t.Logf("%d boundaries", boundaries)
}
