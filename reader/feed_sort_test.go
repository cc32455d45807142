package reader

import (
	"database/sql"
	"errors"
	"strings"
	"testing"
)

func TestFeedOrder(t *testing.T) {
	s := open(t, t.TempDir())
	for i, f := range []Feed{
		{Title: "Zebra"}, {Title: "apple"}, {Title: "Feed 10"}, {Title: "Feed 9"}, {Title: "Äpfel"}, {Title: "中文"},
		{Folder: "News 10", Title: "a"}, {Folder: "News 2", Title: "b"}, {Folder: "News 2 / Inner", Title: "c"},
		{Folder: "News 2b", Title: "d"}, {Folder: "news 2", Title: "A2"},
	} {
		f.URL = "https://a.test/" + string(rune('a'+i))
		subscribe(t, s, f)
	}
	feeds, err := s.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range feeds {
		got = append(got, strings.TrimPrefix(f.Folder+": "+f.Title, ": "))
	}
	want := "Äpfel|apple|Feed 9|Feed 10|Zebra|中文|News 2: b|news 2: A2|News 2 / Inner: c|News 2b: d|News 10: a"
	if g := strings.Join(got, "|"); g != want {
		t.Errorf("%s\nwant %s", g, want)
	}
	sameOrder(t, s, feeds)
	err = s.Write(t.Context(), func(tx *sql.Tx) error {
		before, err := SetFolderPositions(t.Context(), tx, map[Place]int{{Path: "News 10"}: 1, {Path: "News 2"}: 2, {Path: "Other"}: 3, {Account: 1, Path: "News 2"}: 1})
		if len(before) != 4 || before[Place{Path: "News 2"}] != 0 {
			t.Errorf("before: %v", before)
		}
		return errors.Join(err, SetSetting(t.Context(), tx, SettingFeedOrder, "[3,1,99]"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if feeds, err = s.Feeds.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, f := range feeds {
		got = append(got, strings.TrimPrefix(f.Folder+": "+f.Title, ": "))
	}
	want = "Feed 10|Zebra|Äpfel|apple|Feed 9|中文|News 10: a|News 2: b|News 2 / Inner: c|news 2: A2|News 2b: d"
	if g := strings.Join(got, "|"); g != want {
		t.Errorf("by hand: %s\nwant %s", g, want)
	}
	sameOrder(t, s, feeds)
	err = s.Write(t.Context(), func(tx *sql.Tx) error {
		if err := ForgetEmptyFolders(t.Context(), tx); err != nil {
			return err
		}
		_, err := SetFolderPositions(t.Context(), tx, map[Place]int{{Path: "News 2"}: 0})
		return err
	})
	if folders, listErr := s.Feeds.Folders(t.Context()); err != nil || listErr != nil || len(folders) != 1 || folders[Place{Path: "News 10"}].Position != 1 {
		t.Errorf("%v, %v, %v", folders, err, listErr)
	}
}

// sameOrder requires that articles by feed stand in the order of the feeds.
func sameOrder(t *testing.T, s *Store, feeds []Feed) {
	t.Helper()
	ids, err := s.Articles.feedOrder(t.Context())
	if err != nil || len(ids) != len(feeds) {
		t.Fatal(ids, err)
	}
	for i, id := range ids {
		if id != feeds[i].ID {
			t.Errorf("the orders differ at %d", i)
		}
	}
}

func BenchmarkSortFeeds(b *testing.B) {
	feeds := make([]Feed, 2000)
	for i := range feeds {
		feeds[i] = Feed{ID: int64(i), Title: strings.Repeat("Feed of many names ", i%3) + string(rune('a'+i%26)), Folder: "Folder " + string(rune('a'+i%20))}
	}
	for b.Loop() {
		sortLikeFeeds(feeds, handOrder{}, func(f *Feed) (Place, string, int64) { return Place{f.Account, f.Folder}, f.Title, f.ID })
	}
}
