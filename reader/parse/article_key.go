package parse

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"kairos/reader/content"
)

// assignKeys gives every draft its key: its id, else its link, else a digest of
// title and date. Of identical drafts one is kept. Of those that share a key the
// oldest keeps it, since it was there first; the others get a digest of their
// content behind it.
func assignKeys(drafts []draft) []Article {
	drafts = dropEmptyAndRepeated(drafts)
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
			a.Key += "#" + digest(d.ownTitle, d.dateText(), a.Link)
		}
		if seen[a.Key] {
			a.Key = d.Key + "#" + d.contentDigest()
		}
		seen[a.Key] = true
		list = append(list, a)
	}
	return list
}

// dropEmptyAndRepeated drops empty drafts and those that are identical to another.
func dropEmptyAndRepeated(drafts []draft) []draft {
	count := map[string]int{}
	for i := range drafts {
		d := &drafts[i]
		if d.Key = cmp.Or(d.id, d.ownLink); d.Key == "" {
			d.Key = digest(d.ownTitle, d.dateText(), d.firstWords())
		}
		if len(d.Key) > maxID {
			d.Key = digest(d.Key)
		}
		if d.hasContent {
			count[d.Key]++
		}
	}
	seen := map[string]bool{}
	kept := drafts[:0]
	for _, d := range drafts {
		if !d.hasContent {
			continue
		}
		if count[d.Key] > 1 { // identical drafts have the same key
			sum := d.contentDigest()
			if seen[sum] {
				continue
			}
			seen[sum] = true
		}
		kept = append(kept, d)
	}
	return kept
}

// contentDigest is equal for identical drafts.
func (d *draft) contentDigest() string {
	return digest(d.Key, d.ownTitle, d.dateText(), d.Link, content.WithoutSizes(d.HTML), d.Author)
}

// firstWords identifies an item that has neither title nor date.
func (d *draft) firstWords() string {
	if d.ownTitle == "" && d.dateText() == "" {
		return d.Summary
	}
	return ""
}

func (d *draft) dateText() string {
	return cmp.Or(append(append([]string{}, d.published...), d.updated...)...)
}

func digest(parts ...string) string {
	h := sha256.New()
	for i, p := range parts {
		if i > 0 {
			h.Write([]byte{0})
		}
		io.WriteString(h, p) //nolint:errcheck // a hash takes all
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
