package parse

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

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
		if chapters = append(chapters, chapter{start, c.Title, c.URL}); len(chapters) == maxChapters {
			break
		}
	}
	if len(chapters) == 0 {
		return "", ErrNoChapters
	}
	return content.Sanitize(chaptersHTML(chapters), origin), nil
}

// startTime is when a chapter starts, as clockTime reads it: a number of seconds, which some write as a text.
func startTime(value any) (start string, ok bool) {
	seconds, number := value.(float64)
	if text, is := value.(string); is {
		parsed, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return text, clockTime(text) != ""
		}
		seconds, number = parsed, true
	}
	if !number || math.IsNaN(seconds) || seconds < 0 || seconds > 1e6 {
		return "", false
	}
	return "0:" + strconv.Itoa(int(seconds)), true
}
