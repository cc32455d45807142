package text

import (
	"fmt"
	"strings"
	"testing"

	"kairos/app/share"
	"kairos/reader"
	"kairos/reader/codetest"
	"kairos/reader/discover"
	"kairos/reader/imaging"
	"kairos/reader/opml"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

func TestReaderErrors(t *testing.T) {
	worded(t, func(p *Printer, c reader.ErrorCode) string { return p.readerError(&reader.Error{Code: c}) })
	worded(t, func(p *Printer, c rule.Code) string { return p.RuleError(&rule.Error{Code: c}) })
	worded(t, func(p *Printer, c share.ErrorCode) string { return p.shareError(&share.Error{Code: c, Value: "x"}) })
	worded(t, func(p *Printer, c imaging.Code) string { return p.imageError(&imaging.Error{Code: c}) })
	worded(t, func(p *Printer, c discover.Code) string { return p.discoverError(&discover.Error{Code: c}) })
	worded(t, func(p *Printer, c parse.ErrorCode) string { return p.ParseError(&parse.Error{Code: c}) })
	worded(t, func(p *Printer, c parse.ErrorCode) string { return p.ParseAdvice(&parse.Error{Code: c}) })
}

func TestParseWarnings(t *testing.T) {
	worded(t, func(p *Printer, c parse.WarningCode) string { return p.ParseWarning(parse.Warning{Code: c}) })
	got := English().parseWarnings([]parse.Warning{
		{Code: parse.EndsEarly, Articles: 3, BytesLeft: 4200},
		{Code: parse.MarkupRepaired, MissingEndTags: 1, MisplacedTags: 2, TextBefore: 14},
		{Code: parse.EncodingCorrected, Declared: "windows-1252", Encoding: "koi8-r"},
	})
	want := "The feed ends early, after 3 complete articles. One more breaks off after 4.2 kB and was left out. " +
		"The markup of the feed was repaired: 1 missing end tag, 2 misplaced tags and 14 B of other text before it. " +
		"Declared as windows-1252, read as koi8-r."
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestLists(t *testing.T) {
	worded(t, func(p *Printer, c opml.ErrorCode) string { return p.listError(&opml.Error{Code: c}) })
	worded(t, func(p *Printer, c opml.RefusalCode) string { return p.ListRefusal(opml.Refusal{Code: c}) })
	worded(t, func(p *Printer, c opml.WarningCode) string { return p.ListWarning(opml.Warning{Code: c}) })
}

// The words name what is wrong and the folder, not what SQLite said.
func TestFolderErrors(t *testing.T) {
	var codes []reader.ErrorCode
	for _, c := range codetest.Of[reader.ErrorCode](t) {
		if reader.FileError(&reader.Error{Code: c}) != nil {
			codes = append(codes, c)
		}
	}
	wordedOf(t, codes, func(p *Printer, c reader.ErrorCode) string {
		return p.FolderError("/data/folder", &reader.Error{Code: c})
	})
	for _, c := range codes {
		if got := English().FolderError("/data/folder", &reader.Error{Code: c}); !strings.Contains(got, "/data/folder") {
			t.Errorf("%s: %q does not name the folder", c, got)
		}
	}
	wrapped := fmt.Errorf("open: %w (SQLITE 26)", reader.ErrDamaged)
	if got := English().Error(wrapped); !strings.HasPrefix(got, "The database is damaged.") {
		t.Errorf("%q", got)
	}
	if got := English().Error(&reader.DuplicateError{Feed: reader.Feed{Title: "News"}}); got != "You are already subscribed to this feed as “News”." {
		t.Errorf("%q", got)
	}
}

// An error of discovery says what was found instead of a feed.
func TestDiscoverErrorNamesItsCause(t *testing.T) {
	got := English().Error(&discover.Error{Code: discover.NoFeed, Cause: &parse.Error{Code: parse.WebPage}})
	if want := "No feed was found. This is a web page, not a feed."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := English().Error(&discover.Error{Code: discover.NotAnAddress, Text: "a b"}); !strings.Contains(got, "“a b”") {
		t.Error(got)
	}
}

// A title that is an address is as short as people say it.
func TestTitlesThatAreAddresses(t *testing.T) {
	for title, want := range map[string]string{
		"https://www.example.org/2026/11/why-not/?utm_source=feed#top": "example.org/2026/11/why-not", "http://127.0.0.1:8080/a": "127.0.0.1:8080/a",
		"https://example.org": "example.org", "https://example.org is down": "https://example.org is down", "http://": "http://", "https:opaque": "https:opaque",
		"httpd 3.0": "httpd 3.0", "": "Untitled",
	} {
		if got := English().ArticleTitle(title); got != want {
			t.Errorf("%q is written %q, want %q", title, got, want)
		}
	}
}
