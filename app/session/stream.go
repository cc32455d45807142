package session

// StreamStep is what a stream, which shows the articles of a list one below the other, does when the list has come.
type StreamStep int

// The steps.
const (
	StreamStays    StreamStep = iota
	StreamGivesWay            // to the list, which says why it is empty
	StreamBegins              // with an article that nobody asked for
	StreamFollows             // what was added to the list and removed from it
)

// StreamListed is the step of a stream now that the list is there. row is where it begins. reveal is whether the stream may take
// the place of the list.
func (s *Session) StreamListed(reveal bool) (step StreamStep, row int) {
	switch {
	case s.Status != 0:
		return StreamStays, 0
	case s.StreamWanted && len(s.List.IDs) == 0:
		return StreamGivesWay, 0
	case s.StreamWanted && s.List.Current == 0 && reveal:
		row, found := s.firstUnread()
		if !found && s.List.Part {
			return StreamStays, 0 // an unread one may be among the rest
		}
		s.Unasked = Unasked{ID: s.List.IDs[row]}
		return StreamBegins, row
	}
	return StreamFollows, 0
}
