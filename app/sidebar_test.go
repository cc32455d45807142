package app

import (
	"fmt"
	"strings"
	"testing"
)

func TestSidebarListsViewsFoldersAndFeeds(t *testing.T) {
	w, _ := newTestWindow(t)
	var got []string
	for _, p := range w.sidebar.items {
		got = append(got, fmt.Sprintf("%s%s %d", strings.Repeat("  ", p.indent), p.name, p.count))
	}
	want := "All articles 0|Unread 6|Today 6|Starred 0|Insights 0|Feed 0 3|News 3|  Feed 1 3"
	if strings.Join(got, "|") != want {
		t.Errorf("sidebar is %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestCollapsedFolderHidesFeeds(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.toggleFolder("News")
	q.until("folded", func() bool { return len(w.sidebar.items) == 7 })
	w.sidebar.toggleFolder("News")
	q.until("unfolded", func() bool { return len(w.sidebar.items) == 8 })
}
