package text

import (
	"testing"

	"kairos/poller/sync"
)

func TestSyncErrors(t *testing.T) {
	worded(t, func(p *Printer, c sync.Code) string { return p.SyncError(&sync.Error{Code: c, Host: "rss.test"}) })
	if got, ok := English().Fact(&sync.Error{Code: sync.Busy, Status: 429}); !ok || got != "The server is busy. Kairos tries again later." {
		t.Errorf("%q, %t", got, ok)
	}
}
