package parse

import (
	"encoding/json"
	"errors"

	"kairos/reader/content"
)

// ErrNoChapters says that a document has no chapters that can be read.
var ErrNoChapters = errors.New("the document has no chapters")

// ReadChapters reads the chapters of an episode from a document of their own (JSON Chapters 1.2 of the Podcast Namespace) and lists
// them as safe HTML, at most maxChapters. Chapters that are not to be listed ("toc": false) are left out. Errors: ErrNoChapters.
func ReadChapters(body []byte, origin content.Origin) (html string, err error) {
	var document struct {
		Chapters []struct {
			StartTime any
			Title     string
			URL       string
			TOC       *bool
		}
	}
	if json.Unmarshal(body, &document) != nil {
		return "", ErrNoChapters
	}
	var chapters []chapter
	for _, c := range document.Chapters {
		start, ok := startTime(c.StartTime)
		if hidden := c.TOC != nil && !*c.TOC; hidden || !ok || content.PlainTitle(c.Title) == "" {
			continue
		}
		if chapters = append(chapters, chapter{clockTime(int64(start)), c.Title, c.URL}); len(chapters) == maxChapters {
			break
		}
	}
	if len(chapters) == 0 {
		return "", ErrNoChapters
	}
	return content.Sanitize(chaptersHTML(chapters), origin), nil
}

// startTime is when a chapter starts, in seconds: a number, which some write as a text.
func startTime(value any) (seconds float64, ok bool) {
	if text, is := value.(string); is {
		return readClock(text)
	}
	seconds, ok = value.(float64)
	return seconds, ok && seconds >= 0 && seconds <= maxClock
}
