package imports

import (
	"context"

	"kairos/reader/opml"
)

// listFormat reads a list of feeds: OPML, and what else package opml reads.
var listFormat = format{reader: List, open: openList, is: func(b *beginning) bool { return opml.IsList(b.bytes) }}

func openList(_ context.Context, s *file) error {
	list, err := readList(s.Path)
	if err != nil {
		return err
	}
	s.addList(list)
	s.countFeeds()
	return nil
}
