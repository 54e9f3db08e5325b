package providers

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// network reads a reply's body: before each read it flushes what was written of earlier chunks, and while it waits the idle
// timer runs.
type network struct {
	call  *call
	body  io.ReadCloser
	flush func() error
	feed  bool  // each byte is payload, as in a JSON body; of a stream the events are
	fed   bool  // payload has come since the last read
	err   error // what ended it, when that is not the body's end
}

func (n *network) Read(p []byte) (int, error) {
	if n.err != nil {
		return 0, n.err
	}
	if n.flush != nil {
		if n.err = n.flush(); n.err != nil {
			return 0, n.err
		}
	}
	n.call.idle.start(n.fed)
	k, err := n.body.Read(p)
	n.call.idle.stop()
	n.fed = n.feed && k > 0
	if err != nil && err != io.EOF {
		n.err = n.call.broken(err)
		err = n.err
	}
	return k, err
}

// unpack gives the body as a reader whose first bytes can be looked at, without the gzip that its header names or that it
// starts with. Some gateways compress whatever was asked for, and some do not say so.
func unpack(n *network, encoding string) (*bufio.Reader, error) {
	r := bufio.NewReaderSize(n, 4<<10)
	for name := range strings.SplitSeq(encoding, ",") {
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "", "identity", "gzip", "x-gzip":
		default:
			return nil, fmt.Errorf("content encoding %s was not asked for", oneLine(name, 40))
		}
	}
	first, err := r.Peek(1)
	if err == nil && first[0] == 0x1f {
		first, err = r.Peek(2)
	}
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case len(first) < 2 || first[1] != 0x8b:
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return bufio.NewReaderSize(&members{src: r, gzip: z}, 4<<10), nil
}

// members reads a gzip body member by member. gzip.Reader by itself would not give the end of one before it has seen whether
// another follows, and so hold back the last event of a stream whose server keeps the connection open.
type members struct {
	src   *bufio.Reader
	gzip  *gzip.Reader
	ended bool
}

func (m *members) Read(p []byte) (int, error) {
	for {
		if m.ended {
			if _, err := m.src.Peek(1); err != nil {
				return 0, err
			}
			if err := m.gzip.Reset(m.src); err != nil {
				return 0, err
			}
			m.gzip.Multistream(false)
			m.ended = false
		}
		n, err := m.gzip.Read(p)
		if m.ended = err == io.EOF; m.ended {
			err = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}
