package sidebar

import (
	"fmt"
	"slices"
	"testing"

	"kairos/app/session"
	"kairos/app/widgets/widgetstest"
)

const markAllRead = "UPDATE status SET read = 1"

// wait waits until the rows of the feeds are these.
func (p *pane) wait(t *testing.T, want ...string) {
	t.Helper()
	p.room.Queue.Until(fmt.Sprintf("the feeds are %q", want), func() bool { return slices.Equal(feedRows(p), want) })
}

// Feeds and folders without unread articles are left out of the sidebar, but not the chosen one and the folders that it lies in: it goes
// when another one is chosen.
func TestFeedsWithoutUnreadArticlesAreHidden(t *testing.T) {
	p := newPane(t)
	p.SetHideRead(true)
	p.room.Exec(t, markAllRead+" WHERE feed = 2")
	p.room.Fill()
	p.wait(t, "Feed 0 3")
	if n := len(p.Places()); n != 8 {
		t.Errorf("%d places can be gone to", n)
	}
	p.Reveal(session.FeedPlace(p.library.Feed(2)))
	p.wait(t, "News 0", "  Feed 1 0", "Feed 0 3")
	if p.Items[p.List.Chosen].Key != session.FeedKey(2) {
		t.Errorf("chosen: %s", p.Items[p.List.Chosen].Key)
	}
	p.Next(1)
	p.wait(t, "Feed 0 3")
	if key := session.FeedKey(1); p.room.Session.Place.Key != key || p.Items[p.List.Chosen].Key != key {
		t.Errorf("chosen: %s, in the list %s", p.room.Session.Place.Key, p.Items[p.List.Chosen].Key)
	}
	p.Reveal(session.FolderPlace("News", "News", false))
	p.wait(t, "News 0", "Feed 0 3")
	p.SetHideRead(false)
	p.wait(t, "News 0", "  Feed 1 0", "Feed 0 3")
}

// What was chosen when the window was left is chosen again, and a feed that undo brings back, also where they have nothing unread.
func TestHiddenFeedsReturn(t *testing.T) {
	p := newPane(t)
	p.SetHideRead(true)
	p.room.Exec(t, markAllRead+" WHERE feed = 2")
	p.ReturnTo(session.FeedKey(2), nil)
	p.room.Fill()
	p.wait(t, "News 0", "  Feed 1 0", "Feed 0 3")
	if err := p.room.Home.Subscriptions.Remove(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	p.room.Fill()
	p.wait(t, "Feed 0 3")
	if err := p.room.Home.Subscriptions.Restore(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	p.room.Fill()
	p.wait(t, "News 0", "  Feed 1 0", "Feed 0 3")
}

// An account is listed as long as it has unread articles.
func TestAccountsWithoutUnreadArticlesAreHidden(t *testing.T) {
	p := newPane(t)
	p.SetHideRead(true)
	addAccount(t, p.room, "server.test")
	p.room.Exec(t, markAllRead+" WHERE feed = 2")
	p.room.Fill()
	p.wait(t, "This computer 3", "  Feed 0 3", "server.test 2", "  There 2")
	p.room.Exec(t, markAllRead)
	p.room.Fill()
	p.room.Queue.Until("all are hidden", func() bool { return p.rows() == "All articles 0|Unread 0|Today 0|Starred 0|Insights 0" })
}

// Feeds and folders move past those that are hidden, by the keys and by dragging.
func TestSortingPassesHiddenFeeds(t *testing.T) {
	p := newPane(t)
	p.room.Exec(t, "UPDATE feed SET folder = CASE id WHEN 1 THEN 'Alps' ELSE 'Sea' END")
	p.room.Exec(t, "INSERT INTO feed (id, url, same, title, folder, added) VALUES (3, 'https://x.test/3', '3', 'Feed 05', 'Alps', 0), (4, 'https://x.test/4', '4', 'Feed 06', 'Coast', 0), (5, 'https://x.test/5', '5', 'Feed 07', 'Alps', 0)")
	p.room.Exec(t, "UPDATE status SET feed = 5 WHERE id IN (SELECT min(id) FROM status WHERE feed = 1)")
	p.SetHideRead(true)
	p.room.Fill()
	p.wait(t, "Alps 3", "  Feed 0 2", "  Feed 07 1", "Sea 3", "  Feed 1 3")
	p.ChooseKey(session.FeedKey(1))
	p.MoveChosen(1)
	p.wait(t, "Alps 3", "  Feed 07 1", "  Feed 0 2", "Sea 3", "  Feed 1 3")
	p.ChooseKey(session.FolderKey("Alps"))
	p.MoveChosen(1)
	p.wait(t, "Sea 3", "  Feed 1 3", "Alps 3", "  Feed 07 1", "  Feed 0 2")
	p.dragTo(p.Items[8], p.at(6).AddXY(0, -rowHeight/2)) // Alps above Sea
	p.drop()
	p.wait(t, "Alps 3", "  Feed 07 1", "  Feed 0 2", "Sea 3", "  Feed 1 3")
}

func TestHiddenFeedsMarkup(t *testing.T) {
	p := newPane(t)
	p.room.Exec(t, markAllRead+" WHERE feed = 1")
	p.SetHideRead(true)
	p.room.Fill()
	p.wait(t, "News 3", "  Feed 1 3")
	widgetstest.AssertMarkup(t, "hidden.xml", p.Object)
}
