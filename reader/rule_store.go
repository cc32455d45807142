package reader

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/reader/content"
	"kairos/reader/rule"
)

// ruleSteps keep rules and what they have hidden: articles that are deleted as far as
// every list is concerned, and do not come back, but can be looked at and brought back.
const ruleSteps = `
CREATE TABLE rule (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	place   INTEGER NOT NULL, -- in the order they are applied
	enabled INTEGER NOT NULL,
	body    TEXT    NOT NULL  -- JSON of rule.Rule
);
ALTER TABLE status ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0; -- the rule that deleted it
CREATE INDEX status_hidden ON status (published DESC, id DESC, feed) WHERE deleted = 1 AND hidden <> 0;
`

// MaxRules is how many rules there can be.
const MaxRules = 500

type rowsQuerier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Rules returns all rules in their order, also those that cannot be used (rule.Rule.Check
// says why).
func (s *Store) Rules(ctx context.Context) ([]rule.Rule, error) {
	rules, err := readRules(ctx, s.read, "")
	return rules, explain(err)
}

func readRules(ctx context.Context, q rowsQuerier, where string) ([]rule.Rule, error) {
	rows, err := q.QueryContext(ctx, "SELECT id, enabled, body FROM rule "+where+" ORDER BY place, id")
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	defer rows.Close()
	var rules []rule.Rule
	for rows.Next() {
		var id int64
		var enabled bool
		var body []byte
		if err := rows.Scan(&id, &enabled, &body); err != nil {
			return nil, fmt.Errorf("read rules: %w", err)
		}
		var r rule.Rule
		if err := json.Unmarshal(body, &r); err != nil {
			r = rule.Rule{Name: "?"} // it cannot be used, and is shown so
		}
		r.ID, r.Enabled = id, enabled
		rules = append(rules, r)
	}
	return rules, rows.Err()
}

// SaveRule stores a rule, a new one behind all others if its ID is 0, and returns its ID.
// Errors: *rule.Error if it cannot be used, ErrUnknown.
func SaveRule(ctx context.Context, tx *sql.Tx, r rule.Rule) (int64, error) {
	if err := r.Check(); err != nil {
		return 0, err
	}
	body, err := json.Marshal(r)
	if err != nil {
		return 0, fmt.Errorf("save rule: %w", err)
	}
	if r.ID == 0 {
		return insertRule(ctx, tx, r.Enabled, body)
	}
	done, err := tx.ExecContext(ctx, "UPDATE rule SET enabled = ?, body = ? WHERE id = ?", r.Enabled, body, r.ID)
	return r.ID, changedOne(done, err, "save rule")
}

func insertRule(ctx context.Context, tx *sql.Tx, enabled bool, body []byte) (int64, error) {
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM rule").Scan(&n); err != nil {
		return 0, fmt.Errorf("save rule: %w", err)
	}
	if n >= MaxRules {
		return 0, &rule.Error{Code: rule.TooManyRules, Condition: rule.WholeRule, Limit: MaxRules}
	}
	done, err := tx.ExecContext(ctx, "INSERT INTO rule (place, enabled, body) SELECT coalesce(max(place), 0) + 1, ?, ? FROM rule", enabled, body)
	if err != nil {
		return 0, fmt.Errorf("save rule: %w", err)
	}
	return done.LastInsertId()
}

func changedOne(done sql.Result, err error, doing string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return ErrUnknown
	}
	return nil
}

// EnableRule switches a rule on or off. Errors: ErrUnknown.
func EnableRule(ctx context.Context, tx *sql.Tx, id int64, on bool) error {
	done, err := tx.ExecContext(ctx, "UPDATE rule SET enabled = ? WHERE id = ?", on, id)
	return changedOne(done, err, "switch rule")
}

// DeleteRule deletes a rule; what it has hidden stays hidden. Errors: ErrUnknown.
func DeleteRule(ctx context.Context, tx *sql.Tx, id int64) error {
	done, err := tx.ExecContext(ctx, "DELETE FROM rule WHERE id = ?", id)
	return changedOne(done, err, "delete rule")
}

// MoveRule moves a rule by so many places, as far as there are any. Errors: ErrUnknown.
func MoveRule(ctx context.Context, tx *sql.Tx, id int64, by int) error {
	rules, err := readRules(ctx, tx, "")
	if err != nil {
		return err
	}
	at := slices.IndexFunc(rules, func(r rule.Rule) bool { return r.ID == id })
	if at < 0 {
		return ErrUnknown
	}
	moved := rules[at]
	rules = slices.Delete(rules, at, at+1)
	rules = slices.Insert(rules, min(max(at+by, 0), len(rules)), moved)
	for place, r := range rules {
		if _, err := tx.ExecContext(ctx, "UPDATE rule SET place = ? WHERE id = ? AND place <> ?", place+1, r.ID, place+1); err != nil {
			return fmt.Errorf("move rule: %w", err)
		}
	}
	return nil
}

// BringBack shows hidden articles again, as they would be without the rule, and returns
// the ids it changed.
func BringBack(ctx context.Context, tx *sql.Tx, ids []int64) (changed []int64, err error) {
	for chunk := range slices.Chunk(ids, 500) {
		marks, args := placeholders(chunk)
		rows, err := tx.QueryContext(ctx, "UPDATE status SET deleted = 0, hidden = 0 WHERE deleted = 1 AND hidden <> 0 AND id IN "+marks+" RETURNING id", args...)
		if err != nil {
			return nil, fmt.Errorf("bring back: %w", err)
		}
		if changed, err = appendIDs(changed, rows); err != nil {
			return nil, fmt.Errorf("bring back: %w", err)
		}
	}
	return changed, nil
}

// Trial is what a rule would have done with what is stored.
type Trial struct {
	Matched, Of int
	Newest      []Article // of those it matched
}

// Try tells which of the articles published since then a rule holds for, and shows the
// newest so many of them. It changes nothing. Errors: *rule.Error.
func (s *Store) Try(ctx context.Context, r rule.Rule, since time.Time, newest int) (Trial, error) {
	if err := r.Check(); err != nil {
		return Trial{}, err
	}
	set, err := rule.Compile([]rule.Rule{r})
	if err != nil {
		return Trial{}, err
	}
	trial, ids, err := s.try(ctx, set, r.NeedsText(), since, newest)
	if err != nil {
		return Trial{}, fmt.Errorf("try rule: %w", explain(err))
	}
	trial.Newest, err = s.Rows(ctx, ids)
	return trial, err
}

func (s *Store) try(ctx context.Context, set *rule.Set, text bool, since time.Time, newest int) (t Trial, ids []int64, err error) {
	names, err := s.feedNames(ctx)
	if err != nil {
		return t, nil, err
	}
	body, join := "''", ""
	if text {
		body, join = "b.html", " JOIN body b USING (id)"
	}
	rows, err := s.read.QueryContext(ctx, `SELECT s.id, s.feed, a.author, a.title, `+body+` FROM status s JOIN article a USING (id)`+join+`
		WHERE s.published >= ? AND (s.deleted = 0 OR s.hidden <> 0) ORDER BY s.published DESC, s.id DESC`, since.Unix())
	if err != nil {
		return t, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, feed int64
		var a rule.Article
		var html sql.RawBytes
		if err := rows.Scan(&id, &feed, &a.Author, &a.Title, &html); err != nil {
			return t, nil, err
		}
		t.Of++
		a.FeedNames = names[feed]
		a.Text = func() string { return content.Text(string(html), rule.MaxText) }
		if set.Apply(&a) == (rule.Verdict{}) {
			continue
		}
		if t.Matched++; len(ids) < newest {
			ids = append(ids, id)
		}
	}
	return t, ids, errors.Join(rows.Err(), ctx.Err())
}

func (s *Store) feedNames(ctx context.Context) (map[int64][]string, error) {
	rows, err := s.read.QueryContext(ctx, "SELECT id, own_title, title, url FROM feed")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := map[int64][]string{}
	for rows.Next() {
		var id int64
		var own, title, url string
		if err := rows.Scan(&id, &own, &title, &url); err != nil {
			return nil, err
		}
		names[id] = []string{own, title, url}
	}
	return names, rows.Err()
}
