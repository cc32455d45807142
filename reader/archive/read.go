package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Visitor takes the parts of a file in their order: the feed first. An error ends reading and is returned as it is.
type Visitor interface {
	Feed(f Feed) error
	Article(a Article) error
	Gone(g Gone) error
}

// ErrorCode says why a file cannot be read.
type ErrorCode string

const (
	NotAnArchive ErrorCode = "not-an-archive" // the file is something else
	Newer        ErrorCode = "newer"          // a newer version of Kairos has written it
	Damaged      ErrorCode = "damaged"        // it is broken at Offset; what stands before was read
	TooLarge     ErrorCode = "too-large"      // one article at Offset is larger than MaxArticle
	NotEmpty     ErrorCode = "not-empty"      // the folder to be written into has something in it
)

// Error says why a file cannot be read to its end.
type Error struct {
	Code   ErrorCode
	Offset int64 // bytes
	Err    error
}

func (e *Error) Error() string {
	if e.Code == NotEmpty {
		return "archive: the folder is not empty"
	}
	return fmt.Sprintf("archive: %s at byte %d: %v", e.Code, e.Offset, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// MaxArticle is how large an article may be in a file, in bytes.
const MaxArticle = 64 << 20

// Read reads a file that Write has written, one article at a time. Errors: *Error, the reader's, the visitor's.
func Read(r io.Reader, v Visitor) error {
	in := &input{limit: limitedReader{from: r}, visitor: v}
	in.decoder = json.NewDecoder(&in.limit)
	return in.read()
}

// limitedReader reads no more than MaxArticle bytes from one call of reset to the next.
type limitedReader struct {
	from io.Reader
	left int64
	err  error // of the file itself
}

var errTooLarge = errors.New("a part is too large")

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLarge
	}
	n, err := l.from.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return n, err
}

type input struct {
	limit   limitedReader
	decoder *json.Decoder
	visitor Visitor
	visited error // what the visitor said

	address, site string
	feedSeen      bool
}

func (in *input) read() error {
	in.limit.left = MaxArticle
	err := in.object()
	switch {
	case err == nil:
		return nil
	case in.visited != nil:
		return in.visited
	case in.limit.err != nil:
		return fmt.Errorf("read an archive: %w", in.limit.err)
	}
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	code := Damaged
	switch {
	case errors.Is(err, errTooLarge):
		code = TooLarge
	case !in.feedSeen:
		code = NotAnArchive
	}
	return &Error{code, in.decoder.InputOffset(), err}
}

// object reads the members of the file.
func (in *input) object() error {
	if err := in.delimiter('{'); err != nil {
		return err
	}
	for in.decoder.More() {
		name, err := in.decoder.Token()
		if err != nil {
			return err
		}
		if err := in.memberNamed(name); err != nil {
			return err
		}
		in.limit.left = MaxArticle
	}
	return in.delimiter('}')
}

func (in *input) memberNamed(name json.Token) error {
	switch name {
	case "home_page_url":
		return in.decoder.Decode(&in.site)
	case "feed_url":
		return in.decoder.Decode(&in.address)
	case "_kairos":
		return in.feed()
	case "items":
		return each(in, func(i *item) error { return in.visitor.Article(i.article()) })
	case "_kairos_gone":
		return each(in, func(g *Gone) error { return in.visitor.Gone(*g) })
	}
	var other json.RawMessage
	return in.decoder.Decode(&other)
}

var errNoFeed = errors.New("the feed does not come first")

func (in *input) feed() error {
	var m feedMember
	if err := in.decoder.Decode(&m); err != nil {
		return err
	}
	if m.Version > Version {
		return &Error{Newer, in.decoder.InputOffset(), fmt.Errorf("version %d", m.Version)}
	}
	if m.Version < 1 || in.address == "" || in.feedSeen {
		return errNoFeed
	}
	in.feedSeen = true
	in.visited = in.visitor.Feed(m.feed(in.address, in.site))
	return in.visited
}

// each reads an array one element at a time.
func each[T any](in *input, visit func(*T) error) error {
	if !in.feedSeen {
		return errNoFeed
	}
	if err := in.delimiter('['); err != nil {
		return err
	}
	for in.decoder.More() {
		in.limit.left = MaxArticle
		var one T
		if err := in.decoder.Decode(&one); err != nil {
			return err
		}
		if in.visited = visit(&one); in.visited != nil {
			return in.visited
		}
	}
	return in.delimiter(']')
}

func (in *input) delimiter(want json.Delim) error {
	got, err := in.decoder.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if got != want {
		return fmt.Errorf("%v in place of %v", got, want)
	}
	return nil
}
