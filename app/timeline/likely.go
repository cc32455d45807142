package timeline

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/poller/likely"
)

// Sorting returns what sorts the list as it is to be now, given what the store lists. It may be called on any goroutine. A list of
// what is likely stays as it is while it is read, and new articles come above it.
func (t *Pane) Sorting() func(ctx context.Context, ids []int64) ([]int64, error) {
	if t.session.Order().Sort != session.LikelyFirst {
		return func(_ context.Context, ids []int64) ([]int64, error) { return ids, nil }
	}
	var shown []int64
	if !t.ItemChanged && !t.SearchChanged && !t.resorted {
		shown = t.session.List.IDs
	}
	return func(ctx context.Context, ids []int64) ([]int64, error) {
		return t.shell.Home.Likely.Order(ctx, ids, shown)
	}
}

// explain returns why the article in row i stands where it does, for the tooltip. It is "" while that is being looked up, for
// all rows on screen, and where the list is in another order.
func (t *Pane) explain(i int) string {
	if t.session.Order().Sort != session.LikelyFirst || i >= len(t.session.List.IDs) {
		return ""
	}
	if text, known := t.reasons[t.session.List.IDs[i]]; known {
		return text
	}
	ids := t.session.List.IDs[max(0, i-t.RowsShown()):min(i+t.RowsShown(), len(t.session.List.IDs))]
	t.loadReasons(slices.Clone(ids), func() {})
	return ""
}

// maxReasons bounds how many reasons are kept.
const maxReasons = 1000

// loadReasons looks up why articles are likely to be read, then calls done.
func (t *Pane) loadReasons(ids []int64, done func()) {
	async.Load(t.shell.Jobs, &t.requests.reasons, func(ctx context.Context) (map[int64]likely.Reason, error) {
		return t.shell.Home.Likely.Reasons(ctx, ids...)
	}, func(reasons map[int64]likely.Reason) {
		if len(t.reasons) > maxReasons {
			clear(t.reasons)
		}
		for id, reason := range reasons {
			author := ""
			if a := t.session.List.Loaded[id]; a != nil {
				author = a.Author
			}
			t.reasons[id] = strings.Join(language.Printer().Likely(reason, author), "\n")
		}
		done()
	})
}

// Explain tells why the first article that commands apply to stands where it does.
func (a *Actions) Explain() {
	for id := range a.Session.List.EachTarget() {
		a.Timeline.loadReasons([]int64{id}, func() {
			if text := a.Timeline.reasons[id]; text != "" {
				a.Shell.Dialogs.Inform(lang.L("How likely you are to read it"), text)
			}
		})
		return
	}
	a.Shell.Say(lang.L("Select an article first."))
}

// Like wants more like the first article that commands apply to, or fewer, and says what that changes.
func (a *Actions) Like(more bool) {
	for id := range a.Session.List.EachTarget() {
		var liked likely.Liked
		a.Shell.Work(func(ctx context.Context) (err error) {
			liked, err = a.Shell.Home.Likely.Like(ctx, id, more)
			return err
		}, func(err error) {
			if err != nil {
				a.Shell.Fail(err)
				return
			}
			a.Shell.AddUndo(likedText(liked, more), liked.Undo)
		})
		return
	}
	a.Shell.Say(lang.L("Select an article first."))
}

func likedText(l likely.Liked, more bool) string {
	values := map[string]any{"Before": language.Printer().Percent(l.Before), "After": language.Printer().Percent(l.After)}
	switch {
	case l.Again && more:
		return lang.L("You have asked for more like this before: likely to be read {{.After}}", values)
	case l.Again:
		return lang.L("You have asked for fewer like this before: likely to be read {{.After}}", values)
	case more:
		return lang.L("More like this: likely to be read {{.After}}, was {{.Before}}", values)
	}
	return lang.L("Fewer like this: likely to be read {{.After}}, was {{.Before}}", values)
}
