package reader

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// sortLikeFeeds sorts things that have a folder, a title and an id the way people would: by folder,
// nested folders after the one around them, then by title, without regard to case, and 2 before 10
// (Unicode Collation Algorithm, numeric). What was sorted by hand comes first, as it was.
func sortLikeFeeds[T any](all []T, order handOrder, of func(*T) (folder Place, title string, id int64)) {
	type sortKey struct {
		folder, title []byte
		path          string // as written: folders that differ only in case are two
		byHand        int
		id            int64
		at            int
	}
	c, buf := collate.New(language.Und, collate.IgnoreCase, collate.Numeric), &collate.Buffer{}
	folders := map[Place][]byte{}
	keys := make([]sortKey, len(all))
	for i := range all {
		folder, title, id := of(&all[i])
		folderKey, known := folders[folder]
		if !known && folder.Path != "" {
			names := strings.Split(folder.Path, FolderSeparator)
			for depth, name := range names {
				around := Place{folder.Account, strings.Join(names[:depth+1], FolderSeparator)}
				// Those without a position come last. A zero after each name, so that nested folders follow right after theirs.
				folderKey = binary.BigEndian.AppendUint32(folderKey, uint32(order.folders[around].Position-1))
				folderKey = append(append(folderKey, c.KeyFromString(buf, name)...), 0)
			}
			folders[folder] = folderKey
		}
		keys[i] = sortKey{folderKey, c.KeyFromString(buf, title), folder.Path, order.feeds[id], id, i}
	}
	slices.SortFunc(keys, func(a, b sortKey) int {
		return cmp.Or(bytes.Compare(a.folder, b.folder), cmp.Compare(a.path, b.path), cmp.Compare(a.byHand, b.byHand), bytes.Compare(a.title, b.title), cmp.Compare(a.id, b.id))
	})
	sorted := make([]T, len(all))
	for i, key := range keys {
		sorted[i] = all[key.at]
	}
	copy(all, sorted)
}
