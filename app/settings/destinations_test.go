package settings

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/widgets/widgetstest"
	"kairos/poller/handoff"
	"kairos/reader"
)

func TestDestinations(t *testing.T) {
	ring := hometest.NewRing()
	s, _, q := newSettingsWith(t, home.Options{Keyring: ring})
	d := openDialog(t, s, Destinations)
	p := d.destinations
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Token right" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"results":[]}`)
	}))
	defer server.Close()

	f := p.addDestination(handoff.Linkding)
	f.submit(false)
	if !strings.Contains(f.addressProblem.String(), "address") {
		t.Errorf("without an address: %q", f.addressProblem.String())
	}
	f.address.SetText(server.URL)
	f.submit(false)
	if !strings.Contains(f.secretProblem.String(), "token") {
		t.Errorf("without a token: %q", f.secretProblem.String())
	}
	f.password.SetText("wrong")
	f.submit(false)
	q.Until("the token is refused", func() bool { return strings.Contains(f.secretProblem.String(), "does not accept the login") })
	f.address.SetText("http://links.example.org")
	f.submit(false)
	q.Until("it asks", func() bool { return len(s.Dialogs.Open) == 3 })
	s.Dialogs.CloseTop()
	f.address.SetText(server.URL)
	f.password.SetText("right")
	f.submit(false)
	q.Until("it is there", func() bool { return len(p.list.items) == 1 })
	if !holds(ring, `right\`) || len(ring.Items) != 1 { // as JSON in JSON
		t.Errorf("the keyring has %v", ring.Items)
	}

	folder := filepath.Join(t.TempDir(), "Notes")
	f = p.addDestination(handoff.Folder)
	f.address.SetText(folder)
	f.submit(false)
	q.Until("the folder is missed", func() bool { return strings.Contains(f.addressProblem.String(), "is not there") })
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	f.submit(false)
	q.Until("both are there", func() bool { return len(p.list.items) == 2 })

	ids, err := s.Home.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Home.Marks.Set(t.Context(), ids[:2], reader.FlagStarred, true); err != nil {
		t.Fatal(err)
	}
	p.list.reload()
	q.Until("they wait", func() bool { return p.list.items[0].Waiting == 2 && p.list.items[1].Waiting == 2 })
	if _, err := s.Home.Destinations.Engine.Send(t.Context(), p.list.items[1].ID, true); err != nil {
		t.Fatal(err)
	}
	server.Close()
	if _, err := s.Home.Destinations.Engine.Send(t.Context(), p.list.items[0].ID, true); err == nil {
		t.Fatal("sent to nobody")
	}
	p.list.reload()
	q.Until("they are there", func() bool { return p.list.items[1].Delivered == 2 && p.list.items[0].Trouble != nil })

	// What can be done.
	g := p.editDestination(p.list.items[1])
	g.name.SetText("My notes")
	g.submit(false)
	q.Until("it has another name", func() bool { return p.list.items[1].Name == "My notes" })
	p.askRemove(p.list.items[0]).Buttons[1].Do()
	q.Until("it is gone", func() bool { return len(p.list.items) == 1 })
	if len(ring.Items) != 0 {
		t.Errorf("the keyring has %v", ring.Items)
	}
}

func TestDestinationsMarkup(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, Destinations)
	d.destinations.list.request.Stop()
	d.destinations.list.show([]handoff.Status{
		{Destination: reader.Destination{ID: 1, Kind: string(handoff.Wallabag), Name: "Bag", Address: "https://bag.test", User: "ann", Starred: true},
			DeliveryCounts: reader.DeliveryCounts{Waiting: 2, Refused: 1, Delivered: 3, Unsent: 40, Last: s.Home.Now()},
			Refusals:       []handoff.Refusal{{Article: 1, Title: "No link", Why: &handoff.Error{Code: handoff.NoAddress}}}},
		{Destination: reader.Destination{ID: 2, Kind: string(handoff.Folder), Name: "Notes", Address: "/home/ann/Notes", Paused: true}},
	})
	widgetstest.AssertMarkup(t, "destinations.xml", s.Dialogs.Canvas().Overlays().Top())
}
