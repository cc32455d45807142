package parse

import "errors"

// Error says why a document cannot be read as a feed.
type Error struct {
	Code   ErrorCode `json:"code"`
	Detail string    `json:"detail,omitempty"` // of Broken: the XML error, technical English
}

// ErrorCode names one reason, mostly what the document is instead of a feed.
type ErrorCode string

// Why a document cannot be read as a feed.
const (
	Empty             ErrorCode = "empty"
	WebPage           ErrorCode = "web-page"
	LoginPage         ErrorCode = "login-page"
	FeedList          ErrorCode = "feed-list" // OPML
	Sitemap           ErrorCode = "sitemap"
	Picture           ErrorCode = "picture"
	Sound             ErrorCode = "sound"
	Video             ErrorCode = "video"
	Font              ErrorCode = "font"
	PDF               ErrorCode = "pdf"
	Archive           ErrorCode = "archive"
	OtherJSON         ErrorCode = "other-json"
	OtherXML          ErrorCode = "other-xml"
	PlainText         ErrorCode = "plain-text"
	BinaryData        ErrorCode = "binary-data"
	Broken            ErrorCode = "broken"              // Detail
	NoCompleteArticle ErrorCode = "no-complete-article" // the document ends within the first
)

// Classes of errors, to compare with by errors.Is. A login page is a web page, too.
var (
	ErrEmpty     = errors.New("the answer is empty")
	ErrWebPage   = errors.New("this is a web page, not a feed")
	ErrLoginPage = errors.New("this is a page to log in, not a feed")
	ErrNotFeed   = errors.New("this is not a feed") // nor a web page
	ErrBroken    = errors.New("the feed is broken beyond mending")
)

// Error describes the reason for logs.
func (e *Error) Error() string {
	switch e.Code {
	case Empty:
		return ErrEmpty.Error()
	case WebPage:
		return ErrWebPage.Error()
	case LoginPage:
		return ErrLoginPage.Error()
	case NoCompleteArticle:
		return ErrBroken.Error() + ": it ends before its first article does"
	case Broken:
		return ErrBroken.Error() + ": " + e.Detail
	}
	return "this is " + foundInstead[e.Code] + ", not a feed"
}

var foundInstead = map[ErrorCode]string{
	FeedList:   "a list of feeds (OPML)",
	Sitemap:    "a sitemap",
	Picture:    "a picture",
	Sound:      "a sound",
	Video:      "a video",
	Font:       "a font",
	PDF:        "a PDF document",
	Archive:    "an archive",
	OtherJSON:  "JSON data",
	OtherXML:   "another kind of XML",
	PlainText:  "plain text",
	BinaryData: "binary data",
}

// Is reports whether target is the class of e.
func (e *Error) Is(target error) bool {
	switch e.Code {
	case Empty:
		return target == ErrEmpty
	case WebPage:
		return target == ErrWebPage
	case LoginPage:
		return target == ErrLoginPage || target == ErrWebPage
	case Broken, NoCompleteArticle:
		return target == ErrBroken
	}
	return target == ErrNotFeed
}
