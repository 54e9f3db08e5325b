package providers

import (
	"iter"
	"net/http"
	"time"
)

// Response is a reply whose status is 200.
type Response struct {
	Status    int
	Header    http.Header
	RequestID string // from the header; "" when no header has one
	// Stream says that the body is an event stream, so that Documents gives chunks; else it gives the one body.
	Stream bool
	// Done says, once Documents has ended, that the stream ended with [DONE].
	Done    bool
	Timings Timings
}

// Timings are measured from the start of Do. Connect is zero where a connection was used again or none was needed.
type Timings struct {
	Connect   time.Duration
	FirstByte time.Duration
}

// Documents yields the chunks of a stream, or the one JSON body, as sent; each is valid until the next. flush is called
// before each read of the network, so that what was written of earlier chunks is not kept back while the next is awaited; its error ends the
// iteration as it is. An error is the last thing yielded. Body and connection are closed at the end. Chunks are not checked to be JSON beyond their ends.
func (r *Response) Documents(flush func() error) iter.Seq2[[]byte, error] { return nil }

// Close gives up the rest of the reply.
func (r *Response) Close() error { return nil }
