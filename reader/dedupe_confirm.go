package reader

import (
	"context"
	"time"

	"kairos/reader/story"
)

// matchedArticle is an article that was found to be like another: what it shares with the articles near it says whether that is
// boilerplate.
type matchedArticle struct {
	story.Neighbor
	near        []int64
	title       int64 // 0: says nothing
	published   time.Time
	known       bool // what of it is boilerplate
	boilerplate story.Boilerplate
}

// confirm reports whether an article that is like another tells the same also without boilerplate, and belongs to the story of that.
func (f *alikeFinder) confirm(ctx context.Context, a *matchedArticle, other toldArticle) (bool, error) {
	if err := f.findBoilerplate(ctx, a); err != nil {
		return false, err
	}
	profile := a.Profile.Without(a.boilerplate)
	if len(a.boilerplate) > 0 && !story.Alike(profile, other.Profile.Without(a.boilerplate)) {
		return false, nil
	}
	if other.story == 0 {
		return true, nil
	}
	first, ofFeed, err := f.firstOfStory(ctx, a, other)
	if err != nil || ofFeed >= maxOfFeed {
		return false, err
	}
	neighbors, err := f.neighbors(ctx, a.published, first)
	if err != nil {
		return false, err
	}
	others := make([]*story.Profile, len(neighbors))
	for i, n := range neighbors {
		others[i] = n.Profile.Without(a.boilerplate)
	}
	return story.Belongs(profile, others), nil
}

// findBoilerplate finds out what of an article is boilerplate, once.
func (f *alikeFinder) findBoilerplate(ctx context.Context, a *matchedArticle) error {
	if a.known {
		return nil
	}
	others, err := f.neighbors(ctx, a.published, a.near)
	if err != nil {
		return err
	}
	a.known, a.boilerplate = true, story.FindBoilerplate(a.Neighbor, others)
	return nil
}

// firstOfStory returns the first articles of the story of another beside that one, and how many of it the feed of an article has:
// more than can be if it has one with the title of that, which it repeats.
func (f *alikeFinder) firstOfStory(ctx context.Context, a *matchedArticle, other toldArticle) (first []int64, ofFeed int, err error) {
	rows, err := f.tx.QueryContext(ctx, `SELECT s.id, s.feed, coalesce(y.title, 0) FROM status s LEFT JOIN story y USING (id)
		WHERE s.story = ? AND s.story <> 0 AND s.deleted = 0 ORDER BY s.id`, other.story)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, feed, title int64
		if err := rows.Scan(&id, &feed, &title); err != nil {
			return nil, 0, err
		}
		if id != other.id && len(first) < maxMembers {
			first = append(first, id)
		}
		if feed != a.Feed {
			continue
		}
		if ofFeed++; a.title != 0 && title == a.title {
			ofFeed = maxOfFeed
		}
	}
	return first, ofFeed, rows.Err()
}

// neighbors returns those of some articles that are still there, in their order.
func (f *alikeFinder) neighbors(ctx context.Context, published time.Time, ids []int64) (all []story.Neighbor, err error) {
	known := map[int64]story.Neighbor{}
	var missing []int64
	for _, id := range ids {
		if n, there := f.profiles[id]; there {
			known[id] = n
		} else {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		loaded, err := f.load(ctx, published, 0, missing)
		if err != nil {
			return nil, err
		}
		for id, a := range loaded {
			known[id] = a.Neighbor
		}
	}
	for _, id := range ids {
		if n, there := known[id]; there {
			all = append(all, n)
		}
	}
	return all, nil
}
