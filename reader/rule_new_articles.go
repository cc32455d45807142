package reader

import (
	"context"
	"database/sql"
	"fmt"

	"kairos/reader/content"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

// newArticleRules applies the user's rules to the new articles of a feed. It reads nothing until
// there is one.
type newArticleRules struct {
	tx   *sql.Tx
	feed int64

	prepared bool
	rules    *rule.Set
	known    ruleFeed
}

// apply returns what the rules do with a new article. told says that another feed told its story already.
func (r *newArticleRules) apply(ctx context.Context, a parse.Article, told bool) (rule.Verdict, error) {
	if err := r.prepare(ctx); err != nil || r.rules.Empty() {
		return rule.Verdict{}, err
	}
	return r.rules.Apply(&rule.Article{FeedNames: r.known.names, Folder: r.known.folder, Author: a.Author, Title: a.Title, Address: a.Link, Categories: a.Categories, Told: told,
		Text: func() string { return content.Text(a.HTML, rule.MaxText) }}), nil
}

// clearDeletedLabels takes labels that were deleted out of rules.
func clearDeletedLabels(ctx context.Context, tx *sql.Tx, rules []rule.Rule) error {
	for i := range rules {
		label := &rules[i].Actions.Label
		if *label == 0 {
			continue
		}
		if err := tx.QueryRowContext(ctx, "SELECT coalesce((SELECT id FROM label WHERE id = ?), 0)", *label).Scan(label); err != nil {
			return fmt.Errorf("read label of a rule: %w", err)
		}
	}
	return nil
}

func (r *newArticleRules) prepare(ctx context.Context) error {
	if r.prepared {
		return nil
	}
	r.prepared = true
	rules, err := readRules(ctx, r.tx, "WHERE enabled = 1")
	if err != nil || len(rules) == 0 {
		return err
	}
	if err := clearDeletedLabels(ctx, r.tx, rules); err != nil {
		return err
	}
	// A rule that was made elsewhere and is not valid here must not stop a feed. The list of rules
	// shows what is wrong with it.
	r.rules, _ = rule.Compile(rules)
	var url, title, own string
	err = r.tx.QueryRowContext(ctx, "SELECT url, title, own_title, folder FROM feed WHERE id = ?", r.feed).Scan(&url, &title, &own, &r.known.folder)
	if err != nil {
		return fmt.Errorf("read feed %d: %w", r.feed, err)
	}
	r.known.names = []string{own, title, url}
	return nil
}
