package sidebar

import (
	"fyne.io/fyne/v2"

	"kairos/reader"
)

// pick picks feeds beside those picked already: Control adds or removes the feed of row i, Shift takes all feeds from
// the chosen row to it. It reports whether anything was picked.
func (s *Pane) pick(i int, held fyne.KeyModifier) bool {
	if held&(fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift) == 0 || s.Items[i].Feed == nil {
		return false
	}
	if s.Picked == nil {
		s.Picked = map[int64]bool{}
		if f := s.session.Place.Feed; f != nil {
			s.Picked[f.ID] = true
		}
	}
	if held&fyne.KeyModifierShift == 0 {
		if id := s.Items[i].Feed.ID; s.Picked[id] {
			delete(s.Picked, id)
		} else {
			s.Picked[id] = true
		}
		return true
	}
	clear(s.Picked)
	from, to := max(s.List.Chosen, 0), i
	for _, item := range s.Items[min(from, to) : max(from, to)+1] {
		if item.Feed != nil {
			s.Picked[item.Feed.ID] = true
		}
	}
	return true
}

// PickedFeeds are the feeds that are picked.
func (s *Pane) PickedFeeds() (feeds []reader.Feed) {
	for _, f := range s.library.Feeds {
		if s.Picked[f.ID] {
			feeds = append(feeds, f)
		}
	}
	return feeds
}
