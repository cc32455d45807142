package reader

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"kairos/reader/story"
)

const (
	// maxStoryBatch is how many articles are examined in one transaction.
	maxStoryBatch = 300
	// dropKeysEvery is after how many articles the numbers of those are dropped that are too old to be compared.
	dropKeysEvery = 3000
)

// Find finds the stories among articles that were stored while DedupeSettings.Once was off, or Alike, and returns how many
// articles it has examined. It stops when ctx ends or the setting is switched off, and resumes there the next time.
func (d Duplicates) Find(ctx context.Context) (examined int, err error) {
	settings, err := d.Settings(ctx)
	if err != nil || !settings.Once {
		return 0, err
	}
	examined, err = d.examine(ctx, unexamined, (*storyFinder).examine)
	if err != nil || !settings.Alike {
		return examined, err
	}
	compared, err := d.examine(ctx, uncompared, (*storyFinder).compare)
	return examined + compared, err
}

// noHTML selects no text.
const noHTML = "''"

// backlog selects articles of which something is not known yet: those after one, in an order.
type backlog struct{ where, order, html string }

var (
	// A link that a feed uses twice is known as such if articles are examined as they came.
	unexamined = backlog{where: "s.id > ?2 AND y.id IS NULL", order: "s.id", html: noHTML}
	// The numbers of articles that are too old to be compared can be dropped if they are compared by age.
	uncompared = backlog{where: "(s.published, s.id) > (?1, ?2) AND y.alike = 0 AND s.deleted = 0", order: "s.published, s.id",
		html: fmt.Sprintf("coalesce((SELECT substr(html, 1, %d) FROM body b WHERE b.id = a.id), '')", maxStoryHTML)}
)

// examinedArticle is an article that is examined after it was stored.
type examinedArticle struct {
	id, feed, story   int64
	title, link, html string
	published         time.Time
	profile           *story.Profile // where there is html
}

// examine calls f for the articles that are selected, some hundred in a transaction.
func (d Duplicates) examine(ctx context.Context, which backlog, f func(*storyFinder, context.Context, examinedArticle) error) (examined int, err error) {
	profiles := map[int64]*story.Profile{}
	for at := (examinedArticle{published: time.Unix(math.MinInt32, 0)}); ; {
		batch, err := d.next(ctx, which, at)
		if err != nil || len(batch) == 0 {
			return examined, err
		}
		on := false
		err = d.db.transact(ctx, func(tx *sql.Tx) (err error) {
			s := storyFinder{tx: tx, profiles: profiles}
			defer s.close()
			if on, err = s.examineAll(ctx, batch, f); err != nil || examined/dropKeysEvery == (examined+len(batch))/dropKeysEvery {
				return err
			}
			return dropStoryKeys(ctx, tx, batch[0].published.Add(-keptStoryKeys))
		})
		if err != nil || !on {
			return examined, err
		}
		examined += len(batch)
		at = batch[len(batch)-1]
	}
}

// next returns the next articles after one.
func (d Duplicates) next(ctx context.Context, which backlog, after examinedArticle) ([]examinedArticle, error) {
	rows, err := d.db.read.QueryContext(ctx, `SELECT s.id, s.feed, s.published, s.story, a.title, a.link, `+which.html+`
		FROM status s JOIN article a USING (id) LEFT JOIN story y USING (id)
		WHERE `+which.where+` ORDER BY `+which.order+` LIMIT ?3`, after.published.Unix(), after.id, maxStoryBatch)
	if err != nil {
		return nil, fmt.Errorf("find stories: %w", classify(err))
	}
	defer rows.Close()
	var batch []examinedArticle
	for rows.Next() {
		var a examinedArticle
		var published int64
		if err := rows.Scan(&a.id, &a.feed, &published, &a.story, &a.title, &a.link, &a.html); err != nil {
			return nil, fmt.Errorf("find stories: %w", classify(err))
		}
		a.published = time.Unix(published, 0)
		batch = append(batch, a)
	}
	if which.html != noHTML {
		profileAll(batch)
	}
	return batch, classify(rows.Err())
}

// profileAll makes the profiles of articles, on all processors: it is half of the work.
func profileAll(batch []examinedArticle) {
	var all sync.WaitGroup
	size := (len(batch) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	for part := range slices.Chunk(batch, max(1, size)) {
		all.Go(func() {
			for i := range part {
				part[i].profile, part[i].html = profileOf(part[i].title, part[i].html), ""
			}
		})
	}
	all.Wait()
}

// examineAll calls f for some articles. It reports whether the user still wants stories listed once.
func (s *storyFinder) examineAll(ctx context.Context, batch []examinedArticle, f func(*storyFinder, context.Context, examinedArticle) error) (on bool, err error) {
	if err := s.prepare(ctx); err != nil || !s.settings.Once {
		return false, err
	}
	ids := make([]int64, len(batch))
	for i, a := range batch {
		ids[i] = a.id
	}
	there, err := queryIDs(ctx, s.tx, "SELECT id FROM article WHERE id IN "+(&idList{ids}).sql()+" ORDER BY id")
	if err != nil {
		return false, fmt.Errorf("find stories: %w", err)
	}
	for _, a := range batch {
		if _, exists := slices.BinarySearch(there, a.id); !exists { // it was cleaned up meanwhile
			continue
		}
		s.feed = a.feed
		if err := f(s, ctx, a); err != nil {
			return false, err
		}
	}
	return true, nil
}

// examine finds the story of an article by its link and title.
func (s *storyFinder) examine(ctx context.Context, a examinedArticle) error {
	m, err := s.match(ctx, a.link, a.title, a.published)
	if err != nil {
		return err
	}
	return s.setStory(ctx, a, m)
}

// compare finds the story of an article by what it tells.
func (s *storyFinder) compare(ctx context.Context, a examinedArticle) error {
	if !s.settings.Alike {
		return nil
	}
	m := storyMatch{story: a.story}
	if err := s.matchAlike(ctx, &m, a.profile, a.published); err != nil {
		return err
	}
	return s.setStory(ctx, a, m)
}

func (s *storyFinder) setStory(ctx context.Context, a examinedArticle, m storyMatch) error {
	if err := s.add(ctx, a.id, m); err != nil || m.story == 0 || m.story == a.story {
		return err
	}
	if _, err := s.tx.ExecContext(ctx, "UPDATE status SET story = ? WHERE id = ?", m.story, a.id); err != nil {
		return fmt.Errorf("store a story: %w", err)
	}
	return nil
}
