package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/reader"
)

// labelLine is a label as `label` prints it.
type labelLine struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Articles int    `json:"articles"`
	Unread   int    `json:"unread"`
}

// labelVerb lists and changes labels, and puts them on articles.
type labelVerb struct{ *env }

func (v labelVerb) command() *cobra.Command {
	c := &cobra.Command{Use: "label", Short: "List labels, put them on articles, rename or delete them", Args: cobra.NoArgs,
		Long: "Lists the labels with the number of their articles. Names are the same whatever their case and accents.\n" +
			"Articles with a label are never cleaned up; `kairos articles --label NAME --content --json` exports them.",
		RunE: func(cmd *cobra.Command, _ []string) error { return v.reading(cmd.Context(), v.list) }}
	c.AddCommand(
		&cobra.Command{Use: "add NAME ID…", Short: "Put a label on articles; a new name makes a new label", Args: cobra.MinimumNArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error { return v.put(cmd.Context(), args, true) }},
		&cobra.Command{Use: "remove NAME ID…", Short: "Take a label off articles", Args: cobra.MinimumNArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error { return v.put(cmd.Context(), args, false) }},
		&cobra.Command{Use: "rename NAME NEW", Short: "Rename a label", Args: cobra.ExactArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				return v.changing(cmd.Context(), args[0], "renamed %s", func(ctx context.Context, h *home.Home, l *reader.Label) error {
					l.Name = args[1]
					_, err := h.Marks.Labels.Save(ctx, *l)
					return err
				})
			}},
		&cobra.Command{Use: "delete NAME", Short: "Delete a label, but none of its articles", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return v.changing(cmd.Context(), args[0], "deleted %s", func(ctx context.Context, h *home.Home, l *reader.Label) error {
					_, err := h.Marks.Labels.Delete(ctx, l.ID)
					return err
				})
			}})
	return c
}

func (v labelVerb) list(ctx context.Context, h *home.Home) error {
	all, err := h.Store.Labels.List(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !v.json {
		fmt.Fprintln(v.out, "There are no labels yet.")
	}
	for _, l := range all {
		if err := v.print(labelLine{l.ID, l.Name, l.Articles, l.Unread}, "%6d %6d unread  %s", l.Articles, l.Unread, l.Name); err != nil {
			return err
		}
	}
	return nil
}

// changing runs change on the label with this name as the owner of the data folder, and says what was done.
func (v labelVerb) changing(ctx context.Context, name, done string, change func(context.Context, *home.Home, *reader.Label) error) error {
	return v.owning(ctx, func(ctx context.Context, h *home.Home) error {
		l, err := findLabel(ctx, h, name)
		if err != nil {
			return err
		}
		if err := change(ctx, h, &l); err != nil {
			return err
		}
		return v.print(labelLine{l.ID, l.Name, l.Articles, l.Unread}, done+" (%s)", name, text.English().Articles(l.Articles))
	})
}

func findLabel(ctx context.Context, h *home.Home, name string) (reader.Label, error) {
	l, err := h.Store.Labels.Find(ctx, name)
	return l, unknown("label", fmt.Sprintf("%q", name), err)
}

// put puts the label that the first argument names on the articles of the others, or takes it off.
func (v labelVerb) put(ctx context.Context, args []string, on bool) error {
	ids, err := parseIDs(args[1:])
	if err != nil {
		return err
	}
	return v.owning(ctx, func(ctx context.Context, h *home.Home) error {
		known, err := h.Store.Articles.Load(ctx, ids)
		if err != nil {
			return err
		}
		if len(known) == 0 {
			return fmt.Errorf("there is no article %s", joinIDs(ids))
		}
		label, err := v.labelToPut(ctx, h, args[0], on)
		if err != nil {
			return err
		}
		changed, err := h.Marks.Labels.Put(ctx, label, ids, on)
		if err != nil {
			return err
		}
		return v.printChanged(len(changed), ids, known)
	})
}

// labelToPut returns the label with this name. To be put on articles, it is created if there is none.
func (v labelVerb) labelToPut(ctx context.Context, h *home.Home, name string, create bool) (int64, error) {
	l, err := findLabel(ctx, h, name)
	if err == nil || !create {
		return l.ID, err
	}
	all, err := h.Store.Labels.List(ctx)
	if err != nil {
		return 0, err
	}
	id, err := h.Marks.Labels.Save(ctx, reader.Label{Name: name, Color: reader.NextLabelColor(all)})
	if errors.Is(err, reader.ErrLabelName) {
		return 0, fmt.Errorf("%q is not a name of a label: use 1 to %d letters", name, reader.MaxLabelName)
	}
	return id, err
}

// printChanged prints how many articles were changed, and complains of those that are not known.
func (e *env) printChanged(changed int, ids []int64, known []reader.Article) error {
	err := e.print(struct {
		Changed int `json:"changed"`
	}{changed}, "%d changed", changed)
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
