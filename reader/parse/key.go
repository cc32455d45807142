package parse

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// distinct gives every draft its key: its id, else its link, else a digest of
// title and date. Of drafts that say the same all over, one is kept. Of those
// that share a key the oldest has it alone, since it was there first; the others
// are told apart by a digest of what they say.
func distinct(drafts []draft) []Article {
	drafts = saying(drafts)
	oldest := map[string]time.Time{}
	count := map[string]int{}
	for _, d := range drafts {
		first, known := oldest[d.Key]
		switch {
		case !known || d.Published.Before(first):
			oldest[d.Key], count[d.Key] = d.Published, 1
		case d.Published.Equal(first):
			count[d.Key]++
		}
	}
	seen := map[string]bool{}
	list := make([]Article, 0, len(drafts))
	for _, d := range drafts {
		a := d.Article
		if !a.Published.Equal(oldest[d.Key]) || count[d.Key] > 1 {
			a.Key += "#" + digest(d.named, d.dateText(), a.Link)
		}
		if seen[a.Key] {
			a.Key = d.Key + "#" + d.whole()
		}
		seen[a.Key] = true
		list = append(list, a)
	}
	return list
}

// saying returns the drafts that have anything in them, and not the same as another.
func saying(drafts []draft) []draft {
	seen := map[string]bool{}
	kept := drafts[:0]
	for _, d := range drafts {
		if !d.filled {
			continue
		}
		if d.Key = cmp.Or(d.id, d.ownLink); d.Key == "" {
			d.Key = digest(d.named, d.dateText(), d.firstWords())
		}
		if len(d.Key) > maxID {
			d.Key = digest(d.Key)
		}
		if w := d.whole(); !seen[w] {
			seen[w] = true
			kept = append(kept, d)
		}
	}
	return kept
}

// whole tells drafts apart by all they say.
func (d *draft) whole() string {
	return digest(d.Key, d.named, d.dateText(), d.Link, d.HTML, d.Author)
}

// firstWords stands in for the title of an item that has neither title nor date.
func (d *draft) firstWords() string {
	if d.named == "" && d.dateText() == "" {
		return d.Summary
	}
	return ""
}

func (d *draft) dateText() string {
	return cmp.Or(append(append([]string{}, d.published...), d.updated...)...)
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}
