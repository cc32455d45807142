package timeline

import (
	"testing"

	"kairos/app/session"
)

func TestNothingFetchedIsNotEverythingRead(t *testing.T) {
	p := newPane(t)
	unread := session.Place{Key: session.Unread}
	for want, s := range map[string]ListSource{
		"No unread articles.":           {Place: unread, HasFeeds: true, Fetched: true},
		"Nothing has been fetched yet.": {Place: unread, HasFeeds: true},
		"The first sync is under way.":  {Place: unread, HasFeeds: true, Awaited: true},
		"Nothing has been fetched yet: Kairos is offline. It fetches when the network is back.": {Place: unread, HasFeeds: true, Offline: true},
	} {
		if p.Empty.Show(true, s); p.Empty.Hint.Text != want {
			t.Errorf("it says %q, want %q", p.Empty.Hint.Text, want)
		}
	}
	if p.room.Library.AnyFetched() {
		t.Error("no feed was fetched")
	}
}
