package greader_test

import (
	"testing"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/greader"
	"kairos/poller/sync/synctest"
)

var _ sync.Service = (*greader.Client)(nil)

func TestContract(t *testing.T) {
	for _, kind := range []synctest.Kind{synctest.FreshRSS, synctest.Miniflux} {
		t.Run(string(kind), func(t *testing.T) {
			base, feeds := synctest.Exchanges(t, string(kind), kind)
			client, err := greader.New(base, "reader", "api-password1", fetch.New(fetch.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			synctest.Contract(t, client, feeds, "00000000000f423f", kind == synctest.FreshRSS)
		})
	}
}
