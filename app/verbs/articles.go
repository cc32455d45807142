package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/reader"
)

// articleLine is an article as `articles` prints it.
type articleLine struct {
	ID         int64              `json:"id"`
	Feed       int64              `json:"feed"`
	Title      string             `json:"title"`
	Link       string             `json:"link"`
	Author     string             `json:"author,omitempty"`
	Published  string             `json:"published"`
	Read       bool               `json:"read"`
	Starred    bool               `json:"starred"`
	Content    *string            `json:"content,omitempty"`
	Enclosures []reader.Enclosure `json:"enclosures,omitempty"`
}

func (e *env) articlesCommand() *cobra.Command {
	var q reader.Query
	var unread, content bool
	c := &cobra.Command{Use: "articles", Short: "List articles, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if unread {
				q.View = reader.Unread
			}
			if cmd.Flags().Changed("limit") && q.Limit < 1 {
				return fmt.Errorf("%d is not a limit: give 1 or more", q.Limit)
			}
			if cmd.Flags().Changed("feed") && q.Feed < 1 {
				return fmt.Errorf("%d is not the number of a feed", q.Feed)
			}
			return e.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				q.Since = h.Now() // for its zone
				return e.articles(ctx, h, q, content)
			})
		}}
	c.Flags().Int64Var(&q.Feed, "feed", 0, "only those of feed `ID`")
	c.Flags().BoolVar(&unread, "unread", false, "only unread ones")
	c.Flags().StringVar(&q.Search, "search", "", "only those `Q` finds: words, \"a phrase\", -word, a OR b, title:, author:, feed:, folder:, is:unread, before:2026-01-31, after:")
	c.Flags().IntVar(&q.Limit, "limit", 0, "at most `N`")
	c.Flags().BoolVar(&content, "content", false, "with the sanitised HTML")
	return c
}

func (e *env) articles(ctx context.Context, h *home.Home, q reader.Query, content bool) error {
	if q.Feed != 0 {
		if _, err := h.Store.Feeds.Get(ctx, q.Feed); err != nil {
			return unknown("feed", fmt.Sprint(q.Feed), err)
		}
	}
	ids, err := h.Store.Articles.IDs(ctx, q)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, 500) {
		articles, err := h.Store.Articles.Load(ctx, chunk)
		if err != nil {
			return err
		}
		for _, a := range articles {
			if err := e.article(ctx, h, a, content); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *env) article(ctx context.Context, h *home.Home, a reader.Article, content bool) error {
	title := text.English().ArticleTitle(a.Title)
	l := articleLine{ID: a.ID, Feed: a.Feed, Title: title, Link: a.Link, Author: a.Author,
		Published: stamp(a.Published), Read: a.Read, Starred: a.Starred}
	if content {
		html, files, err := h.Store.Articles.Body(ctx, a.ID)
		if errors.Is(err, reader.ErrUnknown) {
			return nil // gone since the list was made
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
	err := e.print(l, "%6d %s %s  %-20s %s", a.ID, mark, a.Published.Local().Format("2006-01-02 15:04"), cut(a.FeedTitle, 20), title)
	if err == nil && content && !e.json {
		_, err = fmt.Fprintln(e.out, *l.Content)
	}
	return err
}

func (e *env) markCommand() *cobra.Command {
	return &cobra.Command{Use: "mark ID… read|unread|starred|unstarred", Short: "Mark articles", Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			status := args[len(args)-1]
			flag, on, err := parseStatus(status)
			if err != nil {
				return err
			}
			var ids []int64
			for _, arg := range args[:len(args)-1] {
				id, err := parseID(arg)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				return e.mark(ctx, h, ids, flag, on)
			})
		}}
}

func (e *env) mark(ctx context.Context, h *home.Home, ids []int64, flag reader.Flag, on bool) error {
	known, err := h.Store.Articles.Load(ctx, ids)
	if err != nil {
		return err
	}
	if len(known) == 0 {
		return fmt.Errorf("there is no article %s", strings.Trim(fmt.Sprint(ids), "[]"))
	}
	changed, err := h.Marks.Set(ctx, ids, flag, on)
	if err != nil {
		return err
	}
	err = e.print(struct {
		Changed int `json:"changed"`
	}{len(changed)}, "%d changed", len(changed))
	if len(known) == len(ids) || err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(known, func(a reader.Article) bool { return a.ID == id }) {
			e.complain("there is no article %d", id)
		}
	}
	return someFailed
}

func parseStatus(text string) (reader.Flag, bool, error) {
	switch text {
	case "read":
		return reader.FlagRead, true, nil
	case "unread":
		return reader.FlagRead, false, nil
	case "starred":
		return reader.FlagStarred, true, nil
	case "unstarred":
		return reader.FlagStarred, false, nil
	}
	return "", false, fmt.Errorf("%q is not a status: give read, unread, starred or unstarred", text)
}
