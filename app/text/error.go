package text

import (
	"errors"

	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/imaging"
	"kairos/reader/opml"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

// Error words an error that is a fact; ok is false for any other.
func (p *Printer) Error(err error) (text string, ok bool) {
	var (
		store     *reader.Error
		duplicate *reader.DuplicateError
		discovery *discover.Error
		document  *parse.Error
		image     *imaging.Error
		list      *opml.Error
		unusable  *rule.Error
	)
	switch {
	case errors.As(err, &discovery):
		if _, worded := p.Error(discovery.Cause); discovery.Cause != nil && !worded {
			return "", false
		}
		return p.DiscoverError(discovery), true
	case errors.As(err, &document):
		return p.ParseError(document), true
	case errors.As(err, &image):
		return p.ImageError(image), true
	case errors.As(err, &list):
		return p.ListError(list), true
	case errors.As(err, &duplicate):
		return p.DuplicateFeed(duplicate.Feed.Title), true
	case errors.As(err, &store):
		return p.ReaderError(store), true
	case errors.As(err, &unusable):
		return p.RuleError(unusable), true
	}
	return "", false
}

// Technical makes a sentence of the English text of an error that is no fact.
func Technical(err error) string {
	text := Capital(err.Error())
	if text == "" {
		return ""
	}
	return text + "."
}
