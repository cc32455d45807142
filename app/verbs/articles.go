package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller/likely"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/search"
)

// articleLine is an article as `articles` prints it.
type articleLine struct {
	ID        int64    `json:"id"`
	Feed      int64    `json:"feed"`
	Title     string   `json:"title"`
	Link      string   `json:"link"`
	Author    string   `json:"author,omitempty"`
	Published string   `json:"published"`
	Read      bool     `json:"read"`
	Starred   bool     `json:"starred"`
	Labels    []string `json:"labels,omitempty"`

	SnoozedUntil string `json:"snoozedUntil,omitempty"`
	Back         bool   `json:"back,omitempty"`  // it was snoozed, came back and is unread
	Ended        bool   `json:"ended,omitempty"` // it counts as read because it ended unread

	Story  int64 `json:"story,omitempty"`  // the same for articles that tell the same
	Others int   `json:"others,omitempty"` // that tell the same

	Seconds int64 `json:"seconds,omitempty"` // how long its first file that has a length plays

	Categories []string `json:"categories,omitempty"`
	*likelihood
	Content    *string            `json:"content,omitempty"`
	Enclosures []reader.Enclosure `json:"enclosures,omitempty"`
}

// likelihood is how probably an article is read, and why.
type likelihood struct {
	Probability float64         `json:"probability"`
	Reasons     []articleReason `json:"reasons"`
}

// articleReason is a feature of an article. The interest in its feed, which all begins with, has none.
type articleReason struct {
	Code   string  `json:"code"`           // word, author, category, age, length or carriers
	Text   string  `json:"text,omitempty"` // the word, the author, the category, or how old, long or widespread
	Effect float64 `json:"effect"`         // its part in what the probability differs from the interest in the feed
	Read   int     `json:"read"`
	Passed int     `json:"passed"`
}

// articlesVerb lists articles.
type articlesVerb struct{ *env }

func (v articlesVerb) command() *cobra.Command {
	var q reader.Query
	var unread, withContent, sinceVisit, quiet bool
	var feed, label, order string
	c := &cobra.Command{Use: "articles", Short: "List articles", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if unread {
				q.View = reader.Unread
			}
			switch order {
			case orderNewest, orderLikely:
			case orderOldest:
				q.Order = reader.OldestFirst
			default:
				return fmt.Errorf("--order must be %s, %s or %s, not %q", orderNewest, orderOldest, orderLikely, order)
			}
			if cmd.Flags().Changed("limit") && q.Limit < 1 {
				return fmt.Errorf("--limit must be 1 or more, not %d", q.Limit)
			}
			for _, u := range search.Unknowns(q.Search) {
				if u.IsOperator() {
					return errors.New(text.English().UnknownFilter(u))
				}
			}
			q.Audible = !quiet && feed == "" && label == ""
			return v.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				q.Since = h.Now() // for its zone
				if sinceVisit {
					absence, err := h.Log.Absence(ctx, h.Now())
					if err != nil {
						return err
					}
					q.Arrived = absence.Since
				}
				if cmd.Flags().Changed("feed") {
					f, err := findFeed(ctx, h, feed)
					if err != nil {
						return err
					}
					q.Feed = f.ID
				}
				if label != "" {
					l, err := findLabel(ctx, h, label)
					if err != nil {
						return err
					}
					q.Label = l.ID
				}
				return v.list(ctx, h, q, order, withContent)
			})
		}}
	c.Flags().StringVar(&feed, "feed", "", "only articles of `FEED`: its ID, its address, its title, or a part of that")
	c.Flags().StringVar(&label, "label", "", "only articles with the label `NAME`")
	c.Flags().BoolVar(&unread, "unread", false, "only unread articles")
	c.Flags().StringVar(&q.Search, "search", "", "only articles that match `Q`: words, \"a phrase\", -word, a OR b, title:, author:, feed:, folder:, label:, category:, is:unread, is:snoozed, is:ended, is:begun, is:story, is:incomplete, before:2026-01-31, since:yesterday, newer:7d")
	c.Flags().BoolVar(&q.Dedupe, "stories", false, "list a story once that several feeds carry, with the number of others")
	c.Flags().IntVar(&q.Limit, "limit", 0, "at most `N` articles")
	c.Flags().StringVar(&order, "order", orderNewest, "which come first: newest, oldest or likely (to be read)")
	c.Flags().BoolVar(&sinceVisit, "since-last-visit", false, "only articles that came since you last read, before the visit of now")
	c.Flags().BoolVar(&quiet, "quiet", false, "also those of quiet feeds, which --feed, --label and --search have anyway")
	c.Flags().BoolVar(&withContent, "content", false, "include the sanitized HTML")
	return c
}

// The values of --order.
const (
	orderNewest = "newest"
	orderOldest = "oldest"
	orderLikely = "likely"
)

func (v articlesVerb) list(ctx context.Context, h *home.Home, q reader.Query, order string, withContent bool) error {
	ids, err := articleIDs(ctx, h, q, order)
	if err != nil {
		return err
	}
	if unknown := search.Unknowns(q.Search); len(ids) == 0 && len(unknown) > 0 { // else it is a word that was found
		return errors.New(text.English().UnknownFilter(unknown[0]))
	}
	labels, err := h.Store.Labels.List(ctx)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, 500) {
		articles, err := h.Store.Articles.Load(ctx, chunk)
		if err != nil {
			return err
		}
		reasons := map[int64]likely.Reason{}
		if order == orderLikely {
			if reasons, err = h.Likely.Reasons(ctx, chunk...); err != nil {
				return err
			}
		}
		for _, a := range articles {
			if err := v.printArticle(ctx, h, a, labels, likelihoodOf(reasons, a.ID), withContent); err != nil {
				return err
			}
		}
	}
	return nil
}

// articleIDs lists the articles of a query in an order.
func articleIDs(ctx context.Context, h *home.Home, q reader.Query, order string) ([]int64, error) {
	if order != orderLikely {
		return h.Store.Articles.IDs(ctx, q)
	}
	limit := q.Limit
	q.Limit = 0
	ids, err := h.Store.Articles.IDs(ctx, q)
	if err != nil {
		return nil, err
	}
	if ids, err = h.Likely.Order(ctx, ids, nil); err == nil && limit > 0 {
		ids = ids[:min(limit, len(ids))]
	}
	return ids, err
}

// likelihoodOf returns how probably an article is read, nil if that was not asked for.
func likelihoodOf(reasons map[int64]likely.Reason, article int64) *likelihood {
	reason, there := reasons[article]
	if !there {
		return nil
	}
	l := &likelihood{Probability: reason.Chance, Reasons: []articleReason{}}
	for _, f := range reason.Features {
		l.Reasons = append(l.Reasons, articleReason{f.Kind.Code(), f.Text, f.Effect, f.Read, f.Passed})
	}
	return l
}

func (v articlesVerb) printArticle(ctx context.Context, h *home.Home, a reader.Article, labels []reader.Label, likely *likelihood, withContent bool) error {
	title := text.English().ArticleTitle(a.Title)
	l := articleLine{ID: a.ID, Feed: a.Feed, Title: title, Link: a.Link, Author: a.Author,
		Published: stamp(a.Published), Read: a.Read, Starred: a.Starred, Categories: a.Categories, likelihood: likely, SnoozedUntil: stamp(a.Away), Back: a.Back, Ended: a.Ended, Story: a.Story, Others: a.Others, Seconds: int64(a.Plays.Seconds())}
	for _, one := range labels {
		if slices.Contains(a.Labels, one.ID) {
			l.Labels = append(l.Labels, one.Name)
		}
	}
	if withContent {
		html, files, err := h.Store.Articles.Body(ctx, a.ID)
		if errors.Is(err, reader.ErrUnknown) {
			return nil // deleted since the list was made
		}
		if err != nil {
			return err
		}
		l.Content, l.Enclosures = &html, files
	}
	mark := "•"
	if a.Read {
		mark = " "
	}
	if a.Starred {
		mark = "★"
	}
	chance := ""
	if likely != nil {
		chance = fmt.Sprintf("%3.0f %% ", 100*likely.Probability)
	}
	if a.Others > 0 {
		title += ", " + text.English().Others(a.Others)
	}
	err := v.print(l, "%6d %s%s %s  %-20s %s", a.ID, chance, mark, a.Published.Local().Format("2006-01-02 15:04"), content.Cut(a.FeedTitle, 20), title)
	if err == nil && withContent && !v.json {
		_, err = fmt.Fprintln(v.out, *l.Content)
	}
	return err
}
