package app

import (
	"errors"
	"strconv"

	"kairos/app/language"
	"kairos/poller"
	"kairos/poller/fetch"
)

// countText is a count, "" for 0.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// errorText words an error.
func errorText(err error) string {
	p := language.Printer()
	if words, ok := p.Error(err); ok {
		return words
	}
	var fe *fetch.Error
	if !errors.As(err, &fe) {
		if words, ok := p.SystemError(err); ok {
			return words
		}
	}
	return spoken(poller.Sentence(err))
}
