//go:build window

package windowtest

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

// BenchmarkYardstick is a fixed piece of work of the kinds that Kairos does: hashing, SQLite, painting. What a benchmark
// takes is divided by what this takes at the same time, so that figures of different machines compare. It calls nothing
// of ours: it must not get faster with what it measures.
func BenchmarkYardstick(b *testing.B) {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "yardstick.sqlite"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	block := make([]byte, 1<<20)
	screen, glyph := image.NewRGBA(image.Rect(0, 0, 1280, 800)), image.NewAlpha(image.Rect(0, 0, 16, 16))
	for i := range glyph.Pix {
		glyph.Pix[i] = uint8(i)
	}
	for b.Loop() {
		for range 256 {
			sum := sha256.Sum256(block)
			copy(block, sum[:])
		}
		if err := fillTable(db, 60_000); err != nil {
			b.Fatal(err)
		}
		for i := range 100_000 {
			at := image.Rect(0, 0, 16, 16).Add(image.Pt(i*16%1264, i*7%784))
			draw.DrawMask(screen, at, image.NewUniform(color.Black), image.Point{}, glyph, image.Point{}, draw.Over)
		}
	}
}

// fillTable writes rows and their index in one transaction and reads a part of them in the order of the index.
func fillTable(db *sql.DB, rows int) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit there is nothing to roll back
	for _, statement := range []string{
		"DROP TABLE IF EXISTS lamp", "CREATE TABLE lamp (id INTEGER PRIMARY KEY, lit INTEGER, name TEXT)",
		"CREATE INDEX lamp_lit ON lamp (lit)",
	} {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	insert, err := tx.Prepare("INSERT INTO lamp (lit, name) VALUES (?, ?)")
	if err != nil {
		return err
	}
	for i := range rows {
		if _, err := insert.Exec(i*7919%rows, fmt.Sprint("lamp number ", i, " of the harbour")); err != nil {
			return err
		}
	}
	var length int
	if err := tx.QueryRow("SELECT sum(length(name)) FROM (SELECT name FROM lamp ORDER BY lit LIMIT ?)", rows/2).Scan(&length); err != nil {
		return err
	}
	return tx.Commit()
}
