// Package session is what the user has chosen, searched for, listed, opened, selected and marked, and the history of undo that
// the panes add to, as plain data with its transitions. It knows no window and no widget.
package session

import (
	"slices"
	"time"

	"kairos/reader"
)

// Session is what is chosen, searched for, listed and read. It belongs to the window's goroutine.
type Session struct {
	Place   Place
	Search  string // what is searched for in the place; "" is nothing
	List    List
	Shown   *reader.Article // being read, as it was when it was opened or last listed; nil: none
	Unasked Unasked
	Marks   *Marks
	Panes   Panes
	Empty   bool  // there is nothing to list in any place
	IsAway  bool  // the page of what came while the user was away can be chosen
	Status  int64 // the feed whose status has the place of the article; 0: none

	StreamWanted bool // another item was chosen, whose articles are to be shown one below the other once they are listed

	OpenMark OpenMark // of articles that are opened

	left Left // what is still to come back to
}

// New returns a session in which nothing is listed yet.
func New(place Place, marks *Marks) *Session {
	s := &Session{Place: place, List: List{Rows: newRows(nil, nil)}, Marks: marks, Panes: NewPanes(Columns, false)}
	s.List.Awaited = true
	return s
}

// Unasked is the article that is shown when a feed is chosen, unasked. It is marked read only once it stayed open or was chosen.
type Unasked struct {
	Feed int64 // whose first article is to be shown once it is listed, else 0
	ID   int64 // the article that was shown unasked, else 0
	Back int64 // the article that was shown before the feed's status, else 0

	Again bool // ID was being read when the program ended: it was counted and marked then
}

// Query is what the list shows. since is the start of the user's day; of a story that several feeds carry one is listed if
// dedupe is set.
func (s *Session) Query(since time.Time, dedupe bool) reader.Query {
	q := s.Place.Query
	q.Since = since
	q.Within, q.Search, q.Quick = q.Search, s.Search, true
	q = s.Order().Apply(q)
	q.Dedupe = dedupe
	q.AlsoList = slices.Clone(s.List.Kept)
	return q
}

// Order is the order of the list: the one that the user has chosen, but in the queue that in which it plays.
func (s *Session) Order() Order {
	if s.Place.Query.Queued {
		return Order{Sort: AsPlayed}
	}
	return s.List.Order
}

// ListKey is the key of the list without a search.
func (s *Session) ListKey(dedupe bool) ListKey { return ListKey{s.Place.Key, s.Order(), dedupe} }

// Choose chooses a place, whose list is still to come.
func (s *Session) Choose(p Place) {
	s.Place = p
	s.List.Reset()
	s.Unasked = Unasked{}
	if p.Key == s.left.Place {
		s.keepLeft()
	} else {
		s.left = Left{}
	}
	if p.Feed != nil {
		s.Unasked.Feed = p.Feed.ID
	}
}

// Find returns what is known of an article: its row, or the article being read; nil if it is neither.
func (s *Session) Find(id int64) *reader.Article {
	if row := s.List.Loaded[id]; row != nil {
		return row
	}
	if s.IsShown(id) {
		return s.Shown
	}
	return nil
}

// IsShown reports whether an article is being read.
func (s *Session) IsShown(id int64) bool { return s.Shown != nil && s.Shown.ID == id }

// Reading is the article being read with its status as the list has it, or had it last; nil if there is none.
func (s *Session) Reading() *reader.Article {
	if s.Shown == nil {
		return nil
	}
	if a := s.List.Loaded[s.Shown.ID]; a != nil {
		s.Shown.Labels = a.Labels // for a list without it
		return a
	}
	return s.Shown
}

// WouldMark reports whether toggling a flag of the targets sets it: one of them does not have it, or there are none.
func (s *Session) WouldMark(flag reader.Flag) bool {
	none := true
	for id := range s.List.EachTarget() {
		none = false
		if one := s.Find(id); one == nil || !s.Marks.Value(one, flag) {
			return true
		}
	}
	return none
}

// UnreadBelow is the next unread row below the current one, if all rows up to there are known.
func (s *Session) UnreadBelow() (row int, known bool) {
	return s.List.unreadBelow(s.List.Row(), s.Marks.IsRead)
}

// firstUnread is the first unread row below the current one, else that of the list, else its first row. found is whether it is
// unread.
func (s *Session) firstUnread() (row int, found bool) {
	if row, found = s.UnreadBelow(); found {
		return row, true
	}
	if row = slices.Index(s.List.IDs, s.List.unread); row >= 0 {
		return row, true
	}
	return 0, false
}

// First is what is to be shown of a feed that was chosen, now that it is listed.
type First int

const (
	ShowNothing First = iota // something is shown already, or nothing was wanted
	ShowRow                  // the row that First names
	ShowStatus               // the status of the feed: it has no articles
	ShowList                 // the list has the place of the article
)

// First decides what to show of a feed that was chosen and is listed now: the article that was shown before, else its first
// unread one, else its first one, else its status. articleSeen is whether there is room for it on screen.
func (s *Session) First(articleSeen bool) (show First, row int) {
	feed, back := s.Unasked.Feed, slices.Index(s.List.IDs, s.Unasked.Back)
	if feed == 0 || s.List.Current != 0 {
		return ShowNothing, 0
	}
	s.Unasked.Feed = 0
	switch {
	case back >= 0:
		return ShowRow, back
	case !articleSeen:
		return ShowList, 0
	case len(s.List.IDs) == 0:
		return ShowStatus, 0
	}
	row, _ = s.firstUnread()
	s.Unasked.ID = s.List.IDs[row]
	return ShowRow, row
}

// NextUnread is where the next unread article is: in a row of the list, or still to be looked for.
type NextUnread struct {
	Row   int
	Known bool

	After int64    // look for the first unread article below this one
	IDs   []int64  // in this order
	Rest  []string // and then in the places with these keys
}

// NextUnread finds the next unread article below the current one, else the first unread one of the list. From the end of a feed
// or folder it goes on with the next feed that has unread articles, from the end of any other list with all that are unread.
// below lists the feeds and folders with unread articles below the place.
func (s *Session) NextUnread(below func() []string) (next NextUnread) {
	if next.Row, next.Known = s.UnreadBelow(); next.Known {
		return next
	}
	next.After, next.IDs = s.List.Current, s.List.IDs
	switch {
	case s.Search != "":
	case s.Place.Feed != nil || s.Place.Folder != "":
		next.Rest = below()
	case s.Place.Key != Unread:
		next.Rest = []string{Unread}
	}
	return next
}
