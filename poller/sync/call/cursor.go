package call

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The stages of the first synchronization: what it lists.
const (
	Unread  = "unread"
	Starred = "starred"
	Read    = "read"
)

var stages = []string{Unread, Starred, Read}

// firstPage is how many articles the first page has: something to read at once.
const firstPage = 100

// Cursor is where a page of the first synchronization begins: in the list of a stage, after what the protocol names.
type Cursor struct {
	Stage, After string // After is "" where the list begins
	isFirst      bool
}

// ParseCursor reads a cursor that Next has returned, or the first one, which is empty.
func ParseCursor(text string) (Cursor, error) {
	if text == "" {
		return Cursor{Stage: stages[0], isFirst: true}, nil
	}
	stage, after, _ := strings.Cut(text, ":")
	if !slices.Contains(stages, stage) {
		return Cursor{}, fmt.Errorf("cursor %q is of no protocol", text)
	}
	return Cursor{Stage: stage, After: after}, nil
}

// ParseNumber reads a cursor after a number, which is 0 where the list begins.
func ParseNumber(text string) (c Cursor, after int64, err error) {
	if c, err = ParseCursor(text); err == nil && c.After != "" {
		after, err = strconv.ParseInt(c.After, 10, 64)
	}
	return c, after, err
}

// Limit is how many articles to ask for, where a page has at most so many.
func (c Cursor) Limit(page int) int {
	if c.isFirst {
		return firstPage
	}
	return page
}

// Next returns the cursor of the page in the same list after what the protocol names, where after is "" that of the next list, or "" after
// the last of them.
func (c Cursor) Next(after string) string {
	if after != "" {
		return c.Stage + ":" + after
	}
	if next := slices.Index(stages, c.Stage) + 1; next < len(stages) {
		return stages[next] + ":"
	}
	return ""
}
