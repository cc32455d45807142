package feeds

import (
	"strings"
	"testing"

	"kairos/app/session"
	"kairos/poller"
	"kairos/reader"
)

func TestSeveralAddresses(t *testing.T) {
	for text, want := range map[string]int{"example.org": 0, "a.test b.test": 2, "https://a.test,https://b.test": 2, "/home/me/my feeds.xml": 0, "My feeds.xml": 0,
		`C:\My.feeds\my feeds.xml`: 0, "some words": 0, "": 0, "https://a.test/ https://a.test/": 0} {
		if got := severalIn(text); len(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestCandidateNamesDiffer(t *testing.T) {
	long := strings.Repeat("x", 100)
	got := candidateNames([]poller.Candidate{{URL: "http://a.test/" + long + "/1/" + long, Title: "A"}, {URL: "http://a.test/" + long + "/2/" + long, Title: "A"}, {URL: "http://b.test/"}})
	if got[0] == got[1] || got[2] != "http://b.test/" {
		t.Errorf("%q", got)
	}
}

// A feed is offered into the folder that is chosen, or that the chosen feed is in.
func TestFolderOfNewFeed(t *testing.T) {
	for want, place := range map[string]session.Place{
		"News":         session.FeedPlace(&reader.Feed{ID: 1, Folder: "News"}),
		"Papers/World": session.FolderPlace("Papers/World", "World", false),
		"":             {Key: session.All},
	} {
		a := &Actions{Session: session.New(place, nil)}
		if got := a.chosenFolder(); got != want {
			t.Errorf("in %s: %q", place.Key, got)
		}
	}
}
