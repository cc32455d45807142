package reader

import (
	"context"
	"database/sql"
	"fmt"

	"kairos/reader/content"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

// arriving applies the user's rules to what a fetch brings. Until something new comes it
// costs nothing.
type arriving struct {
	tx   *sql.Tx
	feed int64

	ready bool
	rules *rule.Set
	names []string // of the feed
}

// Notice names new articles of a feed that the user's rules tell of, in the order they
// were stored.
type Notice struct {
	Feed     int64
	Articles []int64
}

// judge says what the rules do with a new article.
func (r *arriving) judge(ctx context.Context, a parse.Article) (rule.Verdict, error) {
	if err := r.prepare(ctx); err != nil || r.rules.Empty() {
		return rule.Verdict{}, err
	}
	return r.rules.Apply(&rule.Article{FeedNames: r.names, Author: a.Author, Title: a.Title,
		Text: func() string { return content.Text(a.HTML, rule.MaxText) }}), nil
}

func (r *arriving) prepare(ctx context.Context) error {
	if r.ready {
		return nil
	}
	r.ready = true
	rules, err := readRules(ctx, r.tx, "WHERE enabled = 1")
	if err != nil || len(rules) == 0 {
		return err
	}
	// A rule that was made elsewhere and cannot be used here must not stop a feed; the
	// list of rules says what is wrong with it.
	r.rules, _ = rule.Compile(rules)
	var url, title, own string
	err = r.tx.QueryRowContext(ctx, "SELECT url, title, own_title FROM feed WHERE id = ?", r.feed).Scan(&url, &title, &own)
	if err != nil {
		return fmt.Errorf("read feed %d: %w", r.feed, err)
	}
	r.names = []string{own, title, url}
	return nil
}

// count counts a new article.
func (s *Saved) count(feed, id int64, read bool, rules rule.Verdict) {
	s.New++
	if rules.Hide {
		s.Hidden++
	} else if !read {
		s.Unread++
		if rules.Notify {
			if s.Notice == nil {
				s.Notice = &Notice{Feed: feed}
			}
			s.Notice.Articles = append(s.Notice.Articles, id)
		}
	}
}
