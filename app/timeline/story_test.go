package timeline

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/accessible"
	"kairos/app/home/hometest"
	"kairos/app/session"
	"kairos/reader"
	"kairos/reader/parse"
)

// tell has the first feed, then the second tell of an earthquake, and lists stories once.
func (p *pane) tell(t *testing.T) {
	t.Helper()
	if err := p.shell.Home.Duplicates.Set(t.Context(), reader.DedupeSettings{Once: true, Alike: true, ReadTogether: true}); err != nil {
		t.Fatal(err)
	}
	p.library.Dedupe = true
	for feed, title := range map[int64]string{1: "Magnitude 6.2 earthquake strikes off Corvana coast", 2: "Strong quake hits Corvana, knocks out power in Belmar"} {
		a := parse.Article{Key: "quake", Title: title, HTML: "<p>A magnitude 6.2 earthquake struck off the coast of Corvana early on Tuesday, cutting power to the port town of Belmar, the seismological office said.</p>",
			Published: hometest.Noon.Add(-time.Duration(feed) * time.Minute)}
		if err := p.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := reader.StoreArticles(t.Context(), tx, feed, []parse.Article{a}, hometest.Noon, time.Time{})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	p.Reload()
	p.room.Queue.Until("the story is listed once", func() bool { return len(p.session.List.IDs) == 7 && p.session.List.Loaded[p.story()] != nil })
}

// story is the article that stands for the story.
func (p *pane) story() int64 {
	for _, id := range p.session.List.IDs {
		if a := p.session.List.Loaded[id]; a != nil && a.Others > 0 {
			return id
		}
	}
	return 0
}

func TestStoryUnfolds(t *testing.T) {
	p := newPane(t)
	p.tell(t)
	at := slices.Index(p.session.List.IDs, p.story())
	row := newRow()
	row.Resize(fyne.NewSize(400, 70))
	p.update(at, row)
	if node := row.Describe(); !strings.Contains(node.Name, "and 1 other") || !node.States.Has(accessible.Expandable) || node.States.Has(accessible.Expanded) {
		t.Errorf("the row says %q", node.Name)
	}
	opened := p.session.List.Current
	row.Tapped(&fyne.PointEvent{Position: row.others.Text.Position().AddXY(3, 3)})
	p.room.Queue.Until("it is unfolded by a click", func() bool { return len(p.session.List.IDs) == 8 })
	if p.session.List.Current != opened {
		t.Error("the click opened the article")
	}
	p.update(at, row)
	below := newRow()
	p.update(at+1, below)
	if node := row.Describe(); !node.States.Has(accessible.Expanded) || !below.story.below || below.left() <= row.left() {
		t.Errorf("unfolded: %+v, below %+v", node, below.story)
	}

	// By a key on the other one it is folded again, and the one that stands for it is chosen.
	p.List.Select(at + 1)
	p.actions.ToggleStory()
	p.room.Queue.Until("it is folded by a key", func() bool { return len(p.session.List.IDs) == 7 })
	if p.session.List.Current != p.session.List.IDs[at] {
		t.Error("the article that stands for the story is not chosen")
	}
}

func TestNoStoryToUnfold(t *testing.T) {
	p := newPane(t)
	p.List.Select(0)
	p.actions.ToggleStory()
	if len(p.session.List.Stories) != 0 || len(p.session.List.IDs) != 6 {
		t.Error("it unfolds what is told once")
	}
}

// Who marks a story as read marks all its articles, and one undo takes that back.
func TestStoryIsReadAsOne(t *testing.T) {
	p := newPane(t)
	p.tell(t)
	before := p.counts(t).Total
	p.session.List.Selection.Target = p.story()
	p.actions.ToggleRead()
	p.room.Queue.Until("both are read", func() bool { return p.counts(t).Total == before-2 })
	p.room.Queue.Until("undo is offered", func() bool { return strings.Contains(p.room.Host.Said, "2 articles") })
	p.room.Shell.UndoLast()
	p.room.Queue.Until("both are unread again", func() bool { return p.counts(t).Total == before })
}

// In a group by feed the others of a story stay below the one that stands for it, and begin no group.
func TestStoryInGroups(t *testing.T) {
	p := newPane(t)
	p.tell(t)
	p.SetOrder(p.session.List.Order.GroupedBy(session.GroupByFeed))
	p.ToggleStory(p.story())
	p.room.Queue.Until("it is unfolded", func() bool { return len(p.session.List.IDs) == 8 })
	headings := 0
	for i := range p.session.List.IDs {
		if p.GroupHeading(i) != "" {
			headings++
		}
	}
	if headings != 2 {
		t.Errorf("%d headings, want one for each feed", headings)
	}
}

// The other articles of a story can be read one after the other in Unread: none of them leaves it when one is opened.
func TestReadingTheOthersOfAStoryKeepsItsRows(t *testing.T) {
	p := newPane(t)
	p.choose(session.Place{Key: session.Unread, Query: reader.Query{View: reader.Unread}})
	p.tell(t)
	at := slices.Index(p.session.List.IDs, p.story())
	p.ToggleStory(p.session.List.IDs[at])
	p.room.Queue.Until("it is unfolded", func() bool { return len(p.session.List.IDs) == 8 })
	rows := slices.Clone(p.session.List.IDs)
	p.List.Select(at + 1)
	p.MarkRead(rows[at+1])
	p.room.Queue.Until("both are read", func() bool {
		a, err := p.room.Home.Store.Articles.Load(t.Context(), rows[at:at+2])
		if err != nil {
			t.Fatal(err)
		}
		return a[0].Read && a[1].Read && p.shell.Pending() == 0
	})
	if err := p.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "later", Title: "Later", Published: hometest.Noon}}, hometest.Noon, time.Time{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	p.Reload()
	p.room.Queue.Until("a new one is listed", func() bool { return len(p.session.List.IDs) > 0 && p.session.List.IDs[0] > slices.Max(rows) })
	rows = slices.Concat(p.session.List.IDs[:1], rows)
	if !slices.Equal(p.session.List.IDs, rows) {
		t.Errorf("%v are listed, were %v", p.session.List.IDs, rows)
	}
}

// Opening a story reads its other articles with it; the last thing that can be undone is that, and it brings back all of them.
func TestUndoOfAStoryThatWasOpened(t *testing.T) {
	p := newPane(t)
	p.tell(t)
	older := false
	p.shell.RememberUndo("something older", func(context.Context) error { older = true; return nil }, nil)
	head := p.story()
	unread := func() (n int) {
		ids, err := p.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread})
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	before := unread()
	p.MarkRead(head)
	p.room.Queue.Until("it can be undone", func() bool { return p.shell.History.Len() == 2 })
	if got := unread(); got != before-2 {
		t.Errorf("%d are unread, of %d", got, before)
	}
	p.shell.UndoLast()
	p.room.Queue.Until("it is undone", func() bool { return unread() == before })
	if older {
		t.Error("something older was undone")
	}
}

// The menu of a row offers the others where there are some.
func TestInStory(t *testing.T) {
	p := newPane(t)
	p.tell(t)
	at := slices.Index(p.session.List.IDs, p.story())
	for _, row := range []int{at, (at + 1) % len(p.session.List.IDs)} {
		p.List.Select(row)
		if got := p.actions.InStory(); got != (row == at) {
			t.Errorf("row %d: %v", row, got)
		}
	}
}
