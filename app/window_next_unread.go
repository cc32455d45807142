package app

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/sidebar"
	"kairos/app/timeline"
)

// nextUnread finds the next unread article. It belongs to the commands that move between the panes.
type nextUnread struct {
	shell    *shell.Shell
	session  *session.Session
	sidebar  *sidebar.Pane
	timeline *timeline.Pane
	request  async.Request
}

// open opens the next unread article below the current one, else the first unread one of the list. From the end of a feed or
// folder it goes on with the next feed that has unread articles, from the end of any other list with all that are unread.
func (n *nextUnread) open() {
	n.timeline.ClearSelection()
	next := n.session.NextUnread(n.sidebar.UnreadBelow)
	if next.Known {
		n.timeline.List.Select(next.Row)
		return
	}
	next.Rest = slices.DeleteFunc(next.Rest, func(place string) bool { return !n.sidebar.HasUnread(place) })
	n.find(next)
}

// find looks for the next unread article: in the list, then in the other places.
func (n *nextUnread) find(next session.NextUnread) {
	q := n.timeline.Query()
	q.HideRead, q.AlsoList = true, nil
	sort, place := n.timeline.Sorting(), n.session.Place.Key
	async.LoadSoon(n.shell.Jobs, &n.request, func(ctx context.Context) ([]int64, error) {
		ids, err := n.shell.Home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return nil, err
		}
		return sort(ctx, ids)
	}, func(unread []int64) {
		if n.session.Place.Key != place {
			return
		}
		// What was marked read meanwhile may not have been stored when they were asked for.
		unread = slices.DeleteFunc(unread, func(id int64) bool {
			a := n.session.List.Loaded[id]
			return a != nil && n.session.Marks.IsRead(a)
		})
		switch {
		case len(unread) > 0:
			n.timeline.Open(session.NextOf(unread, next.After, next.IDs))
		case len(next.Rest) > 0:
			n.sidebar.ChooseKey(next.Rest[0])
			n.find(session.NextUnread{Rest: next.Rest[1:]})
		default:
			n.shell.Say(lang.L("No unread articles."))
		}
	})
}
