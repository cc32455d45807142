package scrape

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"kairos/reader/parse"
)

// maxDateText is how long the text around a date is at most, in bytes: that of a longer one may tell of any day.
const maxDateText = 48

// writtenDate matches days as pages write them for people. Those with slashes are left out: which number is the month depends on who
// writes them.
var writtenDate = regexp.MustCompile(`\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}\.? \pL{3,12}\.? \d{4}|\pL{3,12}\.? \d{1,2}(?:st|nd|rd|th)?, \d{4})\b|\d{4}年\d{1,2}月\d{1,2}日`)

// visibleDate returns the day that stands in an item for people to read, outside of its title; "" if there is none, or several.
func visibleDate(item, title *html.Node) (date string) {
	for d := range item.Descendants() {
		if d.Type != html.TextNode || isWithin(d, title) {
			continue
		}
		text := strings.Join(strings.Fields(d.Data), " ")
		if len(text) > maxDateText {
			continue
		}
		for _, one := range writtenDate.FindAllString(text, -1) {
			switch _, ok := parse.Date(one); {
			case !ok || one == date:
			case date != "":
				return ""
			default:
				date = one
			}
		}
	}
	return date
}

func isWithin(n, around *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == around || n.Data == "script" || n.Data == "style" {
			return true
		}
	}
	return false
}
