package providers

import (
	"bytes"
	"net"
	"strconv"
	"strings"
)

// rechunked is a connection that gives the parts of a chunk as chunks of their own, as they arrive. The reader of chunked
// bodies in net/http (Go 1.26) returns what it has at the end of a chunk only: when a packet ends within one, the events
// before it wait for the next packet, or for ever. What is no HTTP/1.1, TLS among it, passes as it is.
type rechunked struct {
	net.Conn
	buf   []byte // what a read may fill
	out   []byte // rewritten and not yet given
	given int
	err   error // of the connection, to be given after out

	in      place
	line    []byte // of the head, a chunk's size or the trailer, as far as it has come
	left    int64  // bytes of the chunk or body
	chunked bool
	length  int64 // of the body, -1 if the head does not say
	status  int   // 0: the head's first line is still to come
}

// place is where in a response the bytes are that come next.
type place int

const (
	inHead     place = iota
	inSize           // the line before a chunk
	inChunk          // a chunk's data
	inChunkEnd       // the line end behind it
	inTrailer
	inBody // of a known length
	asIs   // nothing more is understood
)

const (
	rechunkBuffer = 64 << 10
	longestLine   = 64 << 10
)

func (c *rechunked) Read(p []byte) (int, error) {
	for {
		if c.given < len(c.out) {
			n := copy(p, c.out[c.given:])
			c.given += n
			return n, nil
		}
		if c.err != nil {
			return 0, c.err
		}
		if c.in == asIs {
			c.buf, c.out, c.given = nil, nil, 0
			return c.Conn.Read(p)
		}
		if c.buf == nil {
			c.buf = make([]byte, rechunkBuffer)
		}
		c.out, c.given = c.out[:0], 0
		n, err := c.Conn.Read(c.buf)
		c.take(c.buf[:n])
		c.err = err
		if n == 0 && err == nil {
			return 0, nil
		}
	}
}

// take rewrites what has come.
func (c *rechunked) take(b []byte) {
	for len(b) > 0 {
		switch c.in {
		case asIs:
			c.out = append(c.out, b...)
			return
		case inBody:
			n := int(min(c.left, int64(len(b))))
			c.out = append(c.out, b[:n]...)
			b = b[n:]
			if c.left -= int64(n); c.left == 0 {
				c.begin()
			}
		case inChunk:
			n := int(min(c.left, int64(len(b))))
			c.out = strconv.AppendInt(c.out, int64(n), 16)
			c.out = append(append(append(c.out, "\r\n"...), b[:n]...), "\r\n"...)
			b = b[n:]
			if c.left -= int64(n); c.left == 0 {
				c.in = inChunkEnd
			}
		default:
			if c.in == inSize && len(c.line) == 0 {
				n := wholeChunks(b)
				c.out = append(c.out, b[:n]...)
				b = b[n:]
			}
			b = c.takeLine(b)
		}
	}
}

// wholeChunks gives the length of the chunks at the start of b that are all there: they need no rewriting. The last chunk of a
// body, and what is out of the common, is left to takeLine.
func wholeChunks(b []byte) int {
	whole := 0
	for {
		size, i := 0, whole
		for ; i < len(b) && i-whole < 7; i++ {
			digit := fromHex(b[i])
			if digit < 0 {
				break
			}
			size = size<<4 | digit
		}
		end := i + size + len("\r\n\r\n")
		if size == 0 || end > len(b) || b[i] != '\r' || b[i+1] != '\n' || b[end-2] != '\r' || b[end-1] != '\n' {
			return whole
		}
		whole = end
	}
}

// fromHex gives the value of a hexadecimal digit, or -1.
func fromHex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// begin awaits the next response.
func (c *rechunked) begin() { c.in, c.status, c.length, c.chunked = inHead, 0, -1, false }

// takeLine takes a line, or what has come of it, and gives the rest. Lines of head and trailer are given at once.
func (c *rechunked) takeLine(b []byte) []byte {
	n := bytes.IndexByte(b, '\n') + 1
	whole := n > 0
	if !whole {
		n = len(b)
	}
	c.line = append(c.line, b[:n]...)
	if c.in == inHead || c.in == inTrailer {
		c.out = append(c.out, b[:n]...)
	}
	switch {
	case c.in == inHead && c.status == 0 && !couldBeHTTP(c.line), len(c.line) > longestLine:
		c.giveUp()
	case whole:
		c.endLine(strings.TrimRight(string(c.line), "\r\n"))
		c.line = c.line[:0]
	}
	return b[n:]
}

func couldBeHTTP(line []byte) bool {
	const http = "HTTP/1."
	n := min(len(line), len(http))
	return string(line[:n]) == http[:n]
}

// giveUp passes on what was held back, and all that comes, for net/http to judge.
func (c *rechunked) giveUp() {
	if c.in != inHead && c.in != inTrailer {
		c.out = append(c.out, c.line...)
	}
	c.in, c.line = asIs, nil
}

func (c *rechunked) endLine(line string) {
	switch c.in {
	case inHead:
		c.headLine(line)
	case inTrailer:
		if line == "" {
			c.begin()
		}
	case inChunkEnd:
		if line != "" {
			c.giveUp()
			return
		}
		c.in = inSize
	case inSize:
		size, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseUint(strings.TrimRight(size, " \t"), 16, 62)
		switch {
		case err != nil:
			c.giveUp()
		case n == 0:
			c.out = append(c.out, "0\r\n"...)
			c.in = inTrailer
		default:
			c.in, c.left = inChunk, int64(n)
		}
	}
}

// headLine takes a line of the head and decides at its end how the body comes.
func (c *rechunked) headLine(line string) {
	if c.status == 0 {
		_, after, _ := strings.Cut(line, " ")
		status, _, _ := strings.Cut(after, " ")
		if c.status, _ = strconv.Atoi(status); c.status == 0 {
			c.giveUp()
		}
		c.length, c.chunked = -1, false
		return
	}
	if line != "" {
		name, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); {
		case strings.EqualFold(name, "Transfer-Encoding"):
			c.chunked = strings.EqualFold(value, "chunked")
		case strings.EqualFold(name, "Content-Length"):
			if n, err := strconv.ParseInt(value, 10, 62); err == nil {
				c.length = n
			}
		}
		return
	}
	switch {
	case c.status >= 100 && c.status < 200 && c.status != 101, c.status == 204, c.status == 304, c.length == 0 && !c.chunked:
		c.begin()
	case c.chunked:
		c.in = inSize
	case c.length > 0:
		c.in, c.left = inBody, c.length
	default:
		c.giveUp()
	}
}
