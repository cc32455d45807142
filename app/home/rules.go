package home

import (
	"context"
	"database/sql"
	"time"

	"kairos/reader"
	"kairos/reader/rule"
)

// Rules changes and applies the rules for articles.
type Rules struct {
	store *reader.Store
	now   func() time.Time
}

// Save stores a rule, as a new one if its ID is 0; it holds for articles that arrive from now on.
// Errors: *rule.Error, reader.ErrUnknown.
func (s *Rules) Save(ctx context.Context, r rule.Rule) (int64, error) {
	return write(ctx, s.store, func(tx *sql.Tx) (int64, error) { return reader.SaveRule(ctx, tx, r) })
}

// Enable switches a rule on or off. Errors: reader.ErrUnknown.
func (s *Rules) Enable(ctx context.Context, id int64, on bool) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error { return reader.EnableRule(ctx, tx, id, on) })
}

// Move moves a rule down by a number of places, up if that is negative. Errors: reader.ErrUnknown.
func (s *Rules) Move(ctx context.Context, id int64, by int) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error { return reader.MoveRule(ctx, tx, id, by) })
}

// Delete deletes a rule; articles that it has hidden stay hidden. Restore brings it back. Errors: reader.ErrUnknown.
func (s *Rules) Delete(ctx context.Context, id int64) (reader.DeletedRule, error) {
	return write(ctx, s.store, func(tx *sql.Tx) (reader.DeletedRule, error) { return reader.DeleteRule(ctx, tx, id) })
}

// Restore undoes Delete.
func (s *Rules) Restore(ctx context.Context, deleted reader.DeletedRule) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error { return reader.RestoreRule(ctx, tx, deleted) })
}

// Apply applies a rule to stored articles, batch by batch, and calls progress with the number of
// articles done after each batch. It returns the changes also if an error or the context ends it
// early.
func (s *Rules) Apply(ctx context.Context, c reader.RuleChanges, progress func(int)) (all reader.AppliedRule, err error) {
	n := 0
	for _, ids := range c.Batches() {
		var done reader.AppliedRule
		err := s.store.Write(ctx, func(tx *sql.Tx) (err error) {
			if done, err = reader.ApplyRule(ctx, tx, c.Rule, ids, s.now()); err == nil {
				done.Read, err = markDuplicatesRead(ctx, tx, done.Read)
			}
			return err
		})
		if err != nil {
			return all, err
		}
		all.Add(done)
		n += len(ids)
		progress(n)
	}
	return all, nil
}

// Undo undoes Apply.
func (s *Rules) Undo(ctx context.Context, a reader.AppliedRule) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error { return reader.UndoRule(ctx, tx, a) })
}
