package verbs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/text"
	"kairos/poller/fetch"
	"kairos/reader/parse"
)

// parsedArticle is an article as `parse` prints it: what would be stored of it.
type parsedArticle struct {
	Key        string            `json:"key"`
	Title      string            `json:"title"`
	Link       string            `json:"link"`
	Author     string            `json:"author"`
	Published  string            `json:"published"`
	Categories []string          `json:"categories,omitempty"`
	Content    string            `json:"content"`
	Enclosures []parsedEnclosure `json:"enclosures"`
}

type parsedEnclosure struct {
	URL    string `json:"url"`
	Type   string `json:"type"`
	Length int64  `json:"length"`

	Seconds int64 `json:"seconds,omitempty"` // how long it plays
}

// parseVerb shows what would be stored of feeds in files.
type parseVerb struct{ *env }

func (v parseVerb) command() *cobra.Command {
	var o parse.Options
	c := &cobra.Command{Use: "parse FILE…", Short: "Parse feeds in files and show their articles", Args: cobra.MinimumNArgs(1),
		Long: "Reads feeds from files (- for standard input) and shows what would be stored of them, without storing it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if u, err := url.Parse(o.URL); o.URL != "" && (err != nil || u.Host == "" && u.Scheme != "file") {
				return fmt.Errorf("%q is not the address of a feed", o.URL)
			}
			return v.parseFiles(cmd.Context(), args, o)
		}}
	c.Flags().StringVar(&o.URL, "url", "", "the address `U` of the feed")
	c.Flags().StringVar(&o.ContentType, "content-type", "", "the Content-Type `CT` of its HTTP response, like \"text/xml; charset=utf-8\"")
	return c
}

// parseFiles prints every file. It fails in part if some files are not feeds, and as wrong usage if
// none is.
func (v parseVerb) parseFiles(ctx context.Context, names []string, o parse.Options) error {
	defer collectLess()()
	bad := 0
	for _, name := range names {
		feed, err := v.parseFile(ctx, name, o)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			bad++
			v.complain("%s: %s", name, parseErrorText(err))
		}
		if err := v.printFeed(name, feed, err); err != nil {
			return err
		}
	}
	switch bad {
	case 0:
		return nil
	case len(names):
		return &codeError{code: exitUsage}
	}
	return someFailed
}

// collectLess collects garbage less often until it is told to stop, as long as little memory is
// in use: a feed that was printed leaves nothing behind, and what is in use of one is small.
func collectLess() (stop func()) {
	percent, limit := debug.SetGCPercent(400), debug.SetMemoryLimit(128<<20)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// parseFile reads as much of a file as would be read of an HTTP response.
func (v parseVerb) parseFile(ctx context.Context, name string, o parse.Options) (*parse.Feed, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(v.path(name))
		if err != nil {
			return nil, fmt.Errorf("cannot read the file: %w", errors.Unwrap(err))
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			o.Whole = info.Size()
		}
		in = f
	}
	body, err := io.ReadAll(io.LimitReader(in, fetch.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the file: %w", err)
	}
	if len(body) > fetch.MaxBody {
		body, o.Truncated = body[:fetch.MaxBody], true
	}
	o.Now = v.now()
	return parse.Parse(ctx, body, o)
}

// parseErrorText describes why a file is not a feed, and what to do about it.
func parseErrorText(err error) string {
	var e *parse.Error
	if !errors.As(err, &e) {
		return errorText(err)
	}
	p := text.English()
	return p.Sentences(p.ParseError(e), p.ParseAdvice(e))
}

func (e *env) now() time.Time {
	if e.options.Now != nil {
		return e.options.Now()
	}
	return time.Now()
}

// printFeed prints one JSON object or, as text, a line for each article.
func (v parseVerb) printFeed(name string, f *parse.Feed, failure error) error {
	if !v.json {
		return v.printText(name, f)
	}
	if f == nil {
		f = &parse.Feed{}
	}
	// Large feeds are written article by article.
	w := bufio.NewWriter(v.out)
	j := &jsonWriter{out: w}
	j.member("{", "file", name)
	j.member(",", "format", f.Format)
	j.member(",", "title", f.Title)
	j.member(",", "site", f.Site)
	j.text(`,"articles":[`)
	for i, a := range f.Articles {
		if i > 0 {
			j.text(",")
		}
		j.value(v.toParsedArticle(a))
	}
	j.text("]")
	warnings := []string{}
	for _, w := range f.Warnings {
		warnings = append(warnings, text.English().ParseWarning(w))
	}
	j.member(",", "warnings", warnings)
	j.member(",", "warningFacts", append([]parse.Warning{}, f.Warnings...)) // codes and values of warnings
	j.failure(failure)
	j.text("}\n")
	return errors.Join(j.err, w.Flush())
}

// failure writes why a file is not a feed, and the code of the reason.
func (m *jsonWriter) failure(err error) {
	text := ""
	if err != nil {
		text = parseErrorText(err)
	}
	m.member(",", "error", text)
	var e *parse.Error
	if errors.As(err, &e) {
		m.member(",", "errorCode", e.Code)
	}
}

// jsonWriter writes a JSON object member by member, on one line.
type jsonWriter struct {
	out *bufio.Writer
	buf bytes.Buffer
	err error
}

func (m *jsonWriter) text(s string) {
	if m.err == nil {
		_, m.err = m.out.WriteString(s)
	}
}

func (m *jsonWriter) value(v any) {
	m.buf.Reset()
	enc := json.NewEncoder(&m.buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil && m.err == nil {
		m.err = err
	}
	m.text(strings.TrimSuffix(m.buf.String(), "\n"))
}

func (m *jsonWriter) member(before, key string, v any) {
	m.text(before + `"` + key + `":`)
	m.value(v)
}

func (v parseVerb) toParsedArticle(a parse.Article) parsedArticle {
	published := a.Published
	if published.IsZero() {
		published = v.now() // first seen now
	}
	out := parsedArticle{Key: a.Key, Title: a.Title, Link: a.Link, Author: a.Author, Published: stamp(published), Categories: a.Categories, Content: a.HTML,
		Enclosures: []parsedEnclosure{}}
	for _, f := range a.Enclosures {
		out.Enclosures = append(out.Enclosures, parsedEnclosure(f))
	}
	return out
}

func (v parseVerb) printText(name string, f *parse.Feed) error {
	if f == nil {
		return nil // the error has been printed
	}
	if _, err := fmt.Fprintf(v.out, "%s: %s “%s”, %s\n", name, f.Format, f.Title, text.English().Articles(len(f.Articles))); err != nil {
		return err
	}
	for _, a := range f.Articles {
		date := "first seen now  "
		if !a.Published.IsZero() {
			date = a.Published.Local().Format("2006-01-02 15:04")
		}
		fmt.Fprintf(v.out, "  %s  %s  %s\n", date, a.Title, a.Link)
	}
	for _, w := range f.Warnings {
		fmt.Fprintf(v.out, "  %s\n", text.English().ParseWarning(w))
	}
	return nil
}
