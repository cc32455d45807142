package session

import "slices"

// Selection is the articles that are selected together, by Ctrl and a click, by Shift with a click or an arrow, or all
// of them; and the one that a context menu was opened on.
type Selection struct {
	IDs    IDSet
	from   int64 // where a range starts
	to     int64 // where it ends
	Target int64 // the article that a context menu was opened on, else 0
	Whole  bool  // all were selected while only the first were listed: the rest belong to it
}

// start selects only the article with this id, 0 for none, unless something is selected already.
func (s *Selection) start(id int64) {
	if s.IDs.Len() > 0 {
		return
	}
	s.IDs = IDSet{}
	if id != 0 {
		s.IDs.Add(id)
	}
	s.from, s.to = id, id
}

// setRange selects what stands in listed from where the range starts to row i.
func (s *Selection) setRange(listed []int64, i int) {
	from := slices.Index(listed, s.from)
	if from < 0 {
		from = i
	}
	s.IDs = NewIDSet(listed[min(from, i) : max(from, i)+1])
	s.to, s.Whole = listed[i], false
}

// Prune drops what is not listed any more. Of a list that was selected as a whole it takes what was not there yet, until no more
// is to come, and reports whether it did.
func (s *Selection) Prune(listed []int64, part bool) (grown bool) {
	if s.Whole {
		grown = len(listed) > s.IDs.Len()
		*s = wholeOf(listed, part)
	} else if s.IDs.Len() > 0 {
		s.IDs.keep(NewIDSet(listed))
	}
	return grown
}

// wholeOf selects all that are listed, and what is still to come if they are a part.
func wholeOf(listed []int64, part bool) Selection {
	if len(listed) == 0 {
		return Selection{Whole: part}
	}
	return Selection{IDs: NewIDSet(listed), from: listed[0], to: listed[len(listed)-1], Whole: part}
}
