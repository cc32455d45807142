package text

import (
	"slices"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/away"
	"kairos/poller/likely"
	"kairos/reader"
	"kairos/useraccess/taste"
)

// The sum of what came stays when some of it is read.
func TestAway(t *testing.T) {
	p := English()
	since := time.Date(2026, 11, 23, 19, 5, 0, 0, time.UTC)
	for want, s := range map[string]away.Summary{
		"Since Monday, 23 November, 19:05: 609 articles in 88 feeds.":                    {Came: 609, Feeds: 88, Articles: make([]int64, 609)},
		"Since Monday, 23 November, 19:05: 609 articles in 88 feeds, 10 of them unread.": {Came: 609, Feeds: 88, Articles: make([]int64, 10)},
		"Since Monday, 23 November, 19:05: 609 articles in 88 feeds, all of them read.":  {Came: 609, Feeds: 88},
		"Since Monday, 23 November, 19:05 nothing new came.":                             {},
	} {
		s.Since, s.Until = since, since.AddDate(0, 0, 5)
		if got := p.Away(&s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What holds for all articles is said once, what tells them apart beside each, and what is merely assumed not ten times.
func TestAwayReasons(t *testing.T) {
	p := English()
	of := func(i poller.FeedInterest, carriers int, features ...taste.Reason) away.Article {
		return away.Article{Article: reader.Article{Author: "Jane"}, Carriers: carriers, Reason: likely.Reason{Feed: i, Features: features}}
	}
	assumed, known := poller.FeedInterest{Chance: 0.9}, poller.FeedInterest{Chance: 0.9, Read: 9, Passed: 1, Spread: 0.1}
	jane := taste.Reason{Feature: taste.Feature{Kind: taste.Author, Text: "jane"}, Read: 6, Passed: 1, Effect: 1}
	read := of(assumed, 1, jane)
	read.Read = true
	for name, c := range map[string]struct {
		all    []away.Article
		shared string
		each   []string
	}{
		"nothing":   {nil, "", nil},
		"assumed":   {[]away.Article{of(assumed, 1), of(assumed, 4)}, "Kairos does not know yet what you read of these feeds. It puts first what people usually read: feeds that post seldom.", []string{"", "4 feeds carry it"}},
		"the same":  {[]away.Article{of(known, 1), of(known, 1)}, "For each of these feeds: You read about 9 of 10 of its articles.", []string{"", ""}},
		"different": {[]away.Article{of(known, 1), of(assumed, 1), of(assumed, 1, jane)}, "Where no reason is given, Kairos does not know yet what you read of the feed, and goes by how often it posts.", []string{"You read about 9 of 10 of its articles.", "", "By Jane: you read 6 of 7."}},
		"read":      {[]away.Article{read, of(assumed, 1)}, "Kairos does not know yet what you read of these feeds. It puts first what people usually read: feeds that post seldom.", []string{"", ""}},
		"all read":  {[]away.Article{read, read}, "", []string{"", ""}},
		"one":       {[]away.Article{of(known, 1)}, "", []string{"You read about 9 of 10 of its articles."}},
	} {
		shared, each := p.AwayReasons(c.all)
		if shared != c.shared || !slices.Equal(each, c.each) {
			t.Errorf("%s: %q, %q", name, shared, each)
		}
	}
}
