package app

import (
	"strconv"

	"kairos/app/language"
	"kairos/poller"
)

// countText writes an unread count; none is not written.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// errorText words an error.
func errorText(err error) string {
	if text, ok := language.Printer().Error(err); ok {
		return text
	}
	return spoken(poller.Sentence(err))
}
