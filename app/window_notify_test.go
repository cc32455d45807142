package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/app/settings"
	"kairos/reader"
)

// openMenu is a canvas with a main menu that is open.
type openMenu struct {
	fyne.Canvas
	dismissed int
}

// DismissMenu implements what the canvas of a window does.
func (c *openMenu) DismissMenu() bool {
	c.dismissed++
	return true
}

// A hidden window is not in use, even if the system does not tell that it has lost the focus, so notifications come.
func TestHiddenWindowIsNotInUse(t *testing.T) {
	w, q := newTestWindow(t)
	if err := w.shell.Home.Store.Settings.Set(t.Context(), settings.KeepRunning, "yes"); err != nil {
		t.Fatal(err)
	}
	menu := &openMenu{Canvas: w.win.Canvas()}
	w.activity.onLeave = func() { closeMenu(menu) }
	w.activity.focusGained()
	if !w.activity.focused() {
		t.Fatal("the window in front is not in use")
	}
	w.closing.closed()
	q.until("it is hidden and not in use", func() bool { return !w.activity.focused() })
	if menu.dismissed != 1 {
		t.Error("the menu is left open")
	}
}

// A click on a notification leads to the article that it tells of, wherever the window was, and to the unread ones if it
// reports several.
func TestClickOnNotificationLeadsToTheArticle(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.SetText("nothing has these words")
	q.until("nothing is found", func() bool { return len(w.session.List.IDs) == 0 })
	for _, feed := range []int64{1, 2, 2} {
		ids, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread, Feed: feed})
		if err != nil || len(ids) == 0 {
			t.Fatal(ids, err)
		}
		article := ids[len(ids)-1]
		w.showNews(article)
		q.until("the article is open", func() bool { return w.session.Shown != nil && w.session.Shown.ID == article })
		if w.session.Place.Key != session.FeedKey(feed) || w.search.Text != "" {
			t.Errorf("%s is listed, searched for %q", w.session.Place.Key, w.search.Text)
		}
	}
	w.showNews(0)
	q.until("the unread are listed", func() bool { return w.session.Place.Key == "unread" && len(w.session.List.IDs) > 0 })
	if w.showNews(1 << 40); w.session.Place.Key != "unread" {
		t.Errorf("an article that is gone: %s", w.session.Place.Key)
	}
}
