package home

import (
	"context"
	"database/sql"

	"kairos/reader"
	"kairos/reader/rule"
)

// SaveRule stores a rule, a new one if its ID is 0; it holds for what arrives from now on.
// Errors: *rule.Error, reader.ErrUnknown.
func (h *Home) SaveRule(ctx context.Context, r rule.Rule) (id int64, err error) {
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		id, err = reader.SaveRule(ctx, tx, r)
		return err
	})
	return id, err
}

// EnableRule switches a rule on or off. Errors: reader.ErrUnknown.
func (h *Home) EnableRule(ctx context.Context, id int64, on bool) error {
	return h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.EnableRule(ctx, tx, id, on) })
}

// MoveRule moves a rule by so many places. Errors: reader.ErrUnknown.
func (h *Home) MoveRule(ctx context.Context, id int64, by int) error {
	return h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.MoveRule(ctx, tx, id, by) })
}

// DeleteRule deletes a rule; what it has hidden stays hidden. Errors: reader.ErrUnknown.
func (h *Home) DeleteRule(ctx context.Context, id int64) error {
	return h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.DeleteRule(ctx, tx, id) })
}

// UnhideArticles shows hidden articles again and returns the ids it changed.
func (h *Home) UnhideArticles(ctx context.Context, ids []int64) (changed []int64, err error) {
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		changed, err = reader.UnhideArticles(ctx, tx, ids)
		return err
	})
	return changed, err
}

// ApplyRule does what a rule says with stored articles, some at a time, and tells after each
// time how many it has come to. What was changed is returned also where it ended early, with
// the context or by a fault.
func (h *Home) ApplyRule(ctx context.Context, t reader.RuleChanges, told func(int)) (all reader.AppliedRule, err error) {
	n := 0
	for _, ids := range t.Batches() {
		var done reader.AppliedRule
		err := h.Store.Write(ctx, func(tx *sql.Tx) (err error) {
			if done, err = reader.ApplyRule(ctx, tx, t.Rule, ids); err == nil {
				done.Read, err = readTogether(ctx, tx, done.Read)
			}
			return err
		})
		if err != nil {
			return all, err
		}
		all.Add(done)
		n += len(ids)
		told(n)
	}
	return all, nil
}

// UndoRule undoes ApplyRule.
func (h *Home) UndoRule(ctx context.Context, a reader.AppliedRule) error {
	return h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.UndoRule(ctx, tx, a) })
}
