package request

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"testing"
)

func testdata(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// iso makes the beginning of a file of the ISO base media container, with tracks of the given handlers.
func iso(brand string, handlers ...string) []byte {
	b := []byte("\x00\x00\x00\x18ftyp" + brand + "\x00\x00\x00\x00isom")
	for _, h := range handlers {
		b = append(b, "\x00\x00\x00\x20hdlr\x00\x00\x00\x00\x00\x00\x00\x00"+h+"rest"...)
	}
	return b
}

func TestReadMedia(t *testing.T) {
	tests := []struct {
		name, kind   string
		data         []byte
		mime, format string
	}{
		{"PNG", "image", testdata(t, "pixel.png"), "image/png", ""},
		{"WebP", "image", testdata(t, "pixel.webp"), "image/webp", ""},
		{"JPEG", "image", []byte("\xff\xd8\xff\xe0\x00\x10JFIF"), "image/jpeg", ""},
		{"GIF", "image", []byte("GIF89a\x01\x00"), "image/gif", ""},
		{"older GIF", "image", []byte("GIF87a\x01\x00"), "image/gif", ""},
		{"WAV", "audio", testdata(t, "silence.wav"), "audio/wav", "wav"},
		{"MP3 with a tag", "audio", []byte("ID3\x04\x00"), "audio/mpeg", "mp3"},
		{"MP3 frame", "audio", []byte("\xff\xfb\x90\x64"), "audio/mpeg", "mp3"},
		{"MP3 frame of MPEG-2", "audio", []byte("\xff\xf3\x44\xc4"), "audio/mpeg", "mp3"},
		{"FLAC", "audio", []byte("fLaC\x00\x00\x00\x22"), "audio/flac", "flac"},
		{"Ogg", "audio", []byte("OggS\x00\x02"), "audio/ogg", "ogg"},
		{"M4A", "audio", iso("M4A "), "audio/mp4", "m4a"},
		{"MP4 with sound alone", "audio", iso("mp42", "soun"), "audio/mp4", "m4a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := ReadMedia(test.kind, "a.bin", test.data, false)
			if err != nil || m.Type != test.mime || m.Format != test.format || !bytes.Equal(m.Data, test.data) {
				t.Errorf("got %q, %q, %v", m.Type, m.Format, err)
			}
		})
	}
}

func TestReadMediaRefuses(t *testing.T) {
	const picture, sound = "convert it to PNG or JPEG", "convert it to WAV or MP3"
	tests := []struct {
		kind string
		data []byte
		want string
	}{
		{"image", nil, "empty where an image is wanted"},
		{"audio", nil, "empty where a sound is wanted"},
		{"image", []byte("hello, world"), "not an image of a known type (its first bytes are 68 65 6c 6c 6f 2c 20 77)"},
		{"audio", []byte("\xff\xfe"), "not a sound of a known type (its first bytes are ff fe)"},
		{"image", []byte("\x89PNG"), "not an image of a known type (its first bytes are 89 50 4e 47)"},
		{"image", testdata(t, "silence.wav"), "WAV sound is not an image: attach it with --audio"},
		{"audio", testdata(t, "pixel.png"), "a PNG image is not a sound: attach it with --image"},
		{"image", []byte("RIFF\x00\x00\x00\x00ACON"), "a RIFF file of a kind that is neither WebP nor WAV is not taken: convert it to PNG or WAV"},
		{"image", iso("heic"), "a HEIC image is not taken: " + picture},
		{"image", iso("mif1"), "a HEIC image is not taken: " + picture},
		{"image", []byte("\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00avifmif1"), "an AVIF image is not taken: " + picture},
		{"image", iso("avif"), "an AVIF image is not taken: " + picture},
		{"audio", iso("avif"), "an AVIF image is not a sound: " + picture},
		{"image", []byte("<svg xmlns=\"http://www.w3.org/2000/svg\">"), "an SVG image is not taken: convert it to PNG"},
		{"image", []byte("\ufeff<?xml version=\"1.0\"?>\n<!-- x -->\n<SVG>"), "an SVG image is not taken: convert it to PNG"},
		{"image", []byte("<!DOCTYPE html><title>Not found</title>"), "an HTML page is not taken: the address may have given an error page"},
		{"image", []byte("BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00"), "a BMP image is not taken: " + picture},
		{"image", []byte("II*\x00\x08"), "a TIFF image is not taken: " + picture},
		{"image", []byte("MM\x00*\x00"), "a TIFF image is not taken: " + picture},
		{"image", []byte("\x00\x00\x00\x0cJXL \r\n\x87\n"), "a JPEG XL image is not taken: " + picture},
		{"image", []byte("\x00\x00\x00\x0cjP  \r\n\x87\n"), "a JPEG 2000 image is not taken: " + picture},
		{"image", []byte("%PDF-1.7"), "a PDF is not taken: turn its pages into PNG, or its text into a file for --file"},
		{"audio", iso("mp42", "soun", "vide"), "an MP4 video is not a sound: convert it to WAV or MP3, or pick images from it"},
		{"audio", iso("isom"), "an MP4 video is not a sound: convert it to WAV or MP3, or pick images from it"},
		{"image", iso("qt  "), "a QuickTime video is not an image: convert it to WAV or MP3, or pick images from it"},
		{"audio", []byte("FORM\x00\x00\x00\x00AIFF"), "AIFF sound is not taken: " + sound},
		{"audio", []byte("\xff\xf1\x50\x80"), "AAC sound is not taken: " + sound},
		{"audio", []byte("#!AMR\n"), "AMR sound is not taken: " + sound},
		{"image", []byte("PK\x03\x04"), "a zip archive is not taken: unpack it"},
		{"audio", append([]byte("fLaC"), make([]byte, MaxMedia)...), "20971524 bytes are more than the 20 MB (20971520 bytes) that providers take; --lint off sends them"},
	}
	for _, test := range tests {
		_, err := ReadMedia(test.kind, "a.bin", test.data, false)
		var input *InputError
		if !errors.As(err, &input) || err.Error() != "a.bin: "+test.want {
			t.Errorf("got  %v\nwant a.bin: %s", err, test.want)
		}
	}
}

func TestReadMediaAnySize(t *testing.T) {
	if _, err := ReadMedia("audio", "a", append([]byte("fLaC"), make([]byte, MaxMedia)...), true); err != nil {
		t.Error(err)
	}
	if _, err := ReadMedia("audio", "a", append([]byte("fLaC"), make([]byte, MaxMedia-4)...), false); err != nil {
		t.Error(err)
	}
}

func TestMediaURL(t *testing.T) {
	png := "data:image/png;base64," + base64.StdEncoding.EncodeToString(testdata(t, "pixel.png"))
	for _, url := range []string{"https://example.com/a.png?x=1&y", "HTTP://example.com", png, strings.Replace(png, "data:image/png;base64", "DATA:image/PNG;x=y;Base64", 1)} {
		if m, err := MediaURL("image", url); !IsURL(url) || err != nil || m.URL != url {
			t.Errorf("%s: got %q, %v", url, m.URL, err)
		}
	}
	for _, path := range []string{"a.png", "httpx://a", "http:/a", "./data:image", ""} {
		if IsURL(path) {
			t.Errorf("%s is no address", path)
		}
	}
	wav := testdata(t, "silence.wav")
	m, err := MediaURL("audio", "data:audio/x-wav;base64,"+base64.StdEncoding.EncodeToString(wav))
	if err != nil || m.Format != "wav" || m.Type != "audio/wav" || !bytes.Equal(m.Data, wav) {
		t.Errorf("got %q, %q, %v", m.Format, m.Type, err)
	}
	for url, want := range map[string]string{
		"https://example.com/a.mp3":      "--audio https://example.com/a.mp3: a sound is sent as a file: download it first",
		"data:audio/wav,RIFF":            "--audio data:audio/wav,RIFF: want data:audio/TYPE;base64,DATA",
		"data:audio/wav;base64":          "--audio data:audio/wav;base64: want data:audio/TYPE;base64,DATA",
		"data:image/png;base64,iVBO":     "--audio data:image/png;base64,iVBO: want data:audio/TYPE;base64,DATA",
		"data:audio/wav;base64,iVBO":     "--audio data:audio/wav;base64,iVBO: not a sound of a known type (its first bytes are 89 50 4e)",
		"data:audio/wav;base64,":         "--audio data:audio/wav;base64,: empty where a sound is wanted",
		"data:audio/wav;base64,UklG*":    "--audio data:audio/wav;base64,UklG*: the data URL does not hold base64: illegal base64 data at input byte 4",
		"data:audio/wav;base64,UklG\xff": "--audio data:audio/wav;base64,UklG\xff: not valid UTF-8 at byte 26 (0xFF)",
	} {
		if _, err := MediaURL("audio", url); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := MediaURL("image", "data:image/png;base64,"); err == nil || err.Error() != "--image data:image/png;base64,: the data URL is empty" {
		t.Errorf("got %v", err)
	}
}

// TestPartShapes is what each provider's row can ask for.
func TestPartShapes(t *testing.T) {
	read := func(kind, name string) Turn {
		m, err := ReadMedia(kind, name, testdata(t, name), false)
		if err != nil {
			t.Fatal(err)
		}
		return Turn{Kind: kind, Media: m}
	}
	const (
		png  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
		webp = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"
		wav  = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
		head = `{"messages":[{"role":"user","content":[{"type":"text","text":"what"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + png +
			`"}},{"type":"image_url","image_url":{"url":"data:image/webp;base64,` + webp + `"}},`
		tail = `]}],"stream":false}`
	)
	for shape, part := range map[string]string{
		"":              `{"type":"input_audio","input_audio":{"data":"` + wav + `","format":"wav"}}`,
		"input_audio":   `{"type":"input_audio","input_audio":{"data":"` + wav + `","format":"wav"}}`,
		"audio_content": `{"type":"audio_content","audio_content":{"content":"data:audio/wav;base64,` + wav + `"}}`,
	} {
		r, err := Build(Options{
			Turns:  []Turn{read("image", "pixel.png"), read("image", "pixel.webp"), read("audio", "silence.wav")},
			Prompt: prompt("what"), Shapes: Shapes{Audio: shape},
		})
		if want := head + part + tail; err != nil || string(r.Body) != want {
			t.Errorf("%s: got  %s, %v\nwant %s", shape, r.Body, err, want)
		}
	}
}
