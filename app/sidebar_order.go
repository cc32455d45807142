package app

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"fyne.io/fyne/v2/lang"

	"kairos/reader"
)

// settingFeedOrder holds the feeds that the user has sorted by hand, as a JSON list of their ids. Feeds that are not in
// it follow by name.
const settingFeedOrder = "app.feed_order"

// sortByHand sorts feeds of the same folder, which stand together, as in order.
func sortByHand(feeds []reader.Feed, order []int64) {
	rank := map[int64]int{}
	for i, id := range order {
		rank[id] = i - len(order) // below 0, the rank of feeds that are not in it
	}
	for from := 0; from < len(feeds); {
		to := from + 1
		for to < len(feeds) && inOneFolder(&feeds[to], &feeds[from]) {
			to++
		}
		slices.SortStableFunc(feeds[from:to], func(a, b reader.Feed) int { return cmp.Compare(rank[a.ID], rank[b.ID]) })
		from = to
	}
}

// inOneFolder reports whether two feeds stand beside each other in the sidebar.
func inOneFolder(a, b *reader.Feed) bool { return a.Folder == b.Folder && a.Account == b.Account }

// placed returns the ids of feeds with one taken out and put where another stands.
func placed(ids []int64, one, at int64) []int64 {
	to := slices.Index(ids, at)
	rest := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id == one })
	return slices.Insert(rest, min(to, len(rest)), one)
}

// loadOrder reads the order of the feeds; one that cannot be read is none.
func (s *sidebar) loadOrder(ctx context.Context) (order []int64, err error) {
	stored, err := s.home.Store.Settings.Get(ctx, settingFeedOrder, "")
	if err != nil || stored == "" || json.Unmarshal([]byte(stored), &order) != nil {
		return nil, err
	}
	return order, nil
}

// setOrder stores the order of the feeds, which can be undone.
func (s *sidebar) setOrder(order []int64, message string) {
	before := s.order
	store := func(ctx context.Context, order []int64) error {
		text, err := json.Marshal(order)
		if err != nil {
			return err
		}
		return s.home.Store.Settings.Set(ctx, settingFeedOrder, string(text))
	}
	s.Work(func(ctx context.Context) error { return store(ctx, order) }, func(err error) {
		if err != nil {
			s.say(errorText(err))
			return
		}
		s.undo.add(message, func(ctx context.Context) error {
			defer s.Do(s.reload)
			return store(ctx, before)
		})
		s.reload()
	})
}

// place puts a feed where another one of its folder stands. Only the feeds of this folder are sorted by hand then.
func (s *sidebar) place(one, at reader.Feed) {
	var ids []int64 // of the folder
	for _, f := range s.feeds {
		if inOneFolder(&f, &one) {
			ids = append(ids, f.ID)
		}
	}
	others := slices.DeleteFunc(slices.Clone(s.order), func(id int64) bool { return slices.Contains(ids, id) })
	s.setOrder(append(others, placed(ids, one.ID, at.ID)...), lang.L("{{.Name}} moved", map[string]any{"Name": one.Title}))
}

// moveChosen moves the chosen feed by one place, up if step is negative, within its folder.
func (s *sidebar) moveChosen(step int) {
	f := s.chosen.feed
	if f == nil {
		s.say(lang.L("Select a feed first."))
		return
	}
	at := slices.IndexFunc(s.feeds, func(one reader.Feed) bool { return one.ID == f.ID }) + step
	if at >= 0 && at < len(s.feeds) && inOneFolder(&s.feeds[at], f) {
		s.place(*f, s.feeds[at])
	}
}

// sortByName forgets what was sorted by hand.
func (s *sidebar) sortByName() {
	if len(s.order) > 0 {
		s.setOrder(nil, lang.L("Feeds sorted by name"))
	}
}
