package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/reader/content"
)

// Bounds of an answer, as it is after decompression. A server that is not bounded could take all memory of this computer: some
// hundred kilobytes are enough with gzip.
const (
	maxPlain  = 1 << 20  // bytes of an answer that is not read as a stream: sessions, confirmations, one feed
	maxAnswer = 64 << 20 // bytes of an answer that is read as a stream: it costs time, not memory
	maxValue  = 8 << 20  // bytes of one value in it, such as an article with all its pictures inside; longer texts of a Shortened are left out
	maxRead   = 32 << 10 // bytes that are read at once
	maxKept   = 8 << 20  // bytes that are kept of it, before its last value
	maxFields = 1000     // fields of an answer
	maxList   = 10_000   // elements of a list within a value: far more than an article has enclosures
)

// errTooLarge says that an answer goes beyond the bounds. It is the cause of a *sync.Error with TooLarge.
var errTooLarge = errors.New("the answer is too large")

// errEnough ends the reading of an answer without an error: what it goes on with is not needed.
var errEnough = errors.New("enough was read")

// Stream reads an answer in JSON value by value, so that it takes memory for what is kept of it only. Its methods are for one
// goroutine.
type Stream struct {
	caller  *Caller
	status  int
	decoder *json.Decoder
	in      io.Reader
	hold    func(bytes int64) error // takes so many bytes in all from the memory that all bodies share
	held    int64
	read    int64 // bytes that the decoder was given
	kept    int
	shorten shortener
}

// newStream returns a stream of what in has.
func (c *Caller) newStream(in io.Reader, status int, hold func(bytes int64) error) *Stream {
	s := &Stream{caller: c, status: status, in: in, hold: hold}
	s.decoder = json.NewDecoder(s)
	return s
}

// Read implements io.Reader for the decoder, which holds what it has read since the end of the last value.
func (s *Stream) Read(p []byte) (int, error) {
	room := min(maxAnswer-s.shorten.read, s.decoder.InputOffset()+maxValue-s.read, maxRead)
	if room <= 0 {
		if n, err := s.in.Read(p[:min(1, len(p))]); n == 0 {
			return 0, err // it ends at the bound
		}
		return 0, errTooLarge
	}
	if err := s.account(len(p)); err != nil {
		return 0, err
	}
	for {
		n, err := s.in.Read(p[:min(int64(len(p)), room)])
		kept := s.shorten.filter(p[:n], s.read-s.decoder.InputOffset())
		s.read += int64(kept)
		if kept > 0 || err != nil {
			return kept, err
		}
		if s.shorten.read > maxAnswer {
			return 0, errTooLarge
		}
	}
}

// account holds memory for what is kept, for the value that is being read, as text and decoded, and for the room after it.
func (s *Stream) account(room int) error {
	const step = 64 << 10
	need := int64(s.kept) + 2*(s.read-s.decoder.InputOffset()) + int64(room)
	if need = (need + step - 1) / step * step; need == s.held {
		return nil
	}
	s.held = need
	return s.hold(need)
}

// Keep counts bytes that are kept of the answer. Errors: TooLarge.
func (s *Stream) Keep(size int) error {
	if s.kept += size; s.kept > maxKept {
		return s.caller.TooLarge()
	}
	return nil
}

// KeepText counts an id or a name that is kept in a list. Errors: TooLarge.
func (s *Stream) KeepText(text string) error { return s.Keep(textOverhead + len(text)) }

// textOverhead is how many bytes a text in a list takes beyond its own.
const textOverhead = 32

// isFull reports whether what is kept with size bytes more is all that may be kept.
func (s *Stream) isFull(size int) bool { return s.kept+size > maxKept }

// Release lets go of what was kept so far: it was handed on.
func (s *Stream) Release() { s.kept = 0 }

// fault makes an error of the decoder the server's.
func (s *Stream) fault(err error) error {
	var failed *fetch.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errTooLarge), errors.Is(err, fetch.ErrNoRoom):
		return s.caller.TooLarge()
	case errors.As(err, &failed):
		return s.caller.fault(failed, nil)
	}
	return &sync.Error{Code: sync.Garbled, Host: s.caller.base.Host, Status: s.status, Err: err}
}

// Decode decodes the next value. Errors: *sync.Error with Garbled or TooLarge.
func (s *Stream) Decode(into any) error { return s.fault(s.decoder.Decode(into)) }

// DecodeWhole decodes an answer that is one value, which is not null. Errors: those of Decode.
func (s *Stream) DecodeWhole(into any) error {
	s.shorten.on = isShortened(into)
	var whole json.RawMessage
	if err := s.Decode(&whole); err != nil {
		return err
	}
	if string(whole) == "null" {
		return s.caller.Garbled("null")
	}
	err := json.Unmarshal(whole, into)
	s.shorten.finish(into)
	return s.fault(err)
}

func (s *Stream) token() (json.Token, error) {
	token, err := s.decoder.Token()
	return token, s.fault(err)
}

// Object reads an object. A field of a name in fields is read by its function, any other is left out. Names are compared as
// encoding/json does, without regard to case.
func (s *Stream) Object(fields map[string]func() error) error {
	if open, err := s.token(); err != nil || open != json.Delim('{') {
		return s.orGarbled(err, "no object")
	}
	for n := 0; s.decoder.More(); n++ {
		if n >= maxFields {
			return s.caller.TooLarge()
		}
		token, err := s.token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		read := s.Skip
		for field, f := range fields {
			if strings.EqualFold(field, name) {
				read = f
			}
		}
		if err := read(); err != nil {
			return err
		}
	}
	_, err := s.token()
	return err
}

// Field reads an object of which one field is wanted, which has to be there.
func (s *Stream) Field(name string, read func() error) error {
	found := false
	err := s.Object(map[string]func() error{name: func() error {
		found = true
		return read()
	}})
	if err == nil && !found {
		err = s.caller.Garbled("no " + name + " in the answer")
	}
	return err
}

// Skip reads the next value and keeps nothing of it. Errors: those of Decode.
func (s *Stream) Skip() error { return s.Decode(new(omitted)) }

// omitted is a value of which nothing is kept.
type omitted struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (omitted) UnmarshalJSON([]byte) error { return nil }

func (s *Stream) orGarbled(err error, why string) error {
	if err != nil {
		return err
	}
	return s.caller.Garbled(why)
}

// Each reads a list of at most so many values and hands each of them to keep, whose errors it returns.
func Each[T any](s *Stream, most int, keep func(T) error) error {
	if open, err := s.token(); err != nil || open != json.Delim('[') {
		return s.orGarbled(err, "no list")
	}
	for n := 0; s.decoder.More(); n++ {
		if n >= most {
			return s.caller.TooLarge()
		}
		var value T
		s.shorten.on = isShortened(&value)
		if err := s.Decode(&value); err != nil {
			return err
		}
		s.shorten.finish(&value)
		if err := keep(value); err != nil {
			return err
		}
	}
	_, err := s.token()
	return err
}

// List is a list within a value, of at most maxList elements.
type List[T any] []T

// UnmarshalJSON implements json.Unmarshaler. It decodes element by element: an element takes many times the memory of its text.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	*l = nil
	decoder := json.NewDecoder(bytes.NewReader(data))
	open, err := decoder.Token()
	switch {
	case err != nil:
		return err
	case open == nil: // null
		return nil
	case open != json.Delim('['):
		return errors.New("no list")
	}
	*l = List[T]{}
	for decoder.More() {
		if len(*l) >= maxList {
			return errTooLarge
		}
		var element T
		if err := decoder.Decode(&element); err != nil {
			return err
		}
		*l = append(*l, element)
	}
	_, err = decoder.Token()
	return err
}

// Stream sends a request as Do does and has read read its answer, in JSON, while it comes. The answer it returns has no Data.
// Errors: those of Do and of read; *sync.Error with Garbled where the answer goes on after what read has read.
func (c *Caller) Stream(ctx context.Context, method, path string, body *Body, read func(*Stream) error) (*Answer, error) {
	return c.send(ctx, method, path, body, func(s *Stream) error {
		defer func() { sync.TrafficOf(ctx).Shorten(s.shorten.values) }()
		if err := read(s); err != nil {
			return err
		}
		return s.end()
	})
}

// end reads on to the end of the answer, where nothing more may come.
func (s *Stream) end() error {
	_, err := s.decoder.Token()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return s.fault(err)
	}
	return s.caller.Garbled("the answer goes on after its end")
}

// TooLarge is the error for an answer, or answers together, beyond the bounds.
func (c *Caller) TooLarge() error {
	return &sync.Error{Code: sync.TooLarge, Host: c.base.Host, Err: errTooLarge}
}

// Bounds of the fields of feeds and articles, in bytes.
const (
	maxID      = 1000
	maxAddress = 8 << 10
	maxText    = 10_000
)

// Text returns a title, a name or the like, cut where it is longer than any that people read.
func Text(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.Clone(content.CutBytes(s, maxText))
}

// Address returns an address, or "" where it is longer than browsers and servers take: cut, it would be another.
func Address(s string) string {
	if len(s) > maxAddress {
		return ""
	}
	return s
}

// ID returns an id, or "" where it is too long to be one.
func ID(s string) string {
	if len(s) > maxID {
		return ""
	}
	return s
}

// Bounds of a list over several answers.
const (
	maxPages    = 10_000
	maxListKept = 16 << 20 // bytes
)

// Paging bounds a list over several answers, which a server could go on with for ever.
type Paging struct {
	caller      *Caller
	pages, kept int
}

// Paging returns the bounds of a list that begins.
func (c *Caller) Paging() *Paging { return &Paging{caller: c} }

// Next counts another answer of the list. Errors: TooLarge.
func (p *Paging) Next() error {
	if p.pages++; p.pages > maxPages {
		return p.caller.TooLarge()
	}
	return nil
}

// Keep counts an id that is kept of the list. Errors: TooLarge.
func (p *Paging) Keep(id string) error {
	if p.kept += textOverhead + len(id); p.kept > maxListKept {
		return p.caller.TooLarge()
	}
	return nil
}
