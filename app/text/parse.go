package text

import "kairos/reader/parse"

var parseErrors = table[parse.ErrorCode]{
	parse.Empty:             "The answer is empty.",
	parse.WebPage:           "This is a web page, not a feed.",
	parse.LoginPage:         "This is a page to log in, not a feed.",
	parse.FeedList:          "This is a list of feeds (OPML), not a feed.",
	parse.Sitemap:           "This is a sitemap, not a feed.",
	parse.Picture:           "This is a picture, not a feed.",
	parse.Sound:             "This is an audio file, not a feed.",
	parse.Video:             "This is a video, not a feed.",
	parse.Font:              "This is a font, not a feed.",
	parse.PDF:               "This is a PDF document, not a feed.",
	parse.Archive:           "This is an archive, not a feed.",
	parse.OtherJSON:         "This is JSON data, not a feed.",
	parse.OtherXML:          "This is another kind of XML, not a feed.",
	parse.PlainText:         "This is plain text, not a feed.",
	parse.BinaryData:        "This is binary data, not a feed.",
	parse.Broken:            "The feed is too damaged to be read.",
	parse.NoCompleteArticle: "The feed ends before its first article does.",
}

// ParseError words why a document is not a feed.
func (p *Printer) ParseError(e *parse.Error) string { return say(p, parseErrors, e.Code) }

// ParseAdvice words what the user can do about a document that is not a feed.
func (p *Printer) ParseAdvice(e *parse.Error) string {
	switch e.Code {
	case parse.Empty:
		return p.L("Try again later. If that does not help, open the address in a browser.")
	case parse.WebPage:
		return p.L("Look on the page for the address of its feed, often behind a link called RSS, Atom or Feed.")
	case parse.LoginPage:
		return p.L("Enter the user name and password of the feed, or look for an address that needs none.")
	case parse.FeedList:
		return p.L("Import it instead.")
	case parse.Sitemap:
		return p.L("Subscribe to the address of the site itself. Kairos looks for its feed.")
	case parse.Picture, parse.Sound, parse.Video, parse.PDF:
		return p.L("Open it in a browser. The feed has another address.")
	case parse.Archive:
		return p.L("Unpack it first.")
	case parse.Broken, parse.NoCompleteArticle:
		return p.L("Only the site can fix this. You could report it there.")
	}
	return p.L("Check the address.")
}
