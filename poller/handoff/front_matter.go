package handoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// frontMatter is what a Markdown file says of its article above the text.
type frontMatter struct {
	Title     string    `yaml:"title"`
	Source    string    `yaml:"source,omitempty"`
	Feed      string    `yaml:"feed,omitempty"`
	FeedURL   string    `yaml:"feed_url,omitempty"`
	Author    string    `yaml:"author,omitempty"`
	Published time.Time `yaml:"published,omitempty"`
	Starred   time.Time `yaml:"starred,omitempty"`
	Tags      []string  `yaml:"tags,omitempty"`
	Kairos    string    `yaml:"kairos"` // identifies the article, so that a file that was written is found again
}

// marker stands before and after the front matter.
const marker = "---\n"

// encode returns the front matter with the markers around it.
func (m frontMatter) encode() ([]byte, error) {
	text, err := yaml.Marshal(m)
	if err != nil {
		return nil, err
	}
	return append(append([]byte(marker), text...), marker...), nil
}

func (a Article) frontMatter() frontMatter {
	m := frontMatter{Title: oneLine(a.Title), Source: oneLine(a.Link), Feed: oneLine(a.Feed), FeedURL: oneLine(a.FeedURL), Author: oneLine(a.Author),
		Published: a.Published.UTC().Truncate(time.Second), Starred: a.Starred.UTC().Truncate(time.Second), Kairos: a.identity()}
	for _, label := range a.Labels {
		if tag := noteTag(label); tag != "" {
			m.Tags = append(m.Tags, tag)
		}
	}
	return m
}

// identity is the same for an article whenever it is written.
func (a Article) identity() string {
	sum := sha256.Sum256([]byte(a.ID))
	return hex.EncodeToString(sum[:12])
}

// isOf reports whether a file that begins so was written for an article.
func (a Article) isOf(head []byte) bool {
	if !bytes.HasPrefix(head, []byte(marker)) {
		return false
	}
	front, _, _ := bytes.Cut(head[len(marker):], []byte("\n---"))
	for line := range bytes.Lines(front) {
		value, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("kairos:"))
		if ok && strings.Trim(string(bytes.TrimSpace(value)), `"'`) == a.identity() {
			return true
		}
	}
	return false
}

// oneLine returns text without line ends, control characters and what would show it in another order.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs), r&0xfffe == 0xfffe:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return strings.Join(strings.Fields(text), " ")
}

// noteTag returns a label as a tag of a note: letters, digits and - _ /, and not digits alone.
func noteTag(label string) string {
	letters := false
	tag := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.Is(unicode.Mn, r), r == '_':
			letters = true
			return r
		case unicode.IsDigit(r), r == '-', r == '/':
			return r
		}
		return '-'
	}, oneLine(label))
	tag = strings.Trim(tag, "-/")
	if !letters && tag != "" {
		return "_" + tag
	}
	return tag
}
