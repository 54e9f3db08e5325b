package request

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
)

// MaxMedia is the size in bytes up to which ReadMedia takes a file.
const MaxMedia = 20 << 20

// Media is an image or a sound that goes with a user message.
type Media struct {
	Type   string // of the content, as "image/png"
	Format string // the short name that input_audio takes, as "wav"
	Data   []byte // the file, or nil if URL is given
	URL    string // sent as it is
}

// Shapes name the forms in which a provider takes media: Image "image_url"; Audio "input_audio", as OpenAI, or
// "audio_content", as Infercom. Empty are the first of these.
type Shapes struct{ Image, Audio string }

// ReadMedia tells by its first bytes what a file is; kind is "image" or "audio" as the flag says. What providers do not
// decode is refused by name with what to convert it to, and so is what is empty, unknown, or over MaxMedia unless anySize.
func ReadMedia(kind, source string, data []byte, anySize bool) (Media, error) {
	refuse := func(format string, args ...any) (Media, error) {
		return Media{}, &InputError{Source: source, Msg: fmt.Sprintf(format, args...)}
	}
	if len(data) == 0 {
		return refuse("empty where %s is wanted", article(kind))
	}
	f := sniff(data)
	switch {
	case f.name == "":
		return refuse("not %s of a known type (its first bytes are % x)", article(kind), data[:min(len(data), 8)])
	case f.refused != "" && (f.kind == kind || f.kind == ""):
		return refuse("%s is not taken: %s", f.name, f.refused)
	case f.refused != "":
		return refuse("%s is not %s: %s", f.name, article(kind), f.refused)
	case f.kind != kind:
		return refuse("%s is not %s: attach it with --%s", f.name, article(kind), f.kind)
	case len(data) > MaxMedia && !anySize:
		return refuse("%d bytes are more than the 20 MB (%d bytes) that providers take; --lint off sends them", len(data), MaxMedia)
	}
	return Media{Type: f.mime, Format: f.format, Data: data}, nil
}

func article(kind string) string {
	if kind == "image" {
		return "an image"
	}
	return "a sound"
}

// IsURL tells whether the value of a media flag is an address and not a file's path.
func IsURL(value string) bool {
	for _, scheme := range []string{"http://", "https://", "data:"} {
		if len(value) >= len(scheme) && strings.EqualFold(value[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// MediaURL takes an image by its address, which is sent as it is, or a sound by a data: URL. A data: URL must hold base64 of
// the kind.
func MediaURL(kind, url string) (Media, error) {
	source := "--" + kind + " " + clip(url)
	if _, err := CheckText(source, []byte(url)); err != nil {
		return Media{}, err
	}
	scheme, rest, _ := strings.Cut(url, ":")
	if !strings.EqualFold(scheme, "data") {
		if kind == "audio" {
			return Media{}, &InputError{Source: source, Msg: "a sound is sent as a file: download it first"}
		}
		return Media{URL: url}, nil
	}
	head, payload, found := strings.Cut(rest, ",")
	mime, encoded := strings.CutSuffix(strings.ToLower(head), ";base64")
	if !found || !encoded || !strings.HasPrefix(mime, kind+"/") {
		return Media{}, &InputError{Source: source, Msg: "want data:" + kind + "/TYPE;base64,DATA"}
	}
	data, err := base64.StdEncoding.DecodeString(payload)
	switch {
	case err != nil:
		return Media{}, &InputError{Source: source, Msg: "the data URL does not hold base64: " + err.Error()}
	case kind == "audio":
		return ReadMedia(kind, source, data, true)
	case len(data) == 0:
		return Media{}, &InputError{Source: source, Msg: "the data URL is empty"}
	}
	return Media{URL: url}, nil
}

// appendParts writes media as content parts, a comma between them.
func appendParts(dst []byte, media []Media, shapes Shapes) ([]byte, error) {
	for i, m := range media {
		if i > 0 {
			dst = append(dst, ',')
		}
		shape := shapes.Image
		if m.Format != "" {
			shape = shapes.Audio
			if shape == "" {
				shape = "input_audio"
			}
		}
		switch shape {
		case "", "image_url":
			dst = append(m.appendURL(append(dst, `{"type":"image_url","image_url":{"url":`...)), '}', '}')
		case "audio_content":
			dst = append(m.appendURL(append(dst, `{"type":"audio_content","audio_content":{"content":`...)), '}', '}')
		case "input_audio":
			dst = base64.StdEncoding.AppendEncode(append(dst, `{"type":"input_audio","input_audio":{"data":"`...), m.Data)
			dst = object.AppendString(append(dst, `","format":`...), []byte(m.Format))
			dst = append(dst, '}', '}')
		default:
			return nil, &InputError{Source: "shape of media parts", Msg: "want image_url, input_audio or audio_content: " + clip(shape)}
		}
	}
	return dst, nil
}

// appendURL writes the medium as a JSON string that holds its address.
func (m Media) appendURL(dst []byte) []byte {
	if m.URL != "" {
		return object.AppendString(dst, []byte(m.URL))
	}
	dst = append(append(append(dst, `"data:`...), m.Type...), ";base64,"...)
	return append(base64.StdEncoding.AppendEncode(dst, m.Data), '"')
}
