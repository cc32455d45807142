package session

import (
	"slices"
	"testing"

	"kairos/reader"
)

// listing returns a session that lists articles, of which these are read.
func listing(p Place, ids []int64, read ...int64) *Session {
	s := New(Place{}, NewMarks(nil, nil))
	s.Choose(p)
	var rows []reader.Article
	for _, id := range ids {
		rows = append(rows, reader.Article{ID: id, Read: slices.Contains(read, id)})
	}
	s.List.Take(Page{IDs: ids, Rows: rows})
	return s
}

var (
	feed   = FeedPlace(&reader.Feed{ID: 7, Title: "Seven"})
	folder = FolderPlace("News", "News", false)
	all    = Place{Key: All}
	unread = Place{Key: Unread}
)

func TestNextUnread(t *testing.T) {
	below := func() []string { return []string{"feed:8", "folder:Far"} }
	for name, c := range map[string]struct {
		s       *Session
		current int64
		search  string
		want    NextUnread
	}{
		"below":                    {s: listing(feed, []int64{5, 4, 3}, 4), current: 5, want: NextUnread{Row: 2, Known: true}},
		"the first":                {s: listing(feed, []int64{5, 4, 3}), want: NextUnread{Row: 0, Known: true}},
		"none in a feed":           {s: listing(feed, []int64{5, 4}, 5, 4), current: 5, want: NextUnread{After: 5, IDs: []int64{5, 4}, Rest: below()}},
		"none in a folder":         {s: listing(folder, []int64{5}, 5), current: 5, want: NextUnread{After: 5, IDs: []int64{5}, Rest: below()}},
		"none in all":              {s: listing(all, []int64{5}, 5), current: 5, want: NextUnread{After: 5, IDs: []int64{5}, Rest: []string{Unread}}},
		"none that is unread":      {s: listing(unread, []int64{5}, 5), current: 5, want: NextUnread{After: 5, IDs: []int64{5}}},
		"none that was searched":   {s: listing(feed, []int64{5}, 5), current: 5, search: "river", want: NextUnread{After: 5, IDs: []int64{5}}},
		"only above what was read": {s: listing(unread, []int64{5, 4}, 4), current: 4, want: NextUnread{After: 4, IDs: []int64{5, 4}}},
	} {
		c.s.List.Current, c.s.Search = c.current, c.search
		got := c.s.NextUnread(below)
		if got.Row != c.want.Row || got.Known != c.want.Known || got.After != c.want.After || !slices.Equal(got.IDs, c.want.IDs) || !slices.Equal(got.Rest, c.want.Rest) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	s := listing(all, []int64{5, 4, 3}, 5)
	delete(s.List.Loaded, 4)
	if next := s.NextUnread(below); next.Known {
		t.Error("a row that is not loaded is passed over")
	}
}

func TestNextOf(t *testing.T) {
	for _, c := range []struct {
		unread []int64
		after  int64
		ids    []int64
		want   int64
	}{
		{[]int64{9, 7, 3}, 7, []int64{9, 8, 7, 6, 3}, 3},
		{[]int64{9, 7, 3}, 3, []int64{9, 8, 7, 6, 3}, 9},
		{[]int64{9, 7}, 0, []int64{9, 7}, 9},
		{[]int64{5}, 1, nil, 5},
	} {
		if got := NextOf(c.unread, c.after, c.ids); got != c.want {
			t.Errorf("NextOf(%v, %d, %v) is %d, want %d", c.unread, c.after, c.ids, got, c.want)
		}
	}
}

// Of a feed that is chosen its first unread article is shown unasked, which tells no more than that it was chosen.
func TestFirstArticleUnasked(t *testing.T) {
	for name, c := range map[string]struct {
		s       *Session
		back    int64
		current int64
		hidden  bool
		show    First
		row     int
		unasked int64
	}{
		"the first unread":         {s: listing(feed, []int64{5, 4, 3}, 5), show: ShowRow, row: 1, unasked: 4},
		"all are read":             {s: listing(feed, []int64{5, 4}, 5, 4), show: ShowRow, row: 0, unasked: 5},
		"nothing is listed":        {s: listing(feed, nil), show: ShowStatus},
		"back from the status":     {s: listing(feed, []int64{5, 4, 3}), back: 3, show: ShowRow, row: 2},
		"there is no room":         {s: listing(feed, []int64{5}), hidden: true, show: ShowList},
		"one was opened meanwhile": {s: listing(feed, []int64{5}), current: 5, show: ShowNothing},
		"a folder":                 {s: listing(folder, []int64{5}), show: ShowNothing},
	} {
		c.s.Unasked.Back, c.s.List.Current = c.back, c.current
		show, row := c.s.First(!c.hidden)
		if show != c.show || row != c.row || c.s.Unasked.ID != c.unasked {
			t.Errorf("%s: shows %d, row %d, unasked %d", name, show, row, c.s.Unasked.ID)
		}
		if show != ShowNothing {
			if again, _ := c.s.First(true); again != ShowNothing {
				t.Errorf("%s: it is shown again", name)
			}
		}
	}
}

// Choosing a place forgets what was listed, kept, selected and shown unasked in the one before.
func TestChoose(t *testing.T) {
	s := listing(feed, []int64{5, 4, 3})
	s.List.Keep(5)
	s.List.SelectAll()
	s.List.Follow(4)
	version := s.List.Version
	s.Choose(all)
	if l := &s.List; l.IDs != nil || l.Kept != nil || l.Current != 0 || l.Selection.IDs.Len() != 0 || l.Version == version || s.Unasked != (Unasked{}) {
		t.Errorf("%+v", s)
	}
	s.Search = "river"
	s.List.Keep(9)
	q := s.Query(reader.Query{}.Since, true)
	if q.Search != "river" || !q.Dedupe || !slices.Equal(q.AlsoList, []int64{9}) {
		t.Errorf("lists %+v", q)
	}
}

// Commands apply to what is selected, else to what a menu was opened on, else to what is read; a menu opened beside the selection
// is about its own article.
func TestTargets(t *testing.T) {
	s := listing(all, []int64{5, 4, 3, 2, 1}, 4)
	l := &s.List
	check := func(what string, want ...int64) {
		t.Helper()
		if got := l.Targets(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("nothing")
	l.Follow(4)
	check("the current one", 4)
	l.SelectTo(3)
	check("a range", 4, 3, 2)
	l.Selection.Target = 5
	check("a menu beside it", 5)
	l.Selection.Target = 3
	check("a menu on it", 4, 3, 2)
	l.Selection.Target = 0
	if row, ok := l.Extend(-1); !ok || row != 2 {
		t.Errorf("extended to %d", row)
	}
	l.Toggle(0)
	check("one more", 5, 4, 3, 2)
	l.Toggle(2)
	check("one less", 5, 4, 2)
	if !s.WouldMark(reader.FlagRead) || !l.ClearSelection() || l.ClearSelection() {
		t.Error("two of them are unread, and one selection can be cleared")
	}
	if s.WouldMark(reader.FlagRead) {
		t.Error("the current one is read")
	}
	l.Part = true
	l.SelectAll()
	if l.Take(Page{IDs: []int64{6, 5}}); !l.Selection.Prune(l.IDs, false) && l.Selection.IDs.Len() != 2 {
		t.Error("what belongs to a whole list is not selected when it comes")
	}
}

// What is known of an article is its row, else what was opened.
func TestReading(t *testing.T) {
	s := listing(all, []int64{5})
	s.Shown = &reader.Article{ID: 9}
	if s.Find(9) != s.Shown || s.Find(5) != s.List.Loaded[5] || s.Find(7) != nil || s.Reading() != s.Shown {
		t.Error("not found")
	}
	s.List.Loaded[9] = &reader.Article{ID: 9, Labels: []int64{2}}
	if s.Reading() != s.List.Loaded[9] || !slices.Equal(s.Shown.Labels, []int64{2}) {
		t.Error("the row is newer")
	}
	if row, added := s.List.RowOf(8); row != 0 || !added || s.List.IDs[0] != 8 {
		t.Errorf("added at %d: %v", row, s.List.IDs)
	}
	s.List.Follow(5)
	if !s.List.IsStale(Page{IDs: []int64{8}}) || s.List.IsStale(Page{IDs: []int64{8}, Current: 5}) || s.List.IsStale(Page{IDs: []int64{5}}) {
		t.Error("a list from before the article was opened may lack it")
	}
}

func TestPlaces(t *testing.T) {
	for want, p := range map[string]Place{
		`feed:"Seven"`:       feed,
		`folder:"News"`:      folder,
		"is:starred":         {Query: reader.Query{View: reader.Starred}},
		`label:"Read  soon"`: LabelPlace(&reader.Label{ID: 1, Name: `Read "soon"`}),
		"river -flood":       SavedPlace(&reader.SavedSearch{ID: 1, Search: "river -flood"}),
		"":                   FolderPlace("x", "An account", true),
	} {
		if got := p.SearchText(); got != want {
			t.Errorf("%s: %q, want %q", p.Key, got, want)
		}
	}
	account := FolderPlace("x", "An account", true)
	if !feed.IsMovable() || !folder.IsMovable() || account.IsMovable() || all.IsMovable() {
		t.Error("feeds and folders can be moved")
	}
}
