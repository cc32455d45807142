package insights

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/widgets"
	"kairos/poller/insights"
)

// What is suggested for feeds that are never opened happens on a click, and only then.
func TestSuggestions(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 12, Days: 30}, fyne.NewSize(700, 500))
	s := o.sections[4].(*costs)
	if len(o.did) != 0 || s.unread.Hidden {
		t.Fatalf("did %v; suggestions hidden: %t", o.did, s.unread.Hidden)
	}
	for _, b := range test.LaidOutObjects(s.unread.Objects[1]) {
		if b, ok := b.(*widgets.DialogButton); ok {
			test.Tap(b)
		}
	}
	if strings.Join(o.did, " ") != "open lower pause unsubscribe" {
		t.Errorf("did %v", o.did)
	}
}

// Of many feeds that are never opened the first are named, and the others at a button.
func TestAllSuggestionsCanBeShown(t *testing.T) {
	light(t)
	o := open(t, hometest.History{}, fyne.NewSize(700, 500))
	now, s := hometest.Noon, o.sections[4].(*costs)
	all := insights.Costs{From: now.AddDate(0, 0, -30), To: now, Feeds: []insights.Cost{{Feed: 99, Title: "Opened", Requests: 3, Articles: 9, Opened: 4}}}
	for i := range 18 {
		all.Feeds = append(all.Feeds, insights.Cost{Feed: int64(i + 1), Title: "Never opened", Requests: 10 + i, Articles: 30})
	}
	s.show(all)
	named := func() (n int) {
		for _, text := range textsOf(s.unread) {
			if strings.HasPrefix(text, "Never opened: ") {
				n++
			}
		}
		return n
	}
	if named() != mostSuggested {
		t.Errorf("%d are named at first", named())
	}
	for _, o := range test.LaidOutObjects(s.unread) {
		if b, ok := o.(*widgets.DialogButton); ok && strings.HasPrefix(b.Text, "Show ") {
			test.Tap(b)
		}
	}
	if named() != 18 {
		t.Errorf("%d are named then", named())
	}
}
