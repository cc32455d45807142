package imports

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strconv"
	"strings"

	"kairos/reader/parse"
)

// message is a message of a mailbox that Thunderbird made of an article.
type message struct {
	header  textproto.MIMEHeader
	body    []byte
	status  uint64
	deleted bool
}

// Bits of X-Mozilla-Status.
const (
	statusRead    = 0x0001
	statusMarked  = 0x0004
	statusDeleted = 0x0008
)

// parseMessage divides a message. What is broken is left out.
func parseMessage(b []byte) message {
	var m message
	m.header, m.body = parseHeader(b)
	status, err := strconv.ParseUint(strings.TrimSpace(m.header.Get("X-Mozilla-Status")), 16, 32)
	if err == nil {
		m.status = status
	}
	m.deleted = m.status&statusDeleted != 0
	return m
}

// parseHeader reads the fields before the first empty line. A line that begins with a blank continues the one before.
func parseHeader(b []byte) (header textproto.MIMEHeader, body []byte) {
	header = textproto.MIMEHeader{}
	last := ""
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			return header, b
		}
		if (line[0] == ' ' || line[0] == '\t') && last != "" {
			values := header[last]
			values[len(values)-1] += " " + strings.TrimSpace(string(line))
			continue
		}
		name, value, ok := strings.Cut(string(line), ":")
		if !ok {
			continue
		}
		last = textproto.CanonicalMIMEHeaderKey(name)
		header[last] = append(header[last], strings.TrimSpace(value))
	}
	return header, nil
}

func decodeWords(s string) string {
	decoded, err := new(mime.WordDecoder).DecodeHeader(s)
	if err != nil {
		return s
	}
	return decoded
}

// entry returns the article, with the names of its tags.
func (m *message) entry(tags map[string]string) entry {
	var e entry
	e.Read, e.Starred = m.status&statusRead != 0, m.status&statusMarked != 0
	for key := range strings.FieldsSeq(m.header.Get("X-Mozilla-Keys")) {
		if name := tags[key]; name != "" {
			e.Labels = append(e.Labels, name)
		}
	}
	e.Item = parse.Item{ID: messageID(m.header.Get("Message-Id")), Title: decodeWords(m.header.Get("Subject")), Link: m.header.Get("Content-Base"),
		Author: strings.Trim(decodeWords(m.header.Get("From")), "<>")}
	if at, err := mail.ParseDate(m.header.Get("Date")); err == nil {
		e.Item.Published = at
	}
	for category := range strings.SplitSeq(decodeWords(m.header.Get("Keywords")), ",") {
		if category = strings.TrimSpace(category); category != "" {
			e.Item.Categories = append(e.Item.Categories, category)
		}
	}
	e.Item.HTML, e.Item.Enclosures = m.content()
	return e
}

// messageID returns the id of the article that a message is named after.
func messageID(id string) string {
	id = strings.TrimSuffix(strings.Trim(strings.TrimSpace(id), "<>"), "@localhost.localdomain")
	return strings.NewReplacer("%3C", "<", "%3E", ">", "%40", "@").Replace(id)
}

// content returns the body and the files of an article.
func (m *message) content() (html string, files []parse.Enclosure) {
	kind, params, err := mime.ParseMediaType(m.header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") || params["boundary"] == "" {
		return bodyOf(decodeTransfer(m.header, m.body)), nil
	}
	for part := range bytes.SplitSeq(m.body, []byte("--"+params["boundary"])) {
		header, body := parseHeader(bytes.TrimLeft(part, "\r\n"))
		kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
		if err != nil {
			continue
		}
		if address := header.Get("X-Mozilla-External-Attachment-Url"); address != "" {
			size, err := strconv.ParseInt(params["size"], 10, 64)
			if err != nil || size < 0 {
				size = 0
			}
			files = append(files, parse.Enclosure{URL: address, Type: kind, Length: size})
		} else if html == "" {
			html = bodyOf(decodeTransfer(header, body))
		}
	}
	return html, files
}

func decodeTransfer(header textproto.MIMEHeader, body []byte) string {
	var r io.Reader
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body))
	case "quoted-printable":
		r = quotedprintable.NewReader(bytes.NewReader(body))
	default:
		return string(body)
	}
	decoded, err := io.ReadAll(r)
	if err != nil && len(decoded) == 0 {
		return ""
	}
	return string(decoded)
}

// bodyOf returns what stands within the body of the page that Thunderbird makes of an article.
func bodyOf(page string) string {
	page = strings.ReplaceAll(page, "\n>From ", "\nFrom ")
	start := strings.Index(page, "<body")
	if start < 0 {
		return strings.TrimSpace(page)
	}
	page = page[start:]
	if end := strings.IndexByte(page, '>'); end >= 0 {
		page = page[end+1:]
	}
	if end := strings.LastIndex(page, "</body>"); end >= 0 {
		page = page[:end]
	}
	return strings.TrimSpace(page)
}
