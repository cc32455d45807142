package help

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/yuin/goldmark"

	"kairos/reader/content"
)

// Topics are the pages of the manual in their order.
var Topics = []string{"start", "reading", "search", "deciding", "battery", "accounts", "rules", "privacy", "terminal", "trouble"}

// Words are what the manual takes from the window: what a command is called, its key, and a text as the window shows it.
type Words struct {
	Key, Title func(command string) string
	Say        func(english string, values ...any) string // lang.L
}

// page is a page of the manual.
type page struct {
	title string
	body  content.Document
	text  string // of the body, in lower case
}

// base is what addresses in the manual are relative to. It leads nowhere.
const base = "https://manual.invalid/"

// readPage reads the page of a topic from the folder of a language.
func readPage(files fs.FS, language, topic string, w Words) (page, error) {
	name := path.Join(language, topic+".md")
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return page{}, fmt.Errorf("read the manual: %w", err)
	}
	t, err := template.New(name).Funcs(template.FuncMap{
		"key":   func(command string) string { return "**" + w.Key(command) + "**" },
		"title": func(command string) string { return withoutDots(w.Title(command)) },
		"say":   func(english string) string { return withoutDots(w.Say(english)) },
	}).Parse(string(source))
	var filled, body bytes.Buffer
	if err == nil {
		err = t.Execute(&filled, nil)
	}
	if err != nil {
		return page{}, fmt.Errorf("read the manual: %w", err)
	}
	title, rest, _ := strings.Cut(filled.String(), "\n")
	if err := goldmark.Convert([]byte(rest), &body); err != nil {
		return page{}, fmt.Errorf("read the manual: %w", err)
	}
	clean := content.Sanitize(body.String(), content.Origin{Base: base})
	return page{title: strings.TrimPrefix(title, "# "), body: content.Parse(clean), text: strings.ToLower(title + " " + content.Text(clean, len(clean)))}, nil
}

// withoutDots is the name of a command without the dots behind it, nor the space that some languages have before these.
func withoutDots(name string) string { return strings.TrimSpace(strings.TrimSuffix(name, "…")) }

// missing is a page that says that there is none.
func missing(topic, sentence string) page {
	return page{title: topic, body: content.Parse("<p>" + html.EscapeString(sentence) + "</p>")}
}

// marked returns what of a search is marked on a page: all of it, or its first word if the page has the words apart.
func (p page) marked(search string) string {
	words := strings.Fields(strings.ToLower(search))
	if whole := strings.Join(words, " "); len(words) < 2 || strings.Contains(p.text, whole) {
		return whole
	}
	return words[0]
}

// matches reports whether a page has all words of a search.
func (p page) matches(search string) bool {
	for _, word := range strings.Fields(strings.ToLower(search)) {
		if !strings.Contains(p.text, word) {
			return false
		}
	}
	return true
}
