package content

import (
	"bytes"
	"sync"

	xhtml "golang.org/x/net/html"
)

// output is HTML on its way through the two passes: what the rewriter writes, and what the
// policy leaves of it. Its memory is used again.
type output struct {
	written bytes.Buffer
	clean   cleanHTML
	attrs   attrs // memory of the rewriter's
}

// outputs are those that nobody writes, with memory of up to maxOutput: few articles need more.
var outputs = sync.Pool{New: func() any { return new(output) }}

const maxOutput = 256 << 10

func newOutput(l *line) *output {
	o := outputs.Get().(*output)
	o.written.Reset()
	o.clean.Reset()
	o.clean.line = l
	return o
}

// sanitized returns what the policy leaves of what was written. The output is not used after it.
func (o *output) sanitized() string {
	o.clean.Grow(o.written.Len() + o.written.Len()/8)
	if err := policy().SanitizeReaderToWriter(&o.written, &o.clean); err != nil {
		return "" // of what may not be safe, nothing is kept
	}
	clean := string(bytes.TrimSpace(o.clean.Bytes()))
	o.clean.line = nil
	if o.written.Cap()+o.clean.Cap() <= maxOutput {
		outputs.Put(o)
	}
	return clean
}

// cleanHTML is what the policy writes, token by token. Its text goes to a line, too, if there is one.
type cleanHTML struct {
	bytes.Buffer
	line *line
}

// WriteString writes one token.
func (c *cleanHTML) WriteString(token string) (int, error) {
	token = dropControls(token)
	if c.line != nil && !c.line.full {
		c.line.token(token)
	}
	return c.Buffer.WriteString(token)
}

// startTag writes a start tag with attributes.
func (o *output) startTag(name string, a attrs) {
	o.written.WriteByte('<')
	o.written.WriteString(name)
	for _, t := range a {
		o.written.WriteByte(' ')
		o.written.WriteString(t.key)
		o.written.WriteString(`="`)
		o.written.WriteString(xhtml.EscapeString(t.value))
		o.written.WriteByte('"')
	}
	o.written.WriteByte('>')
}

func (o *output) endTag(name string) {
	o.written.WriteString("</")
	o.written.WriteString(name)
	o.written.WriteByte('>')
}

// text writes a token of text. With a "<" it is written by what it means: a "<" before an
// element that is left out may make a tag together with what follows.
func (o *output) text(z *xhtml.Tokenizer) {
	if raw := z.Raw(); bytes.IndexByte(raw, '<') < 0 {
		o.written.Write(raw)
		return
	}
	o.written.WriteString(xhtml.EscapeString(string(z.Text())))
}
