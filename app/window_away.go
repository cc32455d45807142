package app

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/away"
	"kairos/app/session"
	"kairos/reader"
)

// newAway returns the hidden page of what came while the user was away.
func newAway(w *window) *away.Page {
	return away.New(w.shell, func() bool { return w.library.Dedupe }, away.Events{
		Wanted: w.showAway, Known: w.offerAway, Changed: w.showLists, Leave: w.leaveAway, Key: w.firstKey,
		Open: func(article int64) {
			w.session.ReturnTo(session.Left{Place: session.Unread, Article: article, Asked: true})
			w.listBesideAway(session.Unread)
			w.focusTimeline()
		},
		Feed: func(feed int64) {
			if f := w.library.Feed(feed); f != nil {
				w.sidebar.ChooseFeed(*f)
				w.focusTimeline()
			}
		},
		Read:   func(ids []int64) { w.actions.MarkRead(ids) },
		IsRead: w.session.Marks.IsRead,
	})
}

// showAway shows the page of what came while the user was away, unless something of the user's is in the way.
func (w *window) showAway() {
	if len(w.shell.Dialogs.Open) > 0 || w.search.Typed() != "" || w.session.Place.Key == session.Away {
		return
	}
	w.beforeAway = w.session.Left(session.Left{}).Place
	w.session.IsAway = true
	w.sidebar.Choose(session.Place{Key: session.Away, Name: lang.L("While you were away"), Query: session.NoArticles})
	w.library.Reload()
	w.shell.Focus(w.pages.away.List)
}

// offerAway lets the page be chosen in the sidebar.
func (w *window) offerAway() {
	w.session.IsAway = true
	w.library.Reload()
}

// leaveAway leaves the page for the list that was there before.
func (w *window) leaveAway() {
	w.listAfterAway(w.beforeAway)
	w.focusTimeline()
}

// listAfterAway lists a place, else all that is unread, and takes the page out of the sidebar.
func (w *window) listAfterAway(key string) {
	w.session.IsAway = false
	w.pages.away.Left()
	w.listBesideAway(key)
}

// listBesideAway lists a place, else all that is unread. The page can be chosen in the sidebar as long as it is not left.
func (w *window) listBesideAway(key string) {
	unread := session.Place{Key: session.Unread, Name: lang.L("Unread"), Query: session.ViewQuery(reader.Unread)}
	if key != session.Away && key != session.Unread {
		w.sidebar.ChooseKey(key)
	}
	if w.session.Place.Key == session.Away {
		w.sidebar.Choose(unread)
	}
	w.library.Reload()
}

// openNextUnread opens the next unread article: after one that was opened from the page of what came the next of those that stand
// first there, else that of the list.
func (w *window) openNextUnread() {
	if w.session.IsAway && w.session.Place.Key == session.Unread {
		if id := w.pages.away.Next(w.session.List.Current, w.session.Find); id != 0 {
			w.timeline.ClearSelection()
			w.timeline.Open(id)
			return
		}
	}
	w.nextUnread.open()
}

// onAway reports whether the page of what came is shown.
func (w *window) onAway() bool { return w.session.Cover() == session.AwayPage }

// markAllRead marks all listed articles as read, or what the page of what came does not put first.
func (w *window) markAllRead() {
	if w.onAway() {
		w.pages.away.MarkRest()
		return
	}
	w.actions.MarkAllRead()
}
