package home

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"kairos/reader"
)

// order sorts feeds and folders that an import has brought by hand, as the other reader had them: by their ids. What stands by name
// there, too, is left by name, and so is what stands among others.
func (i *Imports) order(ctx context.Context, added []int64) error {
	feeds, err := i.store.Feeds.List(ctx) // by name, but for what was sorted here
	if err != nil {
		return err
	}
	isNew := map[int64]bool{}
	for _, id := range added {
		isNew[id] = true
	}
	stored, err := i.store.Settings.Get(ctx, reader.SettingFeedOrder, "")
	if err != nil {
		return err
	}
	var order []int64
	if stored != "" && json.Unmarshal([]byte(stored), &order) != nil {
		order = nil
	}
	before := len(order)
	order = append(order, orderOfFeeds(feeds, isNew, order)...)
	positions := orderOfFolders(feeds, isNew)
	if len(order) == before && len(positions) == 0 {
		return nil
	}
	text, err := json.Marshal(order)
	if err != nil {
		return err
	}
	return i.store.Write(ctx, func(tx *sql.Tx) error {
		if _, err := reader.SetFolderPositions(ctx, tx, positions); err != nil || len(order) == before {
			return err
		}
		return reader.SetSetting(ctx, tx, reader.SettingFeedOrder, string(text))
	})
}

// orderOfFeeds returns the ids of new feeds in folders that are to be sorted by hand; sorted has those that are.
func orderOfFeeds(feeds []reader.Feed, isNew map[int64]bool, sorted []int64) (order []int64) {
	folders := map[reader.Place][]int64{}
	var places []reader.Place
	for _, f := range feeds {
		at := reader.Place{Account: f.Account, Path: f.Folder}
		if folders[at] == nil {
			places = append(places, at)
		}
		folders[at] = append(folders[at], f.ID)
	}
	for _, at := range places {
		ids := folders[at]
		if slices.IsSorted(ids) || slices.ContainsFunc(ids, func(id int64) bool { return !isNew[id] || slices.Contains(sorted, id) }) {
			continue
		}
		order = append(order, slices.Sorted(slices.Values(ids))...)
	}
	return order
}

// folder is one with the least id of the feeds in it and in those within it.
type folder struct {
	path  string
	first int64
}

// orderOfFolders returns where new folders of this computer stand that are to be sorted by hand.
func orderOfFolders(feeds []reader.Feed, isNew map[int64]bool) map[reader.Place]int {
	within := map[string][]folder{} // the folders in one, "" for the outermost, in the order of feeds
	index := map[string]int{}       // of each path, in there
	known := map[string]bool{}      // that have feeds from before in them
	for _, f := range feeds {
		if f.Account != 0 || f.Folder == "" {
			continue
		}
		names := strings.Split(f.Folder, reader.FolderSeparator)
		for depth := range names {
			around, path := strings.Join(names[:depth], reader.FolderSeparator), strings.Join(names[:depth+1], reader.FolderSeparator)
			if at, is := index[path]; is {
				beside := within[around]
				beside[at].first = min(beside[at].first, f.ID)
			} else {
				index[path] = len(within[around])
				within[around] = append(within[around], folder{path, f.ID})
			}
			known[around] = known[around] || !isNew[f.ID]
		}
	}
	byAppearance := func(a, b folder) int { return cmp.Compare(a.first, b.first) }
	positions := map[reader.Place]int{}
	for around, beside := range within {
		if known[around] || slices.IsSortedFunc(beside, byAppearance) {
			continue
		}
		slices.SortFunc(beside, byAppearance)
		for k, one := range beside {
			positions[reader.Place{Path: one.path}] = k + 1
		}
	}
	return positions
}
