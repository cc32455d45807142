package verbs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
)

var damage = bytes.Repeat([]byte{0xff}, 4096)

// damaged returns a data folder with a feed and a weekly backup, in whose database the page that leads to all texts is overwritten.
func damaged(t *testing.T) (c *command, backup string) {
	t.Helper()
	c = newCommand(t)
	c.do("add", c.file("feed.xml", strings.ReplaceAll(rss("Alpha", 300), "text ", strings.Repeat("text ", 200))))
	h, err := home.Open(t.Context(), c.dir, home.Options{})
	if err != nil {
		t.Fatal(err)
	}
	backup = filepath.Join(c.dir, "backups", home.BackupName(time.Now()))
	if err := os.Mkdir(filepath.Dir(backup), 0o700); err != nil {
		t.Fatal(err)
	}
	var page int64
	if _, err := h.Backups.Create(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.Store.Read().QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = 'body'").Scan(&page), h.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(c.dir, "kairos.db"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(damage, (page-1)*4096)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return c, backup
}

// Damage that a verb meets on its way is one sentence with what to do, and that works.
func TestRestoreOfDamaged(t *testing.T) {
	c, backup := damaged(t)
	r := c.try("articles", "--content")
	if r.code != exitSome || !strings.Contains(r.err, "is damaged. “kairos restore --data "+c.dir+"”") || strings.Count(r.err, "\n") != 1 {
		t.Fatalf("%d %s", r.code, r.err)
	}
	restored := c.one("restore")
	if restored["restored"] != backup {
		t.Errorf("%v", restored)
	}
	if aside, err := os.ReadFile(restored["aside"].(string)); err != nil || !bytes.Contains(aside, damage) {
		t.Errorf("the damaged file is gone (%v)", err)
	}
	if articles := c.lines("articles", "--content"); len(articles) != 300 {
		t.Errorf("%d articles", len(articles))
	}
}

// Without a backup, or where that is wanted, what can still be read of a damaged database is saved.
func TestSalvage(t *testing.T) {
	c, _ := damaged(t)
	testSalvage(t, c, "restore", "--salvage")
	if r := c.try("restore", "--salvage"); r.code != exitUsage || !strings.Contains(r.err, "is not damaged") {
		t.Errorf("of a sound one: %+v", r)
	}
	c, backup := damaged(t)
	if err := os.Remove(backup); err != nil {
		t.Fatal(err)
	}
	testSalvage(t, c, "restore")
	if r := c.try("restore"); r.code != exitUsage || !strings.Contains(r.err, "there is no backup") {
		t.Errorf("of a sound one: %+v", r)
	}
}

func testSalvage(t *testing.T, c *command, args ...string) {
	t.Helper()
	saved := c.one(args...)
	if saved["feeds"] != 1.0 || saved["articles"].(float64) < 100 {
		t.Errorf("%v", saved)
	}
	if aside, err := os.ReadFile(saved["aside"].(string)); err != nil || !bytes.Contains(aside, damage) {
		t.Errorf("the damaged file is gone (%v)", err)
	}
	if articles := c.lines("articles", "--content"); float64(len(articles)) != saved["articles"] {
		t.Errorf("%d articles", len(articles))
	}
}

func TestRestore(t *testing.T) {
	c := newCommand(t)
	c.do("add", c.file("feed.xml", rss("Alpha", 3)))
	if r := c.try("restore"); r.code != exitUsage || !strings.Contains(r.err, "there is no backup") {
		t.Errorf("%+v", r)
	}
	other, backup := damaged(t)
	if r := c.try("restore", filepath.Join(other.dir, "kairos.db")); r.code == exitDone || len(c.lines("articles")) != 3 {
		t.Errorf("%+v", r)
	}
	c.do("restore", backup)
	if articles := c.lines("articles"); len(articles) != 300 {
		t.Errorf("%d articles", len(articles))
	}
}
