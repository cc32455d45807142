package timeline

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/library"
	"kairos/app/session"
	"kairos/reader"
)

func TestNothingFetchedIsNotEverythingRead(t *testing.T) {
	p := newPane(t)
	unread := session.Place{Key: session.Unread}
	for want, s := range map[string]ListSource{
		"No unread articles.":                                                                   {Place: unread, HasFeeds: true, Fetched: true},
		"No unread articles. 3 feeds here are paused.":                                          {Place: unread, HasFeeds: true, Fetched: true, Paused: 3},
		"No articles today yet. 1 feed here is paused.":                                         {Place: session.Place{Key: session.Today}, HasFeeds: true, Fetched: true, Paused: 1, NoOther: true},
		"No articles here. This feed is paused.":                                                {Place: session.Place{Key: session.FeedKey(1), Feed: &reader.Feed{ID: 1}}, HasFeeds: true, Fetched: true, Paused: 1, NoOther: true},
		"Nothing has been fetched yet.":                                                         {Place: unread, HasFeeds: true},
		"Nothing has been fetched yet: all feeds here are paused.":                              {Place: unread, HasFeeds: true, Paused: 2, NoOther: true},
		"Nothing has been fetched yet: 197 feeds here are paused.":                              {Place: unread, HasFeeds: true, Paused: 197},
		"Nothing has been fetched yet: 1 feed here is paused.":                                  {Place: unread, HasFeeds: true, Paused: 1},
		"Nothing has been fetched yet: this feed is paused.":                                    {Place: session.Place{Key: session.FeedKey(1), Feed: &reader.Feed{ID: 1}}, HasFeeds: true, Paused: 1, NoOther: true},
		"No feed has come to the list or left it since you began to follow it.":                 {Place: session.Place{Key: session.FeedKey(1), Feed: &reader.Feed{ID: 1, Source: reader.NewListSource(reader.ListSource{})}}, HasFeeds: true, Fetched: true},
		"The first sync is under way.":                                                          {Place: unread, HasFeeds: true, Awaited: true},
		"Nothing has been fetched yet: Kairos is offline. It fetches when the network is back.": {Place: unread, HasFeeds: true, Offline: true},
	} {
		if p.Empty.Show(true, s); p.Empty.Hint.String() != want {
			t.Errorf("it says %q, want %q", p.Empty.Hint.String(), want)
		}
		if p.Empty.resume.Visible() != (s.Paused > 0) {
			t.Errorf("%q: the button that resumes: %v", want, p.Empty.resume.Visible())
		}
	}
	for want, place := range map[string]session.Place{
		"No unread articles here. Read articles are hidden.": {Key: session.FeedKey(1)},
		"No unread articles.":                                unread,
	} {
		p.Empty.Show(true, ListSource{Place: place, HasFeeds: true, Fetched: true, HideRead: true})
		if p.Empty.Hint.String() != want || p.Empty.read.Visible() != (place.Key != session.Unread) {
			t.Errorf("it says %q with the button %v, want %q", p.Empty.Hint.String(), p.Empty.read.Visible(), want)
		}
	}
	if paused, _ := p.room.Library.Paused(library.Branch{}); p.room.Library.AnyFetched(library.Branch{}) || paused > 0 {
		t.Error("no feed was fetched")
	}
}

// In a narrow list the buttons stand below each other, within it.
func TestEmptyIsAsWideAsTheList(t *testing.T) {
	p := newPane(t)
	for _, width := range []float32{190, 400} {
		p.Empty.Show(true, ListSource{})
		p.room.Place(p.Object, width, 600)
		left, right := width, float32(0)
		for _, b := range []fyne.CanvasObject{p.Empty.add, p.Empty.opml} {
			left, right = min(left, b.Position().X), max(right, b.Position().X+b.Size().Width)
		}
		if beside := p.Empty.add.Position().Y == p.Empty.opml.Position().Y; beside != (width == 400) {
			t.Errorf("in %v: beside each other %v", width, beside)
		}
		if left < 0 || right > p.Empty.Content.Size().Width || math.Abs(float64(left-(p.Empty.Content.Size().Width-right))) > 1 {
			t.Errorf("in %v of %v: from %v to %v", p.Empty.Content.Size().Width, width, left, right)
		}
	}
}
