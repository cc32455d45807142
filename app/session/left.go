package session

import (
	"encoding/json"
	"slices"
)

// Left is how the window was left. The next start comes back there.
type Left struct {
	Asked   bool     `json:"-"`                 // the user has asked for the article: it is opened like any other
	Place   string   `json:"place"`             // its key; "" where nothing is known
	Article int64    `json:"article,omitempty"` // being read, or read before the status
	Status  bool     `json:"status,omitempty"`  // that of the feed had the place of the article
	At      Position `json:"at,omitzero"`       // where in it
	Top     int64    `json:"top,omitempty"`     // the article in the first row on screen
	Above   float32  `json:"above,omitempty"`   // how much of that row has left the screen
	Folded  []string `json:"folded,omitempty"`  // paths of folders whose feeds are hidden
}

// ParseLeft reads what String wrote. What it did not write counts as nothing.
func ParseLeft(stored string) (l Left) {
	if json.Unmarshal([]byte(stored), &l) != nil {
		return Left{}
	}
	return l
}

// String is what is stored.
func (l Left) String() string {
	text, _ := json.Marshal(l) //nolint:errcheck // it has numbers and strings only
	return string(text)
}

// ReturnTo has the list come back to how it was left, once its place is chosen and listed. Another place chosen before ends that.
func (s *Session) ReturnTo(l Left) {
	s.left = l
	if l.Place == s.Place.Key {
		s.keepLeft()
	}
}

// StayHere says that the place that was left does not exist any more.
func (s *Session) StayHere() { s.left = Left{} }

// keepLeft keeps the article that was left in the list, which it may have left as it is read.
func (s *Session) keepLeft() {
	if s.left.Article != 0 {
		s.List.Keep(s.left.Article)
	}
}

// Resume returns the rows of the article that was being read and of the one that stood at the top, now that a list is on screen;
// -1 for what is not listed; and how the window was left, with Status if that is to be shown instead. article is whether there is
// room for an article. It does so once, for the whole list of the place that was left.
func (s *Session) Resume(article bool) (row, top int, left Left) {
	left = s.left
	left.Status = false
	if left.Place != s.Place.Key {
		return -1, -1, left
	}
	row, top = slices.Index(s.List.IDs, s.left.Article), slices.Index(s.List.IDs, s.left.Top)
	if s.List.Part && (s.left.Article != 0 && row < 0 || s.left.Top != 0 && top < 0) {
		return -1, -1, left // the rest is still to come
	}
	status := s.left.Status
	s.left = Left{}
	switch {
	case s.List.Current != 0: // opened meanwhile
		return -1, -1, left
	case status && article:
		left.Status = true
		return -1, top, left
	case row >= 0 && left.Asked:
		return row, top, left
	case row < 0 || !article:
		return -1, top, left
	}
	s.Unasked = Unasked{ID: s.List.IDs[row], Again: true}
	return row, top, left
}

// Left is how the window is left now; seen is what the panes know of it. While it has not come back to how it was left before,
// that is what is said.
func (s *Session) Left(seen Left) Left {
	if s.left.Place != "" {
		left := s.left
		left.Folded = seen.Folded
		return left
	}
	if s.Place.Key == Away { // which does not come back
		return Left{Place: Unread, Folded: seen.Folded}
	}
	seen.Place, seen.Article, seen.Status = s.Place.Key, s.List.Current, s.Status != 0
	if seen.Status {
		seen.Article = s.Unasked.Back
	}
	if seen.At.Article != seen.Article {
		seen.At = Position{} // the one chosen is still being loaded
	}
	return seen
}
