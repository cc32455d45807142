package reader

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// inOrder sorts what has a folder, a title and an id as people would: by folder, one inside
// another after it, then by title, without regard to case, and 2 before 10 (Unicode
// Collation Algorithm, numeric).
func inOrder[T any](all []T, of func(*T) (folder, title string, id int64)) {
	type place struct {
		folder, title []byte
		path          string // as it is written: folders that differ in case alone are two
		id            int64
		at            int
	}
	c, buf := collate.New(language.Und, collate.IgnoreCase, collate.Numeric), &collate.Buffer{}
	folders := map[string][]byte{}
	places := make([]place, len(all))
	for i := range all {
		folder, title, id := of(&all[i])
		key, known := folders[folder]
		if !known {
			// A zero parts the names, so that what is inside a folder follows it at once.
			for _, name := range strings.Split(folder, FolderSeparator) {
				key = append(append(key, c.KeyFromString(buf, name)...), 0)
			}
			if folder == "" {
				key = nil
			}
			folders[folder] = key
		}
		places[i] = place{key, c.KeyFromString(buf, title), folder, id, i}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(bytes.Compare(a.folder, b.folder), cmp.Compare(a.path, b.path), bytes.Compare(a.title, b.title), cmp.Compare(a.id, b.id))
	})
	sorted := make([]T, len(all))
	for i, p := range places {
		sorted[i] = all[p.at]
	}
	copy(all, sorted)
}
