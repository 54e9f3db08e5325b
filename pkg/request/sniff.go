package request

import "bytes"

// fileType is what a file is by its first bytes.
type fileType struct {
	kind    string // "image" or "audio"; empty for others
	name    string // as in an error, with its article; empty if unknown
	mime    string
	format  string // of sounds: what input_audio calls it
	refused string // why providers do not take it and what to do
}

const (
	asPicture = "convert it to PNG or JPEG"
	asSound   = "convert it to WAV or MP3"
)

// magics are the types that a fixed text at a fixed offset tells.
var magics = []struct {
	at    int
	magic string
	fileType
}{
	{0, "\x89PNG\r\n\x1a\n", fileType{kind: "image", name: "a PNG image", mime: "image/png"}},
	{0, "\xff\xd8\xff", fileType{kind: "image", name: "a JPEG image", mime: "image/jpeg"}},
	{0, "GIF87a", fileType{kind: "image", name: "a GIF image", mime: "image/gif"}},
	{0, "GIF89a", fileType{kind: "image", name: "a GIF image", mime: "image/gif"}},
	{0, "fLaC", fileType{kind: "audio", name: "FLAC sound", mime: "audio/flac", format: "flac"}},
	{0, "OggS", fileType{kind: "audio", name: "Ogg sound", mime: "audio/ogg", format: "ogg"}},
	{0, "ID3", fileType{kind: "audio", name: "MP3 sound", mime: "audio/mpeg", format: "mp3"}},
	{0, "%PDF-", fileType{name: "a PDF", refused: "turn its pages into PNG, or its text into a file for --file"}},
	{0, "II*\x00", fileType{kind: "image", name: "a TIFF image", refused: asPicture}},
	{0, "MM\x00*", fileType{kind: "image", name: "a TIFF image", refused: asPicture}},
	{0, "II+\x00", fileType{kind: "image", name: "a BigTIFF image", refused: asPicture}},
	{0, "MM\x00+", fileType{kind: "image", name: "a BigTIFF image", refused: asPicture}},
	{0, "8BPS", fileType{kind: "image", name: "a Photoshop image", refused: asPicture}},
	{0, "\x00\x00\x01\x00", fileType{kind: "image", name: "an icon", refused: asPicture}},
	{0, "\xff\x0a", fileType{kind: "image", name: "a JPEG XL image", refused: asPicture}},
	{4, "JXL \r\n\x87\n", fileType{kind: "image", name: "a JPEG XL image", refused: asPicture}},
	{4, "jP  \r\n\x87\n", fileType{kind: "image", name: "a JPEG 2000 image", refused: asPicture}},
	{0, "\x1aE\xdf\xa3", fileType{kind: "video", name: "a Matroska or WebM file", refused: asSound + ", or pick images from it"}},
	{0, "#!AMR", fileType{kind: "audio", name: "AMR sound", refused: asSound}},
	{0, "MThd", fileType{kind: "audio", name: "MIDI", refused: "render it as WAV or MP3"}},
	{0, "caff", fileType{kind: "audio", name: "CAF sound", refused: asSound}},
	{0, "0&\xb2u\x8ef\xcf\x11", fileType{kind: "audio", name: "Windows Media", refused: asSound}},
	{0, "RF64", fileType{kind: "audio", name: "RF64 sound", refused: asSound}},
	{0, "PK\x03\x04", fileType{name: "a zip archive", refused: "unpack it"}},
	{0, "\x1f\x8b", fileType{name: "a gzip file", refused: "unpack it"}},
}

// sniff tells what a file is. Names and what a system's table says of them do not count.
func sniff(b []byte) fileType {
	for i := range magics {
		m := &magics[i]
		if len(b) >= m.at && bytes.HasPrefix(b[m.at:], []byte(m.magic)) {
			return m.fileType
		}
	}
	switch {
	case len(b) >= 12 && string(b[:4]) == "RIFF":
		return riff(string(b[8:12]))
	case len(b) >= 12 && string(b[:4]) == "FORM" && (string(b[8:12]) == "AIFF" || string(b[8:12]) == "AIFC"):
		return fileType{kind: "audio", name: "AIFF sound", refused: asSound}
	case len(b) >= 12 && string(b[4:8]) == "ftyp":
		return isoMedia(b)
	case len(b) >= 14 && string(b[:2]) == "BM" && string(b[6:10]) == "\x00\x00\x00\x00":
		return fileType{kind: "image", name: "a BMP image", refused: asPicture}
	case len(b) >= 4 && b[0] == 0xFF && b[1]&0xE0 == 0xE0:
		return mpeg(b)
	}
	return markup(b)
}

// riff tells apart the forms of the RIFF container, of which WebP and WAV are two.
func riff(form string) fileType {
	switch form {
	case "WEBP":
		return fileType{kind: "image", name: "a WebP image", mime: "image/webp"}
	case "WAVE":
		return fileType{kind: "audio", name: "WAV sound", mime: "audio/wav", format: "wav"}
	case "AVI ":
		return fileType{kind: "video", name: "an AVI video", refused: asSound + ", or pick images from it"}
	}
	return fileType{name: "a RIFF file of a kind that is neither WebP nor WAV", refused: "convert it to PNG or WAV"}
}

// isoMedia tells apart the brands of the ISO base media container (ISO/IEC 14496-12).
func isoMedia(b []byte) fileType {
	brand := string(b[8:12])
	switch brand {
	case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1":
		if end := min(len(b), 64); bytes.Contains(b[12:end], []byte("avif")) {
			return fileType{kind: "image", name: "an AVIF image", refused: asPicture}
		}
		return fileType{kind: "image", name: "a HEIC image", refused: asPicture}
	case "avif", "avis":
		return fileType{kind: "image", name: "an AVIF image", refused: asPicture}
	case "M4A ", "M4B ", "M4P ":
		return fileType{kind: "audio", name: "M4A sound", mime: "audio/mp4", format: "m4a"}
	case "qt  ":
		return fileType{kind: "video", name: "a QuickTime video", refused: asSound + ", or pick images from it"}
	}
	// A brand such as mp42 says nothing of what is inside: the handlers of the tracks do.
	sound := false
	for rest := b; ; {
		_, after, found := bytes.Cut(rest, []byte("hdlr"))
		if !found || len(after) < 12 {
			break
		}
		if string(after[8:12]) == "vide" {
			sound = false
			break
		}
		sound = sound || string(after[8:12]) == "soun"
		rest = after
	}
	if sound {
		return fileType{kind: "audio", name: "M4A sound", mime: "audio/mp4", format: "m4a"}
	}
	return fileType{kind: "video", name: "an MP4 video", refused: asSound + ", or pick images from it"}
}

// mpeg reads the header of an MPEG audio frame: MP3 is layer III (ISO/IEC 11172-3), and layer 0 is AAC in ADTS.
func mpeg(b []byte) fileType {
	version, layer := b[1]>>3&3, b[1]>>1&3
	bitrate, rate := b[2]>>4, b[2]>>2&3
	switch {
	case layer == 0 && version >= 2:
		return fileType{kind: "audio", name: "AAC sound", refused: asSound}
	case layer == 1 && version != 1 && bitrate != 15 && rate != 3:
		return fileType{kind: "audio", name: "MP3 sound", mime: "audio/mpeg", format: "mp3"}
	}
	return fileType{}
}

// markup knows pictures and pages that are text.
func markup(b []byte) fileType {
	head := bytes.ToLower(b[:min(len(b), 1024)])
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("<svg")),
		(bytes.HasPrefix(head, []byte("<?xml")) || bytes.HasPrefix(head, []byte("<!"))) && bytes.Contains(head, []byte("<svg")):
		return fileType{kind: "image", name: "an SVG image", refused: "convert it to PNG"}
	case bytes.HasPrefix(head, []byte("<!doctype html")), bytes.HasPrefix(head, []byte("<html")):
		return fileType{name: "an HTML page", refused: "the address may have given an error page"}
	}
	return fileType{}
}
