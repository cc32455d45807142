//go:build window

package windowtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/notify"
	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/reader"
)

// plannedSession has Kairos in its tray, with a feed that the plan fetches within minutes, and that will have posted by then. It is a
// desktop of its own, on which nobody does anything meanwhile.
type plannedSession struct {
	*session
	posted atomic.Bool // two articles more
	feed   int64
	due    time.Time // when the bin of the plan begins in which the feed is fetched
}

// sinceAdded is how long ago the feed was added when it is fetched again: as long as the plan waits at least, and what adding it takes.
var sinceAdded = schedule.Default().MinGap + 10*time.Second

// newPlannedSession gives Kairos a past, in which the feed was added lately, opens its window as people do, and closes it.
func newPlannedSession(t *testing.T) *plannedSession {
	t.Helper()
	p := &plannedSession{session: newSession(t)}
	server := httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(server.Close)
	p.due = time.Now().Add(time.Minute + schedule.Bin).Truncate(schedule.Bin)
	p.subscribe(server.URL+"/ferry.xml", p.due.Add(-sinceAdded))
	p.launch()
	p.inFront()
	p.keepFetching()
	p.posted.Store(true)
	return p
}

// serve serves a feed that posts each ten minutes.
func (p *plannedSession) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/ferry.xml" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/rss+xml")
	fmt.Fprint(w, `<rss version="2.0"><channel><title>The Ferry Times</title>`)
	item := func(title string, at time.Time) {
		fmt.Fprintf(w, `<item><guid isPermaLink="false">%[1]s</guid><title>%[1]s</title><pubDate>%s</pubDate></item>`, title, at.UTC().Format(time.RFC1123Z))
	}
	if p.posted.Load() {
		item("The night ferry sails again", p.due)
		item("Fog on the quay", p.due.Add(-time.Second))
	}
	for i := range 30 {
		item(fmt.Sprintf("Timetable %d", i), p.due.Add(-sinceAdded-time.Duration(i)*10*time.Minute))
	}
	fmt.Fprint(w, `</channel></rss>`)
}

// subscribe adds the feed at a time that is past, for somebody who wants to be notified of every feed and comes each hour, the next
// time just after the feed is due.
func (p *plannedSession) subscribe(address string, at time.Time) {
	p.Helper()
	ctx := context.Background()
	late := time.Since(at)
	h, err := home.Open(ctx, p.data(), home.Options{Now: func() time.Time { return time.Now().Add(-late) }})
	if err != nil {
		p.Fatal(err)
	}
	defer h.Close()
	try := func(err error) {
		if err != nil {
			p.Helper()
			p.Fatal(err)
		}
	}
	try(h.Store.Settings.Set(ctx, notify.SettingFeeds, notify.All))
	try(h.Poller.SetBudget(ctx, "288")) // with as many fetches as visits, the plan would spend none so soon after the window was opened
	for visit, hour := p.due.Add(2*time.Minute), 14*24; hour > 0; hour-- {
		_, err := h.Visits.Record(ctx, visit.Add(-time.Duration(hour)*time.Hour))
		try(err)
	}
	found, err := h.Poller.Discover(ctx, address, poller.Login{})
	try(err)
	feed, _, err := h.Subscriptions.Add(ctx, found[0], reader.Feed{}, poller.Login{})
	try(err)
	try(h.Poller.Settle(ctx))
	p.feed = feed.ID
}

// told waits until the plan has fetched the feed, and dunst has shown what it brought.
func (p *plannedSession) told() {
	p.Helper()
	h, err := home.OpenReadOnly(context.Background(), p.data(), home.Options{})
	if err != nil {
		p.Fatal(err)
	}
	defer h.Close()
	var reason poller.Code
	p.untilTime(p.due.Add(schedule.MaxOffset+timeout), "the feed is fetched", func() bool {
		ledger, err := h.Poller.Ledger(context.Background(), p.feed, 10)
		if err != nil {
			p.Fatal(err)
		}
		for _, o := range ledger {
			if o.Reason.Background() || o.Reason == poller.Manual {
				reason = o.Reason
			}
		}
		return reason != ""
	})
	if reason != poller.Planned && reason != poller.Burst { // a feed with five hours of articles posts more than its hours tell
		p.Errorf("the feed was fetched by %q", reason)
	}
	p.until("there is a notification", func() bool { return len(p.notifications()) > 0 })
	want := [2]string{"2 new articles", "The Ferry Times: The night ferry sails again\nThe Ferry Times: Fog on the quay"}
	if all := p.notifications(); len(all) != 1 || all[0] != want {
		p.Errorf("the notifications are %q", all)
	}
}

// notifications are those that dunst has shown: title and text.
func (s *session) notifications() (all [][2]string) {
	s.Helper()
	s.run("dunstctl", "close-all") // into its history
	type text struct{ Data string }
	var history struct {
		Data [][]struct{ Summary, Body text }
	}
	if err := json.Unmarshal([]byte(s.run("dunstctl", "history")), &history); err != nil {
		s.Fatal(err)
	}
	for _, shown := range history.Data {
		for _, one := range shown {
			all = append(all, [2]string{one.Summary.Data, strings.TrimSpace(one.Body.Data)})
		}
	}
	return all
}
