package timeline

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/reader"
)

// othersText says how many other articles tell the same.
func othersText(n int) string { return language.Printer().Others(n) }

// listsOnce reports whether a story is listed once where the list is.
func (t *Pane) listsOnce() bool {
	q := t.session.Place.Query
	q.Dedupe = t.library.Dedupe
	return q.ListsOnce()
}

// arrange returns what sorts the list as it is to be now, and lists all articles of the stories that were unfolded. It may be
// called on any goroutine.
func (t *Pane) arrange() func(ctx context.Context, ids []int64) ([]int64, error) {
	sort, stories := t.Sorting(), t.session.List.Stories
	return func(ctx context.Context, ids []int64) ([]int64, error) {
		ids, err := sort(ctx, ids)
		if err != nil {
			return nil, err
		}
		return t.shell.Home.Store.Articles.Unfold(ctx, ids, stories)
	}
}

// story is what a row shows of the story of its article.
type story struct {
	others   int // that are not listed, or stand below
	unfolded bool
	below    bool // it is one of the others, which stand below the article that stands for the story
}

func (t *Pane) storyOf(i int, a *reader.Article) story {
	if a == nil || a.Others == 0 || !t.listsOnce() {
		return story{}
	}
	if t.session.List.Other(i) {
		return story{below: true}
	}
	return story{others: a.Others, unfolded: t.session.List.Unfolded(a)}
}

// ToggleStory lists all articles of the story that an article belongs to, or the first one only.
func (t *Pane) ToggleStory(id int64) {
	a := t.session.List.Loaded[id]
	if a == nil || a.Others == 0 || !t.listsOnce() {
		t.shell.Say(lang.L("No other feed carries this story."))
		return
	}
	row := slices.Index(t.session.List.IDs, id)
	head, text := t.session.List.Head(row), othersText(a.Others)
	if !t.session.List.ToggleStory(a.Story) {
		text = lang.L("Story collapsed")
		if head != row && t.session.List.Current == id { // it leaves the list
			t.List.Select(head)
		}
	}
	t.shell.Announce(text)
	t.Reload()
}

// InStory reports whether others tell the same as the first target, which are listed below it or could be.
func (a *Actions) InStory() bool {
	for id := range a.Session.List.EachTarget() {
		one := a.Session.List.Loaded[id]
		return one != nil && one.Others > 0 && a.Timeline.listsOnce()
	}
	return false
}

// ToggleStory lists all articles of the story of the first target, or the first one only.
func (a *Actions) ToggleStory() {
	for id := range a.Session.List.EachTarget() {
		a.Timeline.ToggleStory(id)
		return
	}
	a.Shell.Say(lang.L("Select an article first."))
}
