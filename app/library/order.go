package library

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"kairos/reader"
)

// Sorting is how feeds and folders are sorted by hand.
type Sorting struct {
	Feeds   []int64              // the rest follows by name
	Folders map[reader.Place]int // positions, as reader.SetFolderPositions; those that are not in it stay as they are
}

// StoreSorting stores how feeds and folders are sorted.
func (l *Library) StoreSorting(ctx context.Context, sorting Sorting) error {
	text, err := json.Marshal(sorting.Feeds)
	if err != nil {
		return err
	}
	return l.home.Store.Write(ctx, func(tx *sql.Tx) error {
		if _, err := reader.SetFolderPositions(ctx, tx, sorting.Folders); err != nil {
			return err
		}
		return reader.SetSetting(ctx, tx, reader.SettingFeedOrder, string(text))
	})
}

// loadOrder reads the order of the feeds; one that cannot be read is ignored.
func loadOrder(ctx context.Context, store *reader.Store) (order []int64, err error) {
	stored, err := store.Settings.Get(ctx, reader.SettingFeedOrder, "")
	if err != nil || stored == "" || json.Unmarshal([]byte(stored), &order) != nil {
		return nil, err
	}
	return order, nil
}

// Sorting is how feeds are sorted by hand, and these folders of the tree.
func (s *Snapshot) Sorting(folders ...string) Sorting {
	now := Sorting{s.Order, map[reader.Place]int{}}
	for _, path := range folders {
		p := PlaceOf(path)
		now.Folders[p] = s.FolderChoices[p].Position
	}
	return now
}

// SortedByName is how all are sorted by name.
func (s *Snapshot) SortedByName() Sorting {
	by := Sorting{nil, map[reader.Place]int{}}
	for p, c := range s.FolderChoices {
		if c.Position != 0 {
			by.Folders[p] = 0
		}
	}
	return by
}

// placed returns a list with one element taken out and put where another stands.
func placed[T comparable](all []T, one, at T) []T {
	to := slices.Index(all, at)
	rest := slices.DeleteFunc(slices.Clone(all), func(t T) bool { return t == one })
	return slices.Insert(rest, min(to, len(rest)), one)
}

// Placed is the order of the feeds with one of them put where another of its folder stands. Only the feeds of this folder are
// sorted by hand then.
func (s *Snapshot) Placed(one, at reader.Feed) Sorting {
	var ids []int64 // of the folder
	for _, f := range s.Feeds {
		if SameFolder(&f, &one) {
			ids = append(ids, f.ID)
		}
	}
	others := slices.DeleteFunc(slices.Clone(s.Order), func(id int64) bool { return slices.Contains(ids, id) })
	return Sorting{Feeds: append(others, placed(ids, one.ID, at.ID)...)}
}

// PlacedFolder is how the folders of the tree are sorted with one of them put where another one beside it stands.
func (s *Snapshot) PlacedFolder(one, at string) Sorting {
	sorting := Sorting{s.Order, map[reader.Place]int{}}
	for i, path := range placed(s.Beside(one), one, at) {
		sorting.Folders[PlaceOf(path)] = i + 1
	}
	return sorting
}

// Beside are the folders of the tree that stand beside one, that among them, in their order.
func (s *Snapshot) Beside(folder string) (paths []string) {
	around := folder[:max(0, strings.LastIndex(folder, reader.FolderSeparator))]
	start := len(around)
	if around != "" {
		start += len(reader.FolderSeparator)
	}
	for i := range s.Feeds {
		path := s.Path(&s.Feeds[i])
		if len(path) <= start || around != "" && !InFolder(path, around) || around == "" && strings.HasPrefix(path, accountMark) {
			continue
		}
		if end := strings.Index(path[start:], reader.FolderSeparator); end >= 0 {
			path = path[:start+end]
		}
		if len(paths) == 0 || paths[len(paths)-1] != path && !slices.Contains(paths, path) { // folders whose names differ in case stand among each other
			paths = append(paths, path)
		}
	}
	return paths
}

// Neighbor is the feed by steps below another one, nil if that is not in its folder.
func (s *Snapshot) Neighbor(f *reader.Feed, step int) *reader.Feed {
	at, ok := s.at[f.ID]
	if at += step; ok && at >= 0 && at < len(s.Feeds) && SameFolder(&s.Feeds[at], f) {
		return &s.Feeds[at]
	}
	return nil
}

// NeighborFolder is the folder of the tree by steps below another one, "" if there is none beside it.
func (s *Snapshot) NeighborFolder(folder string, step int) string {
	paths := s.Beside(folder)
	at := slices.Index(paths, folder)
	if to := at + step; at >= 0 && to >= 0 && to < len(paths) {
		return paths[to]
	}
	return ""
}
