package app

import (
	"strconv"

	"kairos/app/language"
)

// countText is a count, "" for 0.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// errorText words an error.
func errorText(err error) string { return language.Printer().Error(err) }
