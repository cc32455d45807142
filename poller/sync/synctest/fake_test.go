package synctest_test

import (
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
)

// The fake server keeps the contract as the real ones do.
func TestFake(t *testing.T) {
	for _, kind := range connect.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
			server := synctest.NewFake(t, func() time.Time { at = at.Add(time.Second); return at })
			server.Label("", "Old", true)
			server.AddFolder("Papers")
			service, err := connect.Open(kind, server.URL, "anna", synctest.FakePassword, fetch.New(fetch.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			synctest.Contract(t, service, &synctest.Feeds{Address: "http://feeds.test"}, "999999", false)
		})
	}
}
