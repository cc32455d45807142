package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
)

// Write writes a feed with its articles and those that are gone, one at a time, and returns how many articles there were. Errors:
// the writer's, those of the sequences.
func Write(w io.Writer, f Feed, articles iter.Seq2[Article, error], gone iter.Seq2[Gone, error]) (n int, err error) {
	o := newOutput(w)
	o.raw("{\n")
	o.member("version", formVersion)
	o.member("title", cmp.Or(f.OwnTitle, f.Title, f.URL))
	if f.Site != "" {
		o.member("home_page_url", f.Site)
	}
	o.member("feed_url", f.URL)
	o.member("_kairos", f.member())
	o.raw(`"items": [`)
	n, err = writeAll(o, articles, func(a Article) any { return a.item() })
	if err != nil {
		return n, err
	}
	o.raw("],\n\"_kairos_gone\": [")
	if _, err := writeAll(o, gone, func(g Gone) any {
		g.Published, g.Seen = representable(g.Published), representable(g.Seen)
		return g
	}); err != nil {
		return n, err
	}
	o.raw("]\n}\n")
	return n, o.end()
}

// writeAll writes a sequence as the elements of an array, a line each.
func writeAll[T any](o *output, all iter.Seq2[T, error], form func(T) any) (n int, err error) {
	for one, err := range all {
		if err != nil {
			return n, err
		}
		if n > 0 {
			o.raw(",")
		}
		o.raw("\n")
		o.value(form(one))
		if o.err != nil {
			return n, o.err
		}
		n++
	}
	o.raw("\n")
	return n, o.err
}

// output writes JSON, up to the first error.
type output struct {
	to      *bufio.Writer
	line    bytes.Buffer
	encoder *json.Encoder
	err     error
}

func newOutput(w io.Writer) *output {
	o := &output{to: bufio.NewWriterSize(w, 1<<16)}
	o.encoder = json.NewEncoder(&o.line)
	o.encoder.SetEscapeHTML(false) // it would take three more bytes for each tag
	return o
}

func (o *output) raw(text string) {
	if o.err == nil {
		_, o.err = o.to.WriteString(text)
	}
}

func (o *output) value(v any) {
	if o.err != nil {
		return
	}
	o.line.Reset()
	if o.err = o.encoder.Encode(v); o.err == nil {
		_, o.err = o.to.Write(bytes.TrimSuffix(o.line.Bytes(), []byte("\n")))
	}
}

func (o *output) member(name string, v any) {
	o.raw(`"` + name + `": `)
	o.value(v)
	o.raw(",\n")
}

func (o *output) end() error {
	if o.err != nil {
		return fmt.Errorf("write an archive: %w", o.err)
	}
	return o.to.Flush()
}
