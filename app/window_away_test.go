package app

import (
	"testing"

	"kairos/app/session"
)

// The page of what came stays in the sidebar while articles of it are read, until it is left.
func TestAwayStaysBesideWhatIsRead(t *testing.T) {
	w, q := newTestWindow(t)
	first := func() string { return w.sidebar.Items[0].Key }
	w.showAway()
	q.Until("the page is in the sidebar", func() bool { return first() == session.Away && w.onAway() })
	w.listBesideAway(session.Unread)
	q.Until("the list is shown", func() bool { return w.session.Place.Key == session.Unread && !w.onAway() })
	if first() != session.Away {
		t.Fatal("the page has left the sidebar")
	}
	w.perform("go-back")
	q.Until("the page is back", w.onAway)
	w.leaveAway()
	q.Until("the page is left", func() bool { return !w.onAway() && first() != session.Away })
}

// Back leads to the page also after it was left.
func TestBackToAway(t *testing.T) {
	w, q := newTestWindow(t)
	w.showAway()
	q.Until("the page is shown", w.onAway)
	w.leaveAway()
	q.Until("the page is left", func() bool { return !w.onAway() && w.sidebar.Items[0].Key != session.Away })
	w.perform("go-back")
	q.Until("the page is back", func() bool { return w.onAway() && w.sidebar.Items[0].Key == session.Away })
	w.leaveAway()
	q.Until("it is left again", func() bool { return !w.onAway() && w.sidebar.Items[0].Key != session.Away })
}
