// Package share fills in where articles are sent: web addresses and commands with placeholders, and
// texts for the clipboard and for mail. It knows no window.
package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"kairos/reader/content"
)

// Article is what is shared of an article.
type Article struct {
	Title, Link, Author, Feed string
	Text                      string   // what is selected of it, else the beginning of its text
	Labels                    []string // names
}

// Service is a place to send articles to: an address of the web, which the browser opens, or a
// command.
type Service struct {
	Name string `json:"name"`
	// Target is an address or a command line with placeholders.
	Target string `json:"target"`
}

// Setting is the key under which Encode's services are stored.
const Setting = "share.services"

// MaxServices is how many services there can be.
const MaxServices = 30

// Placeholders lists what stands for parts of an article.
var Placeholders = []string{"{url}", "{title}", "{text}", "{author}", "{feed}", "{labels}"}

// maxText is how many letters of a text are handed on: addresses and command lines have limits.
const maxText = 1500

// values returns what the placeholders stand for.
func (a Article) values() map[string]string {
	return map[string]string{"{url}": a.Link, "{title}": a.Title, "{text}": content.Cut(a.Text, maxText), "{author}": a.Author, "{feed}": a.Feed,
		"{labels}": strings.Join(a.Labels, ",")}
}

// fill replaces the placeholders of a template, each value changed by change. Values are not searched
// for placeholders.
func (a Article) fill(template string, change func(string) string) string {
	var pairs []string
	for name, value := range a.values() {
		pairs = append(pairs, name, change(value))
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// ErrorCode says what is wrong with a service.
type ErrorCode string

const (
	NoName             ErrorCode = "no-name"
	NoTarget           ErrorCode = "no-target"
	NoPlaceholder      ErrorCode = "no-placeholder"      // nothing of the article would be sent
	UnknownPlaceholder ErrorCode = "unknown-placeholder" // Value
	WrongAddress       ErrorCode = "wrong-address"       // not an address of the web or for mail
	OpenQuote          ErrorCode = "open-quote"
	NoProgram          ErrorCode = "no-program"     // Value is not installed
	ShellScript        ErrorCode = "shell-script"   // Value is run by a shell, which would read commands in titles
	ProgramFailed      ErrorCode = "program-failed" // Value is what it said
)

// Error says why a service cannot be used.
type Error struct {
	Code  ErrorCode
	Value string
}

func (e *Error) Error() string { return string(e.Code) + " " + e.Value }

// maxName and maxTarget are the longest name and target of a service, in bytes.
const (
	maxName   = 100
	maxTarget = 2000
)

// Check returns why a service cannot be used; nil if it can. It does not look for programs. Errors:
// *Error.
func (s Service) Check() error {
	switch {
	case strings.TrimSpace(s.Name) == "" || len(s.Name) > maxName || !utf8.ValidString(s.Name):
		return &Error{Code: NoName}
	case strings.TrimSpace(s.Target) == "" || len(s.Target) > maxTarget || !utf8.ValidString(s.Target):
		return &Error{Code: NoTarget}
	}
	known := false
	for _, name := range braces(s.Target) {
		if !contains(Placeholders, name) {
			return &Error{UnknownPlaceholder, name}
		}
		known = true
	}
	if !known {
		return &Error{Code: NoPlaceholder}
	}
	if s.IsAddress() {
		_, err := s.Address(Article{Title: "x", Link: "https://x.example/", Author: "x", Feed: "x", Text: "x", Labels: []string{"x"}})
		return err
	}
	_, err := s.Command(Article{})
	return err
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}

// braces returns the texts in braces of a template, with them.
func braces(template string) (names []string) {
	for {
		from := strings.IndexByte(template, '{')
		if from < 0 {
			return names
		}
		to := strings.IndexByte(template[from:], '}')
		if to < 0 {
			return append(names, template[from:])
		}
		names = append(names, template[from:from+to+1])
		template = template[from+to+1:]
	}
}

// IsAddress reports whether the target is an address rather than a command.
func (s Service) IsAddress() bool {
	target := strings.ToLower(strings.TrimSpace(s.Target))
	return strings.HasPrefix(target, "http:") || strings.HasPrefix(target, "https:") || strings.HasPrefix(target, "mailto:") ||
		!strings.ContainsAny(target, " \t") && strings.Contains(target, "://")
}

// Address returns the address for an article; its values are percent-encoded, so that none of them
// adds anything to the address. Errors: *Error.
func (s Service) Address(a Article) (*url.URL, error) {
	u, err := url.Parse(a.fill(strings.TrimSpace(s.Target), encode))
	if err != nil || u.Scheme != "mailto" && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(u.Host, "{}%")) {
		return nil, &Error{Code: WrongAddress}
	}
	// A server that an article names would be asked for by whoever wrote the article.
	if blank, err := url.Parse(Article{}.fill(strings.TrimSpace(s.Target), encode)); err != nil || blank.Host != u.Host || blank.Scheme != u.Scheme {
		return nil, &Error{Code: WrongAddress}
	}
	return u, nil
}

// encode percent-encodes a value for any part of an address.
func encode(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

// Command returns the program and its arguments for an article. The line is cut into arguments
// before the values are put in: whatever a title says, it stays in its argument, and no shell reads
// it. A value at the beginning of an argument cannot begin an option. Errors: *Error.
func (s Service) Command(a Article) ([]string, error) {
	words, err := cutWords(s.Target)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || len(braces(words[0])) > 0 {
		return nil, &Error{Code: NoTarget}
	}
	for i, word := range words[1:] {
		filled := a.fill(word, func(value string) string { return strings.ReplaceAll(value, "\x00", "") })
		if strings.HasPrefix(word, "{") && strings.HasPrefix(filled, "-") {
			filled = " " + filled
		}
		words[i+1] = filled
	}
	return words, nil
}

// cutWords cuts a command line at blanks outside of quotes, single or double. A backslash is an
// ordinary character, as in the paths of Windows.
func cutWords(line string) (words []string, err error) {
	var word strings.Builder
	open, quote := false, rune(0)
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			end()
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, &Error{Code: OpenQuote}
	}
	end()
	return words, nil
}

// Encode returns services as they are stored.
func Encode(services []Service) (string, error) {
	if len(services) == 0 {
		return "", nil
	}
	text, err := json.Marshal(services)
	if err != nil {
		return "", fmt.Errorf("store services: %w", err)
	}
	return string(text), nil
}

// Decode reads stored services; those that cannot be used are left out.
func Decode(stored string) ([]Service, error) {
	if stored == "" {
		return nil, nil
	}
	var all, good []Service
	if err := json.Unmarshal([]byte(stored), &all); err != nil {
		return nil, fmt.Errorf("read services: %w", err)
	}
	var problem *Error
	for _, s := range all {
		if err := s.Check(); !errors.As(err, &problem) && len(good) < MaxServices {
			good = append(good, s)
		}
	}
	return good, nil
}
