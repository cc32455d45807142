package unopened

import (
	"testing"
	"time"

	"kairos/poller/insights"
	"kairos/reader"
)

var now = time.Date(2026, 3, 20, 8, 0, 0, 0, time.UTC)

func ago(days int) time.Time { return now.AddDate(0, 0, -days) }

func known() *Known {
	old := ago(400)
	return &Known{
		Feeds: []reader.Feed{{ID: 1, Added: old}, {ID: 2, Added: old, Unread: 40}, {ID: 3, Added: old, Unread: 300}, {ID: 4, Added: ago(50)}, {ID: 5, Added: old, Quiet: true},
			{ID: 6, Added: old, Folder: "Noise"}, {ID: 7, Added: old}, {ID: 8, Added: old}, {ID: 9, Added: old}},
		Folders:  map[reader.Place]reader.FolderChoices{{Path: "Noise"}: {Quiet: true}},
		LastRead: map[int64]time.Time{1: ago(2), 2: ago(120), 7: ago(10), 8: ago(80)},
		Since:    ago(300),
		Costs:    insights.Costs{Feeds: []insights.Cost{{Feed: 2, Requests: 5, Bytes: 10, Articles: 3, Held: 1}, {Feed: 3, Requests: 90}}},
		Kept:     map[int64]bool{9: true},
	}
}

func TestFind(t *testing.T) {
	found := known().Find(now)
	if len(found) != 2 || found[0].ID != 3 || found[0].Requests != 90 || !found[0].Last.IsZero() || found[1].ID != 2 || found[1].Articles != 4 || found[1].Last != ago(120) {
		t.Errorf("%+v", found)
	}
	for name, change := range map[string]func(*Known){
		"nobody is known":            func(k *Known) { k.Since = time.Time{} },
		"somebody new":               func(k *Known) { k.Since = ago(89) },
		"somebody who opens nothing": func(k *Known) { k.LastRead = nil },
		"a clock that is behind":     func(k *Known) { k.Since = now.AddDate(1, 0, 0) },
	} {
		k := known()
		change(k)
		if found := k.Find(now); len(found) != 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestPiling(t *testing.T) {
	k := known()
	if f, ok := k.Piling(now, reader.Ends{}, nil); !ok || f.ID != 3 {
		t.Errorf("%+v, %v", f, ok)
	}
	if _, ok := k.Piling(now, reader.Ends{Days: 30}, nil); ok {
		t.Error("where all end it is offered")
	}
	if _, ok := k.Piling(now, reader.Ends{}, map[int64]bool{3: true}); ok {
		t.Error("it is offered twice")
	}
	if f, ok := k.Piling(ago(400), reader.Ends{}, nil); ok {
		t.Errorf("of a feed that has just come it is offered: %+v", f)
	}
	k.LastRead[3] = ago(500)
	if _, ok := k.Piling(now, reader.Ends{}, nil); ok {
		t.Error("of a feed that was opened once it is offered")
	}
}
