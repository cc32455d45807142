package home

import (
	"testing"

	"kairos/poller/sync/connect"
)

func TestAccountName(t *testing.T) {
	for _, c := range []struct {
		kind          connect.Kind
		address, want string
	}{
		{connect.Miniflux, "https://reader.example.org/", "reader.example.org"},
		{connect.Miniflux, "http://127.0.0.1:8091", "Miniflux (127.0.0.1:8091)"},
		{connect.Miniflux, "http://nas:8080/miniflux", "Miniflux (nas:8080)"},
		{connect.GoogleReader, "https://rss.example.org/api/greader.php", "rss.example.org"},
		{connect.GoogleReader, "http://[::1]:8092/api/greader.php", "FreshRSS ([::1]:8092)"},
		{connect.TinyTinyRSS, "http://127.0.0.1:8093/tt-rss/", "Tiny Tiny RSS (127.0.0.1:8093)"},
		{connect.GoogleReader, "http://localhost:1234", "localhost:1234"},
	} {
		if got := accountName(string(c.kind), c.address); got != c.want {
			t.Errorf("%s is called %q, want %q", c.address, got, c.want)
		}
	}
}
