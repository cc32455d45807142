package home

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
)

// releases is a server of the feed of releases.
type releases struct {
	asked  int
	status int
	titles []string
}

func (r *releases) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.asked++
	if q.Host != "kairos.example" || q.URL.Path != "/releases.atom" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.WriteHeader(r.status)
	fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title>`)
	for _, title := range r.titles {
		fmt.Fprintf(w, `<entry><id>%[1]s</id><title>%[1]s</title><link href="https://kairos.example/%[1]s"/></entry>`, title)
	}
	fmt.Fprint(w, "</feed>")
}

// updating opens a home whose feed of releases is there, and a function that lets time pass.
func updating(t *testing.T, there *releases) (h *Home, pass func(time.Duration)) {
	t.Helper()
	before := Website
	Website = "https://kairos.example"
	t.Cleanup(func() { Website = before })
	server := httptest.NewTLSServer(there)
	t.Cleanup(server.Close)
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.InsecureSkipVerify = true
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	at := asOf
	now := func() time.Time { return at }
	h, err := Open(t.Context(), t.TempDir(), Options{Now: now, Client: fetch.New(fetch.Options{Now: now, Spacing: -1, Transport: transport})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h, func(d time.Duration) { at = at.Add(d) }
}

func TestUpdatesAreLookedForOnlyWhenWantedAndOnceAWeek(t *testing.T) {
	there := &releases{status: http.StatusOK, titles: []string{"v0.0.9", "Kairos 99.1.0", "99.0.12", "v100.0.0-rc1"}}
	h, pass := updating(t, there)
	ask := func(want int) {
		t.Helper()
		if err := h.Updates().weekly(t.Context()); err != nil {
			t.Error(err)
		}
		if there.asked != want {
			t.Errorf("asked %d times, want %d", there.asked, want)
		}
	}
	tell := func(want string) {
		t.Helper()
		if r, err := h.Updates().Newer(t.Context()); r.Version != want || err != nil {
			t.Errorf("told about %+v (%v), want %q", r, err, want)
		}
	}
	set := func(value string) {
		t.Helper()
		if err := h.Store.Settings.Set(t.Context(), SettingUpdates, value); err != nil {
			t.Fatal(err)
		}
	}
	ask(0)
	tell("")
	set("on")
	for _, s := range []poller.PowerState{{Metered: true}, {NoNetwork: true}} {
		h.Poller.SetPowerState(s)
		ask(0)
	}
	h.Poller.SetPowerState(poller.PowerState{Battery: true})
	ask(1)
	tell("99.1.0")
	pass(updatesEvery - time.Second)
	ask(1)
	there.titles = append(there.titles, "99.2.0")
	pass(time.Second)
	ask(2)
	tell("99.2.0")
	if r, err := h.Updates().Newer(t.Context()); err != nil || r.Page != "https://kairos.example/99.2.0" {
		t.Errorf("its page is %q (%v)", r.Page, err)
	}
	pass(-30 * 24 * time.Hour) // the clock was wrong
	ask(3)
	if err := h.Updates().PutAway(t.Context(), "99.2.0"); err != nil {
		t.Fatal(err)
	}
	tell("")
	there.titles = append(there.titles, "99.10.0")
	pass(updatesEvery)
	ask(4)
	tell("99.10.0")
	set("off")
	tell("")
	pass(updatesEvery)
	ask(4)
}

// A server that fails is asked once a week as well, and what is not a feed of releases is ignored.
func TestUpdatesOfABrokenServer(t *testing.T) {
	there := &releases{status: http.StatusInternalServerError}
	h, pass := updating(t, there)
	if err := h.Store.Settings.Set(t.Context(), SettingUpdates, "on"); err != nil {
		t.Fatal(err)
	}
	if err := h.Updates().weekly(t.Context()); err == nil {
		t.Error("no error is logged")
	}
	if err := h.Updates().weekly(t.Context()); err != nil || there.asked != 1 {
		t.Errorf("asked %d times (%v)", there.asked, err)
	}
	pass(updatesEvery)
	there.status, there.titles = http.StatusOK, []string{"News of something else", "Version 5.0.0 is out", "1.2"}
	if err := h.Updates().weekly(t.Context()); err != nil || there.asked != 2 {
		t.Errorf("asked %d times (%v)", there.asked, err)
	}
	if r, err := h.Updates().Newer(t.Context()); r.Version != "" || err != nil {
		t.Errorf("told about %+v (%v)", r, err)
	}
}

func TestVersionsAreComparedAsNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		newer bool
	}{{"0.10.0", "0.9.9", true}, {"0.9.9", "0.10.0", false}, {"1.0.0", "1.0.0", false}, {"1.0.0", "", true}, {"", "1.0.0", false}, {"2.0.0", "1.99.99", true}} {
		if newerThan(c.a, c.b) != c.newer {
			t.Errorf("%s newer than %s: want %t", c.a, c.b, c.newer)
		}
	}
}

func TestWithoutWebsiteNothingIsAsked(t *testing.T) {
	there := &releases{status: http.StatusOK, titles: []string{"99.1.0"}}
	h, _ := updating(t, there)
	Website = ""
	if err := h.Store.Settings.Set(t.Context(), SettingUpdates, on); err != nil {
		t.Fatal(err)
	}
	if err := h.Updates().weekly(t.Context()); err != nil || there.asked != 0 {
		t.Errorf("asked %d times (%v)", there.asked, err)
	}
}
