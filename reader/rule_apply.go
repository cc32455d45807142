package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"kairos/reader/content"
	"kairos/reader/rule"
)

// Touched are the stored articles that a rule changes.
type Touched struct {
	Of    int // looked at
	IDs   []int64
	Rule  rule.Rule
	Stars int // how many of them it stars,
	Reads int // marks read,
	Hides int // and hides
}

// touchAtOnce is how many articles are looked at, or changed, at a time.
const touchAtOnce = 500

// WouldTouch looks through what is stored for what a rule would change, and says now and
// then how many articles it has looked at. It changes nothing. Errors: *rule.Error.
func (s *Store) WouldTouch(ctx context.Context, r rule.Rule, looked func(int)) (Touched, error) {
	t := Touched{Rule: r}
	if err := r.Check(); err != nil {
		return t, err
	}
	set, err := rule.Compile([]rule.Rule{r})
	if err != nil {
		return t, err
	}
	names, err := s.feedNames(ctx)
	for last, after := false, int64(0); err == nil && !last; {
		before := t.Of
		after, err = s.touchSome(ctx, set, names, after, &t)
		last = t.Of == before
		looked(t.Of)
	}
	if err != nil {
		return t, fmt.Errorf("look what a rule would change: %w", explain(err))
	}
	return t, nil
}

// touchSome looks at some articles behind the one given and returns the last of them.
// Each batch is a query of its own, so that the file's log is not kept growing meanwhile.
func (s *Store) touchSome(ctx context.Context, set *rule.Set, names map[int64][]string, after int64, t *Touched) (int64, error) {
	body, join := "''", ""
	if t.Rule.NeedsText() {
		body, join = "b.html", " JOIN body b USING (id)"
	}
	rows, err := s.read.QueryContext(ctx, `SELECT s.id, s.feed, s.read, s.starred, a.author, a.title, `+body+` FROM status s JOIN article a USING (id)`+join+`
		WHERE s.id > ? AND s.deleted = 0 AND s.feed NOT IN (SELECT id FROM feed WHERE removed <> 0) ORDER BY s.id LIMIT ?`, after, touchAtOnce)
	if err != nil {
		return after, err
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var read, starred bool
		var a rule.Article
		var html sql.RawBytes
		if err := rows.Scan(&after, &feed, &read, &starred, &a.Author, &a.Title, &html); err != nil {
			return after, err
		}
		t.Of++
		a.FeedNames = names[feed]
		a.Text = func() string { return content.Text(string(html), rule.MaxText) }
		t.add(after, set.Apply(&a), read, starred)
	}
	return after, rows.Err()
}

// add notes an article if it is not yet as the rule would have it.
func (t *Touched) add(id int64, v rule.Verdict, read, starred bool) {
	star, mark, hide := v.Star && !starred, v.Read && !read, v.Hide && !starred
	for n, does := range map[*int]bool{&t.Stars: star, &t.Reads: mark, &t.Hides: hide} {
		if does {
			*n++
		}
	}
	if star || mark || hide {
		t.IDs = append(t.IDs, id)
	}
}

// Batches are the articles in the portions they are best changed in.
func (t Touched) Batches() [][]int64 { return slices.Collect(slices.Chunk(t.IDs, touchAtOnce)) }

// Applied are the articles a rule has changed, by what it did with them.
type Applied struct{ Starred, Read, Hidden []int64 }

// Add takes up what else was changed.
func (a *Applied) Add(more Applied) {
	a.Starred, a.Read, a.Hidden = append(a.Starred, more.Starred...), append(a.Read, more.Read...), append(a.Hidden, more.Hidden...)
}

// Articles returns how many articles were changed.
func (a Applied) Articles() int {
	all := slices.Concat(a.Starred, a.Read, a.Hidden)
	slices.Sort(all)
	return len(slices.Compact(all))
}

// ApplyRule does with stored articles what a stored rule does with those that arrive, but
// for telling of them: what it hides can be brought back, and what is starred is not hidden.
func ApplyRule(ctx context.Context, tx *sql.Tx, r rule.Rule, ids []int64) (done Applied, err error) {
	if r.Actions.Star {
		if done.Starred, err = Mark(ctx, tx, ids, FlagStarred, true); err != nil {
			return Applied{}, err
		}
	}
	if r.Actions.Read {
		if done.Read, err = Mark(ctx, tx, ids, FlagRead, true); err != nil {
			return Applied{}, err
		}
	}
	if r.Actions.Hide && !r.Actions.Star {
		done.Hidden, err = hide(ctx, tx, ids, r.ID)
	}
	return done, err
}

func hide(ctx context.Context, tx *sql.Tx, ids []int64, by int64) (hidden []int64, err error) {
	for chunk := range slices.Chunk(ids, touchAtOnce) {
		marks, args := placeholders(chunk)
		rows, err := tx.QueryContext(ctx, "UPDATE status SET deleted = 1, hidden = ? WHERE deleted = 0 AND starred = 0 AND id IN "+marks+" RETURNING id",
			append([]any{by}, args...)...)
		if err != nil {
			return nil, fmt.Errorf("hide: %w", err)
		}
		if hidden, err = appendIDs(hidden, rows); err != nil {
			return nil, fmt.Errorf("hide: %w", err)
		}
	}
	return hidden, nil
}

// Unapply undoes ApplyRule.
func Unapply(ctx context.Context, tx *sql.Tx, a Applied) error {
	if _, err := BringBack(ctx, tx, a.Hidden); err != nil {
		return err
	}
	if _, err := Mark(ctx, tx, a.Read, FlagRead, false); err != nil {
		return err
	}
	_, err := Mark(ctx, tx, a.Starred, FlagStarred, false)
	return err
}
