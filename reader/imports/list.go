package imports

import (
	"context"

	"kairos/reader/opml"
)

// listFormat reads a list of feeds: OPML, and what else package opml reads, such as the file urls that Newsboat has, also in a folder
// without its database.
var listFormat = format{reader: List, find: in("urls", "newsboat/urls"), open: openList, is: func(b *beginning) bool { return opml.IsList(b.bytes) }}

func openList(_ context.Context, s *file) error {
	list, err := readList(s.Path)
	if err != nil {
		return err
	}
	s.addList(list)
	s.countFeeds()
	return nil
}
