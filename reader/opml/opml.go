// Package opml reads and writes lists of subscriptions: OPML 2.0
// (opml.org/spec2.opml) and its many broken variants, blogrolls in FOAF, and the
// urls file of Newsboat.
package opml

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"kairos/reader/content"
	"kairos/reader/discover"
	"kairos/reader/parse"
)

// Outline is one feed of a list.
type Outline struct {
	Title  string            // one line of text, never empty when read
	URL    string            // absolute: http, https, or file; without a login
	Site   string            // address of the web page, may be empty
	Folder string            // path from the top, joined by separator
	Attrs  map[string]string // attributes in our own namespace, without prefix

	User, Password string // that the address had
}

// separator joins the folders of a path.
const separator = " / "

// namespace is that of the attributes of Kairos.
const namespace = "urn:kairos:opml"

// List is a list of subscriptions as it was read.
type List struct {
	Title    string
	Feeds    []Outline
	Refused  []Refusal
	Warnings []Warning
}

// Limits of what is read.
const (
	maxSize    = 32 << 20
	maxFeeds   = 10_000 // the scheduler plans for each of them
	maxRefused = 10_000
	maxDepth   = 64
	maxTitle   = 500   // characters of a title or the name of a folder
	maxAddress = 8_000 // bytes
	maxOwn     = 32    // attributes of our namespace
	maxAttrs   = 500   // of one tag
)

// Read reads a list of subscriptions in any encoding. It leaves out what is broken
// and tells so in Warnings and Refused. Errors, after which nothing was read:
// *Error, the reader's.
func Read(r io.Reader) (List, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return List{}, fmt.Errorf("read the list: %w", err)
	}
	if len(body) > maxSize {
		return List{}, &Error{Code: TooLarge, Limit: maxSize}
	}
	text := decode(body)
	trimmed := strings.TrimLeft(text, " \t\r\n")
	s := scanner{src: trimmed, line: 1 + strings.Count(text[:len(text)-len(trimmed)], "\n")}
	switch {
	case isFOAF(trimmed):
		s.readFOAF()
	case strings.HasPrefix(trimmed, "<"):
		s.readOutlines()
	case isNewsboat(trimmed):
		s.readNewsboat()
	}
	if !s.isList {
		return List{}, &Error{Code: NotAList}
	}
	s.addTotals()
	return s.list, nil
}

// decode returns a list as text. What Kairos has written is as it is: a title in it that looks as if it were encoded twice is meant so.
func decode(body []byte) string {
	isControl := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
	if isOurs := bytes.Contains(body[:min(len(body), 1024)], []byte(`"`+namespace+`"`)); isOurs && utf8.Valid(body) && !bytes.ContainsFunc(body, isControl) {
		return string(body)
	}
	return string(parse.Text(body, ""))
}

// IsList tells a list from a feed by the beginning of a file.
func IsList(head []byte) bool {
	text := strings.TrimSpace(string(parse.Text(head, "")))
	if strings.HasPrefix(text, "<") {
		lower := strings.ToLower(text)
		return strings.Contains(lower, "<opml") || strings.Contains(lower, "<outline")
	}
	return isNewsboat(text)
}

// addTotals warns of what the scanner counted.
func (s *scanner) addTotals() {
	for _, w := range []Warning{
		{Code: FilteredFeeds, Count: s.filtered},
		{Code: TooManyFeeds, Count: s.tooMany, Limit: maxFeeds},
		{Code: MoreRefusals, Count: s.unlisted},
	} {
		if w.Count > 0 {
			s.list.Warnings = append(s.list.Warnings, w)
		}
	}
}

// add adds a feed to the list, or a refusal.
func (s *scanner) add(o Outline, line int) {
	if len(s.list.Feeds) >= maxFeeds {
		s.tooMany++
		return
	}
	o, refusal := s.check(o)
	if refusal != nil {
		s.refuse(line, o.Title, o.URL, *refusal)
		return
	}
	s.list.Feeds = append(s.list.Feeds, o)
}

// check returns an outline with an address that can be subscribed to and a title, or a refusal.
func (s *scanner) check(o Outline) (Outline, *Refusal) {
	address, refusal := subscribable(o.URL)
	if refusal != nil {
		return o, refusal
	}
	o.Title = strings.ReplaceAll(o.Title, o.URL, discover.WithoutLogin(address)) // some readers take the address for one
	o.URL, o.User, o.Password = discover.SplitLogin(address)
	if site, refusal := subscribable(o.Site); refusal == nil && !strings.HasPrefix(site, fileScheme) {
		o.Site = discover.WithoutLogin(site)
	} else {
		o.Site = ""
	}
	if o.Title = s.oneLine(o.Title); o.Title == "" {
		u, _ := url.Parse(o.URL)
		if o.Title = u.Host; o.Title == "" {
			o.Title = cmp.Or(s.oneLine(u.Path), u.Path)
		}
	}
	return o, nil
}

// Check returns an outline as Read does that another program stores: its title is HTML, its folder is of Path. The refusal says
// why it cannot be subscribed to; nil if it can.
func Check(o Outline) (Outline, *Refusal) {
	s := &scanner{}
	checked, refusal := s.check(o)
	if refusal != nil {
		s.refuse(0, o.Title, o.URL, *refusal)
		return o, &s.list.Refused[0]
	}
	return checked, nil
}

// Path returns the path of nested folders that another program stores, the outermost first.
func Path(names ...string) string {
	var s scanner
	var p folderPath
	for _, name := range names {
		p = p.join(s.folderName(name))
	}
	return p.path
}

// refuse adds a refusal with a reason; title or address name the entry.
func (s *scanner) refuse(line int, title, address string, reason Refusal) {
	if len(s.list.Refused) >= maxRefused {
		s.unlisted++
		return
	}
	reason.Line, reason.Text = line, cmp.Or(s.oneLine(title), s.oneLine(discover.WithoutLogin(address)))
	s.list.Refused = append(s.list.Refused, reason)
}

// oneLine returns a title as one line of text. Other programs may write HTML into
// titles, Kairos does not.
func (s *scanner) oneLine(title string) string {
	title = title[:min(len(title), 8*maxTitle)]
	if s.isOurs {
		title = content.Line(title)
	} else {
		title = content.Title(title)
	}
	return content.Cut(title, maxTitle)
}

const fileScheme = "file:"

// subscribable returns the address to fetch, or a refusal with the reason why there is none.
func subscribable(address string) (string, *Refusal) {
	if len(address) > maxAddress {
		return "", &Refusal{Code: AddressTooLong}
	}
	normal, refusal := normalize(address)
	if len(normal) > maxAddress { // escapes have made it longer
		return "", &Refusal{Code: AddressTooLong}
	}
	return normal, refusal
}

// ampersand matches one that was escaped, more than once, too.
var ampersand = regexp.MustCompile("&(?:amp;)+")

// normalize returns an address as it is stored.
func normalize(address string) (string, *Refusal) {
	address = ampersand.ReplaceAllString(address, "&")
	address = strings.Join(strings.Fields(address), "%20")
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme = strings.ToLower(scheme); {
	case address == "":
		return "", &Refusal{Code: NoAddress}
	case scheme == "query":
		return "", &Refusal{Code: SavedSearch}
	case scheme == "exec", scheme == "filter", strings.HasPrefix(address, "|"):
		return "", &Refusal{Code: NeedsProgram}
	case scheme == "file":
		if u, err := url.Parse(fileScheme + rest); err == nil && strings.HasPrefix(u.Path, "/") {
			return u.String(), nil
		}
	}
	normal, err := discover.Normalize(address)
	if err != nil {
		refusal := Refusal{Code: BadAddress}
		errors.As(err, &refusal.Address)
		return "", &refusal
	}
	return normal, nil
}
