package away

import (
	"context"

	"kairos/reader"
	"kairos/reader/story"
)

// stories tells which articles tell the same, however stories are listed.
type stories struct {
	story map[int64]int64    // of an article; that of its first one
	feeds map[int64]int      // that carry a story
	named map[int64][2]int64 // numbers of the link and the title of an article; 0: none
}

// stories finds the stories of articles.
func (s Source) stories(ctx context.Context, ids []int64) (stories, error) {
	var articles []story.Carried
	var known []reader.Facts
	seen := map[int64]bool{}
	err := s.Store.Articles.Facts(ctx, ids, func(f reader.Facts) {
		if seen[f.ID] {
			return
		}
		seen[f.ID] = true
		known = append(known, f)
		articles = append(articles, story.Carried{Feed: f.Feed, Link: f.Link, Title: f.Title, Published: f.Published, Story: f.Story})
	})
	of := stories{map[int64]int64{}, map[int64]int{}, map[int64][2]int64{}}
	feeds := map[[2]int64]bool{}
	for i, first := range story.Same(articles) {
		id := known[first].ID
		of.story[known[i].ID] = id
		of.named[known[i].ID] = [2]int64{story.Link(known[i].Link), story.Title(known[i].Title)}
		if pair := [2]int64{id, known[i].Feed}; !feeds[pair] {
			feeds[pair] = true
			of.feeds[id]++
		}
		of.feeds[id] = max(of.feeds[id], known[i].Carriers) // others may be read
	}
	return of, err
}

// carriers returns how many feeds carry the story of an article.
func (s *stories) carriers(id int64) int { return s.feeds[s.story[id]] }

// told is what has been told already.
type told struct {
	stories map[int64]bool
	names   map[int64]bool // numbers of links and titles
}

// pick returns the first of articles that tell something new, so many at most, and notes them as told: what one feed brings twice
// under one link or title is no story of several feeds, but not new either.
func (s *stories) pick(ids []int64, before *told, most int) (picked []int64) {
	for _, id := range ids {
		of, known := s.story[id]
		link, title := s.named[id][0], s.named[id][1]
		if len(picked) >= most || !known || before.stories[of] || link != 0 && before.names[link] || title != 0 && before.names[title] {
			continue
		}
		before.stories[of], before.names[link], before.names[title] = true, true, true
		picked = append(picked, id)
	}
	return picked
}
