package reader

import "testing"

func TestServerAddress(t *testing.T) {
	for _, c := range []struct{ server, address, want string }{
		{"https://rss.test/", "https://a.test/feed", "https://a.test/feed"},
		{"https://rss.test/", "http://192.168.1.1/feed", ""},
		{"https://rss.test/", "http://bridge:3000/feed", ""},
		{"http://192.168.1.2/", "http://bridge:3000/feed", "http://bridge:3000/feed"},
		{"http://192.168.1.2/", "file:///etc/passwd", ""},
		{"https://rss.test/", "java\nscript:alert(1)", ""},
		{"https://rss.test/", "-x", ""},
		{"https://rss.test/", "mailto:a@b.test", ""},
	} {
		if got := ServerAddress(c.server, c.address); got != c.want {
			t.Errorf("%s tells %q: %q, want %q", c.server, c.address, got, c.want)
		}
	}
}
