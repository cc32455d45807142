package hometest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/reader"
	"kairos/reader/picture"
)

// WritePrepared makes the newest unread articles of a data folder prepared ones, as if that had just been done: each with a text of its
// page, as long as that of its feed, and with a picture of its own, whose files are one and the same on the disk.
func WritePrepared(ctx context.Context, t testing.TB, h *home.Home, articles int, photo []byte) {
	t.Helper()
	if articles == 0 {
		return
	}
	ids, err := h.Store.Articles.IDs(ctx, reader.Query{View: reader.Unread, Limit: articles})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(h.Dir, "pictures")
	first := filepath.Join(h.Dir, "photo.jpg")
	err = os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(first, photo, 0o600)
	}
	if err == nil {
		err = h.Store.Write(ctx, func(tx *sql.Tx) error {
			for _, id := range ids[:min(articles, len(ids))] {
				address := fmt.Sprintf("http://127.0.0.1:9/%d.jpg", id)
				if err := notePrepared(ctx, tx, id, address, len(photo), h.Now()); err != nil {
					return err
				}
				if err := os.Link(first, filepath.Join(dir, picture.FileName(address))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func notePrepared(ctx context.Context, tx *sql.Tx, id int64, address string, bytes int, now time.Time) error {
	for _, q := range []string{
		"INSERT INTO full_text (id, html, at) SELECT id, '<img src=\"' || ?2 || '\">' || html, ?4 FROM body WHERE id = ?1",
		`INSERT INTO prepared (article, feed, at, page, done, chance, pictures, missing, bytes, text_size)
			SELECT s.id, s.feed, ?4, 1, 1, 0.5, 1, 0, ?3 + length(html), length(html) FROM status s JOIN full_text USING (id) WHERE s.id = ?1`,
		"INSERT INTO prepared_picture (file, article) VALUES (?5, ?1)",
	} {
		if _, err := tx.ExecContext(ctx, q, id, address, bytes, now.Unix(), picture.FileName(address)); err != nil {
			return err
		}
	}
	return nil
}
