package app

import (
	"testing"

	"kairos/app/session"
	"kairos/reader"
)

// A click on a notification leads to the article that it is about, wherever the window was, and to the unread ones if it
// reports several.
func TestClickOnNotificationLeadsToTheArticle(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.SetText("nothing has these words")
	q.Until("nothing is found", func() bool { return len(w.session.List.IDs) == 0 })
	for _, feed := range []int64{1, 2, 2} {
		ids, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread, Feed: feed})
		if err != nil || len(ids) == 0 {
			t.Fatal(ids, err)
		}
		article := ids[len(ids)-1]
		w.showNews(article, "")
		q.Until("the article is open", func() bool { return w.session.Shown != nil && w.session.Shown.ID == article })
		if w.session.Place.Key != session.FeedKey(feed) || w.search.Text != "" {
			t.Errorf("%s is listed, searched for %q", w.session.Place.Key, w.search.Text)
		}
	}
	w.showNews(0, "")
	q.Until("the unread are listed", func() bool { return w.session.Place.Key == "unread" && len(w.session.List.IDs) > 0 })
	if w.showNews(1<<40, ""); w.session.Place.Key != "unread" {
		t.Errorf("an article that is gone: %s", w.session.Place.Key)
	}
}
