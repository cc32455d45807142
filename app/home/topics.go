package home

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"kairos/assets"
	"kairos/reader"
	"kairos/reader/opml"
)

// Topic is a group of starter feeds.
type Topic struct {
	Name  string
	Feeds []string // their titles
}

// Topics returns the starter feeds that come with Kairos.
func Topics() ([]Topic, error) {
	list, err := starterFeeds()
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

// AddTopics subscribes to the starter feeds of some topics.
func (s *Subscriptions) AddTopics(ctx context.Context, topics []string) (reader.ImportResult, error) {
	list, err := starterFeeds()
	if err != nil {
		return reader.ImportResult{}, err
	}
	list.Feeds = slices.DeleteFunc(list.Feeds, func(f opml.Outline) bool { return !slices.Contains(topics, f.Folder) })
	return s.importList(ctx, 0, list)
}

func starterFeeds() (opml.List, error) {
	list, err := opml.Read(bytes.NewReader(assets.Starter))
	if err != nil {
		return list, fmt.Errorf("read the starter feeds: %w", err)
	}
	return list, nil
}
