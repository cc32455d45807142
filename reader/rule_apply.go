package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"kairos/reader/content"
	"kairos/reader/rule"
)

// RuleChanges holds the stored articles that a rule would change.
type RuleChanges struct {
	Rule       rule.Rule
	Examined   int     // articles examined
	IDs        []int64 // articles that it would change
	ToStar     int     // of them it would star,
	ToLabel    int     // label,
	ToMarkRead int     // mark read,
	ToSnooze   int     // snooze,
	ToHide     int     // and hide
	More       int     // further articles of the same stories, which would be marked read or snoozed with them

	together []int64 // those of IDs that are read or put away with their stories
}

// maxRuleBatch is how many articles are examined or changed at a time.
const maxRuleBatch = 500

// maxRuleSnooze is when articles that a rule has put away come back without a visit.
const maxRuleSnooze = 7 * 24 * time.Hour

// isTold is the condition for the story of an article s to have been told by another feed before.
const isTold = "s.story NOT IN (0, s.id)"

// FindChanges examines the stored articles for what a rule would change, and calls progress with
// the number of articles examined so far. It changes nothing. Errors: *rule.Error.
func (r Rules) FindChanges(ctx context.Context, one rule.Rule, progress func(examined int)) (RuleChanges, error) {
	t := RuleChanges{Rule: one}
	if err := one.Check(); err != nil {
		return t, err
	}
	set, err := rule.Compile([]rule.Rule{one})
	if err != nil {
		return t, err
	}
	feeds, err := r.feeds(ctx)
	for last, after := false, int64(0); err == nil && !last; {
		before := t.Examined
		after, err = r.examineBatch(ctx, set, feeds, after, &t)
		last = t.Examined == before
		progress(t.Examined)
	}
	if err == nil {
		err = t.findMore(ctx, r.db.read)
	}
	if err != nil {
		return t, fmt.Errorf("find what a rule would change: %w", classify(err))
	}
	return t, nil
}

// examineBatch examines some articles after the given one and returns the last of them. Each batch
// is a query of its own: a long one would keep the log from being moved into the file.
func (r Rules) examineBatch(ctx context.Context, set *rule.Set, feeds map[int64]ruleFeed, after int64, t *RuleChanges) (int64, error) {
	body, join := bodyColumn(t.Rule.NeedsText())
	rows, err := r.db.read.QueryContext(ctx, `SELECT s.id, s.feed, s.read, s.starred, `+isTold+`, a.author, a.title, a.link, a.categories, `+body+`,
			s.id IN (SELECT article FROM labelled), EXISTS (SELECT 1 FROM label WHERE id = ?1) AND s.id NOT IN (SELECT article FROM labelled WHERE label = ?1)
		FROM status s JOIN article a USING (id)`+join+`
		WHERE s.id > ?2 AND s.deleted = 0 AND s.feed NOT IN (SELECT id FROM feed WHERE removed <> 0) ORDER BY s.id LIMIT ?3`, t.Rule.Actions.Label, after, maxRuleBatch)
	if err != nil {
		return after, err
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var now articleMarks
		var a rule.Article
		var categories string
		var html sql.RawBytes
		if err := rows.Scan(&after, &feed, &now.read, &now.starred, &a.Told, &a.Author, &a.Title, &a.Address, &categories, &html, &now.labeled, &now.canLabel); err != nil {
			return after, err
		}
		t.Examined++
		a.FeedNames, a.Folder, a.Categories = feeds[feed].names, feeds[feed].folder, splitCategories(categories)
		a.Text = func() string { return content.Text(string(html), rule.MaxText) }
		t.add(after, set.Apply(&a), now)
	}
	return after, rows.Err()
}

// articleMarks is what an article has before a rule is applied.
type articleMarks struct {
	read, starred, labeled bool
	canLabel               bool // the label of the rule exists, and the article does not have it
}

// add adds an article unless it is already as the rule would make it.
func (t *RuleChanges) add(id int64, v rule.Verdict, now articleMarks) {
	star, label, mark := v.Star && !now.starred, v.Label != 0 && now.canLabel, v.Read && !now.read
	hide := v.Hide && !now.starred && !now.labeled
	snooze := v.Snooze && !now.read
	for n, changes := range map[*int]bool{&t.ToStar: star, &t.ToLabel: label, &t.ToMarkRead: mark, &t.ToSnooze: snooze, &t.ToHide: hide} {
		if changes {
			*n++
		}
	}
	if star || label || mark || snooze || hide {
		t.IDs = append(t.IDs, id)
	}
	if mark || snooze {
		t.together = append(t.together, id)
	}
}

// findMore counts what changes with these articles, because it tells the same stories.
func (t *RuleChanges) findMore(ctx context.Context, db Querier) error {
	others, err := SameStories(ctx, db, t.together)
	if err != nil || len(others) == 0 {
		return err
	}
	into, where := &t.ToSnooze, ""
	if t.Rule.Actions.Read {
		into, where = &t.ToMarkRead, "read = 0 AND "
	}
	if others, err = queryIDs(ctx, db, "SELECT id FROM status WHERE "+where+"id IN "+(&idList{others}).sql()); err != nil {
		return err
	}
	*into += len(others)
	for _, id := range others {
		if _, counted := slices.BinarySearch(t.IDs, id); !counted {
			t.More++
		}
	}
	return nil
}

// Batches returns the articles in batches of a size to be changed in one transaction.
func (t RuleChanges) Batches() [][]int64 { return slices.Collect(slices.Chunk(t.IDs, maxRuleBatch)) }

// AppliedRule holds the articles that a rule has changed, by what it did to them.
type AppliedRule struct {
	Starred, Read, Hidden []int64
	Labeled               []int64 // with Label
	Label                 int64
	Snoozed               SnoozeChange
}

// Add adds further changes.
func (a *AppliedRule) Add(more AppliedRule) {
	a.Starred, a.Read, a.Hidden = append(a.Starred, more.Starred...), append(a.Read, more.Read...), append(a.Hidden, more.Hidden...)
	a.Labeled, a.Label = append(a.Labeled, more.Labeled...), more.Label
	a.Snoozed.add(more.Snoozed)
}

// Articles returns how many articles were changed.
func (a AppliedRule) Articles() int {
	all := slices.Concat(a.Starred, a.Read, a.Hidden, a.Labeled, a.Snoozed.Articles)
	slices.Sort(all)
	return len(slices.Compact(all))
}

// ApplyRule does to stored articles at the instant now what a stored rule does to new ones, except that it notifies
// of none. Starred and labeled articles are not hidden.
func ApplyRule(ctx context.Context, tx *sql.Tx, r rule.Rule, ids []int64, now time.Time) (done AppliedRule, err error) {
	if r.Actions.Star {
		if done.Starred, err = Mark(ctx, tx, ids, FlagStarred, true); err != nil {
			return AppliedRule{}, err
		}
	}
	if done.Label = r.Actions.Label; done.Label != 0 {
		if done.Labeled, err = PutLabel(ctx, tx, done.Label, ids, true); err != nil {
			return AppliedRule{}, err
		}
	}
	if r.Actions.Read {
		if done.Read, err = Mark(ctx, tx, ids, FlagRead, true); err != nil {
			return AppliedRule{}, err
		}
	}
	if r.Actions.Hide && !r.Actions.Star { // nor those that it has just labeled
		if done.Hidden, err = hide(ctx, tx, ids, r.ID); err != nil {
			return AppliedRule{}, err
		}
	}
	if r.Actions.Snoozes() {
		done.Snoozed, err = snoozeUnread(ctx, tx, ids, now)
	}
	return done, err
}

// snoozeUnread puts away those articles that are not read, until the next visit, with the others of their stories.
func snoozeUnread(ctx context.Context, tx *sql.Tx, ids []int64, now time.Time) (SnoozeChange, error) {
	unread, err := queryIDs(ctx, tx, "SELECT id FROM status WHERE read = 0 AND deleted = 0 AND id IN "+(&idList{ids}).sql())
	if err != nil {
		return SnoozeChange{}, fmt.Errorf("snooze by a rule: %w", err)
	}
	others, err := SameStories(ctx, tx, unread)
	if err != nil {
		return SnoozeChange{}, err
	}
	return Snooze(ctx, tx, append(unread, others...), now, now.Add(maxRuleSnooze), true)
}

func hide(ctx context.Context, tx *sql.Tx, ids []int64, by int64) (hidden []int64, err error) {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		rows, err := tx.QueryContext(ctx, "UPDATE status SET deleted = 1, hidden = ? WHERE deleted = 0 AND starred = 0 AND NOT "+hasLabel("id")+" AND id IN "+marks+" RETURNING id",
			append([]any{by}, args...)...)
		if err != nil {
			return nil, fmt.Errorf("hide articles: %w", err)
		}
		if hidden, err = scanIDs(hidden, rows); err != nil {
			return nil, fmt.Errorf("hide articles: %w", err)
		}
	}
	return hidden, nil
}

// Unhidden are articles that were shown again, by the rule that had hidden them.
type Unhidden map[int64][]int64

// Count is how many articles they are.
func (u Unhidden) Count() (n int) {
	for _, ids := range u {
		n += len(ids)
	}
	return n
}

// UnhideArticles shows hidden articles again and returns those it changed.
func UnhideArticles(ctx context.Context, tx *sql.Tx, ids []int64) (Unhidden, error) {
	back := Unhidden{}
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		where := " WHERE deleted = 1 AND hidden <> 0 AND id IN " + marks
		if err := back.read(tx.QueryContext(ctx, "SELECT id, hidden FROM status"+where, args...)); err != nil {
			return nil, fmt.Errorf("bring back articles: %w", err)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE status SET deleted = 0, hidden = 0"+where, args...); err != nil {
			return nil, fmt.Errorf("bring back articles: %w", err)
		}
	}
	return back, nil
}

// read adds hidden articles.
func (u Unhidden) read(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, by int64
		if err := rows.Scan(&id, &by); err != nil {
			return err
		}
		u[by] = append(u[by], id)
	}
	return rows.Err()
}

// HideAgain undoes UnhideArticles. What was starred or labeled meanwhile stays.
func HideAgain(ctx context.Context, tx *sql.Tx, u Unhidden) error {
	for by, ids := range u {
		if _, err := hide(ctx, tx, ids, by); err != nil {
			return err
		}
	}
	return nil
}

// UndoRule undoes ApplyRule.
func UndoRule(ctx context.Context, tx *sql.Tx, a AppliedRule) error {
	if err := UndoSnooze(ctx, tx, a.Snoozed); err != nil {
		return err
	}
	if _, err := UnhideArticles(ctx, tx, a.Hidden); err != nil {
		return err
	}
	if _, err := Mark(ctx, tx, a.Read, FlagRead, false); err != nil {
		return err
	}
	if _, err := PutLabel(ctx, tx, a.Label, a.Labeled, false); err != nil {
		return err
	}
	_, err := Mark(ctx, tx, a.Starred, FlagStarred, false)
	return err
}
