package home

import (
	"context"
	"encoding/json"
	"slices"

	"kairos/reader"
)

// order sorts feeds that an import has brought by hand, as the other reader had them: by their ids. Folders whose feeds stand by name
// there, too, are left by name, and so are those that have other feeds.
func (i *Imports) order(ctx context.Context, added []int64) error {
	feeds, err := i.store.Feeds.List(ctx) // by name within each folder
	if err != nil {
		return err
	}
	folders := map[reader.Place][]int64{}
	var places []reader.Place
	for _, f := range feeds {
		at := reader.Place{Account: f.Account, Path: f.Folder}
		if folders[at] == nil {
			places = append(places, at)
		}
		folders[at] = append(folders[at], f.ID)
	}
	isNew := map[int64]bool{}
	for _, id := range added {
		isNew[id] = true
	}
	stored, err := i.store.Settings.Get(ctx, SettingFeedOrder, "")
	if err != nil {
		return err
	}
	var order []int64
	if stored != "" && json.Unmarshal([]byte(stored), &order) != nil {
		order = nil
	}
	before := len(order)
	for _, at := range places {
		ids := folders[at]
		if slices.IsSorted(ids) || slices.ContainsFunc(ids, func(id int64) bool { return !isNew[id] || slices.Contains(order[:before], id) }) {
			continue
		}
		order = append(order, slices.Sorted(slices.Values(ids))...)
	}
	if len(order) == before {
		return nil
	}
	text, err := json.Marshal(order)
	if err != nil {
		return err
	}
	return i.store.Settings.Set(ctx, SettingFeedOrder, string(text))
}
