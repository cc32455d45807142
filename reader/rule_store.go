package reader

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"kairos/reader/rule"
)

// ruleSteps store the rules and what they have hidden: hidden articles count as deleted in every
// list and do not come back, but they can be shown and brought back.
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

// maxRules is how many rules there can be.
const maxRules = 500

// List returns all rules in their order, also those that are not valid (rule.Rule.Check says why).
func (r Rules) List(ctx context.Context) ([]rule.Rule, error) {
	rules, err := readRules(ctx, r.db.read, "")
	return rules, classify(err)
}

func readRules(ctx context.Context, db Querier, where string) ([]rule.Rule, error) {
	rows, err := db.QueryContext(ctx, "SELECT id, enabled, body FROM rule "+where+" ORDER BY place, id")
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
		var one rule.Rule
		if err := json.Unmarshal(body, &one); err != nil {
			one = rule.Rule{Name: "?"} // not valid, and listed as such
		}
		one.ID, one.Enabled = id, enabled
		rules = append(rules, one)
	}
	return rules, rows.Err()
}

// SaveRule stores a rule under its ID, or a new one behind all others if that is 0, and returns
// the ID. Errors: *rule.Error if the rule is not valid, ErrUnknown.
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
	return r.ID, expectChange(done, err, "save rule")
}

func insertRule(ctx context.Context, tx *sql.Tx, enabled bool, body []byte) (int64, error) {
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM rule").Scan(&n); err != nil {
		return 0, fmt.Errorf("save rule: %w", err)
	}
	if n >= maxRules {
		return 0, &rule.Error{Code: rule.TooManyRules, Condition: rule.WholeRule, Limit: maxRules}
	}
	done, err := tx.ExecContext(ctx, "INSERT INTO rule (place, enabled, body) SELECT coalesce(max(place), 0) + 1, ?, ? FROM rule", enabled, body)
	if err != nil {
		return 0, fmt.Errorf("save rule: %w", err)
	}
	return done.LastInsertId()
}

// EnableRule switches a rule on or off. Errors: ErrUnknown.
func EnableRule(ctx context.Context, tx *sql.Tx, id int64, on bool) error {
	done, err := tx.ExecContext(ctx, "UPDATE rule SET enabled = ? WHERE id = ?", on, id)
	return expectChange(done, err, "enable rule")
}

// DeletedRule is a rule that was deleted, as it is stored.
type DeletedRule struct {
	id, place int64
	enabled   bool
	body      []byte
}

// DeleteRule deletes a rule; the articles it has hidden stay hidden. RestoreRule brings it back. Errors: ErrUnknown.
func DeleteRule(ctx context.Context, tx *sql.Tx, id int64) (d DeletedRule, err error) {
	err = tx.QueryRowContext(ctx, "DELETE FROM rule WHERE id = ? RETURNING id, place, enabled, body", id).Scan(&d.id, &d.place, &d.enabled, &d.body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return d, ErrUnknown
	case err != nil:
		return d, fmt.Errorf("delete rule: %w", err)
	}
	return d, nil
}

// RestoreRule undoes DeleteRule: the rule has its place among the others again.
func RestoreRule(ctx context.Context, tx *sql.Tx, d DeletedRule) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO rule (id, place, enabled, body) VALUES (?, ?, ?, ?)", d.id, d.place, d.enabled, d.body)
	if err != nil {
		return fmt.Errorf("restore rule: %w", err)
	}
	return nil
}

// MoveRule moves a rule by so many positions, within the list. Errors: ErrUnknown.
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
	for i, r := range rules {
		if _, err := tx.ExecContext(ctx, "UPDATE rule SET place = ? WHERE id = ? AND place <> ?", i+1, r.ID, i+1); err != nil {
			return fmt.Errorf("move rule: %w", err)
		}
	}
	return nil
}
