package output

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// chunks is a stream of the size of a provider's chunks, one of them with an escape in every eight.
func chunks(n int, field string) [][]byte {
	docs := make([][]byte, 0, n+1)
	for i := range n {
		text := "word no. 0123456789 of the text "
		if i%8 == 7 {
			text = `a line\nand \"quoted\" words \u00e9 `
		}
		docs = append(docs, fmt.Appendf(nil, `{"id":"chatcmpl-0f5e7f0c6c0a4f5e9d393b2a7d1f8e11","object":"chat.completion.chunk","created":1790000000,"model":"m-small","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"%s":"%s"},"logprobs":null,"finish_reason":null}]}`, field, text))
	}
	return append(docs, []byte(`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`))
}

// varied are chunks of which each differs from the one before in more than its text.
func varied(n int) [][]byte {
	docs := chunks(n, "content")
	for i, doc := range docs {
		docs[i] = bytes.Replace(doc, []byte(`"created":1790000000`), fmt.Appendf(nil, `"created":%d`, 1790000000+i), 1)
	}
	return docs
}

func benchmark(b *testing.B, o Options, docs [][]byte) {
	o.Out, o.Err = io.Discard, io.Discard
	size := 0
	for _, doc := range docs {
		size += len(doc)
	}
	b.SetBytes(int64(size) / int64(len(docs)))
	b.ReportAllocs()
	w, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		if err := w.Chunk(docs[i]); err != nil {
			b.Fatal(err)
		}
		if i++; i == len(docs) {
			i = 0
		}
	}
	if err := w.Close(true); err != nil && i >= len(docs) {
		b.Fatal(err)
	}
}

func BenchmarkContent(b *testing.B) {
	benchmark(b, Options{Live: true}, chunks(1000, "content"))
}

func BenchmarkContentVaried(b *testing.B) {
	benchmark(b, Options{Live: true}, varied(1000))
}

func BenchmarkNDJSON(b *testing.B) {
	benchmark(b, Options{Format: NDJSON, Live: true}, chunks(1000, "content"))
}

func BenchmarkNDJSONVaried(b *testing.B) {
	benchmark(b, Options{Format: NDJSON, Live: true}, varied(1000))
}

func BenchmarkReasoning(b *testing.B) {
	benchmark(b, Options{Format: Reasoning, Live: true}, chunks(1000, "reasoning_content"))
}

func BenchmarkStripThink(b *testing.B) {
	docs := chunks(1000, "content")
	docs[0] = bytes.Replace(docs[0], []byte("word"), []byte("<think>why</think>word"), 1)
	benchmark(b, Options{Live: true, StripThink: true}, docs)
}

// BenchmarkReassembly puts a stream of 10,000 chunks together, so that the cost of the end is in it.
func BenchmarkReassembly(b *testing.B) {
	docs := chunks(10000, "content")
	size := 0
	for _, doc := range docs {
		size += len(doc)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		w, err := New(Options{Format: JSON, Out: io.Discard})
		if err != nil {
			b.Fatal(err)
		}
		for _, doc := range docs {
			if err := w.Chunk(doc); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(true); err != nil {
			b.Fatal(err)
		}
	}
}
