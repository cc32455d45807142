package feeds

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kairos/app/widgets"
	"kairos/poller/report"
	"kairos/reader"
)

// A feed's new address is found on its site and used.
func TestFindAddress(t *testing.T) {
	elsewhere := "" // the same server under another name
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(out, `<html><head><link rel="alternate" type="application/rss+xml" href="%s/new.xml" title="New"></head></html>`, elsewhere)
		case "/new.xml":
			fmt.Fprint(out, `<rss version="2.0"><channel><title>New</title><item><title>A</title></item></channel></rss>`)
		default:
			http.NotFound(out, r)
		}
	}))
	defer s.Close()
	room, actions := newRoom(t)
	q := room.Queue
	f, err := room.Home.Store.Feeds.Get(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	f.URL = s.URL + "/old.xml"
	if err := room.Home.Subscriptions.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	_, _, find := actions.Fix(f, report.FindAddress)
	find()
	q.Until("it is found", func() bool { return len(room.Dialogs.Open) == 1 })
	room.Dialogs.Open[0].Press("Use this address")
	q.Until("it is used", func() bool { return len(room.Dialogs.Open) == 0 })
	if f, err = room.Home.Store.Feeds.Get(t.Context(), 1); err != nil || f.URL != elsewhere+"/new.xml" {
		t.Errorf("%s, %v", f.URL, err)
	}
	// A password goes along within a host only.
	for to, kept := range map[string]bool{"http://a.test/new": true, "http://b.test/a": false} {
		if login := movedLogin(reader.Feed{URL: "http://a.test/", Login: true}, to); (login == nil) != kept {
			t.Errorf("at %s: %+v", to, login)
		}
	}
	// There is no other one.
	find()
	q.Until("it says so", func() bool { return len(room.Dialogs.Open) == 1 })
}

func TestFixButtons(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	f := room.Library.Feeds[0]
	for _, a := range []report.Action{report.EditAddress, report.EnterLogin} {
		_, _, do := actions.Fix(f, a)
		do()
		if e, ok := room.Canvas.Focused().(*widgets.Entry); !ok || len(room.Dialogs.Open) != 1 || a == report.EditAddress && e.Text != f.URL || a == report.EnterLogin && e.PlaceHolder != "user" {
			t.Errorf("%s: %v has the focus", a, room.Canvas.Focused())
		}
		room.Dialogs.Open[0].Hide()
	}
	_, _, try := actions.Fix(f, report.TryNow)
	try()
	q.Until("it was tried", func() bool { return strings.HasPrefix(room.Host.Said, f.Title+": ") })
	_, _, leave := actions.Fix(f, report.Unsubscribe)
	leave()
	q.Until("it is unsubscribed", func() bool { return room.History.Len() == 1 })
}
