package call

import (
	"strconv"
	"strings"
	"time"

	"kairos/poller/sync"
)

// Number is a number that some servers write as text. What is no number is zero.
type Number int64

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(data []byte) error {
	value, err := strconv.ParseInt(strings.Trim(string(data), `"`), 10, 64)
	if err == nil {
		*n = Number(value)
	}
	return nil
}

// String returns the number as text, as ids are.
func (n Number) String() string { return strconv.FormatInt(int64(n), 10) }

// Time returns the time of a number of seconds since 1970; zero where there is none.
func (n Number) Time() time.Time {
	if n <= 0 {
		return time.Time{}
	}
	return time.Unix(int64(n), 0).UTC()
}

// Portion is the first articles of a list: at most Limit, and no more than are good to have in memory at once.
type Portion struct {
	Limit    int
	Articles []sync.Article
	More     bool // the list may go on after them
}

// Add adds the next article. Errors: errEnough where the rest of the answer is left, to be asked for again; TooLarge.
func (p *Portion) Add(s *Stream, a sync.Article) error {
	full := s.isFull(a.Size())
	if full && len(p.Articles) > 0 {
		p.More = true
		return errEnough
	}
	p.Articles = append(p.Articles, a)
	if full { // one article alone
		p.More = true
		return errEnough
	}
	p.More = len(p.Articles) == p.Limit
	return s.Keep(a.Size())
}

// EachArticle reads a list of at most so many values and hands on the articles they are, as many at once as are good to have in
// memory. It returns the last of them, which it has not handed on.
func EachArticle[T any](s *Stream, most int, article func(T) sync.Article, handOn func([]sync.Article) error) (rest []sync.Article, err error) {
	err = Each(s, most, func(value T) error {
		a := article(value)
		full := s.isFull(a.Size())
		if full && len(rest) > 0 {
			before := rest
			rest = nil
			s.Release()
			if err := handOn(before); err != nil {
				return err
			}
			full = s.isFull(a.Size())
		}
		rest = append(rest, a)
		if full { // one article alone
			return nil
		}
		return s.Keep(a.Size())
	})
	return rest, err
}
