package session

import "time"

// OpenMark is when an article that is opened is marked read. It is stored under its value; any other value is MarkAtOnce.
type OpenMark string

// When articles are marked.
const (
	MarkAtOnce OpenMark = "once"
	MarkLater  OpenMark = "later" // once it stayed open for OpenedAfter
	MarkNever  OpenMark = "never" // by hand only
)

// Opened notes that an article is opened, and reports whether it is to be marked read at once: not if it is shown unasked.
func (s *Session) Opened(id int64) (mark bool) {
	if s.Unasked.ID == id {
		return false
	}
	s.Unasked.ID, s.Unasked.Again = 0, false
	return s.OpenMark != MarkLater && s.OpenMark != MarkNever
}

// Chosen notes that the user chose an article that may be shown unasked, and reports whether it is to be marked read now.
func (s *Session) Chosen(id int64) (mark bool) {
	if s.Unasked.ID != id {
		return false
	}
	s.Unasked.ID = 0
	return s.Opened(id)
}

// StayedOpen reports whether an article is to be marked read now that it stayed open: also one that was shown unasked.
func (s *Session) StayedOpen(id int64) (mark bool) {
	return s.OpenMark == MarkLater || s.OpenMark != MarkNever && s.Unasked.ID == id
}

// unaskedAfter is how long an article that was shown unasked must stay to count as opened: who goes through the feeds has not read it.
const unaskedAfter = 10 * time.Second

// OpenedAfter is how long an article must stay open to count as opened.
func (s *Session) OpenedAfter(id int64) time.Duration {
	if s.Unasked.ID == id {
		return unaskedAfter
	}
	return openedAfter
}

// Passed returns the article that is shown unasked and that the user goes on from, which is to be marked read as if it had been
// opened; 0 if there is none.
func (s *Session) Passed() int64 {
	if a := s.Reading(); a != nil && a.ID == s.Unasked.ID && s.IsShown(a.ID) && !s.Unasked.Again && s.OpenMark != MarkLater && s.OpenMark != MarkNever && !s.Marks.IsRead(a) {
		return a.ID
	}
	return 0
}
