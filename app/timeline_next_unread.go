package app

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/reader"
)

// nextUnread goes to the next unread article below the chosen one, then to the
// first of the list, then to all unread ones.
func (w *window) nextUnread() {
	t := w.timeline
	t.unpick()
	if i, known := t.unreadBelow(); known {
		t.list.Select(i)
		return
	}
	after, ids := t.chosen, t.ids
	q := w.query()
	q.View, q.AlsoList = reader.Unread, nil
	w.goNextUnread(q, after, ids)
}

func (w *window) goNextUnread(q reader.Query, after int64, ids []int64) {
	async.LoadSoon(w.Jobs, &w.wantNext, func(ctx context.Context) ([]int64, error) {
		return w.home.Store.Articles.IDs(ctx, q)
	}, func(unread []int64) {
		switch {
		case len(unread) == 0 && w.sidebar.chosen.key != "unread" && q.Search == "":
			w.sidebar.chooseKey("unread")
			w.goNextUnread(reader.Query{View: reader.Unread, Dedupe: w.foldStories}, 0, nil)
		case len(unread) == 0:
			w.say(lang.L("Everything is read."))
		default:
			w.timeline.choose(nextOf(unread, after, ids))
		}
	})
}

// nextOf is the first of the unread ids that stands below after in ids, else the
// first of all.
func nextOf(unread []int64, after int64, ids []int64) int64 {
	is := make(map[int64]bool, len(unread))
	for _, id := range unread {
		is[id] = true
	}
	passed := false
	for _, id := range ids {
		if passed && is[id] {
			return id
		}
		passed = passed || id == after
	}
	return unread[0]
}
