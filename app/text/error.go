package text

import (
	"errors"

	"kairos/reader/imaging"
	"kairos/reader/rule"
)

// Error words an error that is a fact; ok is false for any other.
func (p *Printer) Error(err error) (text string, ok bool) {
	var (
		image *imaging.Error
		rules *rule.Error
	)
	switch {
	case errors.As(err, &image):
		return p.ImageError(image), true
	case errors.As(err, &rules):
		return p.RuleError(rules), true
	}
	return "", false
}
