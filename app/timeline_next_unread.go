package app

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/reader"
)

// nextUnread finds the next unread article. It belongs to the commands that move between the panes.
type nextUnread struct {
	*env
	sidebar  *sidebar
	timeline *timeline
	request  async.Request
}

// open opens the next unread article below the current one, else the first unread one of the list, else of all feeds.
func (n *nextUnread) open() {
	t := n.timeline
	t.clearSelection()
	if i, known := t.unreadBelow(); known {
		t.list.Select(i)
		return
	}
	after, ids := t.current, t.ids
	q := t.query()
	q.View, q.AlsoList = reader.Unread, nil
	n.find(q, after, ids)
}

// find opens the first article of q that stands below after in ids, else the first of all.
func (n *nextUnread) find(q reader.Query, after int64, ids []int64) {
	async.LoadSoon(n.Jobs, &n.request, func(ctx context.Context) ([]int64, error) {
		return n.home.Store.Articles.IDs(ctx, q)
	}, func(unread []int64) {
		switch {
		case len(unread) == 0 && n.sidebar.chosen.key != "unread" && q.Search == "":
			n.sidebar.chooseKey("unread")
			n.find(reader.Query{View: reader.Unread, Dedupe: n.dedupe}, 0, nil)
		case len(unread) == 0:
			n.say(lang.L("No unread articles."))
		default:
			n.timeline.open(nextOf(unread, after, ids))
		}
	})
}

// unreadBelow is the next unread row below the current one, if all rows up to there are known.
func (t *timeline) unreadBelow() (row int, known bool) {
	for i := t.list.Chosen + 1; i < len(t.ids); i++ {
		a := t.rows[t.ids[i]]
		if a == nil {
			return 0, false
		}
		if !t.marks.value(a, reader.FlagRead) {
			return i, true
		}
	}
	return 0, false
}

// nextOf is the first of the unread ids that stands below after in ids, else the first of all.
func nextOf(unread []int64, after int64, ids []int64) int64 {
	is := idSet(unread)
	passed := false
	for _, id := range ids {
		if passed && is[id] {
			return id
		}
		passed = passed || id == after
	}
	return unread[0]
}
