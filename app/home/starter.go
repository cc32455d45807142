package home

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"kairos/assets"
	"kairos/reader"
	"kairos/reader/opml"
)

// Topic is a group of feeds to begin with.
type Topic struct {
	Name  string
	Feeds []string // their titles
}

// Topics are those of the list that Kairos brings along.
func Topics() ([]Topic, error) {
	list, err := starter()
	if err != nil {
		return nil, err
	}
	var topics []Topic
	for _, f := range list.Feeds {
		if n := len(topics); n == 0 || topics[n-1].Name != f.Folder {
			topics = append(topics, Topic{Name: f.Folder})
		}
		last := &topics[len(topics)-1]
		last.Feeds = append(last.Feeds, f.Title)
	}
	return topics, nil
}

// Begin subscribes the feeds of these topics.
func (h *Home) Begin(ctx context.Context, topics []string) (done reader.ImportResult, err error) {
	list, err := starter()
	if err != nil {
		return done, err
	}
	list.Feeds = slices.DeleteFunc(list.Feeds, func(f opml.Outline) bool { return !slices.Contains(topics, f.Folder) })
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		done, err = reader.ImportFeeds(ctx, tx, list, h.Now())
		return err
	})
	if err == nil && len(done.Added) > 0 {
		h.Poller.Changed()
	}
	return done, err
}

func starter() (opml.List, error) {
	list, err := opml.Read(bytes.NewReader(assets.Starter))
	if err != nil {
		return list, fmt.Errorf("the feeds to begin with: %w", err)
	}
	return list, nil
}
