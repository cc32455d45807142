package library

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"kairos/app/home"
	"kairos/reader"
)

// sortByHand sorts feeds of the same folder, which stand together, as in order.
func sortByHand(feeds []reader.Feed, order []int64) {
	rank := map[int64]int{}
	for i, id := range order {
		rank[id] = i - len(order) // below 0, the rank of feeds that are not in it
	}
	for from := 0; from < len(feeds); {
		to := from + 1
		for to < len(feeds) && SameFolder(&feeds[to], &feeds[from]) {
			to++
		}
		slices.SortStableFunc(feeds[from:to], func(a, b reader.Feed) int { return cmp.Compare(rank[a.ID], rank[b.ID]) })
		from = to
	}
}

// placed returns the ids of feeds with one taken out and put where another stands.
func placed(ids []int64, one, at int64) []int64 {
	to := slices.Index(ids, at)
	rest := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id == one })
	return slices.Insert(rest, min(to, len(rest)), one)
}

// loadOrder reads the order of the feeds; one that cannot be read is ignored.
func loadOrder(ctx context.Context, store *reader.Store) (order []int64, err error) {
	stored, err := store.Settings.Get(ctx, home.SettingFeedOrder, "")
	if err != nil || stored == "" || json.Unmarshal([]byte(stored), &order) != nil {
		return nil, err
	}
	return order, nil
}

// StoreOrder stores the order of the feeds; nil is by name.
func (l *Library) StoreOrder(ctx context.Context, order []int64) error {
	text, err := json.Marshal(order)
	if err != nil {
		return err
	}
	return l.home.Store.Settings.Set(ctx, home.SettingFeedOrder, string(text))
}

// Placed is the order of the feeds with one of them put where another of its folder stands. Only the feeds of this folder are
// sorted by hand then.
func (s *Snapshot) Placed(one, at reader.Feed) []int64 {
	var ids []int64 // of the folder
	for _, f := range s.Feeds {
		if SameFolder(&f, &one) {
			ids = append(ids, f.ID)
		}
	}
	others := slices.DeleteFunc(slices.Clone(s.Order), func(id int64) bool { return slices.Contains(ids, id) })
	return append(others, placed(ids, one.ID, at.ID)...)
}

// Neighbor is the feed by steps below another one, nil if that is not in its folder.
func (s *Snapshot) Neighbor(f *reader.Feed, step int) *reader.Feed {
	at, ok := s.at[f.ID]
	if at += step; ok && at >= 0 && at < len(s.Feeds) && SameFolder(&s.Feeds[at], f) {
		return &s.Feeds[at]
	}
	return nil
}
