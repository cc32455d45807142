package miniflux_test

import (
	"testing"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/miniflux"
	"kairos/poller/sync/synctest"
)

var (
	_ sync.Service   = (*miniflux.Client)(nil)
	_ sync.Refresher = (*miniflux.Client)(nil)
)

func TestContract(t *testing.T) {
	base, feeds := synctest.Exchanges(t, "contract", synctest.Miniflux)
	client, err := miniflux.New(base, "reader", "password1", fetch.New(fetch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	synctest.Contract(t, client, feeds, "999999", true)
}
