package app

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/shell"
	"kairos/reader"
)

// nextUnread finds the next unread article. It belongs to the commands that move between the panes.
type nextUnread struct {
	shell    *shell.Shell
	sidebar  *sidebar
	timeline *timeline
	request  async.Request
}

// open opens the next unread article below the current one, else the first unread one of the list. From the end of a feed or
// folder it goes on with the next feed that has unread articles, from the end of any other list with all that are unread.
func (n *nextUnread) open() {
	t := n.timeline
	t.clearSelection()
	if i, known := t.unreadBelow(); known {
		t.list.Select(i)
		return
	}
	var rest []string
	switch chosen := n.sidebar.chosen; {
	case t.query().Search != "":
	case chosen.feed != nil || chosen.folder != "":
		rest = n.sidebar.unreadBelow()
	case chosen.key != "unread":
		rest = []string{"unread"}
	}
	n.find(t.current, t.ids, rest)
}

// find opens the first unread article of the list that stands below after in ids, else the first of all, else of the sidebar
// items with the keys rest, in their order.
func (n *nextUnread) find(after int64, ids []int64, rest []string) {
	q := n.timeline.query()
	q.View, q.AlsoList = reader.Unread, nil
	async.LoadSoon(n.shell.Jobs, &n.request, func(ctx context.Context) ([]int64, error) {
		return n.shell.Home.Store.Articles.IDs(ctx, q)
	}, func(unread []int64) {
		// What was marked read meanwhile may not have been stored when they were asked for.
		t := n.timeline
		unread = slices.DeleteFunc(unread, func(id int64) bool {
			a := t.rows[id]
			return a != nil && t.marks.value(a, reader.FlagRead)
		})
		switch {
		case len(unread) > 0:
			n.timeline.open(nextOf(unread, after, ids))
		case len(rest) > 0:
			n.sidebar.chooseKey(rest[0])
			n.find(0, nil, rest[1:])
		default:
			n.shell.Say(lang.L("No unread articles."))
		}
	})
}

// unreadBelow returns the keys of the feeds and collapsed folders with unread articles: those below the chosen item, then
// those above it.
func (s *sidebar) unreadBelow() (keys []string) {
	chosen := s.row(s.chosen.key)
	for i := range s.items {
		item := &s.items[(chosen+1+i)%len(s.items)]
		if item.count > 0 && item.key != s.chosen.key && (item.feed != nil || item.folder != "" && s.collapsed[item.folder]) {
			keys = append(keys, item.key)
		}
	}
	return keys
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
	is := newIDSet(unread)
	passed := false
	for _, id := range ids {
		if passed && is.has(id) {
			return id
		}
		passed = passed || id == after
	}
	return unread[0]
}
