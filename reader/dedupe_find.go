package reader

import (
	"context"
	"database/sql"
	"errors"
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

// Find finds the stories among articles that were imported, or stored while DedupeSettings.Once was off, or Alike, and returns how many
// articles it has examined. It stops when ctx ends or the setting is switched off, and resumes there the next time. Of two calls
// at a time one waits for the other.
func (d Duplicates) Find(ctx context.Context) (examined int, err error) {
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	defer func() { <-d.turn }()
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

// titleStart and linkStart select as much as package story looks at. It refuses a link that is longer, so one byte more is selected.
var (
	titleStart = fmt.Sprintf("substr(a.title, 1, %d)", story.MaxTitle)
	linkStart  = fmt.Sprintf("substr(a.link, 1, %d)", story.MaxLink+1)
)

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
	compared          comparedArticle // where there is html
}

// errSwitchedOff says that the user does not want it any more.
var errSwitchedOff = errors.New("switched off")

// examine calls f for the articles that are selected, some hundred in a transaction. While these are examined, the next are read.
func (d Duplicates) examine(ctx context.Context, which backlog, f func(*storyFinder, context.Context, []examinedArticle) error) (examined int, err error) {
	reading, stop := context.WithCancel(ctx)
	batches := make(chan readBatch)
	var reads sync.WaitGroup
	defer reads.Wait()
	defer stop()
	reads.Go(func() { d.readAhead(reading, which, batches) })
	profiles := knownProfiles{}
	for b := range batches {
		if b.err != nil {
			return examined, b.err
		}
		err = d.db.transact(ctx, func(tx *sql.Tx) (err error) {
			s := storyFinder{tx: tx, profiles: profiles}
			defer s.close()
			if err = s.examineAll(ctx, b.articles, f); err != nil || examined/dropKeysEvery == (examined+len(b.articles))/dropKeysEvery {
				return err
			}
			return dropStoryKeys(ctx, tx, b.articles[0].published.Add(-keptStoryKeys))
		})
		if errors.Is(err, errSwitchedOff) {
			return examined, nil
		}
		if err != nil {
			return examined, err
		}
		examined += len(b.articles)
	}
	return examined, ctx.Err()
}

// readBatch is a batch of articles, or why it could not be read.
type readBatch struct {
	articles []examinedArticle
	err      error
}

// readAhead reads batch after batch until there is none or ctx ends.
func (d Duplicates) readAhead(ctx context.Context, which backlog, batches chan<- readBatch) {
	defer close(batches)
	for at := (examinedArticle{published: time.Unix(math.MinInt32, 0)}); ; {
		batch, err := d.next(ctx, which, at)
		if err == nil && len(batch) == 0 {
			return
		}
		select {
		case batches <- readBatch{batch, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
		at = batch[len(batch)-1]
	}
}

// next returns the next articles after one.
func (d Duplicates) next(ctx context.Context, which backlog, after examinedArticle) ([]examinedArticle, error) {
	rows, err := d.db.read.QueryContext(ctx, `SELECT s.id, s.feed, s.published, `+titleStart+`, `+linkStart+`, `+which.html+`
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
		if err := rows.Scan(&a.id, &a.feed, &published, &a.title, &a.link, &a.html); err != nil {
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
				a := &part[i]
				a.compared, a.html = newComparedArticle(a.title, a.html, a.published), ""
			}
		})
	}
	all.Wait()
}

// examineAll calls f for those of some articles that are still there, with the stories that they belong to by now. Errors:
// errSwitchedOff.
func (s *storyFinder) examineAll(ctx context.Context, batch []examinedArticle, f func(*storyFinder, context.Context, []examinedArticle) error) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if !s.settings.Once {
		return errSwitchedOff
	}
	there, err := s.storiesOf(ctx, batch)
	if err != nil {
		return fmt.Errorf("find stories: %w", err)
	}
	still := make([]examinedArticle, 0, len(batch))
	for _, a := range batch {
		if story, exists := there[a.id]; exists {
			a.story = story
			still = append(still, a)
		}
	}
	return f(s, ctx, still)
}

// storiesOf returns the story of each of these articles that was not cleaned up.
func (s *storyFinder) storiesOf(ctx context.Context, batch []examinedArticle) (map[int64]int64, error) {
	ids := make([]int64, len(batch))
	for i, a := range batch {
		ids[i] = a.id
	}
	rows, err := s.tx.QueryContext(ctx, "SELECT s.id, s.story FROM status s JOIN article a USING (id) WHERE s.id IN "+(&idList{ids}).sql())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	stories := make(map[int64]int64, len(ids))
	for rows.Next() {
		var id, story int64
		if err := rows.Scan(&id, &story); err != nil {
			return nil, err
		}
		stories[id] = story
	}
	return stories, rows.Err()
}

// examine finds the stories of articles by their links and titles.
func (s *storyFinder) examine(ctx context.Context, batch []examinedArticle) error {
	for _, a := range batch {
		s.feed = a.feed
		m, err := s.match(ctx, a.link, a.title, a.published)
		if err != nil {
			return err
		}
		if err := s.add(ctx, a.id, m); err != nil {
			return err
		}
		if err := s.join(ctx, a, m); err != nil {
			return err
		}
	}
	return nil
}

// compare finds the stories of articles by what they tell. Errors: errSwitchedOff.
func (s *storyFinder) compare(ctx context.Context, batch []examinedArticle) error {
	if !s.settings.Alike {
		return errSwitchedOff
	}
	all := make([]comparedArticle, len(batch))
	for i, a := range batch {
		all[i] = a.compared
	}
	if err := s.prefetchAlike(ctx, all...); err != nil {
		return err
	}
	found := map[int][]int64{}
	for _, a := range batch {
		s.feed = a.feed
		m := storyMatch{story: a.story}
		if err := s.matchAlike(ctx, &m, a.compared); err != nil {
			return err
		}
		if err := s.addCompared(ctx, a.id, m); err != nil {
			return err
		}
		if err := s.join(ctx, a, m); err != nil {
			return err
		}
		found[m.foundBy] = append(found[m.foundBy], a.id)
	}
	for by, ids := range found {
		if _, err := s.tx.ExecContext(ctx, "UPDATE story SET alike = ? WHERE id IN "+(&idList{ids}).sql(), by); err != nil {
			return fmt.Errorf("note which articles were compared: %w", err)
		}
	}
	return nil
}

// join notes to which story an article belongs, if that is new.
func (s *storyFinder) join(ctx context.Context, a examinedArticle, m storyMatch) error {
	if m.story == 0 || m.story == a.story {
		return nil
	}
	return s.setStory(ctx, a.id, m.story)
}
