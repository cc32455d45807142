package home

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

// To undo a new label leaves none that is empty, and none is lost that is used by then.
func TestUndoNewLabel(t *testing.T) {
	ctx := t.Context()
	h := openHome(t, t.TempDir(), clockAt(noon))
	feeds, _ := withArticles(t, h)
	err := h.Store.Write(ctx, func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(ctx, tx, feeds[0], []parse.Article{{Key: "one", Title: "One", Published: noon}, {Key: "two", Title: "Two", Published: noon}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := h.Store.Articles.IDs(ctx, reader.Query{View: reader.All})
	if err != nil || len(ids) < 2 {
		t.Fatal(ids, err)
	}
	for name, use := range map[string]func(ctx context.Context, label int64) error{
		"": func(context.Context, int64) error { return nil },
		"article": func(ctx context.Context, label int64) error {
			_, err := h.Marks.Labels.Put(ctx, label, ids[1:2], true)
			return err
		},
		"rule": func(ctx context.Context, label int64) error {
			_, err := h.Rules.Save(ctx, labeling(label))
			return err
		},
	} {
		label, err := h.Marks.Labels.PutNew(ctx, reader.Label{Name: "New " + name}, ids[:1])
		if err == nil {
			err = use(ctx, label)
		}
		if err == nil {
			err = h.Marks.Labels.UndoNew(ctx, label, ids[:1])
		}
		if err != nil {
			t.Fatal(err)
		}
		all, err := h.Store.Labels.List(ctx)
		kept := slices.ContainsFunc(all, func(l reader.Label) bool { return l.ID == label })
		if err != nil || kept != (name != "") {
			t.Errorf("used by %q: kept %v, %v", name, kept, err)
		}
	}
}
