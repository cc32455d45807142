package parse

import (
	"bytes"
	"encoding/json"
	"errors"

	"kairos/reader/content"
)

// ErrNoChapters says that a document has no chapters that can be read.
var ErrNoChapters = errors.New("the document has no chapters")

const (
	maxLooked       = 10_000 // chapters that are looked at for those to be listed
	maxChapterTitle = 4000   // bytes of the title of a chapter that are read
)

// ReadChapters reads the chapters of an episode from a document of their own (JSON Chapters 1.2 of the Podcast Namespace) and lists
// them as safe HTML, at most maxChapters. Chapters that are not to be listed ("toc": false) are left out. Errors: ErrNoChapters.
func ReadChapters(body []byte, origin content.Origin) (html string, err error) {
	var document struct{ Chapters json.RawMessage }
	if json.Unmarshal(body, &document) != nil {
		return "", ErrNoChapters
	}
	list := json.NewDecoder(bytes.NewReader(document.Chapters)) // one by one: what is no chapter takes no memory
	if start, err := list.Token(); err != nil || start != json.Delim('[') {
		return "", ErrNoChapters
	}
	var chapters []chapter
	for looked := 0; looked < maxLooked && len(chapters) < maxChapters && list.More(); looked++ {
		var c struct {
			StartTime  json.RawMessage
			Title, URL string
			TOC        *bool
		}
		if list.Decode(&c) != nil {
			return "", ErrNoChapters
		}
		start, ok := startTime(c.StartTime)
		title := c.Title[:min(len(c.Title), maxChapterTitle)]
		if hidden := c.TOC != nil && !*c.TOC; !hidden && ok && content.PlainTitle(title) != "" {
			chapters = append(chapters, chapter{clockTime(int64(start)), title, c.URL})
		}
	}
	if len(chapters) == 0 {
		return "", ErrNoChapters
	}
	return content.Sanitize(chaptersHTML(chapters), origin), nil
}

// startTime is when a chapter starts, in seconds: a number, which some write as a text.
func startTime(value json.RawMessage) (seconds float64, ok bool) {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return readClock(text)
	}
	ok = json.Unmarshal(value, &seconds) == nil
	return seconds, ok && seconds >= 0 && seconds <= maxClock
}
