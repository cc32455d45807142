package library

import (
	"context"
	"database/sql"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/reader"
)

// atOnce loads on the goroutine of the test.
type atOnce struct{ t *testing.T }

func (a atOnce) Load(load func(context.Context) (*Snapshot, error), show func(*Snapshot)) {
	a.t.Helper()
	s, err := load(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	show(s)
}

func (a atOnce) Count(load func(context.Context) (map[int64]int, error), show func(map[int64]int)) {
	a.t.Helper()
	found, err := load(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	show(found)
}

// open returns the loaded library of a data folder with two feeds of three articles each, one of them in the folder News.
func open(t *testing.T) (*Library, *home.Home) {
	t.Helper()
	h := hometest.Open(t.Context(), t)
	t.Cleanup(func() { h.Close() })
	l := New(h, func() time.Time { return hometest.Noon }, atOnce{t})
	l.Here = "Here"
	l.Reload()
	return l, h
}

func exec(t *testing.T, h *home.Home, query string, args ...any) {
	t.Helper()
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Those who watch are told about each snapshot with the one before, which has not changed.
func TestWatchersSeeWhatHasChanged(t *testing.T) {
	l, h := open(t)
	var before *Snapshot
	l.Watch(func(s *Snapshot) { before = s })
	exec(t, h, "UPDATE feed SET folder = 'Papers' WHERE id = 2")
	l.Reload()
	if before == nil || before.Feed(2).Folder != "News" || l.Feed(2).Folder != "Papers" {
		t.Errorf("before %+v, now %+v", before, l.Feed(2))
	}
	if l.Feed(3) != nil || l.AccountName(0) != "Here" || l.Unread.Total != 6 || !slices.Equal(l.Folders(0), []string{"Papers"}) {
		t.Errorf("%+v", l.Snapshot)
	}
}

func TestPaused(t *testing.T) {
	l, h := open(t)
	for name, c := range map[string]struct {
		change string
		paused int
		all    bool
	}{
		"none":           {"UPDATE feed SET paused = 0", 0, false},
		"one":            {"UPDATE feed SET paused = id = 1", 1, false},
		"all":            {"UPDATE feed SET paused = 1", 2, true},
		"all but a list": {`UPDATE feed SET paused = id = 2, source = CASE id WHEN 1 THEN '{"list":{}}' ELSE source END`, 1, true},
	} {
		exec(t, h, "UPDATE feed SET source = ''")
		exec(t, h, c.change)
		l.Reload()
		if paused, all := l.Paused(Branch{}); paused != c.paused || all != c.all {
			t.Errorf("%s: %d, all %v", name, paused, all)
		}
	}
}

func TestSavedSearchesAreCounted(t *testing.T) {
	l, h := open(t)
	counted := false
	l.WatchSearches(func() { counted = true })
	id, err := h.SavedSearches.Save(t.Context(), reader.SavedSearch{Name: "Zero", Search: `feed:"Feed 0"`})
	if err != nil {
		t.Fatal(err)
	}
	l.Reload()
	if !counted || l.Found(id) != 3 {
		t.Errorf("counted: %v, found: %d", counted, l.Found(id))
	}
}

// What is taken over from the snapshot before, because only marks were written since, is what the store has.
func TestLoadAfterMarks(t *testing.T) {
	l, h := open(t)
	check := func(what string, reused bool) {
		t.Helper()
		if (l.lists == h.Store.Lists()) != reused {
			t.Errorf("%s: the feeds may be taken over: %v", what, !reused)
		}
		got, err := load(t.Context(), h, l.Snapshot, hometest.Noon, false)
		if err != nil {
			t.Fatal(err)
		}
		want, err := load(t.Context(), h, &Snapshot{}, hometest.Noon, false)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v, %v", what, got, want, err)
		}
		l.Reload()
	}
	mark := func(flag reader.Flag, ids ...int64) {
		t.Helper()
		if changed, err := h.Marks.Set(t.Context(), ids, flag, true); err != nil || len(changed) != len(ids) {
			t.Fatal(changed, err)
		}
	}
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	check("nothing", true)
	mark(reader.FlagRead, ids[:2]...)
	check("read", true)
	if _, err := h.Visits.Record(t.Context(), hometest.Noon); err != nil {
		t.Fatal(err)
	}
	check("a visit", true)
	mark(reader.FlagDeleted, ids[2])
	check("deleted", false)
	exec(t, h, "UPDATE feed SET own_title = 'Another', folder = 'News' WHERE id = 1")
	check("renamed", false)
}

// Feeds that fail for a month need attention.
func TestFailingFeeds(t *testing.T) {
	l, h := open(t)
	exec(t, h, `REPLACE INTO poll (subject, address, tried, failures, since, said, fault)
		SELECT id, url, ?, 31, ?, '', '' FROM feed WHERE id = 1`, hometest.Noon.Unix(), hometest.Noon.AddDate(0, 0, -31).Unix())
	l.Reload()
	if len(l.Failing) != 1 || l.Failing[0].Feed.ID != 1 || l.Trouble(*l.Feed(1), hometest.Noon) == nil || l.Trouble(*l.Feed(2), hometest.Noon) != nil {
		t.Errorf("%+v", l.Failing)
	}
}

func TestMoveAndRenameFolders(t *testing.T) {
	s := &Snapshot{Feeds: []reader.Feed{{ID: 1, Folder: "A"}, {ID: 2, Folder: "A / B"}, {ID: 3, Folder: "C"}, {ID: 4}}}
	for _, tt := range []struct {
		branch Branch
		into   string
		want   map[int64]string
	}{
		{Branch{Folder: "A"}, "C", map[int64]string{1: "C / A", 2: "C / A / B"}},
		{Branch{Folder: "A / B"}, "", map[int64]string{2: "B"}},
		{Branch{Folder: "A / B"}, "C", map[int64]string{2: "C / B"}},
		{Branch{Folder: "A"}, "A / B", nil}, // into itself
		{Branch{Folder: "A"}, "", nil},      // where it is
		{Branch{Folder: "A / B"}, "A", nil},
		{Branch{Feed: &s.Feeds[3]}, "C", map[int64]string{4: "C"}},
		{Branch{Feed: &s.Feeds[0]}, "A", nil},
	} {
		if got := s.Moves(tt.branch)(tt.into); !maps.Equal(got, tt.want) {
			t.Errorf("%s into %q: %v, want %v", tt.branch.Folder, tt.into, got, tt.want)
		}
	}
	if got := s.Renames("A", "Z"); !maps.Equal(got, map[int64]string{1: "Z", 2: "Z / B"}) {
		t.Errorf("renamed: %v", got)
	}
}

// A folder is found where all of its feeds went together, and nowhere if they went to several places.
func TestNewPath(t *testing.T) {
	before := []reader.Feed{{ID: 1, Folder: "A"}, {ID: 2, Folder: "A / B"}}
	for _, c := range []struct {
		first, second, want string
	}{{"Z", "Z / B", "Z"}, {"A", "A / B", "A"}, {"Z", "Y / B", ""}, {"Z", "Z", ""}} {
		s := &Snapshot{Feeds: []reader.Feed{{ID: 1, Folder: c.first}, {ID: 2, Folder: c.second}}}
		s.index(hometest.Noon)
		if got := s.NewPath("A", before); got != c.want {
			t.Errorf("%s and %s: %q, want %q", c.first, c.second, got, c.want)
		}
	}
}

// With accounts, the path of a folder begins with its account.
func TestPathsOfAccounts(t *testing.T) {
	s := &Snapshot{Accounts: []home.AccountStatus{{Account: reader.Account{ID: 7, Name: "There"}}}}
	f := &reader.Feed{Account: 7, Folder: "News"}
	path := s.Path(f)
	if p := PlaceOf(path); p.Account != 7 || p.Path != "News" {
		t.Errorf("%q is %+v", path, p)
	}
	if q := QueryOf(path); q.Folder != "News" || !slices.Equal(q.Accounts, []int64{7}) {
		t.Errorf("%q lists %+v", path, q)
	}
	if !InFolder(path, s.Root(7)) || InFolder(path, s.Root(0)) || s.rankOf(0) != 0 || s.rankOf(7) != 1 {
		t.Errorf("%q, %q", path, s.Root(7))
	}
}

func TestPlaced(t *testing.T) {
	for _, c := range []struct {
		one, at int64
		want    []int64
	}{{1, 3, []int64{2, 3, 1}}, {3, 1, []int64{3, 1, 2}}, {2, 3, []int64{1, 3, 2}}, {2, 2, []int64{1, 2, 3}}} {
		if got := placed([]int64{1, 2, 3}, c.one, c.at); !slices.Equal(got, c.want) {
			t.Errorf("%d at %d: %v", c.one, c.at, got)
		}
	}
}

// The order is stored, and concerns the feeds of one folder.
func TestStoredOrder(t *testing.T) {
	l, h := open(t)
	exec(t, h, "UPDATE feed SET folder = ''")
	l.Reload()
	one := l.Feeds[0]
	if at := l.Neighbor(&one, 1); at == nil || l.Neighbor(&one, -1) != nil || l.Neighbor(at, 1) != nil {
		t.Fatalf("beside %d stands %+v", one.ID, at)
	} else if err := l.StoreSorting(t.Context(), l.Placed(one, *at)); err != nil {
		t.Fatal(err)
	}
	exec(t, h, "UPDATE feed SET title = title") // a change of feeds
	l.Reload()
	if l.Feeds[1].ID != one.ID || len(l.Order) != 2 {
		t.Errorf("%v", l.Order)
	}
}

// Folders are sorted by hand among those beside them, within their account, and follow their feeds to another name.
func TestFoldersAreSortedByHand(t *testing.T) {
	s := &Snapshot{Feeds: []reader.Feed{{ID: 1, Folder: "A"}, {ID: 2, Folder: "A / X"}, {ID: 3, Folder: "A / Y / Z"}, {ID: 4, Folder: "B"}, {ID: 5, Folder: "C / X"}, {ID: 6}}}
	for folder, want := range map[string][]string{"B": {"A", "B", "C"}, "A / Y": {"A / X", "A / Y"}, "A / Y / Z": {"A / Y / Z"}, "C / X": {"C / X"}} {
		if got := s.Beside(folder); !slices.Equal(got, want) {
			t.Errorf("beside %s: %q", folder, got)
		}
	}
	if s.NeighborFolder("A", 1) != "B" || s.NeighborFolder("A", -1) != "" || s.NeighborFolder("C", 1) != "" || s.NeighborFolder("D", 1) != "" {
		t.Error("wrong neighbors")
	}
	want := map[reader.Place]int{{Path: "B"}: 1, {Path: "C"}: 2, {Path: "A"}: 3}
	if got := s.PlacedFolder("A", "C").Folders; !maps.Equal(got, want) {
		t.Errorf("placed: %v", got)
	}
	s.Accounts = []home.AccountStatus{{Account: reader.Account{ID: 7}}}
	s.Feeds = []reader.Feed{{ID: 1, Folder: "A"}, {ID: 2, Account: 7, Folder: "A"}, {ID: 3, Account: 7, Folder: "B"}, {ID: 4, Account: 7}}
	path := s.Path(&s.Feeds[2])
	if got := s.NeighborFolder(path, -1); PlaceOf(got) != (reader.Place{Account: 7, Path: "A"}) {
		t.Errorf("above B: %q", got)
	}
	want = map[reader.Place]int{{Account: 7, Path: "B"}: 1, {Account: 7, Path: "A"}: 2}
	if got := s.PlacedFolder(path, s.Path(&s.Feeds[1])).Folders; !maps.Equal(got, want) {
		t.Errorf("placed in an account: %v", got)
	}
}
