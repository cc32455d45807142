package parse

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// Warning is something of a feed that was lost or repaired.
type Warning struct {
	Code WarningCode `json:"code"`

	Articles  int   `json:"articles,omitempty"` // complete ones that were kept; of DamagedArticles, those left out
	Read      int64 `json:"read,omitempty"`     // bytes of the document
	Total     int64 `json:"total,omitempty"`    // bytes of the document, 0 where unknown
	BytesLeft int64 `json:"unread,omitempty"`   // bytes behind the articles, or of an article that was cut off

	MissingEndTags int   `json:"missingEndTags,omitempty"`
	MisplacedTags  int   `json:"misplacedTags,omitempty"`
	Unescaped      int   `json:"unescaped,omitempty"`  // "<" and "&"
	TextBefore     int64 `json:"textBefore,omitempty"` // bytes before the feed

	Declared string `json:"declared,omitempty"` // encoding
	Encoding string `json:"encoding,omitempty"` // that was assumed
	Bytes    int    `json:"bytes,omitempty"`    // that were read as Windows-1252
}

// WarningCode names the kind of a Warning.
type WarningCode string

// What can be lost or repaired.
const (
	TooLarge          WarningCode = "too-large"          // Articles, BytesLeft
	Truncated         WarningCode = "truncated"          // Articles, Read, Total, BytesLeft
	EndsEarly         WarningCode = "ends-early"         // Articles, BytesLeft
	MarkupRepaired    WarningCode = "markup-repaired"    // MissingEndTags, MisplacedTags, Unescaped, TextBefore
	DamagedArticles   WarningCode = "damaged-articles"   // Articles
	EncodingGuessed   WarningCode = "encoding-guessed"   // Encoding: none was declared, or one that is unknown
	EncodingCorrected WarningCode = "encoding-corrected" // Declared, Encoding
	NotQuiteUTF8      WarningCode = "not-quite-utf-8"    // Bytes
)

// LeavesOut reports whether articles of the feed are missing.
func (w Warning) LeavesOut() bool {
	return w.Code == TooLarge || w.Code == Truncated || w.Code == EndsEarly || w.Code == DamagedArticles
}

// String describes the warning for logs: its code and values.
func (w Warning) String() string {
	text, err := json.Marshal(w)
	if err != nil {
		return string(w.Code)
	}
	return string(text)
}

func (p *parser) warn(w Warning) { p.feed.Warnings = append(p.feed.Warnings, w) }

// warnIncomplete tells how much of the feed was read, where that is not all.
func (p *parser) warnIncomplete(articles int, endsEarly, limitReached bool, unread int) {
	w := Warning{Articles: articles}
	if endsEarly || limitReached {
		w.BytesLeft = int64(max(unread, 0))
	}
	switch {
	case limitReached:
		w.Code = TooLarge
	case p.options.Truncated:
		w.Code, w.Read, w.Total = Truncated, p.bytesRead, p.options.Whole
	case endsEarly:
		w.Code = EndsEarly
	default:
		return
	}
	p.warn(w)
}

// warnRepairs tells what of the markup was repaired; before is the text in front of the feed.
func (p *parser) warnRepairs(repaired repairedXML, before []byte) {
	w := Warning{Code: MarkupRepaired, MissingEndTags: repaired.missingEndTags, MisplacedTags: repaired.misplacedTags,
		Unescaped: repaired.unescaped, TextBefore: int64(len(bytes.TrimSpace(prolog.ReplaceAll(before, nil))))}
	if w != (Warning{Code: MarkupRepaired}) {
		p.warn(w)
	}
}

// warnEncoding tells how the encoding was found, unless it was as declared.
func (p *parser) warnEncoding() {
	if p.encoding != nil {
		p.warn(*p.encoding)
	}
}

// prolog matches what may stand before the root of XML (XML 1.0 §2.8).
var prolog = regexp.MustCompile(`(?s)<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>`)
