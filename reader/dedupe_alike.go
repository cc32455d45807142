package reader

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"kairos/reader/content"
	"kairos/reader/story"
)

// alikeSteps store by which numbers articles that tell the same are found: those of recent articles, since what is told days
// apart is no story. story.alike says whether an article was compared with others, and whether that found its story.
const alikeSteps = `
CREATE TABLE story_key (
	key       INTEGER NOT NULL, -- of package story
	published INTEGER NOT NULL,
	article   INTEGER NOT NULL,
	PRIMARY KEY (key, published, article)
) WITHOUT ROWID;
ALTER TABLE story ADD COLUMN alike INTEGER NOT NULL DEFAULT 0;
`

// Values of story.alike.
const (
	notCompared = iota
	compared
	foundAlike
)

const (
	// maxStoryText is how much of a text is looked at, in characters, and maxStoryHTML how much of it is read.
	maxStoryText = 4000
	maxStoryHTML = 40_000
	// A number that so many articles share within days says little, as "said" does, or stands for a story that is told everywhere.
	// It is not stored for more of them.
	maxKeyArticles = 12
	// leastKeys is how many numbers two articles have in common that are compared, leastCommon how many if none of these is rare,
	// and maxCompared how many articles one is compared with: those that have the rarest in common.
	leastKeys   = story.LeastKeys
	leastCommon = 4
	maxCompared = 6
	// maxNear is how many articles with numbers in common are looked at for boilerplate, and maxMembers how many of a story's first
	// ones an article is compared with before it joins them.
	maxNear    = 12
	maxMembers = 5
	// maxOfFeed is how often a feed tells a story, with its updates: what it tells more often is a topic.
	maxOfFeed = 4
	// maxStorySpan is how much later than the first article of a story another can belong to it: what is told day after day is
	// a topic.
	maxStorySpan = 2 * story.Window
	// keptStoryKeys is for how long the numbers of articles are kept: feeds bring some articles a day or two late.
	keptStoryKeys = 2 * story.Window
	// maxProfiles bounds the articles that are kept in memory for the next comparison, of some five kilobytes each.
	maxProfiles = 4000
)

// alikeFinder finds articles of other feeds that tell the same as one, in whatever words.
type alikeFinder struct {
	tx                *sql.Tx
	lookUp, insertKey *sql.Stmt
	profiles          knownProfiles
	keyed             map[uint32][]keyedArticle // that have the numbers which were looked up
}

// knownProfiles are profiles of articles, with their feeds.
type knownProfiles map[int64]story.Neighbor

// keyedArticle is an article that a number is stored for.
type keyedArticle struct{ published, id int64 }

// prepareAlike returns a finder that knows some profiles, and adds to them.
func prepareAlike(ctx context.Context, tx *sql.Tx, known knownProfiles) (*alikeFinder, error) {
	if known == nil {
		known = knownProfiles{}
	}
	f := &alikeFinder{tx: tx, profiles: known}
	for into, text := range map[**sql.Stmt]string{
		&f.lookUp: `SELECT group_concat(s.key || ' ' || s.published || ' ' || s.article, ' ') FROM json_each(?1) k CROSS JOIN story_key s
			WHERE s.key = k.value AND s.published BETWEEN ?2 AND ?3`,
		&f.insertKey: `INSERT OR IGNORE INTO story_key (key, published, article) SELECT value, ?2, ?3 FROM json_each(?1)`,
	} {
		var err error
		if *into, err = tx.PrepareContext(ctx, text); err != nil {
			f.close()
			return nil, fmt.Errorf("prepare: %w", err)
		}
	}
	return f, nil
}

func (f *alikeFinder) close() {
	if f == nil {
		return
	}
	for _, stmt := range []*sql.Stmt{f.lookUp, f.insertKey} {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// comparedArticle is an article as it is compared: its profile with the numbers of that, that of its title, and when it was published.
type comparedArticle struct {
	profile   *story.Profile
	keys      []uint32
	title     int64
	published time.Time
}

func newComparedArticle(title, html string, published time.Time) comparedArticle {
	p := profileOf(title, html)
	return comparedArticle{p, p.Keys(), story.Title(title), published}
}

func profileOf(title, html string) *story.Profile {
	return story.NewProfile(title, content.Text(html, maxStoryText))
}

// comparison is the result of one: those numbers of the article that few others have.
type comparison struct {
	comparedArticle
	telling []uint32
	near    []int64 // articles with enough numbers in common, likeliest first
}

// prefetch looks up which articles have the numbers of these: all at once, since a statement for each article takes several times
// as long.
func (f *alikeFinder) prefetch(ctx context.Context, all ...comparedArticle) error {
	if len(all) == 0 {
		return nil
	}
	var keys []uint32
	from, to := all[0].published, all[0].published
	for _, a := range all {
		keys = append(keys, a.keys...)
		if a.published.Before(from) {
			from = a.published
		}
		if a.published.After(to) {
			to = a.published
		}
	}
	slices.Sort(keys)
	list, err := json.Marshal(slices.Compact(keys))
	if err != nil {
		return err
	}
	var found sql.NullString // as one text: a row for each would take twice as long
	if err := f.lookUp.QueryRowContext(ctx, string(list), from.Add(-story.Window).Unix(), to.Add(story.Window).Unix()).Scan(&found); err != nil {
		return err
	}
	f.keyed = map[uint32][]keyedArticle{}
	for rest := found.String; rest != ""; {
		var row [3]int64
		if rest, err = cutNumbers(rest, row[:]); err != nil {
			return err
		}
		key := uint32(row[0])
		f.keyed[key] = append(f.keyed[key], keyedArticle{row[1], row[2]})
	}
	return nil
}

// compare finds the articles that a prefetched one may tell the same as.
func (f *alikeFinder) compare(a comparedArticle) comparison {
	c := comparison{comparedArticle: a}
	from, to := a.published.Add(-story.Window).Unix(), a.published.Add(story.Window).Unix()
	shared := map[int64]sharedKeys{}
	var with []keyedArticle
	for _, key := range a.keys {
		with = with[:0]
		for _, other := range f.keyed[key] {
			if from <= other.published && other.published <= to {
				with = append(with, other)
			}
		}
		rare := len(with) < maxKeyArticles
		if rare {
			c.telling = append(c.telling, key)
		}
		for _, other := range with {
			s := shared[other.id]
			s.gap = max(other.published-a.published.Unix(), a.published.Unix()-other.published)
			s.all, s.rarity = s.all+1, s.rarity+1/float64(1+len(with))
			if rare {
				s.rare++
			}
			shared[other.id] = s
		}
	}
	c.near = likeliest(shared)
	return c
}

// sharedKeys are the numbers that another article has in common with one.
type sharedKeys struct {
	all, rare int
	rarity    float64
	gap       int64 // between the two, in seconds
}

// likeliest returns the articles with enough numbers in common, those with the rarest first, and of equal ones the nearest in time.
func likeliest(shared map[int64]sharedKeys) []int64 {
	var ids []int64
	for id, s := range shared {
		if s.rare >= leastKeys || s.all >= leastCommon {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int64) int {
		return cmp.Or(cmp.Compare(shared[b].rarity, shared[a].rarity), cmp.Compare(shared[a].gap, shared[b].gap), cmp.Compare(a, b))
	})
	return ids[:min(len(ids), maxNear)]
}

// toldArticle is an article that another may tell the same as.
type toldArticle struct {
	story.Neighbor
	id, story int64
	read      bool
	spans     bool // its story has not lasted for too long
}

// match compares a prefetched article of a feed with those of others, and sets the story to that of the first that tells the same.
func (f *alikeFinder) match(ctx context.Context, m *storyMatch, a comparedArticle, feed int64) error {
	c := f.compare(a)
	m.compared, m.foundBy = &c, compared
	candidates := c.near[:min(len(c.near), maxCompared)]
	if m.story != 0 || len(candidates) == 0 {
		return nil
	}
	told, err := f.load(ctx, c.published, feed, candidates)
	if err != nil {
		return err
	}
	this := matchedArticle{Neighbor: story.Neighbor{Feed: feed, Profile: a.profile}, near: c.near, title: a.title, published: c.published}
	for _, id := range candidates {
		other, there := told[id]
		if !there || !other.spans || !story.Alike(a.profile, other.Profile) {
			continue
		}
		if same, err := f.confirm(ctx, &this, other); err != nil {
			return err
		} else if same {
			m.story, m.newStory, m.read, m.foundBy = cmp.Or(other.story, id), other.story == 0, other.read, foundAlike
			return nil
		}
	}
	return nil
}

func (f *alikeFinder) load(ctx context.Context, published time.Time, but int64, ids []int64) (map[int64]toldArticle, error) {
	marks, args := placeholders(ids)
	args = append(args, but, published.Unix(), int64(maxStorySpan/time.Second))
	rows, err := f.tx.QueryContext(ctx, `SELECT s.id, s.feed, s.story, s.read, abs(coalesce(l.published, s.published) - ?) <= ?, `+titleStart+`, substr(b.html, 1, `+strconv.Itoa(maxStoryHTML)+`)
		FROM status s JOIN article a USING (id) JOIN body b USING (id) LEFT JOIN status l ON l.id = s.story
		WHERE s.id IN `+marks+` AND s.feed <> ? AND s.deleted = 0`, slices.Concat(args[len(ids)+1:], args[:len(ids)+1])...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	told := map[int64]toldArticle{}
	for rows.Next() {
		var a toldArticle
		var title string
		var html sql.RawBytes
		if err := rows.Scan(&a.id, &a.Feed, &a.story, &a.read, &a.spans, &title, &html); err != nil {
			return nil, err
		}
		if a.Profile = f.profiles[a.id].Profile; a.Profile == nil {
			a.Profile = profileOf(title, string(html))
			f.remember(a.id, a.Neighbor)
		}
		told[a.id] = a
	}
	return told, rows.Err()
}

func (f *alikeFinder) remember(id int64, p story.Neighbor) {
	if len(f.profiles) >= maxProfiles {
		clear(f.profiles)
	}
	f.profiles[id] = p
}

// add stores by what other articles are compared with this one.
func (f *alikeFinder) add(ctx context.Context, id, feed int64, c comparison) error {
	f.remember(id, story.Neighbor{Feed: feed, Profile: c.profile})
	keys, err := json.Marshal(c.telling)
	if err != nil {
		return err
	}
	if _, err = f.insertKey.ExecContext(ctx, string(keys), c.published.Unix(), id); err != nil {
		return err
	}
	this := keyedArticle{c.published.Unix(), id}
	for _, key := range c.telling {
		if !slices.Contains(f.keyed[key], this) {
			f.keyed[key] = append(f.keyed[key], this)
		}
	}
	return nil
}

// dropStoryKeys forgets the numbers of articles that were published before.
func dropStoryKeys(ctx context.Context, tx *sql.Tx, before time.Time) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM story_key WHERE published < ?", before.Unix())
	return err
}
