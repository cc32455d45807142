package session

import (
	"encoding/json"
	"slices"
)

// Position is where an article was left before its end: the text at the top of the view, and the offset in it.
type Position struct {
	Article int64 `json:"a"`
	Text    int   `json:"t,omitempty"`
	Offset  int   `json:"o,omitempty"`
	Wanted  bool  `json:"w,omitempty"` // the article is unread or starred: it will be read again
}

// Positions are where articles were left, those left last at the end.
type Positions []Position

// maxPositions bounds how many are remembered. Those of articles that are wanted stay longest.
const maxPositions = 200

// ParsePositions reads what String wrote. What it did not write counts as nothing.
func ParsePositions(stored string) (p Positions) {
	if json.Unmarshal([]byte(stored), &p) != nil {
		return nil
	}
	return p
}

// String is what is stored.
func (p Positions) String() string {
	if len(p) == 0 {
		return ""
	}
	text, _ := json.Marshal(p) //nolint:errcheck // it has numbers only
	return string(text)
}

// Set remembers a position in the place of an earlier one in the same article.
func (p *Positions) Set(at Position) {
	p.Drop(at.Article)
	*p = append(*p, at)
	if len(*p) > maxPositions {
		oldest := max(0, slices.IndexFunc(*p, func(one Position) bool { return !one.Wanted }))
		*p = slices.Delete(*p, oldest, oldest+1)
	}
}

// Drop forgets the position in an article, which was read to its end or is at its top.
func (p *Positions) Drop(article int64) {
	*p = slices.DeleteFunc(*p, func(one Position) bool { return one.Article == article })
}

// In is the position in an article; false if it is its top.
func (p Positions) In(article int64) (Position, bool) {
	i := slices.IndexFunc(p, func(one Position) bool { return one.Article == article })
	if i < 0 {
		return Position{}, false
	}
	return p[i], true
}
