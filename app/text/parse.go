package text

import (
	"slices"

	"kairos/reader/parse"
)

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
	parse.NoCompleteArticle: "The feed breaks off within its first article.",
}

// ParseError describes why a document is not a feed.
func (p *Printer) ParseError(e *parse.Error) string { return say(p, parseErrors, e.Code) }

// ParseAdvice describes what the user can do about a document that is not a feed.
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

// parseWarnings describes what of a feed was lost or repaired, "" for nothing.
func (p *Printer) parseWarnings(warnings []parse.Warning) string {
	sentences := make([]string, len(warnings))
	for i, w := range warnings {
		sentences[i] = p.ParseWarning(w)
	}
	return p.Sentences(sentences...)
}

// LeftOut describes what of a feed was not read, "" if it was read whole.
func (p *Printer) LeftOut(warnings []parse.Warning) string {
	return p.parseWarnings(slices.DeleteFunc(slices.Clone(warnings), func(w parse.Warning) bool { return !w.LeavesOut() }))
}

// ParseWarning describes what of a feed was lost or repaired.
func (p *Printer) ParseWarning(w parse.Warning) string {
	switch w.Code {
	case parse.TooLarge:
		return p.N("The feed is too large. Its first {{.PluralCount}} articles were kept, {{.Unread}} behind them were not read.",
			w.Articles, V{"Unread": p.Size(w.BytesLeft)})
	case parse.Truncated:
		values := V{"Read": p.Size(w.Read), "Total": p.Size(w.Total)}
		if w.Total > 0 {
			return p.Sentences(p.N("Only {{.Read}} of {{.Total}} were read: {{.PluralCount}} complete articles.", w.Articles, values), p.cutOff(w))
		}
		return p.Sentences(p.N("Only the first {{.Read}} were read: {{.PluralCount}} complete articles.", w.Articles, values), p.cutOff(w))
	case parse.EndsEarly:
		return p.Sentences(p.N("The feed ends early, after {{.PluralCount}} complete articles.", w.Articles), p.cutOff(w))
	case parse.MarkupRepaired:
		return p.L("The markup of the feed was repaired: {{.Repairs}}.", V{"Repairs": p.List(p.repairs(w))})
	case parse.DamagedArticles:
		return p.N("{{.PluralCount}} articles were too damaged to be read.", w.Articles)
	case parse.EncodingGuessed:
		return p.L("The encoding is not declared correctly. The feed was read as {{.Encoding}}.", V{"Encoding": w.Encoding})
	case parse.EncodingCorrected:
		return p.L("Declared as {{.Declared}}, read as {{.Encoding}}.", V{"Declared": w.Declared, "Encoding": w.Encoding})
	case parse.NotQuiteUTF8:
		return p.N("The feed is not quite UTF-8: {{.PluralCount}} bytes were read as Windows-1252.", w.Bytes)
	}
	return string(w.Code)
}

// cutOff words that an article at the end was left out, "" if none was.
func (p *Printer) cutOff(w parse.Warning) string {
	if w.BytesLeft == 0 {
		return ""
	}
	return p.L("One more breaks off after {{.Size}} and was left out.", V{"Size": p.Size(w.BytesLeft)})
}

func (p *Printer) repairs(w parse.Warning) (all []string) {
	if w.MissingEndTags > 0 {
		all = append(all, p.N("{{.PluralCount}} missing end tags", w.MissingEndTags))
	}
	if w.MisplacedTags > 0 {
		all = append(all, p.N("{{.PluralCount}} misplaced tags", w.MisplacedTags))
	}
	if w.Unescaped > 0 {
		all = append(all, p.N("{{.PluralCount}} unescaped characters", w.Unescaped))
	}
	if w.TextBefore > 0 {
		all = append(all, p.L("{{.Size}} of other text before it", V{"Size": p.Size(w.TextBefore)}))
	}
	return all
}
