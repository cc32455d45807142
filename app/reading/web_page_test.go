package reading

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kairos/reader"
)

func TestArticleAsWebPage(t *testing.T) {
	p, room, ids := newPane(t)
	if p.SavePage() != nil {
		t.Error("a page of no article is saved")
	}
	p.Open(ids[0])
	room.Queue.Until("the article is shown", func() bool { return room.Session.IsShown(ids[0]) })
	var page bytes.Buffer
	if err := p.webPage()(t.Context(), &page, false); err != nil {
		t.Fatal(err)
	}
	a := p.session.Reading()
	for _, part := range []string{"<title>" + a.Title + "</title>", a.FeedTitle, "Content-Security-Policy"} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("no %q in\n%s", part, page.String())
		}
	}
	file := filepath.Join(t.TempDir(), "a")
	d := p.SavePage()
	d.Folder.SetText(filepath.Dir(file))
	d.Name.SetText(filepath.Base(file))
	d.Submit()
	room.Queue.Until("it is saved", func() bool { _, err := os.Stat(file + ".html"); return err == nil })
}

func TestAuthorIsNotTheFeed(t *testing.T) {
	for author, want := range map[string]string{"Jane": "Jane", "news ": "", "": ""} {
		if got := authorOf(reader.Article{Author: author, FeedTitle: "News"}); got != want {
			t.Errorf("%q: %q", author, got)
		}
	}
}
