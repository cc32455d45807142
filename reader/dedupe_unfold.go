package reader

import (
	"context"
	"fmt"
)

// ListsOnce reports whether a query lists a story once that several feeds carry. Starred articles, those of one feed or one label
// and hidden ones are listed as they are.
func (q Query) ListsOnce() bool {
	return q.Dedupe && q.View != Starred && q.Feed == 0 && q.Label == 0 && !q.Queued && !q.Hidden && !q.Snoozed && !q.Ended
}

// otherOfStory is the condition for the articles of a story that are listed: those of subscribed feeds.
const otherOfStory = "o.deleted = 0 AND o.feed NOT IN (SELECT id FROM feed WHERE removed <> 0)"

// Unfold returns a list with all other articles of some stories below the first one that the list has of each.
func (a Articles) Unfold(ctx context.Context, ids, stories []int64) ([]int64, error) {
	if len(stories) == 0 {
		return ids, nil
	}
	others := map[int64][]int64{} // of the same story, by article
	for _, story := range stories {
		same, err := queryIDs(ctx, a.db.read, "SELECT o.id FROM status o WHERE o.story = ? AND o.story <> 0 AND "+otherOfStory+" ORDER BY o.published DESC, o.id DESC", story)
		if err != nil {
			return nil, fmt.Errorf("list a story: %w", classify(err))
		}
		for _, id := range same {
			others[id] = same
		}
	}
	unfolded, listed := make([]int64, 0, len(ids)+len(others)), map[int64]bool{}
	for _, id := range ids {
		same := others[id]
		if listed[id] {
			continue
		}
		unfolded = append(unfolded, id)
		for _, other := range same {
			listed[other] = true
			if other != id {
				unfolded = append(unfolded, other)
			}
		}
	}
	return unfolded, nil
}
