package providers

import (
	"bytes"
	"encoding/base64"
	"io"
)

// isWeb says whether a URL is one that a server would have to fetch.
func isWeb(url []byte) bool {
	return hasPrefixFold(url, "http://") || hasPrefixFold(url, "https://")
}

func hasPrefixFold(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && bytes.EqualFold(s[:len(prefix)], []byte(prefix))
}

// isImage says whether a data URL, or the data of one by itself, is base64 and begins as an image of a format that servers
// commonly read.
func isImage(url []byte) bool {
	data := url
	if hasPrefixFold(url, "data:") {
		head, rest, ok := bytes.Cut(url, []byte(","))
		if !ok || !bytes.HasSuffix(bytes.ToLower(head), []byte(";base64")) {
			return false
		}
		data = rest
	}
	head := magic{}
	_, err := io.Copy(&head, base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	return err == nil && head.isImage()
}

// magic keeps the first bytes of what is written to it.
type magic struct {
	bytes [12]byte
	n     int
}

func (m *magic) Write(p []byte) (int, error) {
	m.n += copy(m.bytes[m.n:], p)
	return len(p), nil
}

// isImage knows PNG, JPEG, GIF, WebP, BMP, TIFF and ICO.
func (m *magic) isImage() bool {
	head := string(m.bytes[:m.n])
	for _, first := range []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF8", "BM", "II*\x00", "MM\x00*", "\x00\x00\x01\x00"} {
		if len(head) >= len(first) && head[:len(first)] == first {
			return true
		}
	}
	return len(head) == 12 && head[:4] == "RIFF" && head[8:] == "WEBP"
}
