package text

import (
	"testing"

	"kairos/reader/imaging"
	"kairos/reader/rule"
)

func TestErrors(t *testing.T) {
	worded(t, rule.Codes(), func(p *Printer, c rule.Code) string { return p.RuleError(&rule.Error{Code: c}) })
	worded(t, imaging.Codes(), func(p *Printer, c imaging.Code) string { return p.ImageError(&imaging.Error{Code: c}) })
}
